package samples

import "container/heap"

func (q *queue) some() {
	if unknown() {
		q.mu.Lock()
	}
	heap.Push(&q.h, 1) // held: - may: q.mu
}

func (q *queue) both() {
	if unknown() {
		q.mu.Lock()
		q.rw.Lock()
	} else {
		q.mu.Lock()
	}
	heap.Push(&q.h, 1) // held: q.mu may: q.rw
	q.mu.Unlock()
}

func (q *queue) early() {
	q.mu.Lock()
	if unknown() {
		q.mu.Unlock()
		heap.Push(&q.h, 1) // held: -
		return
	}
	heap.Push(&q.h, 2) // held: q.mu
	q.mu.Unlock()
}

func (q *queue) sameCondition(async bool) {
	if !async {
		q.mu.Lock()
	}
	heap.Push(&q.h, 1) // held: - may: q.mu
	if !async {
		heap.Push(&q.h, 2) // held: q.mu
		q.mu.Unlock()
	}
	heap.Push(&q.h, 3) // held: -
}

func (q *queue) remembered() {
	locked := false
	if unknown() {
		q.mu.Lock()
		locked = true
	}
	if locked {
		heap.Push(&q.h, 1) // held: q.mu
		q.mu.Unlock()
	}
	heap.Push(&q.h, 2) // held: -
}

func (q *queue) switched(n int) {
	switch n {
	case 0:
		q.mu.Lock()
	case 1:
		q.mu.Lock()
		fallthrough
	case 2:
		heap.Push(&q.h, 1) // held: - may: q.mu
		return
	default:
		return
	}
	heap.Push(&q.h, 2) // held: q.mu
	q.mu.Unlock()
}

func (q *queue) selected(in, out chan int) {
	q.mu.Lock()
	select {
	case <-in:
		heap.Push(&q.h, 1) // held: q.mu
		q.mu.Unlock()
	case out <- 1:
		q.mu.Unlock()
		heap.Push(&q.h, 2) // held: -
	}
	heap.Push(&q.h, 3) // held: -
}

func (q *queue) typed(x any) {
	switch x.(type) {
	case int:
		q.mu.Lock()
	case string:
		q.mu.Lock()
	default:
		q.mu.Lock()
	}
	heap.Push(&q.h, 1) // held: q.mu
	q.mu.Unlock()
}

// What is known of a condition is forgotten once nothing tests it any more, so that
// many of them do not add up.
func (q *queue) many(a, b, c, d, e, f int) {
	if a > 0 {
		q.mu.Lock()
	}
	if a > 0 {
		q.mu.Unlock()
	}
	for _, x := range []int{b, c, d, e, f} {
		l1, l2, l3 := x > 1, x > 2, x > 3
		if l1 {
			q.mu.Lock()
		}
		if l1 {
			heap.Push(&q.h, 1) // held: q.mu
			q.mu.Unlock()
		}
		if l2 {
			q.rw.Lock()
		}
		if l2 {
			heap.Push(&q.h, 2) // held: q.rw
			q.rw.Unlock()
		}
		if l3 {
			q.mu.Lock()
		}
		if !l3 {
			heap.Push(&q.h, 3) // held: -
			continue
		}
		heap.Push(&q.h, 4) // held: q.mu
		q.mu.Unlock()
	}
	l1, l2, l3, l4, l5 := unknown(), unknown(), unknown(), unknown(), unknown()
	if l1 {
		q.mu.Lock()
		heap.Push(&q.h, 5) // held: q.mu
		q.mu.Unlock()
	}
	if l2 && l3 || l4 {
		q.mu.Lock()
	}
	heap.Push(&q.h, 6) // held: - may: q.mu
	if l2 && l3 || l4 {
		q.mu.Unlock()
	}
	if l5 && l1 {
		q.rw.RLock()
	}
	if l5 && l1 {
		heap.Push(&q.h, 7) // held: q.rw(read)
		q.rw.RUnlock()
	}
	heap.Push(&q.h, 8) // held: -
}
