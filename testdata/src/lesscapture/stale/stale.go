package stale

import "container/heap"

type items struct {
	list []int
	less func(i, j int) bool
}

func (h *items) Len() int           { return len(h.list) }
func (h *items) Less(i, j int) bool { return h.less(i, j) }
func (h *items) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *items) Push(x any)         { h.list = append(h.list, x.(int)) }
func (h *items) Pop() any {
	n := len(h.list) - 1
	x := h.list[n]
	h.list = h.list[:n]
	return x
}

func overCopy(list []int) *items {
	h := &items{list: list, less: func(i, j int) bool {
		return list[i] < list[j] // want `this comparator looks up elements in the captured variable list, but the heap keeps a slice of its own`
	}}
	heap.Init(h)
	return h
}

func overHeap(list []int) *items {
	h := &items{list: list}
	h.less = func(i, j int) bool { return h.list[i] < h.list[j] }
	heap.Init(h)
	return h
}

type snapshot []int

func (s snapshot) less(i, j int) bool {
	return s[i] < s[j] // want `snapshot.less is a method value, which keeps a copy of its receiver`
}

func overSnapshot(list []int) *items {
	h := &items{list: list}
	h.less = snapshot(list).less
	heap.Init(h)
	return h
}

type view struct{ of []int }

func (v view) less(i, j int) bool {
	return v.of[i] < v.of[j] // want `view.less is a method value, which keeps a copy of its receiver`
}

func overView(list []int) *items {
	h := &items{list: list, less: view{list}.less}
	heap.Init(h)
	return h
}

func (h *items) ascending(i, j int) bool { return h.list[i] < h.list[j] }

func overItself(list []int) *items {
	h := &items{list: list}
	h.less = h.ascending
	heap.Init(h)
	return h
}

func overConstructor(list []int, more int) int {
	h := newItems(list, func(i, j int) bool {
		return list[i] < list[j] // want `this comparator looks up elements in the captured variable list`
	})
	heap.Push(h, more)
	return heap.Pop(h).(int)
}

func newItems(list []int, less func(i, j int) bool) *items {
	h := &items{list: list, less: less}
	heap.Init(h)
	return h
}
