package samples

import "container/heap"

func (q *queue) deferred() {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.h, 1) // held: q.mu
	if q.ready {
		return
	}
	heap.Push(&q.h, 2) // held: q.mu
}

func (q *queue) deferredIf() {
	if q.ready {
		q.mu.Lock()
		defer q.mu.Unlock()
		heap.Push(&q.h, 1) // held: q.mu
	}
	heap.Push(&q.h, 2) // held: - may: q.mu
}

func (q *queue) deferredClosure() {
	q.mu.Lock()
	defer func() {
		heap.Push(&q.h, 1) // held: q.mu
		q.mu.Unlock()
		heap.Push(&q.h, 2) // held: -
	}()
	heap.Push(&q.h, 3) // held: q.mu
}

// Deferred calls run last first.
func (q *queue) deferredOrder() {
	defer func() {
		heap.Push(&q.h, 1) // held: -
	}()
	q.mu.Lock()
	defer q.mu.Unlock()
	defer func() {
		heap.Push(&q.h, 2) // held: q.mu
	}()
}

func (q *queue) deferredFlag() {
	locked := false
	defer func() {
		if locked {
			q.mu.Unlock()
		}
	}()
	heap.Push(&q.h, 1) // held: -
	q.mu.Lock()
	locked = true
	heap.Push(&q.h, 2) // held: q.mu
}

func (q *queue) deferredOperation() {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer heap.Push(&q.h, 1) // held: q.mu
}

func (q *queue) deferredPanic() {
	defer func() {
		heap.Push(&q.h, 1) // held: - may: q.mu
	}()
	if q.ready {
		panic("not yet")
	}
	q.mu.Lock()
}

func (q *queue) callsDeferred() {
	q.deferred()
	heap.Push(&q.h, 1) // held: -
}
