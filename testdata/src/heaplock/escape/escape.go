// Package escape lets uses of a heap run when the guard is free again.
package escape

import (
	"container/heap"
	"slices"
	"sync"
	"time"
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

type cache struct {
	mu    sync.Mutex
	queue jobs
	byKey map[string]*job
}

func (c *cache) Add(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	heap.Push(&c.queue, j)
	time.AfterFunc(time.Second, func() {
		c.remove(j) // want `heap.Remove of cache.queue in a callback`
	})
}

func (c *cache) Remove(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(j)
}

func (c *cache) remove(j *job) { heap.Remove(&c.queue, j.index) }

func (c *cache) AddSoon(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	go heap.Push(&c.queue, j) // want `heap.Push of cache.queue in a goroutine`
}

type notifier interface{ Subscribe(func(n int)) }

func newCache(n notifier) *cache {
	c := &cache{byKey: map[string]*job{}}
	heap.Init(&c.queue)
	n.Subscribe(func(n int) {
		for _, j := range c.queue { // want `read of cache.queue in a callback`
			j.prio += n
		}
		heap.Init(&c.queue) // want `heap.Init of cache.queue in a callback`
	})
	return c
}

// The copy of the slice shares its elements, and Swap writes to them.
func (c *cache) Sorted() (names []string) {
	c.mu.Lock()
	view := slices.Clone(c.queue)
	c.mu.Unlock()
	for len(view) > 0 {
		names = append(names, heap.Pop(&view).(*job).name) // want `heap.Pop of cache.queue`
	}
	return names
}

// Right: the goroutine locks by itself, and what is called here runs here.
func (c *cache) Later(j *job) {
	go func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		heap.Push(&c.queue, j)
	}()
}

func (c *cache) Each(js []*job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	slices.SortFunc(js, func(a, b *job) int { return a.prio - b.prio })
	each(js, func(j *job) { heap.Push(&c.queue, j) })
	defer func() { heap.Init(&c.queue) }()
}

func each(js []*job, f func(*job)) {
	for _, j := range js {
		f(j)
	}
}
