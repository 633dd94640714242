package fixes

import h "container/heap"

type base []int

func (b base) Len() int           { return len(b) }
func (b base) Less(i, j int) bool { return b[i] < b[j] }
func (b base) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *base) Push(x any)        { *b = append(*b, x.(int)) }
func (b *base) Pop() any {
	old := *b
	x := old[len(old)-1]
	*b = old[:len(old)-1]
	return x
}

type reversed struct{ base }

func (r reversed) Less(i, j int) bool { return r.base.Less(j, i) }

type queue struct {
	up   base
	down *reversed
	any  h.Interface
}

func (q *queue) start() {
	h.Init(&q.up)
	h.Init(q.down)
}

func (q *queue) add(x int) {
	q.up.Push(x)       // want `call heap.Push`
	q.down.Push(x + 1) // want `call heap.Push`
	q.any.Push(x)      // want `call heap.Push`
}

func (q *queue) take() int {
	if x, ok := q.down.Pop().(int); ok { // want `call heap.Pop`
		return x
	}
	return q.up.Pop().(int) // want `call heap.Pop`
}
