package samples

import (
	"container/heap"
	"sort"
	"sync"
	"time"
)

func (q *queue) inPlace() {
	q.mu.Lock()
	func() {
		heap.Push(&q.h, 1) // held: q.mu
	}()
	q.mu.Unlock()
	func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		heap.Push(&q.h, 2) // held: q.mu
	}()
	heap.Push(&q.h, 3) // held: -
}

func (q *queue) byVariable() {
	push := func() {
		heap.Push(&q.h, 1) // held: q.mu
	}
	q.mu.Lock()
	push()
	q.mu.Unlock()
}

func (q *queue) lockInside() {
	func() { q.mu.Lock() }()
	heap.Push(&q.h, 1) // held: q.mu
	func() { q.mu.Unlock() }()
	heap.Push(&q.h, 2) // held: -
}

func run(f func()) { f() }

func (q *queue) locked(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f()
}

func (q *queue) handed() {
	q.mu.Lock()
	run(func() {
		heap.Push(&q.h, 1) // held: q.mu
	})
	q.mu.Unlock()
	q.locked(func() {
		heap.Push(&q.h, 2) // held: q.mu
	})
	run(func() {
		heap.Push(&q.h, 3) // held: -
	})
}

func (q *queue) library(xs []int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	sort.Slice(xs, func(i, j int) bool {
		heap.Push(&q.h, 1) // held: q.mu
		return xs[i] < xs[j]
	})
}

func (q *queue) elsewhere(wg *sync.WaitGroup) {
	q.mu.Lock()
	go func() {
		heap.Push(&q.h, 1) // held: -
	}()
	time.AfterFunc(time.Second, func() {
		heap.Push(&q.h, 2) // held: -
	})
	wg.Go(func() {
		q.mu.Lock()
		heap.Push(&q.h, 3) // held: q.mu
		q.mu.Unlock()
	})
	heap.Push(&q.h, 4) // held: q.mu
	q.mu.Unlock()
}
