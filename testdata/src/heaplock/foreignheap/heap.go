// Package foreignheap has wrapper heaps and a lock helper, for users in another package.
package foreignheap

import (
	"container/heap"
	"sync"
)

// A Heap leaves its lock to whoever has one.
type Heap[T any] struct {
	data items[T]
}

func New[T any](less func(a, b T) bool) *Heap[T] { return &Heap[T]{items[T]{less: less}} }

func (h *Heap[T]) Push(x T) { heap.Push(&h.data, x) }
func (h *Heap[T]) Pop() T   { return heap.Pop(&h.data).(T) }
func (h *Heap[T]) Len() int { return h.data.Len() }

type items[T any] struct {
	list []T
	less func(a, b T) bool
}

func (s *items[T]) Len() int           { return len(s.list) }
func (s *items[T]) Less(i, j int) bool { return s.less(s.list[i], s.list[j]) }
func (s *items[T]) Swap(i, j int)      { s.list[i], s.list[j] = s.list[j], s.list[i] }
func (s *items[T]) Push(x any)         { s.list = append(s.list, x.(T)) }
func (s *items[T]) Pop() any {
	last := len(s.list) - 1
	x := s.list[last]
	s.list = s.list[:last]
	return x
}

// Ints is a heap that is no struct.
type Ints []int

func (h Ints) Len() int           { return len(h) }
func (h Ints) Less(i, j int) bool { return h[i] < h[j] }
func (h Ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *Ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *Ints) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// Add and Take are functions, and the heap their parameter.
func Add(h *Ints, n int) { heap.Push(h, n) }
func Take(h *Ints) int   { return heap.Pop(h).(int) }

// A Synced heap has a lock of its own: that it forgets it is reported here.
type Synced struct {
	mu sync.Mutex
	h  Ints
}

func (s *Synced) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	heap.Push(&s.h, n)
}

func (s *Synced) Take() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return heap.Pop(&s.h).(int)
}

func (s *Synced) Len() int { return len(s.h) } // want `read of Synced.h without s.mu`

// A Base is embedded for its lock.
type Base struct{ mu sync.RWMutex }

func (b *Base) Acquire()       { b.mu.Lock() }
func (b *Base) Release()       { b.mu.Unlock() }
func (b *Base) AcquireShared() { b.mu.RLock() }
func (b *Base) ReleaseShared() { b.mu.RUnlock() }

// TryAcquire tells whether it took the lock.
func (b *Base) TryAcquire() bool { return b.mu.TryLock() }
