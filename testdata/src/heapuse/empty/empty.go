package empty

import "container/heap"

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type feed struct{ h ints }

func (f *feed) pairs() (out [][2]int) {
	for f.h.Len() > 0 {
		a := heap.Pop(&f.h).(int)
		b := heap.Pop(&f.h).(int) // want `heap.Pop takes an element of f.h, but it can be empty here: the guard asks for one element, and one was taken before`
		out = append(out, [2]int{a, b})
	}
	return out
}

func (f *feed) merge() {
	for len(f.h) >= 2 {
		a, b := heap.Pop(&f.h).(int), heap.Pop(&f.h).(int)
		heap.Push(&f.h, a+b)
	}
}

func (f *feed) popThenPeek() int {
	if f.h.Len() == 0 {
		return 0
	}
	x := heap.Pop(&f.h).(int)
	return x + f.h[0] // want `the first slot of f.h is read, but it can be empty here`
}

func (f *feed) popPushPop(x int) int {
	if f.h.Len() == 0 {
		return 0
	}
	heap.Pop(&f.h)
	heap.Push(&f.h, x)
	return heap.Pop(&f.h).(int)
}

func (f *feed) testTooLate() int {
	x := f.h[0] // want `the first slot of f.h is read before the test whether there is one`
	if f.h.Len() == 0 {
		return 0
	}
	return x
}

func (f *feed) Peek() (int, bool) {
	if len(f.h) == 0 {
		return 0, false
	}
	return f.h[0], true
}

func (f *feed) shift() {
	f.h[0]++ // want `the first slot of f.h is read, but it can be empty here: Skip calls shift as often as it is told`
	heap.Fix(&f.h, 0)
}

// Skip shifts n times.
func (f *feed) Skip(n int) {
	for i := 0; i < n; i++ {
		f.shift()
	}
}

// TopK keeps the k greatest.
func TopK(in []int, k int) []int {
	var h ints
	for _, x := range in {
		if h.Len() < k {
			heap.Push(&h, x)
		} else if x > h[0] { // want `the first slot of h is read, but it can be empty here: its length is at least k, which may be zero`
			h[0] = x
			heap.Fix(&h, 0)
		}
	}
	return h
}

// TopSome keeps the k greatest, if any.
func TopSome(in []int, k int) []int {
	if k <= 0 {
		return nil
	}
	var h ints
	for _, x := range in {
		if h.Len() < k {
			heap.Push(&h, x)
		} else if x > h[0] {
			h[0] = x
			heap.Fix(&h, 0)
		}
	}
	return h
}

// Least takes the k least.
func Least(in []int, k int) (out []int) {
	h := ints(append([]int(nil), in...))
	heap.Init(&h)
	for i := 0; i < k; i++ {
		out = append(out, heap.Pop(&h).(int)) // want `it is taken from as often as k says, and nobody asks for the length`
	}
	return out
}

// Some takes the k least, if there are as many.
func Some(in []int, k int) (out []int) {
	h := ints(append([]int(nil), in...))
	heap.Init(&h)
	for i := 0; i < k && h.Len() > 0; i++ {
		out = append(out, heap.Pop(&h).(int))
	}
	return out
}

// Rounds plays a number of rounds; who loses is out.
func Rounds(in []int, rounds int, wins func(int) bool) {
	h := ints(append([]int(nil), in...))
	heap.Init(&h)
	for range rounds {
		x := heap.Pop(&h).(int) // want `it is taken from as often as rounds says`
		if wins(x) {
			heap.Push(&h, x)
		}
	}
}

// Rotate puts each back.
func Rotate(in []int, rounds int) {
	h := ints(append([]int(nil), in...))
	heap.Init(&h)
	for range rounds {
		x := heap.Pop(&h).(int)
		heap.Push(&h, x+1)
	}
}

func search(start, goal int, next func(int) []int) int {
	h := ints{start}
	for {
		x := heap.Pop(&h).(int) // want `every round of an endless loop takes one`
		if x == goal {
			return x
		}
		for _, y := range next(x) {
			heap.Push(&h, y)
		}
	}
}

func searchRight(start, goal int, next func(int) []int) int {
	h := ints{start}
	for h.Len() > 0 {
		x := heap.Pop(&h).(int)
		if x == goal {
			return x
		}
		for _, y := range next(x) {
			heap.Push(&h, y)
		}
	}
	return -1
}

func (f *feed) always() int {
	if f.h.Len() >= 0 {
		return heap.Pop(&f.h).(int) // want `the test holds for every length`
	}
	return 0
}

type both struct{ a, b ints }

func (b *both) move() {
	for b.a.Len() > 0 {
		heap.Push(&b.a, heap.Pop(&b.b)) // want `the test asks for the length of b.a`
	}
}

func (b *both) moveRight() {
	for b.b.Len() > 0 {
		heap.Push(&b.a, heap.Pop(&b.b))
	}
}

func (f *feed) inverted() int {
	if len(f.h) == 0 {
		return f.h[0] // want `the test holds for the empty heap alone`
	}
	return 0
}

// Guards elsewhere and by other means.

func (f *feed) busy() bool { return len(f.h) > 0 }

func (f *feed) take() int { return heap.Pop(&f.h).(int) }

func (f *feed) drain(g func(int)) {
	for f.busy() {
		g(f.take())
	}
}

func (f *feed) half() (out []int) {
	for range len(f.h) / 2 {
		out = append(out, heap.Pop(&f.h).(int))
	}
	return out
}
