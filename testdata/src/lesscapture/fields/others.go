package fields

import (
	"container/heap"
	"sync"
	"sync/atomic"
)

// policy is shared by a heap and others, and knows nothing of the heap.
type policy struct {
	mu      sync.RWMutex
	weights map[string]int
	factor  atomic.Int64
	live    atomic.Pointer[options]
}

func (p *policy) before(a, b *task) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.weights[a.tenant] < p.weights[b.tenant] // want `policy.before reads weights through a pointer, and SetWeight changes it`
}

func (p *policy) SetWeight(tenant string, w int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.weights[tenant] = w
}

func (p *policy) SetFactor(f int64)   { p.factor.Store(f) }
func (p *policy) Reload(opt *options) { p.live.Store(opt) }

type scheduler struct{ byPolicy, byFactor, byLive tasks }

func newScheduler() *scheduler {
	p := &policy{weights: map[string]int{}}
	p.live.Store(&options{})
	s := &scheduler{}
	s.byPolicy.less = p.before
	s.byFactor.less = func(a, b *task) bool {
		return int64(a.prio)*p.factor.Load() < int64(b.prio)*p.factor.Load() // want `this comparator reads factor through a pointer, and SetFactor changes it`
	}
	s.byLive.less = func(a, b *task) bool {
		return a.prio < b.prio != p.live.Load().desc // want `this comparator reads live through a pointer, and Reload changes it`
	}
	return s
}

func (s *scheduler) add(t *task) {
	heap.Push(&s.byPolicy, t)
	heap.Push(&s.byFactor, t)
	heap.Push(&s.byLive, t)
}

// board is read by a heap whose Less is a method.
type board struct{ score map[string]int }

func (b *board) hit(tenant string) { b.score[tenant]++ }

type byScore struct {
	tasks
	*board
}

func (h *byScore) Less(i, j int) bool {
	return h.score[h.list[i].tenant] < h.score[h.list[j].tenant] // want `byScore.Less reads score through a pointer, and hit changes it`
}

type league struct{ h byScore }

func (l *league) add(t *task)        { heap.Push(&l.h, t) }
func (l *league) goal(tenant string) { l.h.hit(tenant) }

// The rest is right.

// builder is complete before its heap is made.
type builder struct {
	desc  bool
	ranks map[string]int
}

func (b *builder) Desc() *builder {
	b.desc = true
	return b
}

func (b *builder) read(names []string) {
	for i, n := range names {
		b.ranks[n] = i
	}
}

func (b *builder) less(x, y *task) bool { return b.ranks[x.tenant] < b.ranks[y.tenant] != b.desc }

func build(names []string) *tasks {
	b := &builder{ranks: map[string]int{}}
	b.Desc().read(names)
	return &tasks{less: b.less}
}

// finder orders a heap that lives within one call only.
type finder struct{ best map[string]int }

func (f *finder) Set(name string, n int) { f.best[name] = n }

func (f *finder) top(in []*task) *task {
	h := &tasks{less: func(a, b *task) bool { return f.best[a.tenant] < f.best[b.tenant] }}
	for _, t := range in {
		heap.Push(h, t)
	}
	return heap.Pop(h).(*task)
}
