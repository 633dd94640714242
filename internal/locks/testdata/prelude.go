// Package samples has one file for each feature of the language that matters to
// locks. A comment on a line says which locks are held when the heap is used there,
// or by the call that stands there: held on all ways to it, may on some.
package samples

import "sync"

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

type queue struct {
	mu    sync.Mutex
	rw    sync.RWMutex
	h     ints
	ready bool
	child *queue
}

// unknown is a condition of which nothing is known.
var unknown func() bool
