package samples

import (
	"container/heap"
	"sync"
)

type waiter struct {
	mu   sync.Mutex
	cond *sync.Cond
	h    ints
}

func newWaiter() *waiter {
	w := &waiter{}
	w.cond = sync.NewCond(&w.mu)
	return w
}

func (w *waiter) take() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.h) == 0 { // held: w.mu
		w.cond.Wait()
	}
	heap.Pop(&w.h) // held: w.mu
}

func (w *waiter) byCond() {
	w.cond.L.Lock()
	heap.Push(&w.h, 1) // held: w.mu
	w.cond.L.Unlock()
	heap.Push(&w.h, 2) // held: -
	w.cond.Signal()
}
