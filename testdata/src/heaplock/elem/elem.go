// Package elem changes elements that are in a heap.
package elem

import (
	"container/heap"
	"sync"
)

type job struct {
	name  string
	note  string
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

type Queue struct {
	mu     sync.Mutex
	items  jobs
	byName map[string]*job
	idle   map[string]*job
}

func (q *Queue) Add(name string, prio int) *job {
	j := &job{name: name}
	j.prio = prio // nobody has it yet
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, j)
	q.byName[name] = j
	return j
}

func (q *Queue) Take() *job {
	q.mu.Lock()
	j := heap.Pop(&q.items).(*job)
	delete(q.byName, j.name)
	q.mu.Unlock()
	j.prio = 0 // out of the heap
	return j
}

// The change comes before the lock.
func (q *Queue) Raise(j *job) {
	j.prio++ // want `write to prio, by which Queue.items is ordered, without q.mu, which guards it \(held at`
	j.note = "raised"
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Fix(&q.items, j.index)
}

// Or after it.
func (q *Queue) Lower(j *job) {
	q.mu.Lock()
	heap.Fix(&q.items, j.index)
	q.mu.Unlock()
	j.prio-- // want `write to prio`
}

func (q *Queue) Set(j *job, prio int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.prio = prio
	heap.Fix(&q.items, j.index)
}

// The lock is in what is called.
func (q *Queue) Move(j *job, prio int) {
	set(j, prio) // want `write to prio`
	q.fix(j)
}

func set(j *job, prio int) { j.prio = prio }

func (q *Queue) fix(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Fix(&q.items, j.index)
}

// The lock is held by who calls.
func (q *Queue) RaiseAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.byName {
		q.raise(j)
	}
}

func (q *Queue) raise(j *job) {
	j.prio++
	heap.Fix(&q.items, j.index)
}

// Straight from the heap, or from the map that goes with it.
func (q *Queue) RaiseFirst() {
	q.mu.Lock()
	first := q.items[0]
	q.mu.Unlock()
	first.prio++ // want `write to prio`
}

func (q *Queue) RaiseNamed(name string) {
	q.mu.Lock()
	j, ok := q.byName[name]
	q.mu.Unlock()
	if ok {
		j.prio++ // want `write to prio`
	}
}

func (q *Queue) Note(name, note string) {
	q.mu.Lock()
	j := q.byName[name]
	q.mu.Unlock()
	j.note = note // Less does not look at it
}

// What is in the other map is not in the heap.
func (q *Queue) Park(name string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.byName[name]
	heap.Remove(&q.items, j.index)
	delete(q.byName, name)
	q.idle[name] = j
}

func (q *Queue) Prepare(name string, prio int) {
	q.mu.Lock()
	j := q.idle[name]
	q.mu.Unlock()
	j.prio = prio
}

// Taken out, changed, put back.
func (q *Queue) Renew(j *job, prio int) {
	q.mu.Lock()
	heap.Remove(&q.items, j.index)
	q.mu.Unlock()
	j.prio = prio
	q.mu.Lock()
	heap.Push(&q.items, j)
	heap.Fix(&q.items, j.index)
	q.mu.Unlock()
}

// Nobody has the queue yet.
func New(names ...string) *Queue {
	q := &Queue{byName: map[string]*job{}}
	for i, name := range names {
		j := q.Add(name, i)
		j.prio = -i
		q.mu.Lock()
		heap.Fix(&q.items, j.index)
		q.mu.Unlock()
	}
	return q
}

// A queue with no lock has no guard.
type Single struct{ items jobs }

func (s *Single) Raise(j *job) {
	j.prio++
	heap.Fix(&s.items, j.index)
}

// The element has a lock of its own, which its Less takes.
type conn struct {
	mu    sync.Mutex
	calls int
	index int
}

func (c *conn) load() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}

type conns []*conn

func (c conns) Len() int           { return len(c) }
func (c conns) Less(a, b int) bool { return c[a].load() < c[b].load() }
func (c conns) Swap(a, b int) {
	c[a], c[b] = c[b], c[a]
	c[a].index, c[b].index = a, b
}
func (c *conns) Push(x any) {
	e := x.(*conn)
	e.index = len(*c)
	*c = append(*c, e)
}
func (c *conns) Pop() any {
	old := *c
	n := len(old) - 1
	e := old[n]
	*c = old[:n]
	return e
}

type Pool struct {
	mu    sync.Mutex
	conns conns
}

func (p *Pool) Add(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	heap.Push(&p.conns, c)
}

func (p *Pool) Use(c *conn) {
	c.mu.Lock()
	c.calls++
	c.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	heap.Fix(&p.conns, c.index)
}

// Elements that are values are written through the heap, which other rules see.
type numbers []int

func (n numbers) Len() int           { return len(n) }
func (n numbers) Less(a, b int) bool { return n[a] < n[b] }
func (n numbers) Swap(a, b int)      { n[a], n[b] = n[b], n[a] }
func (n *numbers) Push(x any)        { *n = append(*n, x.(int)) }
func (n *numbers) Pop() any {
	old := *n
	x := old[len(old)-1]
	*n = old[:len(old)-1]
	return x
}
