package push

import (
	"container/heap"
	"slices"
)

type mail struct{ rank int }

type base []*mail

func (b base) Len() int           { return len(b) }
func (b base) Less(i, j int) bool { return b[i].rank < b[j].rank }
func (b base) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *base) Pop() any {
	old := *b
	m := old[len(old)-1]
	*b = old[:len(old)-1]
	return m
}

type front struct{ base }

func (f *front) Push(x any) {
	f.base = append(base{x.(*mail)}, f.base...) // want `front.Push puts the new element in front, but heap.Push sifts up the last element`
}

type inserted struct{ base }

func (i *inserted) Push(x any) {
	i.base = slices.Insert(i.base, 0, x.(*mail)) // want `inserted.Push puts the new element in front`
}

type middle struct{ base }

func (m *middle) Push(x any) {
	m.base = append(m.base[:1], append([]*mail{x.(*mail)}, m.base[1:]...)...) // want `middle.Push puts the new element in the middle`
}

type bounded struct {
	base
	max int
}

func (b *bounded) Push(x any) { // want `bounded.Push drops the element on one way through`
	if b.Len() >= b.max {
		return
	}
	b.base = append(b.base, x.(*mail))
}

type forgetful struct{ base }

func (f *forgetful) Push(x any) { // want `forgetful.Push does not add the element to the heap`
	_ = append(f.base, x.(*mail))
}

// Right ones.

// Filled once.
type filled []int

func (f filled) Len() int           { return len(f) }
func (f filled) Less(i, j int) bool { return f[i] < f[j] }
func (f filled) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f filled) Push(any)           {}
func (f filled) Pop() any           { return nil }

func first(f filled) int {
	heap.Init(f)
	return f[0]
}

type careful struct{ base }

func (c *careful) Push(x any) {
	m, ok := x.(*mail)
	if !ok {
		return
	}
	c.base = append(c.base, m)
}

type wrapping struct {
	base
	ranks []int
}

func (w *wrapping) Push(x any) {
	m := &mail{rank: x.(int)}
	w.ranks = append(w.ranks, m.rank)
	w.base = append(w.base, m)
}

type delegating struct{ base }

func (b *base) add(m *mail) { *b = append(*b, m) }

func (d *delegating) Push(x any) { d.add(x.(*mail)) }

type values []mail

func (v values) Len() int           { return len(v) }
func (v values) Less(i, j int) bool { return v[i].rank < v[j].rank }
func (v values) Swap(i, j int)      { v[i], v[j] = v[j], v[i] }
func (v *values) Push(x any)        { *v = append(*v, *x.(*mail)) }
func (v *values) Pop() any {
	old := *v
	m := old[len(old)-1]
	*v = old[:len(old)-1]
	return m
}

type list[T any] struct {
	in   []*node[T]
	less func(a, b T) bool
}

type node[T any] struct{ v T }

func (l *list[T]) Len() int           { return len(l.in) }
func (l *list[T]) Less(i, j int) bool { return l.less(l.in[i].v, l.in[j].v) }
func (l *list[T]) Swap(i, j int)      { l.in[i], l.in[j] = l.in[j], l.in[i] }
func (l *list[T]) Push(x any)         { l.in = append(l.in, x.(*node[T])) }
func (l *list[T]) Pop() any {
	n := l.in[len(l.in)-1]
	l.in = l.in[:len(l.in)-1]
	return n.v
}

// Anything goes.
type anything []any

func (a anything) Len() int           { return len(a) }
func (a anything) Less(i, j int) bool { return a[i].(int) < a[j].(int) }
func (a anything) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *anything) Push(x any)        { *a = append(*a, x) }
func (a *anything) Pop() any {
	old := *a
	x := old[len(old)-1]
	*a = old[:len(old)-1]
	return x
}

func use(a *front, b *inserted, c *middle, d *bounded, e *forgetful, f *careful, g *wrapping, h *delegating, v *values, w *anything) {
	for _, x := range []heap.Interface{a, b, c, d, e, f, g, h} {
		heap.Push(x, &mail{})
	}
	heap.Push(e, &mail{})
	m := mail{}
	heap.Push(v, &m)
	heap.Push(v, m) // want `heap.Push gets a mail, but values.Push asserts \*mail and panics on anything else`
	heap.Push(g, m) // want `heap.Push gets a mail, but wrapping.Push asserts int`
	heap.Push(g, 1)
	_ = heap.Pop(v).(mail)
	_ = heap.Pop(v).(*mail) // want `the result of heap.Pop is asserted to be \*mail, but values.Pop returns mail`
	heap.Push(w, 1)
	heap.Push(w, m)
	_ = heap.Pop(w).(int)
}

func generic[T any](l *list[T], v T, n *list[int]) {
	heap.Push(l, &node[T]{v})
	heap.Push(l, node[T]{v}) // want `heap.Push gets a node\[T\], but list.Push asserts \*node\[T\]`
	heap.Push(n, &node[int]{1})
	_ = heap.Pop(l).(T)
	_ = heap.Pop(n).(int)
}
