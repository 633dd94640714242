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
