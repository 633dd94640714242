// Package path holds the guard on some paths only.
package path

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

type store struct {
	mu    sync.Mutex
	queue jobs
	log   bool
	open  func(*job) error
}

func (s *store) Add(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	heap.Push(&s.queue, j)
}

func (s *store) Conditional(j *job) {
	if s.log {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	heap.Push(&s.queue, j) // want `heap.Push of store.queue, on some paths without s.mu`
}

func (s *store) Try(j *job) {
	if s.mu.TryLock() {
		defer s.mu.Unlock()
	}
	heap.Push(&s.queue, j) // want `on some paths`
}

func (s *store) Drain() {
	s.mu.Lock()
	for s.queue.Len() > 0 { // want `on some paths`
		j := heap.Pop(&s.queue).(*job) // want `on some paths`
		s.mu.Unlock()
		if s.open(j) != nil {
			continue
		}
		s.mu.Lock()
	}
	s.mu.Unlock()
}

// Right: the same condition locks and unlocks.
func (s *store) Maybe(j *job, lock bool) {
	if lock {
		s.mu.Lock()
	}
	heap.Push(&s.queue, j)
	if lock {
		s.mu.Unlock()
	}
}

func (s *store) TryOrNot(j *job) bool {
	if !s.mu.TryLock() {
		return false
	}
	defer s.mu.Unlock()
	heap.Push(&s.queue, j)
	return true
}

// Right: unlock, work, lock again.
func (s *store) Work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) > 0 {
		j := heap.Pop(&s.queue).(*job)
		s.mu.Unlock()
		err := s.open(j)
		s.mu.Lock()
		if err != nil {
			return
		}
	}
}
