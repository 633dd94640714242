package samples

import (
	"container/heap"
	"sync"
)

type heapOf[T any] struct {
	items []T
	less  func(a, b T) bool
}

func (h *heapOf[T]) Len() int           { return len(h.items) }
func (h *heapOf[T]) Less(i, j int) bool { return h.less(h.items[i], h.items[j]) }
func (h *heapOf[T]) Swap(i, j int)      { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *heapOf[T]) Push(x any)         { h.items = append(h.items, x.(T)) }
func (h *heapOf[T]) Pop() any {
	x := h.items[len(h.items)-1]
	h.items = h.items[:len(h.items)-1]
	return x
}

type safe[T any, L sync.Locker] struct {
	mu   sync.Mutex
	by   L
	heap heapOf[T]
}

func (s *safe[T, L]) push(x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	heap.Push(&s.heap, x) // held: s.mu
}

func (s *safe[T, L]) bare(x T) {
	heap.Push(&s.heap, x) // held: -
}

func (s *safe[T, L]) parameter(x T) {
	s.by.Lock()
	heap.Push(&s.heap, x) // held: s.by
	s.by.Unlock()
}

func instance(s *safe[int, *sync.Mutex]) {
	s.push(1) // held: s.mu
	s.mu.Lock()
	s.bare(2) // held: s.mu
	s.mu.Unlock()
	s.bare(3) // held: -
}

func under[L sync.Locker](l L, f func()) {
	l.Lock()
	f()
	l.Unlock()
}

func genericFunction(q *queue) {
	under(&q.mu, func() {
		heap.Push(&q.h, 1) // held: q.mu
	})
	heap.Push(&q.h, 2) // held: -
}
