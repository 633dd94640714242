package fields

import "container/heap"

type options struct {
	desc  bool
	boost map[string]int
	name  string
}

type task struct {
	prio   int
	tenant string
}

type tasks struct {
	list []*task
	less func(a, b *task) bool
}

func (t *tasks) Len() int           { return len(t.list) }
func (t *tasks) Less(i, j int) bool { return t.less(t.list[i], t.list[j]) }
func (t *tasks) Swap(i, j int)      { t.list[i], t.list[j] = t.list[j], t.list[i] }
func (t *tasks) Push(x any)         { t.list = append(t.list, x.(*task)) }
func (t *tasks) Pop() any {
	n := len(t.list) - 1
	x := t.list[n]
	t.list[n] = nil
	t.list = t.list[:n]
	return x
}

type configured struct {
	tasks
	opt *options
}

func (c *configured) Less(i, j int) bool {
	return c.opt.boost[c.list[i].tenant] < c.opt.boost[c.list[j].tenant] // want `configured.Less reads boost through a pointer, and Boost changes it \(line \d+\) without restoring the heap`
}

// Queue is what others use.
type Queue struct {
	opt *options
	h   tasks
	c   configured
}

func byPrio(opt *options) func(a, b *task) bool {
	return func(a, b *task) bool {
		if opt.desc { // want `this comparator reads desc through a pointer, and SetDesc changes it \(line \d+\) without restoring the heap`
			a, b = b, a
		}
		return a.prio < b.prio
	}
}

func New(opt *options) *Queue {
	return &Queue{opt: opt, h: tasks{less: byPrio(opt)}, c: configured{opt: opt}}
}

func (q *Queue) SetDesc(desc bool) { q.opt.desc = desc }

// Boost prefers a tenant.
func (q *Queue) Boost(tenant string) { q.opt.boost[tenant]++ }

func (q *Queue) Add(t *task) {
	heap.Push(&q.h, t)
	heap.Push(&q.c, t)
}

// The rest is right.

// Rename changes what no comparator reads.
func (q *Queue) Rename(name string) { q.opt.name = name }

// Careful restores its heap.
type Careful struct {
	opt *order
	h   tasks
}

type order struct{ desc bool }

func NewCareful() *Careful {
	o := &order{}
	o.desc = true
	return &Careful{opt: o, h: tasks{less: func(a, b *task) bool { return a.prio < b.prio != o.desc }}}
}

func (c *Careful) SetDesc(desc bool) {
	c.opt.desc = desc
	heap.Init(&c.h)
}

func (c *Careful) Add(t *task) { heap.Push(&c.h, t) }

// Copied options cannot change.
func copied(opt options) *tasks {
	return &tasks{less: func(a, b *task) bool { return a.prio < b.prio != opt.desc }}
}

// Sorter is given to its heap as a method value.
type Sorter struct {
	fold bool
	h    *tasks
}

func (s *Sorter) before(a, b *task) bool { return s.fold != (a.tenant < b.tenant) }

func NewSorter(fold bool) *Sorter {
	s := &Sorter{fold: fold}
	s.h = &tasks{less: s.before}
	return s
}

func (s *Sorter) Add(t *task) { heap.Push(s.h, t) }
