package dup

import "container/heap"

type job struct{ prio, pos int }

type jobs []*job

func (h jobs) Len() int           { return len(h) }
func (h jobs) Less(i, j int) bool { return h[i].prio < h[j].prio }
func (h jobs) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}
func (h *jobs) Push(x any) {
	j := x.(*job)
	j.pos = len(*h)
	*h = append(*h, j)
}
func (h *jobs) Pop() any {
	old := *h
	j := old[len(old)-1]
	old[len(old)-1] = nil
	j.pos = -1
	*h = old[:len(old)-1]
	return j
}

type runner struct{ q jobs }

func (r *runner) step(do func(*job) bool) {
	j := r.q[0]
	if !do(j) {
		heap.Push(&r.q, j) // want `heap.Push adds an element that is in r.q already`
		return
	}
	heap.Remove(&r.q, j.pos)
}

func (r *runner) stepRight(do func(*job) bool) {
	j := heap.Pop(&r.q).(*job)
	if !do(j) {
		heap.Push(&r.q, j)
	}
}

func (r *runner) peekThenPop() {
	j := r.q[0]
	heap.Pop(&r.q)
	j.prio++
	heap.Push(&r.q, j)
}

func (r *runner) twice(j *job, urgent bool) {
	heap.Push(&r.q, j)
	if urgent {
		heap.Push(&r.q, j) // want `heap.Push adds an element to r.q that was pushed before`
	}
}

func (r *runner) either(j *job, urgent bool) {
	if urgent {
		j.prio = 0
		heap.Push(&r.q, j)
	} else {
		heap.Push(&r.q, j)
	}
}

func (r *runner) head() *job { return r.q[0] }

func (r *runner) byMethod() {
	j := r.head()
	heap.Push(&r.q, j) // want `heap.Push adds an element that is in r.q already`
}

// A map that has just the elements of the heap.

type named struct {
	q      jobs
	byName map[string]*job
}

func (n *named) upsert(name string, prio int) {
	if j, ok := n.byName[name]; ok {
		j.prio = prio
		heap.Push(&n.q, j) // want `heap.Push adds an element that byName gives, and so is in n.q already`
		return
	}
	j := &job{prio: prio}
	n.byName[name] = j
	heap.Push(&n.q, j)
}

func (n *named) next(name string) *job {
	delete(n.byName, name)
	return heap.Pop(&n.q).(*job)
}

type ids []uint64

func (h ids) Len() int           { return len(h) }
func (h ids) Less(i, j int) bool { return h[i] < h[j] }
func (h ids) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ids) Push(x any)        { *h = append(*h, x.(uint64)) }
func (h *ids) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type registry struct {
	order ids
	data  map[uint64]string
}

func (r *registry) add(id uint64, s string) {
	r.data[id] = s
	heap.Push(&r.order, id) // want `heap.Push adds id again if it is in r.order already, while the entry in data is overwritten`
}

func (r *registry) addRight(id uint64, s string) {
	if _, ok := r.data[id]; !ok {
		heap.Push(&r.order, id)
	}
	r.data[id] = s
}

func (r *registry) next() string {
	id := heap.Pop(&r.order).(uint64)
	s := r.data[id]
	delete(r.data, id)
	return s
}

// Outdated entries are recognised when they are popped.

type lease struct {
	id  int
	end int64
}

type leases []lease

func (h leases) Len() int           { return len(h) }
func (h leases) Less(i, j int) bool { return h[i].end < h[j].end }
func (h leases) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *leases) Push(x any)        { *h = append(*h, x.(lease)) }
func (h *leases) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type lessor struct {
	end map[int]int64
	q   leases
}

func (l *lessor) renew(id int, end int64) {
	l.end[id] = end
	heap.Push(&l.q, lease{id, end})
}

func (l *lessor) expired() (int, bool) {
	x := heap.Pop(&l.q).(lease)
	if end, ok := l.end[x.id]; ok && end == x.end {
		delete(l.end, x.id)
		return x.id, true
	}
	return 0, false
}
