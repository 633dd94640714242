// Package leak returns with the guard locked.
package leak

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

type server struct {
	mu    sync.Mutex
	queue jobs
}

func (s *server) Add(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	heap.Push(&s.queue, j)
}

func (s *server) Swap(j *job, quit <-chan bool) *job {
	s.mu.Lock()
	if len(s.queue) == 0 {
		return nil // want `return with s.mu still locked`
	}
	old := heap.Pop(&s.queue).(*job)
	heap.Push(&s.queue, j)
	s.mu.Unlock()
	return old
}

// Right: it locks for its caller if it can.
func (s *server) begin() bool {
	s.mu.Lock()
	if len(s.queue) == 0 {
		s.mu.Unlock()
		return false
	}
	return true
}

func (s *server) Take() *job {
	if !s.begin() {
		return nil
	}
	defer s.mu.Unlock()
	return heap.Pop(&s.queue).(*job)
}
