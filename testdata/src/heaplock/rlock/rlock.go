// Package rlock changes heaps under the read lock.
package rlock

import (
	"container/heap"
	"slices"
	"sort"
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

type table struct {
	mu    sync.RWMutex
	queue jobs
}

func (t *table) Add(j *job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	heap.Push(&t.queue, j)
}

func (t *table) Take() *job {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return heap.Pop(&t.queue).(*job) // want `heap.Pop changes table.queue under the read lock of t.mu`
}

// The change is two calls below the read lock.
func (t *table) Sweep(below int) {
	t.mu.RLock()
	t.sweep(below) // want `heap.Pop changes table.queue under the read lock of t.mu`
	t.mu.RUnlock()
}

func (t *table) sweep(below int) {
	for t.low(below) {
		t.pop()
	}
}

func (t *table) low(below int) bool { return len(t.queue) > 0 && t.queue[0].prio < below }
func (t *table) pop()               { heap.Pop(&t.queue) }

// Reading under the read lock is what it is for.
func (t *table) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.queue.Len()
}

// So is sorting the slice in place.
func (t *table) Sorted() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	slices.SortFunc(t.queue, func(a, b *job) int { return b.prio - a.prio }) // want `slices.SortFunc changes table.queue under the read lock of t.mu`
	var names []string
	for _, j := range t.queue {
		names = append(names, j.name)
	}
	return names
}

// A copy may be sorted.
func (t *table) SortedCopy() []*job {
	t.mu.RLock()
	list := slices.Clone(t.queue)
	t.mu.RUnlock()
	sort.Slice(list, func(a, b int) bool { return list[a].prio < list[b].prio })
	return list
}

// So may what was taken out, here or by a helper.
func (t *table) Drain() []*job {
	list := t.takeAll()
	sort.Sort(list)
	t.mu.Lock()
	more := t.queue
	t.queue = nil
	t.mu.Unlock()
	sort.Sort(&more)
	return append(list, more...)
}

func (t *table) takeAll() jobs {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.queue
	t.queue = nil
	return list
}
