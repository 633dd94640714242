package copies

import (
	"container/heap"
	"slices"
)

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type inner struct {
	list []int
	n    int
}

func (h *inner) Len() int           { return len(h.list) }
func (h *inner) Less(i, j int) bool { return h.list[i] < h.list[j] }
func (h *inner) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *inner) Push(x any)         { h.list = append(h.list, x.(int)) }
func (h *inner) Pop() any {
	x := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return x
}

type bag struct {
	h  ints
	in inner
	m  map[string]ints
}

func (b *bag) sorted() (out []int) {
	tmp := b.h
	for tmp.Len() > 0 {
		out = append(out, heap.Pop(&tmp).(int)) // want `heap.Pop works on a copy of b.h that shares its array`
	}
	return out
}

func (b *bag) sortedStruct() (out []int) {
	tmp := b.in
	for tmp.Len() > 0 {
		out = append(out, heap.Pop(&tmp).(int)) // want `heap.Pop works on a copy of b.in`
	}
	return out
}

// Drain has a value receiver, and so its own header on the same array.
func (b bag) Drain() (out []int) {
	for b.h.Len() > 0 {
		out = append(out, heap.Pop(&b.h).(int)) // want `heap.Pop works on a copy of b `
	}
	return out
}

func (b *bag) sharedSlice() int {
	h := &inner{list: b.in.list}
	return heap.Pop(h).(int) // want `heap.Pop works on a heap that shares its array with b.in`
}

func drain(h *ints) (out []int) {
	for h.Len() > 0 {
		out = append(out, heap.Pop(h).(int))
	}
	return out
}

func (b *bag) byCall() []int {
	tmp := b.h
	return drain(&tmp) // want `heap.Pop works on a copy of b.h`
}

// Right ones.

func (b *bag) cloned() (out []int) {
	tmp := slices.Clone(b.h)
	for tmp.Len() > 0 {
		out = append(out, heap.Pop(&tmp).(int))
	}
	return out
}

func (b *bag) takenOver() (out []int) {
	old := b.h
	b.h = nil
	for old.Len() > 0 {
		out = append(out, heap.Pop(&old).(int))
	}
	return out
}

func (b *bag) storedBack(k string, x int) {
	h := b.m[k]
	heap.Push(&h, x)
	b.m[k] = h
}

func (b *bag) storedBackField(x int) {
	h := b.h
	heap.Push(&h, x)
	b.h = h
}

func local(in []int) int {
	h := ints(in)
	heap.Init(&h)
	return heap.Pop(&h).(int)
}
