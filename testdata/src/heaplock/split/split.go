// Package split decides in one critical section and acts in the next.
package split

import (
	"container/heap"
	"sync"
	"sync/atomic"
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

type queue struct {
	mu    sync.Mutex
	items jobs
	byKey map[string]*job
	count atomic.Int64
}

func (q *queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items)
}

func (q *queue) Add(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, j)
	q.count.Add(1)
}

func (q *queue) Take() *job {
	if q.Len() == 0 {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return heap.Pop(&q.items).(*job) // want `heap.Pop of queue.items acts on what was read before q.mu was last locked`
}

func (q *queue) TakeCounted() *job {
	if q.count.Load() == 0 {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.count.Add(-1)
	return heap.Pop(&q.items).(*job) // want `acts on what was read before`
}

func (q *queue) Cancel(j *job) {
	q.mu.Lock()
	at := j.index
	q.mu.Unlock()
	println(j.name)
	q.mu.Lock()
	heap.Remove(&q.items, at) // want `heap.Remove of queue.items acts on what was read before`
	q.mu.Unlock()
}

func (q *queue) Raise(key string) {
	q.mu.Lock()
	j, ok := q.byKey[key]
	q.mu.Unlock()
	if ok {
		q.mu.Lock()
		j.prio++
		heap.Fix(&q.items, j.index) // want `heap.Fix of queue.items acts on what was read before`
		q.mu.Unlock()
	}
}

// Right: a quick look first, and another one where it counts.
func (q *queue) TakeChecked() *job {
	if q.Len() == 0 {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil
	}
	return heap.Pop(&q.items).(*job)
}

func (q *queue) CancelChecked(j *job) {
	q.mu.Lock()
	known := q.byKey[j.name] == j
	q.mu.Unlock()
	if !known {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if j.index >= 0 {
		heap.Remove(&q.items, j.index)
	}
}
