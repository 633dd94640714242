package samples

import "container/heap"

func (q *queue) body(xs []int) {
	for _, x := range xs {
		heap.Push(&q.h, x) // held: -
		q.mu.Lock()
		heap.Push(&q.h, x) // held: q.mu
		q.mu.Unlock()
	}
	heap.Push(&q.h, 0) // held: -
}

func (q *queue) around(xs []int) {
	q.mu.Lock()
	for range xs {
		heap.Push(&q.h, 1) // held: q.mu
		if unknown() {
			q.mu.Unlock()
			heap.Push(&q.h, 2) // held: -
			q.mu.Lock()
		}
	}
	heap.Push(&q.h, 3) // held: q.mu
	q.mu.Unlock()
}

func (q *queue) forgets(xs []int) {
	q.mu.Lock()
	for range xs {
		heap.Push(&q.h, 1) // held: - may: q.mu
		if unknown() {
			q.mu.Unlock()
			continue
		}
	}
}

func (q *queue) waits() {
	q.mu.Lock()
	for !q.ready {
		q.mu.Unlock()
		heap.Push(&q.h, 1) // held: -
		q.mu.Lock()
	}
	heap.Push(&q.h, 2) // held: q.mu
	q.mu.Unlock()
}

func (q *queue) labelled(xs [][]int) {
outer:
	for range xs {
		q.mu.Lock()
		for range xs {
			if unknown() {
				q.mu.Unlock()
				continue outer
			}
			if unknown() {
				break outer
			}
			heap.Push(&q.h, 1) // held: q.mu
		}
		q.mu.Unlock()
	}
	heap.Push(&q.h, 2) // held: - may: q.mu
}

func (q *queue) leavesSwitch() {
	for {
		q.mu.Lock()
		switch {
		case unknown():
			break
		case unknown():
			q.mu.Unlock()
			continue
		default:
			q.mu.Unlock()
			return
		}
		heap.Push(&q.h, 1) // held: q.mu
		q.mu.Unlock()
	}
}

// What is known of a loop's variable ends with the iteration.
func (q *queue) first(n int) {
	q.mu.Lock()
	for i := 0; i < n; i++ {
		if i == 0 {
			q.mu.Unlock()
		}
		if i != 0 {
			heap.Push(&q.h, 1) // held: - may: q.mu
		}
	}
}

func (q *queue) functions(seq func(func(int) bool)) {
	q.mu.Lock()
	for x := range seq {
		heap.Push(&q.h, x) // held: q.mu
	}
	q.mu.Unlock()
}

func (q *queue) all(yield func(int) bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, x := range q.h {
		if !yield(x) {
			return
		}
	}
}

func (q *queue) iterates() {
	for x := range q.all {
		heap.Push(&q.h, x) // held: q.mu
	}
	heap.Push(&q.h, 0) // held: -
}
