package lifetime

import (
	"container/heap"
	"sync"
)

type table struct{ rank []int }

func (t *table) of(k int) int { return t.rank[k] }

// Close gives the table up.
func (t *table) Close() { t.rank = nil }

type keys struct {
	list []int
	less func(a, b int) bool
}

func (k *keys) Len() int           { return len(k.list) }
func (k *keys) Less(i, j int) bool { return k.less(k.list[i], k.list[j]) }
func (k *keys) Swap(i, j int)      { k.list[i], k.list[j] = k.list[j], k.list[i] }
func (k *keys) Push(x any)         { k.list = append(k.list, x.(int)) }
func (k *keys) Pop() any {
	n := len(k.list) - 1
	x := k.list[n]
	k.list = k.list[:n]
	return x
}

var pool = sync.Pool{New: func() any { return new(table) }}

func pooled(in []int) *keys {
	t := pool.Get().(*table)
	defer pool.Put(t)
	return &keys{list: in, less: func(a, b int) bool {
		return t.rank[a] < t.rank[b] // want `this comparator uses t, which is given up by Pool.Put \(line \d+\) while the heap is still in use`
	}}
}

func closed(in []int, t *table) int {
	h := &keys{list: in, less: func(a, b int) bool {
		return t.of(a) < t.of(b) // want `this comparator uses t, which is given up by Close \(line \d+\)`
	}}
	heap.Init(h)
	t.Close()
	return heap.Pop(h).(int)
}

// The rest is right.

func closedAfter(in []int, t *table) int {
	defer t.Close()
	h := &keys{list: in, less: func(a, b int) bool { return t.of(a) < t.of(b) }}
	heap.Init(h)
	return heap.Pop(h).(int)
}
