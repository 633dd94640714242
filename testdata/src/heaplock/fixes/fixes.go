// Package fixes has faults that a suggested fix puts right.
package fixes

import (
	"container/heap"
	"fmt"
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

// A mutex as a field.
type board struct {
	mu    sync.Mutex
	queue jobs
}

func (b *board) Add(j *job) {
	b.mu.Lock()
	defer b.mu.Unlock()
	heap.Push(&b.queue, j)
}

func (b *board) Take() *job {
	b.mu.Lock()
	defer b.mu.Unlock()
	return heap.Pop(&b.queue).(*job)
}

func (board *board) Size() int { return board.queue.Len() } // want `board.queue without`

func (b *board) Describe() string { // one of them
	// The first is enough.
	if b.queue.Len() == 0 { // want `board.queue without`
		return "empty"
	}
	return fmt.Sprintf("%d, first %s", len(b.queue), b.queue[0].name) // want `board.queue without` `board.queue without`
}

func (b *board) Raise(j *job) {
	j.prio++
	heap.Fix(&b.queue, j.index) // want `board.queue without`
}

// An embedded read-write mutex: what reads takes the read lock.
type table struct {
	sync.RWMutex
	queue jobs
}

func (t *table) Add(j *job) {
	t.Lock()
	defer t.Unlock()
	heap.Push(&t.queue, j)
}

func (t *table) First() string {
	t.RLock()
	defer t.RUnlock()
	return t.queue[0].name
}

func (t *table) Len() int {
	return t.queue.Len() // want `table.queue without`
}

func (t *table) Drop(j *job) {
	heap.Remove(&t.queue, j.index) // want `table.queue without`
}

func (t *table) Take() *job {
	t.RLock()
	defer t.RUnlock()
	return heap.Pop(&t.queue).(*job) // want `under the read lock`
}

func (t *table) Sweep(below int) (n int) {
	t.RLock()
	if len(t.queue) == 0 {
		t.RUnlock()
		return 0
	}
	for t.expire(below) { // want `under the read lock`
		n++
	}
	t.RUnlock()
	return n
}

func (t *table) expire(below int) bool {
	if len(t.queue) == 0 || t.queue[0].prio >= below {
		return false
	}
	heap.Pop(&t.queue)
	return true
}

func (t *table) Reset() {
	t.RLock()
	defer func() {
		t.RUnlock()
	}()
	heap.Init(&t.queue) // want `under the read lock`
}
