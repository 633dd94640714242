package direct

import (
	"container/heap"
	"sort"
)

type base []int

func (b base) Len() int           { return len(b) }
func (b base) Less(i, j int) bool { return b[i] < b[j] }
func (b base) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *base) Push(x any)        { *b = append(*b, x.(int)) }
func (b *base) Pop() any {
	old := *b
	x := old[len(old)-1]
	*b = old[:len(old)-1]
	return x
}

// Embeds a heap and turns it round.
type reversed struct{ base }

func (r reversed) Less(i, j int) bool { return r.base.Less(j, i) }

type queue struct {
	up   base
	down *reversed
	any  heap.Interface
}

func (q *queue) start() {
	heap.Init(&q.up)
	heap.Init(q.down)
	heap.Init(q.any)
}

func (q *queue) add(x int) {
	q.up.Push(x)   // want `the method Push of base only appends the element and leaves it there: call heap.Push`
	q.down.Push(x) // want `the method Push of base only appends`
	q.any.Push(x)  // want `the method Push of heap.Interface only appends`
}

func (q *queue) take() int {
	_ = q.down.Pop()          // want `the method Pop of base only takes the last element, not the minimum: call heap.Pop`
	x, ok := q.up.Pop().(int) // want `the method Pop of base only takes the last element`
	if !ok {
		return 0
	}
	return x
}

func (q *queue) lend(f func(any)) {
	x := heap.Pop(&q.up)
	defer q.up.Push(x) // want `the method Push of base only appends`
	f(x)
}

func each(xs []int, f func(any)) {
	for _, x := range xs {
		f(x)
	}
}

func (q *queue) addAll(xs []int) { each(xs, q.up.Push) } // want `the method Push of base only appends`

func (q *queue) first(x int) {
	if q.up.Len() > 0 {
		return
	}
	q.up.Push(x)
}

// In bulk, and then put in order: here, in a caller, by sorting.

func (q *queue) fill(xs []int) {
	for _, x := range xs {
		q.up.Push(x)
	}
	heap.Init(&q.up)
}

func (q *queue) append(xs []int) {
	for _, x := range xs {
		q.up.Push(x)
	}
}

func (q *queue) load(xs []int) {
	q.append(xs)
	heap.Init(&q.up)
}

func sorted(xs []int) base {
	var b base
	for _, x := range xs {
		b.Push(x)
	}
	sort.Sort(b)
	return b
}

// By hand: the tail goes into the hole.
func (q *queue) remove(i int) {
	tail := q.up.Pop().(int)
	if i == q.up.Len() {
		return
	}
	q.up[i] = tail
	heap.Fix(&q.up, i)
}

// Only emptied.
func (q *queue) clear() {
	for q.up.Len() > 0 {
		q.up.Pop()
	}
}

// A type that sifts by itself is no heap of ours, even if its heap is.
type sifting struct{ in base }

func (s *sifting) Len() int           { return s.in.Len() }
func (s *sifting) Less(i, j int) bool { return s.in.Less(i, j) }
func (s *sifting) Swap(i, j int)      { s.in.Swap(i, j) }
func (s *sifting) Push(x any)         { heap.Push(&s.in, x) }
func (s *sifting) Pop() any           { return heap.Pop(&s.in) }

var _ heap.Interface = (*sifting)(nil)

func use(s *sifting) any {
	s.Push(1)
	return s.Pop()
}

// Not a heap at all.
type stack []int

func (s *stack) Push(x any) { *s = append(*s, x.(int)) }
func (s *stack) Pop() any {
	old := *s
	x := old[len(old)-1]
	*s = old[:len(old)-1]
	return x
}

func unrelated(s *stack) any {
	s.Push(1)
	return s.Pop()
}
