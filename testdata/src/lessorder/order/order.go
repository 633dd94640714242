package order

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
	"time"
)

type job struct {
	prio, at int
	urgent   bool
	name     string
	due      time.Time
	labels   []string
	in       struct{ depth int8 }
}

type list []*job

func (l list) Len() int      { return len(l) }
func (l list) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *list) Push(x any)   { *l = append(*l, x.(*job)) }
func (l *list) Pop() any {
	old := *l
	n := len(old) - 1
	x := old[n]
	old[n] = nil
	*l = old[:n]
	return x
}

type orEqual struct{ list }

func (o orEqual) Less(i, j int) bool {
	return o.list[i].prio <= o.list[j].prio // want `orEqual.Less is no strict weak order: both Less\(a, b\) and Less\(b, a\) hold for elements with the same prio`
}

type either struct{ list }

func (e either) Less(i, j int) bool {
	a, b := e.list[i], e.list[j]
	if a.prio < b.prio {
		return true
	}
	return a.at < b.at // want `either.Less is no strict weak order: both Less\(a, b\) and Less\(b, a\) hold for a{prio: 0, at: 1} and b{prio: 1, at: 0}`
}

type always struct{ list }

func (always) Less(i, j int) bool { return true } // want `both Less\(a, b\) and Less\(b, a\) hold for any elements`

type turned struct{ list }

func (t turned) Less(i, j int) bool {
	if t.list[i].urgent { // want `both Less\(a, b\) and Less\(b, a\) hold for elements with the same urgent \(true\)`
		return true
	}
	return t.list[i].prio < t.list[j].prio
}

type mixed struct{ list }

func (m mixed) Less(i, j int) bool {
	return m.list[i].prio < m.list[j].at // want `hold for elements with the same prio and at`
}

type partial struct{ list }

func (p partial) Less(i, j int) bool {
	a, b := p.list[i], p.list[j]
	return a.prio < b.prio && a.at < b.at // want `it takes a and b for equal, and b and c, but not a and c, for a{`
}

type twice struct{ list }

func (t twice) Less(i, j int) bool {
	if t.list[i].prio != t.list[j].prio {
		return t.list[i].prio < t.list[j].prio
	}
	return t.list[j].name < t.list[j].name // want `twice.Less compares name with itself`
}

type helped struct{ list }

func compare(a, b *job) int {
	if a.prio < b.prio {
		return -1
	}
	return 1 // want `helped.Less is no strict weak order: both Less\(a, b\) and Less\(b, a\) hold for elements with the same prio`
}

func (h helped) Less(i, j int) bool { return compare(h.list[j], h.list[i]) > 0 }

type notAfter struct{ list }

func (n notAfter) Less(i, j int) bool {
	return !n.list[i].due.After(n.list[j].due) // want `for elements with the same due`
}

type configured struct {
	list
	desc bool
}

func (c *configured) Less(i, j int) bool {
	less := c.list[i].prio < c.list[j].prio
	if c.desc {
		return !less // want `for elements with the same prio when c.desc is true`
	}
	return less
}

type pluggable struct {
	list
	less func(a, b *job) bool
}

func (p *pluggable) Less(i, j int) bool { return p.less(p.list[i], p.list[j]) }

func newPluggable() *pluggable {
	return &pluggable{less: func(a, b *job) bool {
		return a.name <= b.name // want `this comparator is no strict weak order: both less\(a, b\) and less\(b, a\) hold for elements with the same name`
	}}
}

// The rest is right.

type descending struct{ list }

func (d descending) Less(i, j int) bool { return d.list[i].prio > d.list[j].prio }

type chain struct{ list }

func (c chain) Less(i, j int) bool {
	a, b := c.list[i], c.list[j]
	switch {
	case a.urgent != b.urgent:
		return a.urgent
	case a.in.depth != b.in.depth:
		return a.in.depth < b.in.depth
	case len(a.labels) != len(b.labels):
		return len(a.labels) > len(b.labels)
	case !a.due.Equal(b.due):
		return a.due.Before(b.due)
	}
	return strings.ToLower(a.name) < strings.ToLower(b.name)
}

type viaCmp struct{ list }

func (v viaCmp) Less(i, j int) bool {
	a, b := v.list[i], v.list[j]
	return cmp.Or(-cmp.Compare(a.prio, b.prio), a.due.Compare(b.due), strings.Compare(a.name, b.name)) < 0
}

type viaLabels struct{ list }

func (v viaLabels) Less(i, j int) bool {
	return slices.Compare(v.list[i].labels, v.list[j].labels) < 0
}

type zeroLast struct{ list }

func (z zeroLast) Less(i, j int) bool {
	a, b := z.list[i].at, z.list[j].at
	if a == 0 || b == 0 {
		return a != 0 && b == 0
	}
	return a < b
}

// stack has the methods of a heap but is none: nothing pushes to it by heap.Push.
type stack struct{ list }

func (s stack) Less(i, j int) bool { return true }

func use() {
	for _, h := range []heap.Interface{
		&orEqual{}, &either{}, &always{}, &turned{}, &mixed{}, &partial{}, &twice{}, &helped{}, &notAfter{},
		&configured{}, newPluggable(), &descending{}, &chain{}, &viaCmp{}, &viaLabels{}, &zeroLast{},
	} {
		heap.Init(h)
	}
}

// sameTwice asks for a key of one element twice.
type sameTwice struct{ list }

func (s sameTwice) Less(i, j int) bool {
	a, b := s.list[i], s.list[j]
	return cmp.Or(cmp.Compare(a.prio, b.prio), strings.Compare(a.name, a.name)) < 0 // want `sameTwice.Less compares name with itself`
}

// nearby takes times for equal that are close to each other.
type nearby struct{ list }

func (n nearby) Less(i, j int) bool {
	a, b := n.list[i], n.list[j]
	if d := a.due.Sub(b.due); d > time.Second || d < -time.Second { // want `nearby.Less is no strict weak order: .* for a\{.*due: 0s.*\}`
		return a.due.Before(b.due)
	}
	return a.prio > b.prio
}

// mark is what the elements of some heaps point to.
type mark struct{ at int }

type holder struct{ m *mark }

type holders []*holder

func (h holders) Len() int      { return len(h) }
func (h holders) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *holders) Push(x any)   { *h = append(*h, x.(*holder)) }
func (h *holders) Pop() any {
	old := *h
	n := len(old) - 1
	x := old[n]
	*h = old[:n]
	return x
}

// The field is only ever set to something.
func (h holders) Less(i, j int) bool {
	if h[i].m == nil {
		return true
	} else if h[j].m == nil {
		return false
	}
	return h[i].m.at < h[j].m.at
}

func refill(h *holders, next func() *mark, x *holder) {
	if m := next(); m != nil {
		x.m = m
		heap.Push(h, x)
	}
}

// best keeps the n best, and starts with one element without a mark.
type best []entry

type entry struct {
	m    *mark
	dist int
}

func (b best) Len() int           { return len(b) }
func (b best) Less(i, j int) bool { return b[i].m == nil || b[i].dist > b[j].dist }
func (b best) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *best) Push(x any)        { *b = append(*b, x.(entry)) }
func (b *best) Pop() any {
	old := *b
	n := len(old) - 1
	x := old[n]
	*b = old[:n]
	return x
}

// keeper is a heap by what it embeds.
type keeper struct{ best }

func newKeeper(n int) *keeper { return &keeper{make(best, 1, n)} }

func (k *keeper) add(m *mark, dist int) { heap.Push(k, entry{m, dist}) }

// open is like best, but anything may be pushed.
type open []entry

func (o open) Len() int { return len(o) }
func (o open) Less(i, j int) bool {
	return o[i].m == nil || o[i].dist > o[j].dist // want `open.Less is no strict weak order: both Less\(a, b\) and Less\(b, a\) hold for elements with the same m \(nil\)`
}
func (o open) Swap(i, j int) { o[i], o[j] = o[j], o[i] }
func (o *open) Push(x any)   { *o = append(*o, x.(entry)) }
func (o *open) Pop() any {
	old := *o
	n := len(old) - 1
	x := old[n]
	*o = old[:n]
	return x
}

func (o *open) add(m *mark, dist int) { heap.Push(o, entry{m, dist}) }

func useMore() {
	heap.Init(&sameTwice{})
	heap.Init(&nearby{})
}
