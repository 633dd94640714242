// Package quiet is right in ways that look wrong.
package quiet

import (
	"container/heap"
	"sync"
)

type job struct {
	name  string
	prio  int
	index int
}

type jobs []*job

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a].prio < j[b].prio }
func (j jobs) Swap(a, b int) {
	j[a], j[b] = j[b], j[a]
	j[a].index, j[b].index = a, b
}
func (j *jobs) Push(x any) {
	e := x.(*job)
	e.index = len(*j)
	*j = append(*j, e)
}
func (j *jobs) Pop() any {
	old := *j
	n := len(old) - 1
	e := old[n]
	old[n] = nil
	e.index = -1
	*j = old[:n]
	return e
}

// A mutex beside a heap that no lock guards.
type solver struct {
	stats sync.Mutex
	runs  int
	queue jobs
}

func (s *solver) Run() {
	s.stats.Lock()
	s.runs++
	s.stats.Unlock()
	heap.Push(&s.queue, &job{})
	heap.Pop(&s.queue)
}

// The cond has the lock; the constructor needs none.
type waiter struct {
	mu    sync.Mutex
	cond  sync.Cond
	queue jobs
}

func newWaiter(js ...*job) *waiter {
	w := &waiter{}
	w.cond.L = &w.mu
	w.fill(js)
	heap.Init(&w.queue)
	return w
}

func (w *waiter) fill(js []*job) { w.queue = append(w.queue, js...) }

func (w *waiter) Add(j *job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	heap.Push(&w.queue, j)
	w.cond.Signal()
}

func (w *waiter) Take() *job {
	w.cond.L.Lock()
	defer w.cond.L.Unlock()
	for len(w.queue) == 0 {
		w.cond.Wait()
	}
	return heap.Pop(&w.queue).(*job)
}

// Locks taken for the caller, and an unlock function returned.
func (w *waiter) lock() func() {
	w.mu.Lock()
	return w.mu.Unlock
}

func (w *waiter) Size() int {
	defer w.lock()()
	return w.queue.Len()
}

// The caller holds the lock, by name or by word.
func (w *waiter) SizeLocked() int { return w.queue.Len() }

// First returns the head. The caller must hold w.mu.
func (w *waiter) First() *job { return w.queue[0] }

// A heap that was taken out is its taker's.
func (w *waiter) Drain() (names []string) {
	w.mu.Lock()
	taken := w.queue
	w.queue = nil
	w.mu.Unlock()
	for len(taken) > 0 {
		names = append(names, heap.Pop(&taken).(*job).name)
	}
	return names
}

// A flag hands the heap to the loop that runs.
type loop struct {
	mu      sync.Mutex
	running bool
	queue   jobs
	add     chan *job
}

func (l *loop) Start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running {
		return
	}
	l.running = true
	go l.run()
}

func (l *loop) run() {
	for j := range l.add {
		heap.Push(&l.queue, j)
	}
}

func (l *loop) Add(j *job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running {
		l.add <- j
		return
	}
	heap.Push(&l.queue, j)
}

func (l *loop) Remove(j *job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.running {
		heap.Remove(&l.queue, j.index)
	}
}
