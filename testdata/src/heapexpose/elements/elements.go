// Package elements puts pointers into guarded heaps and goes on using them.
package elements

import (
	"container/heap"
	"sync"
)

type item struct {
	key   string
	prio  int
	tries int
	index int
	done  chan bool
	err   error
}

type items []*item

func (h items) Len() int           { return len(h) }
func (h items) Less(i, j int) bool { return h[i].prio < h[j].prio }
func (h items) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *items) Push(x any) { *h = append(*h, x.(*item)) }
func (h *items) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return x
}

type queue struct {
	mu sync.Mutex
	h  items
}

func (q *queue) push(it *item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.h, it)
}

func (q *queue) pop() *item {
	q.mu.Lock()
	defer q.mu.Unlock()
	return heap.Pop(&q.h).(*item)
}

func (q *queue) Work() {
	it := q.pop()
	it.tries++
	it.err = nil
	it.done <- true
}

func (q *queue) Add(key string, prio int) int {
	it := &item{key: key, prio: prio}
	q.push(it)
	it.prio = 0     // want `writes prio of an element that is in queue.h by now, without mu`
	println(it.key) // never changes
	return it.tries // want `reads tries of an element that is in queue.h by now`
}

func (q *queue) Put(it *item) int {
	q.mu.Lock()
	heap.Push(&q.h, it)
	q.mu.Unlock()
	return it.index // want `reads index of an element`
}

func (q *queue) Locked(it *item) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.h, it)
	it.tries = 0
	return it.index
}

func (q *queue) Before(key string) {
	it := &item{key: key}
	it.prio = len(key)
	q.push(it)
}

// The element is back when the channel says so.
func (q *queue) Wait(key string) error {
	it := &item{key: key, done: make(chan bool)}
	q.push(it)
	<-it.done
	return it.err
}

// Each round has its own element.
func (q *queue) Fill(keys []string) {
	for _, k := range keys {
		it := &item{}
		it.key = k
		q.push(it)
	}
}

func (q *queue) Handle(key string) func(int) {
	it := &item{key: key}
	q.push(it)
	return func(prio int) {
		it.prio = prio // want `writes prio of an element that is in queue.h by now`
	}
}

func (q *queue) SafeHandle(key string) func(int) {
	it := &item{key: key}
	q.push(it)
	return func(prio int) {
		q.mu.Lock()
		defer q.mu.Unlock()
		it.prio = prio
		heap.Fix(&q.h, it.index)
	}
}

type conn struct {
	id   int
	last int
	own  int
}

type registry struct {
	mu    sync.RWMutex
	conns map[int]*conn
}

func (r *registry) Add(id int) {
	c := &conn{id: id}
	r.mu.Lock()
	r.conns[id] = c
	r.mu.Unlock()
	c.last = 1 // want `writes last of an element that is in registry.conns by now`
	c.own = 1
}

func (r *registry) Idle(now int) (n int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, c := range r.conns {
		if c.last < now {
			n++
		}
	}
	return n
}
