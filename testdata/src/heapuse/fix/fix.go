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
