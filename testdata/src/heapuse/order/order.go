package order

import (
	"container/heap"
	"slices"
	"sort"
)

type ev struct {
	at   int
	call func()
}

type evs []*ev

func (h evs) Len() int           { return len(h) }
func (h evs) Less(i, j int) bool { return h[i].at < h[j].at }
func (h evs) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *evs) Push(x any)        { *h = append(*h, x.(*ev)) }
func (h *evs) Pop() any {
	old := *h
	e := old[len(old)-1]
	*h = old[:len(old)-1]
	return e
}

type timers struct{ q evs }

func (t *timers) add(e *ev) { heap.Push(&t.q, e) }

func (t *timers) last() *ev {
	return t.q[len(t.q)-1] // want `the last slot of t.q is not the last element in its order`
}

func (t *timers) dropLast() {
	heap.Remove(&t.q, t.q.Len()-1) // want `the last slot of t.q is not the last element in its order: heap.Remove takes out an arbitrary one`
}

func (t *timers) find(at int) int {
	return sort.Search(len(t.q), func(i int) bool { return t.q[i].at >= at }) // want `sort.Search needs a sorted slice, but the slice of t.q is in heap order`
}

func (t *timers) find2(at int) (int, bool) {
	return slices.BinarySearchFunc(t.q, at, func(e *ev, at int) int { return e.at - at }) // want `slices.BinarySearchFunc needs a sorted slice`
}

func (t *timers) due(now int) (out []*ev) {
	for _, e := range t.q {
		if e.at > now { // want `the loop stops at the first element of t.q beyond a bound`
			break
		}
		out = append(out, e)
	}
	return out
}

func (t *timers) firstFew(n int) []*ev {
	return t.q[:n] // want `the first elements of t.q are not the smallest ones`
}

func (t *timers) all() []*ev {
	out := make([]*ev, 0, len(t.q))
	for _, e := range t.q {
		out = append(out, e)
	}
	return out
}

func (t *timers) soonest(n int) []*ev {
	list := t.all()
	return list[:min(n, len(list))] // want `the first elements of what all returns are not the smallest ones`
}

func (t *timers) second() *ev {
	return t.q[1] // want `the second slot of t.q need not hold the second element`
}

func (t *timers) median() *ev {
	return t.q[len(t.q)/2] // want `the middle slot of t.q is not the middle element`
}

func (t *timers) firstOnes(n int) (out []int) {
	for i := 0; i < n && i < len(t.q); i++ {
		out = append(out, t.q[i].at) // want `the first slots of t.q do not hold its smallest elements`
	}
	return out
}

// Right ones.

func (t *timers) secondRight() *ev {
	if len(t.q) > 2 && t.q[2].at < t.q[1].at {
		return t.q[2]
	}
	return t.q[1]
}

func (t *timers) sortedSoonest(n int) []*ev {
	list := t.all()
	slices.SortFunc(list, func(a, b *ev) int { return a.at - b.at })
	return list[:min(n, len(list))]
}

func (t *timers) trim(max int) {
	for t.q.Len() > max {
		heap.Remove(&t.q, t.q.Len()-1)
	}
}

func (t *timers) removeByHand(i int) {
	n := len(t.q) - 1
	t.q[i] = t.q[len(t.q)-1]
	t.q = t.q[:n]
	heap.Fix(&t.q, i)
}

func (t *timers) has(at int) bool {
	for _, e := range t.q {
		if e.at == at {
			return true
		}
	}
	return false
}

func (t *timers) anyDue(now int) bool {
	for _, e := range t.q {
		if e.at <= now {
			return true
		}
	}
	return false
}

func (t *timers) late(now int) (n int) {
	for _, e := range t.q {
		if e.at > now {
			continue
		}
		n++
	}
	return n
}

func (t *timers) sorted() []*ev {
	sort.Sort(t.q)
	return t.q[:1+len(t.q)/2]
}
