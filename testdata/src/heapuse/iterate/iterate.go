package iterate

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

type bag struct{ h, other ints }

func (b *bag) dropAll(x int) {
	for i, y := range b.h {
		if x == y {
			heap.Remove(&b.h, i) // want `heap.Remove moves elements of b.h while the loop walks over its slice`
		}
	}
}

func (b *bag) raise() {
	for i := range b.h {
		b.h[i] *= 2
		heap.Fix(&b.h, i) // want `heap.Fix moves elements of b.h while the loop walks`
	}
}

func (b *bag) take() { heap.Pop(&b.h) }

func (b *bag) byCall() {
	for i := 0; i < b.h.Len(); i++ {
		if b.h[i] < 0 {
			b.take() // want `heap.Pop moves elements of b.h while the loop walks`
		}
	}
}

// Right ones.

func (b *bag) dropOne(x int) {
	for i, y := range b.h {
		if x == y {
			heap.Remove(&b.h, i)
			break
		}
	}
}

func (b *bag) fixOne(x int) bool {
	for i := range b.h {
		if b.h[i] != x {
			continue
		}
		b.h[i]++
		heap.Fix(&b.h, i)
		return true
	}
	return false
}

func (b *bag) descending(x int) {
	for i := len(b.h) - 1; i >= 0; i-- {
		if b.h[i] == x {
			heap.Remove(&b.h, i)
		}
	}
}

// The element that takes the place of the removed one may be less than its new
// parent: then it moves to a slot that the walk has passed.
func (b *bag) again(x int) {
	for i := 0; i < b.h.Len(); i++ {
		if b.h[i] == x {
			heap.Remove(&b.h, i) // want `heap.Remove moves elements of b.h while the loop walks over its slice`
			i--
		}
	}
}

func (b *bag) move() {
	for _, x := range b.h {
		heap.Push(&b.other, x)
	}
	heap.Init(&b.h)
}

func (b *bag) drain() (out []int) {
	for len(b.h) > 0 && b.h[0] < 10 {
		out = append(out, heap.Pop(&b.h).(int))
	}
	return out
}

func (b *bag) stays(x int) {
	for i := 0; i < b.h.Len(); {
		if b.h[i] == x {
			heap.Remove(&b.h, i) // want `heap.Remove moves elements of b.h while the loop walks over its slice`
			continue
		}
		i++
	}
}

// The loop does not walk: it works on the first element until it is large enough.
func (b *bag) top(least int) {
	for i := 0; len(b.h) > 0 && b.h[i] < least; {
		heap.Remove(&b.h, i)
	}
}
