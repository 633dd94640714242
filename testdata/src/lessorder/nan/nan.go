package nan

import (
	"cmp"
	"container/heap"
	"math"
)

type sample struct {
	value, weight, rate float64
	rank                float64
}

func missing() sample { return sample{value: math.NaN()} }

func valid(s sample) bool { return !math.IsNaN(s.rate) }

type list []sample

func (l list) Len() int      { return len(l) }
func (l list) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *list) Push(x any)   { *l = append(*l, x.(sample)) }
func (l *list) Pop() any {
	old := *l
	n := len(old) - 1
	x := old[n]
	*l = old[:n]
	return x
}

type byValue struct{ list }

func (b byValue) Less(i, j int) bool {
	return b.list[i].value < b.list[j].value // want `byValue.Less has no place for NaN, and value can be NaN: it takes a and b for equal`
}

type byRate struct{ list }

func (b byRate) Less(i, j int) bool {
	if b.list[i].rate != b.list[j].rate {
		return b.list[i].rate > b.list[j].rate
	}
	return b.list[i].rank < b.list[j].rank // want `byRate.Less has no place for NaN`
}

// The rest is right: a rule for NaN, a total order, or no sign of NaN.

type nanLast struct{ list }

func (n nanLast) Less(i, j int) bool {
	a, b := n.list[i].value, n.list[j].value
	if math.IsNaN(a) {
		return false
	}
	return a < b || math.IsNaN(b)
}

type total struct{ list }

func (t total) Less(i, j int) bool { return cmp.Less(t.list[i].value, t.list[j].value) }

type byWeight struct{ list }

func (b byWeight) Less(i, j int) bool { return b.list[i].weight < b.list[j].weight }

func use() {
	for _, h := range []heap.Interface{&byValue{}, &byRate{}, &nanLast{}, &total{}, &byWeight{}} {
		heap.Push(h, missing())
	}
}

// filtered elements never get in with NaN.
type filtered []reading

type reading struct{ level float64 }

func (f filtered) Len() int           { return len(f) }
func (f filtered) Less(i, j int) bool { return f[i].level < f[j].level }
func (f filtered) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *filtered) Push(x any)        { *f = append(*f, x.(reading)) }
func (f *filtered) Pop() any {
	old := *f
	n := len(old) - 1
	x := old[n]
	*f = old[:n]
	return x
}

func (f *filtered) add(r reading) {
	if math.IsNaN(r.level) {
		return
	}
	heap.Push(f, r)
}

// numbers are the elements themselves.
type numbers []float64

func (n numbers) Len() int           { return len(n) }
func (n numbers) Less(i, j int) bool { return n[i] < n[j] } // want `numbers.Less has no place for NaN, and an element can be NaN`
func (n numbers) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n *numbers) Push(x any)        { *n = append(*n, x.(float64)) }
func (n *numbers) Pop() any {
	old := *n
	k := len(old) - 1
	x := old[k]
	*n = old[:k]
	return x
}

func gaps(n *numbers, v float64) {
	if v < 0 {
		v = math.NaN()
	}
	heap.Push(n, v)
}

// nanFirst has a rule for one NaN only.
type nanFirst struct{ list }

func (n nanFirst) Less(i, j int) bool {
	a, b := n.list[i].value, n.list[j].value
	if math.IsNaN(a) { // want `nanFirst.Less has no rule for two NaN, and value can be NaN: both Less\(a, b\) and Less\(b, a\) hold for elements with the same value \(NaN\)`
		return true
	}
	return a < b
}

// helper says less itself.
type helper struct{ list }

func (h helper) Less(i, j int) bool { return below(h.list[i], h.list[j]) }

func below(a, b sample) bool { return a.value < b.value } // want `helper.Less has no place for NaN`

func init() {
	heap.Init(&nanFirst{})
	heap.Init(&helper{})
}
