// Package kinds has heap types of all makes.
package kinds

import (
	. "container/heap"
	h "container/heap"

	"heaps/lib"
)

type item struct{ prio, index int }

// A slice of pointers that know their position.
type items []*item // want items:"heap"

func (s items) Len() int           { return len(s) }
func (s items) Less(i, j int) bool { return s[i].prio < s[j].prio }
func (s items) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
	s[i].index, s[j].index = i, j
}
func (s *items) Push(x any) { *s = append(*s, x.(*item)) }
func (s *items) Pop() any {
	n := len(*s) - 1
	x := (*s)[n]
	*s = (*s)[:n]
	return x
}

// A struct with the slice inside, generic.
type boxed[T any] struct { // want boxed:"heap"
	less func(a, b T) bool
	in   struct{ list []T }
}

func (b *boxed[T]) Len() int           { return len(b.in.list) }
func (b *boxed[T]) Less(i, j int) bool { return b.less(b.in.list[i], b.in.list[j]) }
func (b *boxed[T]) Swap(i, j int)      { b.in.list[i], b.in.list[j] = b.in.list[j], b.in.list[i] }
func (b *boxed[T]) Push(x any)         { b.in.list = append(b.in.list, x.(T)) }
func (b *boxed[T]) Pop() any {
	n := len(b.in.list) - 1
	x := b.in.list[n]
	b.in.list = b.in.list[:n]
	return x
}

// Embeds a heap and turns it round.
type reversed struct{ items } // want reversed:"heap"

func (r reversed) Less(i, j int) bool { return r.items.Less(j, i) }

// Has the methods but is none.
type stack []int

func (s stack) Len() int           { return len(s) }
func (s stack) Less(i, j int) bool { return s[i] < s[j] }
func (s stack) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *stack) Push(x any)        { *s = append(*s, x.(int)) }
func (s *stack) Pop() any          { return nil }

type owner struct {
	q     items
	iface h.Interface
}

func use[T any](o *owner, b *boxed[T], r *reversed, x T) {
	Push(&o.q, &item{})
	push := h.Push
	push(b, x)
	h.Fix(r, 0)
	defer h.Remove(o.iface, 1)
	go h.Init(lib.New())
	var s stack
	s.Push(1)
	_ = Pop(&o.q).(*item)
}
