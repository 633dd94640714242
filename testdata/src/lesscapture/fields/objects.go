package fields

import "container/heap"

// comparer is how the heap below compares.
type comparer interface{ Before(a, b *task) bool }

type objects struct {
	list []*task
	c    comparer
}

func (o *objects) Len() int           { return len(o.list) }
func (o *objects) Less(i, j int) bool { return o.c.Before(o.list[i], o.list[j]) }
func (o *objects) Swap(i, j int)      { o.list[i], o.list[j] = o.list[j], o.list[i] }
func (o *objects) Push(x any)         { o.list = append(o.list, x.(*task)) }
func (o *objects) Pop() any {
	n := len(o.list) - 1
	x := o.list[n]
	o.list = o.list[:n]
	return x
}

type ranking struct{ rank map[string]int }

func (r *ranking) Before(a, b *task) bool {
	return r.rank[a.tenant] < r.rank[b.tenant] // want `ranking.Before reads rank through a pointer, and prefer changes it`
}

type byName struct{ fold bool }

func (n *byName) Before(a, b *task) bool { return n.fold != (a.tenant < b.tenant) }

type pool struct {
	r    *ranking
	h, n objects
}

func newPool(fold bool) *pool {
	r := &ranking{rank: map[string]int{}}
	return &pool{r: r, h: objects{c: r}, n: objects{c: &byName{fold: fold}}}
}

func (p *pool) add(t *task) {
	heap.Push(&p.h, t)
	heap.Push(&p.n, t)
}

func (p *pool) prefer(tenant string) { p.r.rank[tenant]++ }

// scores are changed by a method while the heap of a function has elements.
type scores struct{ of []int }

func (s *scores) bump(i int) { s.of[i]++ }

func serve(in []*task, s *scores) {
	h := &tasks{less: func(a, b *task) bool {
		return s.of[a.prio] < s.of[b.prio] // want `this comparator reads of through a pointer, and bump changes it`
	}}
	for _, t := range in {
		heap.Push(h, t)
	}
	for h.Len() > 0 {
		s.bump((heap.Pop(h).(*task).prio + 1) % len(s.of))
	}
}

// loads are changed for what was popped.
type loads struct{ of []int }

func (l *loads) bump(i int) { l.of[i]++ }

func balance(in []*task, l *loads) {
	h := &tasks{less: func(a, b *task) bool { return l.of[a.prio] < l.of[b.prio] }}
	for _, t := range in {
		heap.Push(h, t)
	}
	for range 10 {
		t := heap.Pop(h).(*task)
		l.bump(t.prio)
		heap.Push(h, t)
	}
}
