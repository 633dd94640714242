package fields

import (
	"container/heap"
	"errors"
	"sync/atomic"
)

// All of this is right: the objects are complete, or refuse to change, while the heap
// has elements.

// memo is filled by the comparator itself.
type memo struct{ known map[string]int }

func (m *memo) of(t *task) int {
	n, ok := m.known[t.tenant]
	if !ok {
		n = len(t.tenant)
		m.known[t.tenant] = n
	}
	return n
}

func byMemo(m *memo) *tasks {
	return &tasks{less: func(a, b *task) bool { return m.of(a) < m.of(b) }}
}

// worker refuses changes once it has begun.
type worker struct {
	begun  bool
	frozen atomic.Bool
	desc   bool
	boost  int
	h      *tasks
}

var errBegun = errors.New("begun")

func newWorker() *worker {
	w := &worker{}
	w.h = &tasks{less: func(a, b *task) bool {
		if w.desc {
			a, b = b, a
		}
		return a.prio+w.boost < b.prio
	}}
	return w
}

func (w *worker) Add(t *task) {
	w.begun = true
	heap.Push(w.h, t)
}

func (w *worker) SetDesc(desc bool) error {
	if w.begun {
		return errBegun
	}
	w.desc = desc
	return nil
}

func (w *worker) SetBoost(n int) {
	if !w.frozen.Load() {
		w.boost = n
	}
}

// idle changes while its heap is empty only.
type idle struct {
	desc bool
	h    *tasks
}

func newIdle() *idle {
	i := &idle{}
	i.h = &tasks{less: func(a, b *task) bool {
		if i.desc {
			return a.prio > b.prio
		}
		return a.prio < b.prio
	}}
	return i
}

func (i *idle) Add(t *task) { heap.Push(i.h, t) }

func (i *idle) SetDesc(desc bool) error {
	if i.h.Len() > 0 {
		return errBegun
	}
	i.desc = desc
	return nil
}

// decoded is filled before it is used.
type decoded struct{ desc bool }

func (d *decoded) UnmarshalText(text []byte) error {
	d.desc = string(text) == "desc"
	return nil
}

func byDecoded(d *decoded) *tasks {
	return &tasks{less: func(a, b *task) bool {
		if d.desc {
			return a.prio > b.prio
		}
		return a.prio < b.prio
	}}
}

// noted is wrong: that the value is the same already is no reason to refuse.
type noted struct {
	desc bool
	h    *tasks
}

func newNoted() *noted {
	n := &noted{}
	n.h = &tasks{less: func(a, b *task) bool {
		if n.desc { // want `this comparator reads desc through a pointer, and SetDesc changes it`
			return a.prio > b.prio
		}
		return a.prio < b.prio
	}}
	return n
}

func (n *noted) Add(t *task) { heap.Push(n.h, t) }

func (n *noted) SetDesc(desc bool) {
	if n.desc == desc {
		return
	}
	n.desc = desc
}
