package samples

import "container/heap"

func (q *queue) straight() {
	heap.Push(&q.h, 1) // held: -
	q.mu.Lock()
	heap.Push(&q.h, 2) // held: q.mu
	q.mu.Unlock()
	heap.Push(&q.h, 3) // held: -
}

func (q *queue) two() {
	q.mu.Lock()
	q.rw.Lock()
	heap.Push(&q.h, 1) // held: q.mu q.rw
	q.mu.Unlock()
	heap.Push(&q.h, 2) // held: q.rw
	q.rw.Unlock()
}

func (q *queue) otherObject(p *queue) {
	p.mu.Lock()
	heap.Push(&q.h, 1) // held: p.mu
	q.mu.Lock()
	heap.Push(&q.h, 2) // held: p.mu q.mu
	p.mu.Unlock()
	heap.Push(&q.h, 3) // held: q.mu
	q.mu.Unlock()
}

func (q *queue) childs() {
	q.child.mu.Lock()
	heap.Push(&q.child.h, 1) // held: q.child.mu
	q.child.mu.Unlock()
}

func (q *queue) relock() {
	q.mu.Lock()
	q.mu.Unlock()
	heap.Push(&q.h, 1) // held: -
	q.mu.Lock()
	heap.Push(&q.h, 2) // held: q.mu
	q.mu.Unlock()
}
