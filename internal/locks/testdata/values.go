package samples

import (
	"container/heap"
	"sync"
)

func (q *queue) methodValues() {
	lock, unlock := q.mu.Lock, q.mu.Unlock
	lock()
	heap.Push(&q.h, 1) // held: q.mu
	unlock()
	heap.Push(&q.h, 2) // held: -
}

func (q *queue) methodExpressions() {
	(*sync.Mutex).Lock(&q.mu)
	heap.Push(&q.h, 1) // held: q.mu
	(*sync.Mutex).Unlock(&q.mu)
	heap.Push(&q.h, 2) // held: -
	(*queue).lock(q)
	(*queue).pop(q) // held: q.mu
	(*queue).unlock(q)
	(*queue).pop(q) // held: -
}

func (q *queue) pointers() {
	mu, h := &q.mu, &q.h
	mu.Lock()
	heap.Push(h, 1) // held: q.mu
	mu.Unlock()
	heap.Push(h, 2) // held: -
}

func (q *queue) object() {
	p := q
	p.mu.Lock()
	heap.Push(&q.h, 1) // held: q.mu
	q.mu.Unlock()
	heap.Push(&p.h, 2) // held: -
}

func withLock(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func (q *queue) lockArgument() {
	withLock(&q.mu, func() {
		heap.Push(&q.h, 1) // held: q.mu
	})
	withLock(&q.mu, q.pop) // held: q.mu
}

func pushUnder(mu *sync.Mutex, h *ints) {
	mu.Lock()
	heap.Push(h, 1) // held: mu
	mu.Unlock()
}

func (q *queue) passes() {
	pushUnder(&q.mu, &q.h) // held: q.mu
}
