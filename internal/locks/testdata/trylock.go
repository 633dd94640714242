package samples

import "container/heap"

func (q *queue) try() {
	if q.mu.TryLock() {
		heap.Push(&q.h, 1) // held: q.mu
		q.mu.Unlock()
	} else {
		heap.Push(&q.h, 2) // held: -
	}
	heap.Push(&q.h, 3) // held: -
}

func (q *queue) tryNot() {
	if !q.mu.TryLock() {
		return
	}
	defer q.mu.Unlock()
	heap.Push(&q.h, 1) // held: q.mu
}

func (q *queue) tryRead() {
	if ok := q.rw.TryRLock(); ok {
		heap.Push(&q.h, 1) // held: q.rw(read)
		q.rw.RUnlock()
	}
}

func (q *queue) tryLater() {
	ok := q.mu.TryLock()
	heap.Push(&q.h, 1) // held: - may: q.mu
	if ok {
		heap.Push(&q.h, 2) // held: q.mu
		q.mu.Unlock()
	}
}

func (q *queue) tryAnyway() {
	q.mu.TryLock()
	heap.Push(&q.h, 1) // held: - may: q.mu
}

func (q *queue) tryBoth() {
	if q.mu.TryLock() && q.ready {
		heap.Push(&q.h, 1) // held: q.mu
		q.mu.Unlock()
	}
}

// tryFor takes the lock for its caller if it can.
func (q *queue) tryFor() bool {
	if !q.mu.TryLock() {
		return false
	}
	if q.ready {
		return true
	}
	q.mu.Unlock()
	return false
}

func (q *queue) triesFor() {
	if q.tryFor() {
		heap.Push(&q.h, 1) // held: q.mu
		q.mu.Unlock()
		return
	}
	heap.Push(&q.h, 2) // held: -
}
