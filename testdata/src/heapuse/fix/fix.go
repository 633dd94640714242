package fix

import (
	"container/heap"
	"errors"
)

type group struct{ load int }

type job struct {
	prio  int
	name  string
	pos   int
	group *group
}

type jobs struct {
	list []*job
	bias int
}

func (h *jobs) key(j *job) int     { return j.prio - h.bias + j.group.load }
func (h *jobs) Len() int           { return len(h.list) }
func (h *jobs) Less(i, j int) bool { return h.key(h.list[i]) < h.key(h.list[j]) }
func (h *jobs) Swap(i, j int) {
	h.list[i], h.list[j] = h.list[j], h.list[i]
	h.list[i].pos, h.list[j].pos = i, j
}
func (h *jobs) Push(x any) {
	j := x.(*job)
	j.pos = len(h.list)
	h.list = append(h.list, j)
}
func (h *jobs) Pop() any {
	n := len(h.list) - 1
	j := h.list[n]
	h.list[n] = nil
	h.list = h.list[:n]
	j.pos = -1
	return j
}

type queue struct {
	h      jobs
	byName map[string]*job
}

func (q *queue) raiseFirst() {
	q.h.list[0].prio++ // want `prio of an element in q.h is changed, by which the heap is ordered, and no heap.Fix follows`
}

func (q *queue) raiseSome(name string) {
	for _, j := range q.h.list {
		if j.name == name {
			j.prio++ // want `prio of an element in q.h is changed`
		}
	}
}

func (q *queue) fixedTooEarly(j *job, prio int) {
	heap.Fix(&q.h, j.pos)
	j.prio = prio // want `prio is changed after heap.Fix: call heap.Fix after the change`
}

func (q *queue) errorBetween(j *job, prio int) error {
	j.prio = prio // want `prio is changed, by which the jobs heap is ordered, and on one way no heap.Fix follows`
	if prio < 0 {
		return errors.New("negative")
	}
	heap.Fix(&q.h, j.pos)
	return nil
}

func (q *queue) pushedAndChanged(name string) {
	j := &job{name: name}
	heap.Push(&q.h, j)
	j.prio = len(name) // want `prio of an element in the jobs heap is changed`
}

func (q *queue) setBias(n int) {
	q.h.bias = n // want `bias is changed, by which the Less of jobs orders all its elements, and no heap.Init`
}

func (q *queue) assign(j *job, g *group) {
	j.group = g
	heap.Push(&q.h, j)
}

func (q *queue) weigh() {
	j := heap.Pop(&q.h).(*job)
	j.group.load++ // want `load is changed, by which elements of the jobs are ordered through group`
	heap.Push(&q.h, j)
}

func (q *queue) set(name string, prio int) {
	if j, ok := q.byName[name]; ok {
		heap.Fix(&q.h, j.pos) // want `heap.Fix is called but the element has not changed`
		return
	}
	j := &job{name: name, prio: prio}
	q.byName[name] = j
	heap.Push(&q.h, j)
}

func (j *job) bump(n int) { j.prio += n }

func rebalance(weights map[int]int) {
	all := map[int]*job{}
	var h jobs
	for id, w := range weights {
		j := &job{prio: w}
		all[id] = j
		heap.Push(&h, j)
	}
	for id := range weights {
		j := heap.Pop(&h).(*job)
		if other := all[id]; other != j {
			other.bump(-1) // want `prio of an element in the jobs heap is changed`
		}
		j.bump(1)
		heap.Push(&h, j)
	}
}

func (q *queue) exchange(a, b *job) {
	a.prio, b.prio = b.prio, a.prio // want `the keys of two elements are changed before the first heap.Fix`
	heap.Fix(&q.h, a.pos)
	heap.Fix(&q.h, b.pos)
}

func (q *queue) exchangeOneByOne(a, b *job) {
	p := a.prio
	a.prio = b.prio
	heap.Fix(&q.h, a.pos)
	b.prio = p
	heap.Fix(&q.h, b.pos)
}

func (q *queue) wrongOne(a, b *job) {
	b.prio++ // want `prio is changed, but heap.Fix is called for another element, which is not`
	heap.Fix(&q.h, a.pos)
}

// SetPrio forgets Fix.
func (q *queue) SetPrio(j *job, prio int) {
	j.prio = prio // want `prio of an element in the jobs heap is changed`
}

// Elements by value.

type entry struct {
	id   int
	rank struct{ n int }
}

type entries struct {
	list  []entry
	bonus map[int]int
}

func (e *entries) Len() int { return len(e.list) }
func (e *entries) Less(i, j int) bool {
	a, b := e.list[i], e.list[j]
	return a.rank.n+e.bonus[a.id] < b.rank.n+e.bonus[b.id]
}
func (e *entries) Swap(i, j int) { e.list[i], e.list[j] = e.list[j], e.list[i] }
func (e *entries) Push(x any)    { e.list = append(e.list, x.(entry)) }
func (e *entries) Pop() any {
	x := e.list[len(e.list)-1]
	e.list = e.list[:len(e.list)-1]
	return x
}

type board struct{ e entries }

func (b *board) raise(id int) {
	for i := range b.e.list {
		if b.e.list[i].id == id {
			b.e.list[i].rank.n++ // want `n of an element in b.e is changed`
		}
	}
}

func (b *board) raiseCopy(id int) {
	for i, x := range b.e.list {
		if x.id == id {
			x.rank.n++ // want `n is changed in a copy of the element`
			heap.Fix(&b.e, i)
			return
		}
	}
}

func (b *board) raiseCopyBack(id int) {
	for i, x := range b.e.list {
		if x.id == id {
			x.rank.n++
			b.e.list[i] = x
			heap.Fix(&b.e, i)
			return
		}
	}
}

func (b *board) reward(id int) {
	b.e.bonus[id]++ // want `bonus is changed, by which the Less of entries orders the elements`
}

func (b *board) add(x entry) {
	b.e.bonus[x.id] = 1
	heap.Push(&b.e, x)
}

// Right ones.

func (q *queue) raiseFixed() {
	q.h.list[0].prio++
	heap.Fix(&q.h, 0)
}

func (q *queue) raiseAll() {
	for _, j := range q.h.list {
		j.prio++
	}
	heap.Init(&q.h)
}

func (q *queue) rename(name string) { q.h.list[0].name = name }

func (q *queue) update(j *job, prio int) {
	j.prio = prio
	if j.pos >= 0 {
		heap.Fix(&q.h, j.pos)
	}
}

func (q *queue) fix(j *job) {
	if j.pos < 0 {
		return
	}
	heap.Fix(&q.h, j.pos)
}

func (q *queue) updateByHelper(j *job, prio int) {
	j.prio = prio
	q.fix(j)
}

func (q *queue) updateDeferred(j *job, prio, limit int) bool {
	defer q.fix(j)
	j.prio = prio
	if prio > limit {
		j.prio = limit
		return false
	}
	return true
}

func (q *queue) change(j *job, prio int) { j.prio = prio }

func (q *queue) changeAndFix(j *job, prio int) {
	q.change(j, prio)
	q.fix(j)
}

type fixer interface{ fix(*job) }

func through(f fixer, j *job) {
	j.prio++
	f.fix(j)
}

func (q *queue) popChangePush() {
	j := heap.Pop(&q.h).(*job)
	j.prio++
	heap.Push(&q.h, j)
}

func (q *queue) removeChangePush(j *job) {
	heap.Remove(&q.h, j.pos)
	j.prio++
	heap.Push(&q.h, j)
}

func (q *queue) fresh(name string) *job {
	j := &job{name: name}
	j.prio = len(name)
	heap.Push(&q.h, j)
	j.name += "!"
	return j
}

func (q *queue) setRight(name string, prio int) {
	if j, ok := q.byName[name]; ok {
		j.prio = prio
		heap.Fix(&q.h, j.pos)
		return
	}
	j := &job{name: name, prio: prio}
	q.byName[name] = j
	heap.Push(&q.h, j)
}

func (q *queue) setBiasRight(n int) {
	q.h.bias = n
	heap.Init(&q.h)
}

func newQueue(bias int) *queue {
	q := &queue{}
	q.h.bias = bias
	return q
}

func (j *job) advance() bool { j.prio++; return j.prio < 10 }

func (j *job) err() error { return nil }

// A merge whose first source moves on, and which gives up with an error.
func (q *queue) merge() error {
	for q.h.Len() > 0 {
		j := q.h.list[0]
		if j.advance() {
			heap.Fix(&q.h, 0)
			continue
		}
		if err := j.err(); err != nil {
			return err
		}
		heap.Pop(&q.h)
	}
	return nil
}

// Who is pushed was not in the heap.
func (q *queue) giveBack(j *job, again bool) {
	j.prio--
	if again {
		heap.Push(&q.h, j)
	}
}

// A flag says whether there is something to fix.
func (q *queue) touch(j *job, prio int, name string) {
	changed := false
	if prio > j.prio {
		changed = true
		j.prio = prio
	}
	if name != j.name {
		changed = true
		j.name = name
	}
	if changed {
		q.fix(j)
	}
}

// A single element is in order.
func (q *queue) only() {
	if q.h.Len() == 1 {
		q.h.list[0].prio = 0
	}
}

// Put right when it is next used.
type lazy struct {
	h     jobs
	dirty bool
}

func (l *lazy) touch(i int) {
	l.h.list[i].prio++
	l.dirty = true
}

func (l *lazy) next() *job {
	if l.dirty {
		heap.Init(&l.h)
		l.dirty = false
	}
	return heap.Pop(&l.h).(*job)
}
