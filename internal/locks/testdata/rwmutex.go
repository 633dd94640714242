package samples

import (
	"container/heap"
	"sync"
)

func (q *queue) readers() {
	q.rw.RLock()
	heap.Push(&q.h, 1) // held: q.rw(read)
	q.rw.RUnlock()
	q.rw.Lock()
	heap.Push(&q.h, 2) // held: q.rw
	q.rw.Unlock()
}

func (q *queue) upgrade() {
	q.rw.RLock()
	if q.ready {
		q.rw.RUnlock()
		q.rw.Lock()
		heap.Push(&q.h, 1) // held: q.rw
		q.rw.Unlock()
		return
	}
	heap.Push(&q.h, 2) // held: q.rw(read)
	q.rw.RUnlock()
}

func (q *queue) either(write bool) {
	if write {
		q.rw.Lock()
	} else {
		q.rw.RLock()
	}
	heap.Push(&q.h, 1) // held: q.rw(read)
	if write {
		heap.Push(&q.h, 2) // held: q.rw
		q.rw.Unlock()
	} else {
		q.rw.RUnlock()
	}
	heap.Push(&q.h, 3) // held: -
}

type guarded struct {
	l sync.Locker
	h ints
}

func (g *guarded) locker() {
	g.l.Lock()
	heap.Push(&g.h, 1) // held: g.l
	g.l.Unlock()
	heap.Push(&g.h, 2) // held: -
}

// downgrade gives back the write lock of its caller and keeps a read lock.
func (q *queue) downgrade() {
	q.rw.Unlock()
	q.rw.RLock()
	heap.Push(&q.h, 1) // held: q.rw(read)
}

func (q *queue) downgrades() {
	q.rw.Lock()
	q.downgrade()      // held: q.rw(read)
	heap.Push(&q.h, 1) // held: q.rw(read)
	q.rw.RUnlock()
	heap.Push(&q.h, 2) // held: -
}
