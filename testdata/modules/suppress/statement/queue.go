// Package statement has directives at statements, declarations and fields. Lines
// that end in FIND are the only ones with findings.
package statement

import (
	"container/heap"
	"sync"
)

type items []int

func (h items) Len() int           { return len(h) }
func (h items) Less(i, j int) bool { return h[i] < h[j] }
func (h items) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *items) Push(x any)        { *h = append(*h, x.(int)) }
func (h *items) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type Queue struct {
	mu    sync.Mutex
	items items // guarded by mu
}

func (q *Queue) Add(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, x)
}

func (q *Queue) Next() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return heap.Pop(&q.items).(int)
}

func (q *Queue) Init() {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Init(&q.items)
}

func (q *Queue) Reported(x int) {
	heap.Push(&q.items, x) // FIND
}

func (q *Queue) OwnLine(x int) {
	//go:vet-ignore=heaplock on purpose
	heap.Push(
		&q.items,
		x,
	)
}

func (q *Queue) EndOfLine(x int) {
	heap.Push(&q.items, x) //heapvet:ignore=heaplock/unheld on purpose
	heap.Push(
		&q.items,
		x,
	) //heapvet:ignore
}

func (q *Queue) OtherTools(x int) {
	heap.Push(&q.items, x) //nolint:heaplock // on purpose
	heap.Push(&q.items, x) //nolint:heapvet
	//lint:ignore heaplock on purpose
	heap.Push(&q.items, x)
}

// Declaration is documented.
//
//go:vet-ignore=heaplock on purpose
func (q *Queue) Declaration(x int) {
	if x > 0 {
		heap.Push(&q.items, x)
	}
}

func (q *Queue) OtherRule(x int) {
	heap.Push(&q.items, x) /* FIND */ //heapvet:ignore=heaplock/rlock,vetignore
}

type Tagged struct {
	A string `json: "a"` // FIND
	//go:vet-ignore=fieldtag
	B, C string `json: "b"`
	D    string `json: "d"` //heapvet:ignore=fieldtag
}

//go:vet-ignore=fieldtag
type Whole struct {
	A string `json: "a"`
	B struct {
		C string `json: "c"`
	}
}
