package panics

import (
	"container/heap"
	"time"
)

type job struct {
	name  string
	start *time.Time
	limit *int
	group *group
}

type group struct{ weight int }

func (g *group) rank() int {
	if g == nil {
		return 0
	}
	return g.weight
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

type half struct{ list }

func (h half) Less(i, j int) bool {
	if h.list[j].start == nil {
		return h.list[i].start != nil
	}
	return h.list[i].start.Before(*h.list[j].start) // want `start can be nil here: half.Less tests for that, but not on every path; a panic leaves the heap half changed, and ends the program: heap.Push runs in a goroutine without recover`
}

func serve(in <-chan *job) {
	var h half
	go func() {
		for j := range in {
			heap.Push(&h, j)
		}
	}()
}

type wrongSide struct{ list }

func (w wrongSide) Less(i, j int) bool {
	a, b := w.list[i], w.list[j]
	if a.limit == nil && b.limit == nil {
		return a.name < b.name
	}
	return *a.limit < *b.limit // want `limit can be nil here: wrongSide.Less tests for that, but not on every path; a panic leaves the heap half changed$` `limit can be nil here`
}

type anyList []any

func (a anyList) Len() int      { return len(a) }
func (a anyList) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *anyList) Push(x any)   { *a = append(*a, x) }
func (a *anyList) Pop() any {
	old := *a
	n := len(old) - 1
	x := old[n]
	old[n] = nil
	*a = old[:n]
	return x
}

type twoTypes struct{ anyList }

func (t twoTypes) Less(i, j int) bool {
	return t.anyList[i].(*job).name < t.anyList[j].(*job).name // want `twoTypes.Less takes elements for \*job, but a string is pushed too` `twoTypes.Less takes elements for \*job, but a string is pushed too`
}

type byGroup struct{ list }

func (b byGroup) Less(i, j int) bool {
	return b.list[i].group.weight < b.list[j].group.weight // want `byGroup.Less panics on an element whose group is nil: one is pushed without it \(line \d+\)`
}

func single(h *byGroup, name string) { heap.Push(h, &job{name: name}) }

type byLimit struct{ list }

func (b *byLimit) Less(i, j int) bool {
	return *b.list[i].limit < *b.list[j].limit // want `byLimit.Less panics on an element whose limit is nil: it is tested for that on an element of the heap \(line \d+\)`
}

func within(h *byLimit, n int, j *job) bool {
	heap.Push(h, j)
	top := h.list[0]
	return top.limit != nil && *top.limit < n
}

type byLabel struct{ labelled }

func (b byLabel) Less(i, j int) bool {
	return b.labelled[i].labels[0] < b.labelled[j].labels[0] // want `byLabel.Less panics on an element whose labels is empty: one is pushed without it`
}

type labels struct{ labels []string }

type labelled []labels

func (l labelled) Len() int      { return len(l) }
func (l labelled) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *labelled) Push(x any)   { *l = append(*l, x.(labels)) }
func (l *labelled) Pop() any {
	old := *l
	n := len(old) - 1
	x := old[n]
	*l = old[:n]
	return x
}

func bare() {
	var h byLabel
	heap.Push(&h, labels{})
}

// The rest is right.

type filled struct{ list }

func (f filled) Less(i, j int) bool { return f.list[i].group.weight < f.list[j].group.weight }

func fill(h *filled, name string) {
	j := &job{name: name}
	j.group = &group{}
	heap.Push(h, j)
	heap.Push(h, &job{name: name, group: &group{}})
}

type oneType struct{ anyList }

func (o oneType) Less(i, j int) bool { return o.anyList[i].(*job).name < o.anyList[j].(*job).name }

type safe struct{ list }

func (s safe) Less(i, j int) bool {
	a, b := s.list[i], s.list[j]
	switch {
	case a.start == nil && b.start == nil:
	case a.start == nil:
		return false
	case b.start == nil:
		return true
	case !a.start.Equal(*b.start):
		return a.start.Before(*b.start)
	}
	if (a.limit == nil) != (b.limit == nil) {
		return b.limit == nil
	}
	if a.limit != nil && *a.limit != *b.limit {
		return *a.limit < *b.limit
	}
	if a.group.rank() != b.group.rank() {
		return a.group.rank() < b.group.rank()
	}
	return a.name < b.name
}

func use() {
	heap.Push(&twoTypes{}, &job{})
	heap.Push(&twoTypes{}, "bookmark")
	heap.Push(&oneType{}, &job{})
	heap.Push(&wrongSide{}, &job{})
	heap.Push(&safe{}, &job{})
}

// share is used by heaps that divide.
type share struct{ used, size, load, parts int }

type shares []*share

func (s shares) Len() int      { return len(s) }
func (s shares) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *shares) Push(x any)   { *s = append(*s, x.(*share)) }
func (s *shares) Pop() any {
	old := *s
	n := len(old) - 1
	x := old[n]
	old[n] = nil
	*s = old[:n]
	return x
}

type bySize struct{ shares }

func (s bySize) Less(i, j int) bool {
	return s.shares[i].used/s.shares[i].size < s.shares[j].used/s.shares[j].size // want `bySize.Less panics on an element whose size is zero: one is pushed without it \(line \d+\)`
}

type byLoad struct{ shares }

func (s byLoad) Less(i, j int) bool {
	a, b := s.shares[i], s.shares[j]
	if a.load == 0 {
		return false
	}
	return a.used/a.load < b.used/b.load // want `load can be zero here: byLoad.Less tests for that, but not on every path`
}

func (s *share) each() int { return s.used / int(int32(s.parts)) } // want `byParts.Less panics on an element whose parts is zero: it is tested for that on an element of the heap`

type byParts struct{ shares }

func (s byParts) Less(i, j int) bool { return s.shares[i].each() < s.shares[j].each() }

func divide(s *share) (n int) {
	heap.Push(&bySize{}, &share{used: 1})
	heap.Push(&byLoad{}, s)
	h := &byParts{}
	heap.Push(h, s)
	for i := range h.shares {
		if h.shares[i].parts == 0 {
			n++
		}
	}
	return n
}

type safeLoad struct{ shares }

func (s safeLoad) Less(i, j int) bool {
	a, b := s.shares[i], s.shares[j]
	if a.load <= 0 || b.load <= 0 {
		return a.load > 0 && b.load <= 0
	}
	return a.used/a.load < b.used/b.load
}

type atLeastOne struct{ shares }

func (s atLeastOne) Less(i, j int) bool {
	return s.shares[i].used/max(1, s.shares[i].size) < s.shares[j].used/max(1, s.shares[j].size)
}

func divideSafely(s *share) {
	heap.Push(&safeLoad{}, s)
	heap.Push(&atLeastOne{}, &share{used: 1})
}

// route is used by heaps that index, call and assert.
type route struct {
	hops []int
	cost func() int
	key  any
}

type routes []route

func (r routes) Len() int      { return len(r) }
func (r routes) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r *routes) Push(x any)   { *r = append(*r, x.(route)) }
func (r *routes) Pop() any {
	old := *r
	n := len(old) - 1
	x := old[n]
	*r = old[:n]
	return x
}

type byLast struct{ routes }

func (r byLast) Less(i, j int) bool {
	a, b := r.routes[i].hops, r.routes[j].hops
	return a[len(a)-1] < b[len(b)-1] // want `byLast.Less panics on an element whose hops is empty: one is pushed without it`
}

type byCost struct{ routes }

func (r byCost) Less(i, j int) bool { return r.routes[i].cost() < r.routes[j].cost() } // want `byCost.Less panics on an element whose cost is nil`

type byKey struct{ routes }

func (r byKey) Less(i, j int) bool { return r.routes[i].key.(int) < r.routes[j].key.(int) } // want `byKey.Less takes key for int, but a string is pushed too` `byKey.Less takes key for int, but a string is pushed too`

func travel(name string) {
	heap.Push(&byLast{}, route{})
	heap.Push(&byCost{}, route{hops: []int{1}})
	heap.Push(&byKey{}, route{key: 1})
	heap.Push(&byKey{}, route{key: name})
}

type lastIfAny struct{ routes }

func (r lastIfAny) Less(i, j int) bool {
	a, b := r.routes[i].hops, r.routes[j].hops
	if len(a) == 0 || len(b) == 0 {
		return len(a) < len(b)
	}
	return a[len(a)-1] < b[len(b)-1]
}

func stay() { heap.Push(&lastIfAny{}, route{}) }

type byWeight []*group

func (g byWeight) Len() int           { return len(g) }
func (g byWeight) Less(i, j int) bool { return g[i].weight < g[j].weight } // want `byWeight.Less panics on nil, which is pushed too`
func (g byWeight) Swap(i, j int)      { g[i], g[j] = g[j], g[i] }
func (g *byWeight) Push(x any)        { *g = append(*g, x.(*group)) }
func (g *byWeight) Pop() any {
	old := *g
	n := len(old) - 1
	x := old[n]
	*g = old[:n]
	return x
}

func pushNil(g *byWeight) { heap.Push(g, (*group)(nil)) }
