package inventory

import (
	"container/heap"
	"sync"
)

// A Queue has a guard, and a method that forgets it.
type Queue struct {
	mu    sync.Mutex
	items ints
}

func NewQueue(n ...int) *Queue {
	q := &Queue{items: n}
	heap.Init(&q.items)
	return q
}

func (q *Queue) Add(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, n)
}

func (q *Queue) Next() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next()
}

func (q *Queue) next() int { return heap.Pop(&q.items).(int) }

func (q *Queue) Len() int { return q.items.Len() }

// An Actor has its heap for itself.
type Actor struct {
	in   chan int
	wait ints
}

func (a *Actor) Run() {
	for n := range a.in {
		heap.Push(&a.wait, n)
	}
}

// Smallest uses a heap of its own.
func Smallest(k int, from []int) []int {
	var h ints
	for _, n := range from {
		heap.Push(&h, n)
	}
	var out []int
	for range k {
		out = append(out, heap.Pop(&h).(int))
	}
	return out
}

// A Bare heap is used by everybody and guarded by nobody.
type Bare struct{ top ints }

func (b *Bare) Add(n int) { heap.Push(&b.top, n) }
func (b *Bare) Next() int { return heap.Pop(&b.top).(int) }

// A Scratch is not safe for concurrent use.
type Scratch struct{ ints ints }

func (s *Scratch) Add(n int) { heap.Push(&s.ints, n) }
func (s *Scratch) Next() int { return heap.Pop(&s.ints).(int) }

var (
	sharedMu sync.Mutex
	shared   ints
)

func Share(n int) {
	sharedMu.Lock()
	heap.Push(&shared, n)
	sharedMu.Unlock()
}

func Unshare() int {
	sharedMu.Lock()
	defer sharedMu.Unlock()
	return heap.Pop(&shared).(int)
}

// Rarely has a mutex of which nobody knows what it is for.
type Rarely struct {
	mu sync.Mutex
	h  ints
}

func (r *Rarely) A(n int) { heap.Push(&r.h, n) }
func (r *Rarely) B() int  { return heap.Pop(&r.h).(int) }
func (r *Rarely) C()      { heap.Init(&r.h) }
func (r *Rarely) E() int  { return r.h[0] }
func (r *Rarely) D() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return heap.Pop(&r.h).(int)
}
