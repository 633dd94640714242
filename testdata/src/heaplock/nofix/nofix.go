// Package nofix has faults for which no fix is safe.
package nofix

import (
	"container/heap"
	"sync"
)

type jobs []int

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a] < j[b] }
func (j jobs) Swap(a, b int)      { j[a], j[b] = j[b], j[a] }
func (j *jobs) Push(x any)        { *j = append(*j, x.(int)) }
func (j *jobs) Pop() any {
	old := *j
	n := len(old) - 1
	e := old[n]
	*j = old[:n]
	return e
}

type Board struct {
	mu     sync.RWMutex
	other  sync.Mutex
	queue  jobs
	hook   func()
	wakeup chan struct{}
}

func (b *Board) Add(j int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	heap.Push(&b.queue, j)
}

func (b *Board) Take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return heap.Pop(&b.queue).(int)
}

// Another method calls it under the lock.
func (b *Board) Len() int {
	return b.queue.Len() // want `Board.queue without`
}

func (b *Board) AddAll(js []int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, j := range js {
		heap.Push(&b.queue, j)
	}
	return b.Len()
}

// It calls what takes the lock.
func (b *Board) Drain() {
	for b.queue.Len() > 0 { // want `Board.queue without`
		b.Take()
	}
}

// It takes another lock: which comes first is not for us to say.
func (b *Board) Drop() {
	b.other.Lock()
	defer b.other.Unlock()
	heap.Pop(&b.queue) // want `Board.queue under`
}

// It calls what cannot be known.
func (b *Board) Push(j int) {
	heap.Push(&b.queue, j) // want `Board.queue without`
	b.hook()
}

// It waits for another goroutine, which may want the lock.
func (b *Board) Await() int {
	<-b.wakeup
	return b.queue[0] // want `Board.queue without`
}

// It has no receiver to take the lock of.
func Peek(b *Board) int {
	return b.queue[0] // want `Board.queue without`
}

// Its literal is run by whoever.
func (b *Board) Peeker() func() int {
	return func() int {
		return b.queue[0] // want `Board.queue in a function value`
	}
}

// fmt calls it, perhaps under the lock.
func (b *Board) String() string {
	if len(b.queue) == 0 { // want `Board.queue without`
		return "none"
	}
	return "some"
}

// The read lock is taken by what it calls, too.
func (b *Board) Expire() {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for b.count() > 0 {
		heap.Pop(&b.queue) // want `under the read lock`
	}
}

func (b *Board) count() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.queue.Len()
}

// Its caller has the read lock.
func (b *Board) Trim() {
	b.mu.RLock()
	defer b.mu.RUnlock()
	heap.Pop(&b.queue) // want `under the read lock`
}

func (b *Board) TrimTo(n int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for len(b.queue) > n {
		b.Trim()
	}
}

// It gives the lock away to be let go elsewhere.
func (b *Board) Clear() {
	b.mu.RLock()
	unlock := b.mu.RUnlock
	heap.Init(&b.queue) // want `under the read lock`
	unlock()
}

// It lets the caller unlock.
func (b *Board) Begin() {
	b.mu.RLock()
	heap.Init(&b.queue) // want `under the read lock`
}

func (b *Board) Use() {
	b.Begin()
	b.mu.RUnlock()
}

// Other packages can take the lock, and so may hold it when they call.
type Shared struct {
	sync.Mutex
	queue jobs
}

func (s *Shared) Add(j int) {
	s.Lock()
	defer s.Unlock()
	heap.Push(&s.queue, j)
}

func (s *Shared) Take() int {
	s.Lock()
	defer s.Unlock()
	return heap.Pop(&s.queue).(int)
}

func (s *Shared) Len() int {
	return s.queue.Len() // want `Shared.queue without`
}

// The others lock for a part of the method only.
type partly struct {
	mu    sync.Mutex
	queue jobs
}

func (p *partly) Add(j int) {
	p.mu.Lock()
	heap.Push(&p.queue, j)
	p.mu.Unlock()
}

func (p *partly) Take() int {
	p.mu.Lock()
	j := heap.Pop(&p.queue).(int)
	p.mu.Unlock()
	return j
}

func (p *partly) Len() int {
	return p.queue.Len() // want `partly.queue without`
}
