package receiver

import "container/heap"

type numbers []int

func (n numbers) Len() int           { return len(n) }
func (n numbers) Less(i, j int) bool { return n[i] < n[j] }
func (n numbers) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n numbers) Push(x any) { // want `numbers.Push has a value receiver and appends to its own copy of the slice`
	n = append(n, x.(int))
}
func (n numbers) Pop() any { // want `numbers.Pop has a value receiver and shortens its own copy`
	k := len(n) - 1
	v := n[k]
	n = n[:k]
	return v
}

type boxed struct {
	less func(a, b string) bool
	list []string
}

func (b boxed) Len() int           { return len(b.list) }
func (b boxed) Less(i, j int) bool { return b.less(b.list[i], b.list[j]) }
func (b boxed) Swap(i, j int)      { b.list[i], b.list[j] = b.list[j], b.list[i] }
func (b boxed) Push(x any)         { b.list = append(b.list, x.(string)) } // want `boxed.Push has a value receiver`
func (b *boxed) Pop() any {
	k := len(b.list) - 1
	v := b.list[k]
	b.list = b.list[:k]
	return v
}

// A pointer to the slice is shared by all copies.
type shared struct{ list *[]int }

func (s shared) Len() int           { return len(*s.list) }
func (s shared) Less(i, j int) bool { return (*s.list)[i] < (*s.list)[j] }
func (s shared) Swap(i, j int)      { (*s.list)[i], (*s.list)[j] = (*s.list)[j], (*s.list)[i] }
func (s shared) Push(x any)         { *s.list = append(*s.list, x.(int)) }
func (s shared) Pop() any {
	l := *s.list
	v := l[len(l)-1]
	*s.list = l[:len(l)-1]
	return v
}

// Filled once: there is nothing to lose.
type fixed []int

func (f fixed) Len() int           { return len(f) }
func (f fixed) Less(i, j int) bool { return f[i] < f[j] }
func (f fixed) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f fixed) Push(any)           { panic("filled once") }
func (f fixed) Pop() any           { panic("never emptied") }

func use(n numbers, b *boxed, s shared, f fixed) {
	heap.Push(n, 1)
	heap.Push(b, "x")
	heap.Push(s, 1)
	heap.Init(f)
}
