package samples

import "container/heap"

func (q *queue) backwards() {
again:
	q.mu.Lock()
	heap.Push(&q.h, 1) // held: q.mu
	if unknown() {
		q.mu.Unlock()
		goto again
	}
	q.mu.Unlock()
	heap.Push(&q.h, 2) // held: -
}

func (q *queue) forwards() {
	q.mu.Lock()
	if unknown() {
		goto out
	}
	heap.Push(&q.h, 1) // held: q.mu
out:
	heap.Push(&q.h, 2) // held: q.mu
	q.mu.Unlock()
}

func (q *queue) skipsLock() {
	if unknown() {
		goto use
	}
	q.mu.Lock()
use:
	heap.Push(&q.h, 1) // held: - may: q.mu
}
