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

// Right: what it calls gives the read lock back and takes the write lock.
func (t *table) Prune() {
	t.mu.RLock()
	if len(t.queue) < 10 {
		t.mu.RUnlock()
		return
	}
	t.upgrade()
	if len(t.queue) >= 10 {
		heap.Pop(&t.queue)
	}
	t.mu.Unlock()
}

func (t *table) upgrade() {
	t.mu.RUnlock()
	t.mu.Lock()
}

// The same through one more, which does the work.
func (t *table) PruneAll() {
	t.mu.RLock()
	t.pruneUpgraded()
	t.mu.Unlock()
}

func (t *table) pruneUpgraded() {
	t.upgrade()
	for len(t.queue) > 0 {
		heap.Pop(&t.queue)
	}
}

// A helper that lets go of the write lock and takes it again changes nothing.
func (t *table) Relax() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.breathe()
	heap.Pop(&t.queue)
}

func (t *table) breathe() {
	t.mu.Unlock()
	t.mu.Lock()
}

// Back to the read lock is back to the read lock.
func (t *table) Downgrade() {
	t.mu.RLock()
	defer t.mu.RUnlock()
	t.upAndDown()
	heap.Pop(&t.queue) // want `heap.Pop changes table.queue under the read lock`
}

func (t *table) upAndDown() {
	t.upgrade()
	heap.Pop(&t.queue)
	t.mu.Unlock()
	t.mu.RLock()
}

// Elements are moved about in other ways, too.
func (t *table) Exchange(i, j int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	t.queue[i], t.queue[j] = t.queue[j], t.queue[i] // want `write to table.queue under the read lock` `write to table.queue under the read lock`
}

func (t *table) Swap(i, j int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	t.queue.Swap(i, j) // want `write to table.queue under the read lock`
}

func (t *table) Shift(js []*job) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	copy(t.queue, js) // want `copy changes table.queue under the read lock`
}

func (t *table) Without(name string) jobs {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.DeleteFunc(t.queue, func(j *job) bool { return j.name == name }) // want `slices.DeleteFunc changes table.queue under the read lock`
}

// Right: the copy is changed.
func (t *table) Reversed() jobs {
	t.mu.RLock()
	defer t.mu.RUnlock()
	list := slices.Clone(t.queue)
	slices.Reverse(list)
	list[0].name = "first"
	own := make(jobs, len(t.queue))
	copy(own, t.queue)
	own[0] = nil
	return append(own, list...)
}
