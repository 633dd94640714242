// Package wrong uses heaps under another lock than theirs.
package wrong

import (
	"container/heap"
	"net/http"
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

// Two heaps, a mutex for each.
type channel struct {
	nowMu sync.Mutex
	now   jobs

	laterMu sync.Mutex
	later   jobs
}

func (c *channel) Now(j *job) {
	c.nowMu.Lock()
	defer c.nowMu.Unlock()
	heap.Push(&c.now, j)
}

func (c *channel) Later(j *job) {
	c.laterMu.Lock()
	defer c.laterMu.Unlock()
	heap.Push(&c.later, j)
}

func (c *channel) Due() *job {
	c.laterMu.Lock()
	defer c.laterMu.Unlock()
	return heap.Pop(&c.later).(*job)
}

func (c *channel) Postpone(j *job) {
	c.nowMu.Lock()
	defer c.nowMu.Unlock()
	heap.Remove(&c.now, j.index)
	heap.Push(&c.later, j) // want `heap.Push of channel.later under c.nowMu instead of c.laterMu`
}

// Right: each heap under its own.
func (c *channel) Move(j *job) {
	c.nowMu.Lock()
	heap.Remove(&c.now, j.index)
	c.nowMu.Unlock()
	c.laterMu.Lock()
	heap.Push(&c.later, j)
	c.laterMu.Unlock()
}

// Another object of the type.
type worker struct {
	mu    sync.Mutex
	queue jobs
}

func (w *worker) Submit(j *job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	heap.Push(&w.queue, j)
}

func (w *worker) Next() *job {
	w.mu.Lock()
	defer w.mu.Unlock()
	return heap.Pop(&w.queue).(*job)
}

func (w *worker) StealFrom(v *worker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	heap.Push(&w.queue, heap.Pop(&v.queue)) // want `heap.Pop of worker.queue under w.mu instead of v.mu`
}

// A mutex that each call makes for itself.
type server struct{ queue jobs }

func (s *server) ServeHTTP(http.ResponseWriter, *http.Request) {
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	heap.Push(&s.queue, &job{}) // want `made anew for each call`
}

// A mutex that each call copies.
type copied struct {
	mu    sync.Mutex
	queue *jobs
}

func (c copied) Add(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	heap.Push(c.queue, j) // want `made anew for each call`
}

// Another shard.
type sharded struct {
	shards [8]worker
	byName map[string]*worker
}

func (s *sharded) Move(from, to int) {
	a, b := &s.shards[from], &s.shards[to]
	a.mu.Lock()
	defer a.mu.Unlock()
	j := heap.Pop(&a.queue)
	heap.Push(&b.queue, j) // want `heap.Push of worker.queue under the mu of another worker instead of its own, which guards it`
}

func (s *sharded) Steal(me int) *job {
	s.shards[me].mu.Lock()
	defer s.shards[me].mu.Unlock()
	next := &s.shards[(me+1)%len(s.shards)]
	return heap.Pop(&next.queue).(*job) // want `heap.Pop of worker.queue under the mu of another worker`
}

func (s *sharded) Exchange(a, b string) {
	s.byName[a].mu.Lock()
	defer s.byName[a].mu.Unlock()
	heap.Init(&s.byName[b].queue) // want `heap.Init of worker.queue under the mu of another worker`
}

// Right: the same one, or perhaps the same one.
func (s *sharded) Same(i, n int) {
	s.shards[i%n].mu.Lock()
	defer s.shards[i%n].mu.Unlock()
	heap.Init(&s.shards[i%n].queue)
}

func (s *sharded) Found(name string) {
	i := find(s, name)
	s.shards[i].mu.Lock()
	defer s.shards[i].mu.Unlock()
	heap.Init(&s.shards[find(s, name)].queue)
}

func find(s *sharded, name string) int { return len(name) % len(s.shards) }
