// Package unheld uses heaps without their guard.
package unheld

import (
	"container/heap"
	"log"
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

// One accessor of a type that otherwise locks.
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
	if len(b.queue) == 0 {
		return nil
	}
	return heap.Pop(&b.queue).(*job)
}

func (b *board) Size() int {
	return b.queue.Len() // want `board.queue without b.mu`
}

func (b *board) Head() *job {
	return b.queue[0] // want `read of board.queue without b.mu`
}

func (b *board) Dump() {
	for _, j := range b.queue { // want `read of board.queue without b.mu`
		log.Print(j.name)
	}
}

func (b *board) Drop(j *job) {
	b.drop(j) // want `heap.Remove of board.queue without b.mu`
}

func (b *board) Replace(old, j *job) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(old)
	heap.Push(&b.queue, j)
}

// drop relies on its callers; the one that does not lock is at fault.
func (b *board) drop(j *job) { heap.Remove(&b.queue, j.index) }

// A wrapper without a lock, and its owner.
type inner[T any] struct{ list *jobs }

func (i *inner[T]) put(j *job) { heap.Push(i.list, j) }
func (i *inner[T]) size() int  { return i.list.Len() }

type outer struct {
	state struct {
		sync.RWMutex
		in inner[int]
	}
}

func (o *outer) Put(j *job) {
	o.state.Lock()
	o.state.in.put(j)
	o.state.Unlock()
}

func (o *outer) PutAll(js ...*job) {
	o.state.Lock()
	defer o.state.Unlock()
	for _, j := range js {
		o.state.in.put(j)
	}
}

func (o *outer) Size() int {
	return o.state.in.size() // want `outer.state.in.list without o.state.RWMutex`
}

// A package variable and its mutex.
var (
	allMu sync.Mutex
	all   jobs
)

func Register(j *job) {
	allMu.Lock()
	defer allMu.Unlock()
	heap.Push(&all, j)
}

func Next() *job {
	allMu.Lock()
	defer allMu.Unlock()
	return heap.Pop(&all).(*job)
}

func Peek() *job {
	return all[0] // want `read of all without allMu`
}

// The limit belongs to the heap: the function that sets it early knows the lock.
type limited struct {
	mu    sync.Mutex
	queue jobs
	max   int
}

func (l *limited) Add(j *job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) >= l.max {
		return false
	}
	heap.Push(&l.queue, j)
	return true
}

func (l *limited) SetMax(n int) {
	l.max = n // want `write to limited.max without l.mu`
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > l.max {
		heap.Pop(&l.queue)
	}
}

// The slice that a method gives out is the heap's.
func (b *board) all() []*job {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.queue
}

func (b *board) Names() (names []string) {
	js := b.all()
	sort.Slice(js, func(i, k int) bool { return js[i].name < js[k].name }) // want `sort.Slice of board.queue without b.mu`
	for _, j := range js {
		names = append(names, j.name)
	}
	return names
}
