// Package parts has heaps with several names: as a field, and as a part of what has it.
package parts

import (
	"container/heap"
	"sort"
	"sync"

	"example.com/inventory/outer"
)

type names struct{ sort.StringSlice }

func (n *names) Push(x any) { n.StringSlice = append(n.StringSlice, x.(string)) }
func (n *names) Pop() any {
	last := len(n.StringSlice) - 1
	s := n.StringSlice[last]
	n.StringSlice = n.StringSlice[:last]
	return s
}

// Sorted returns a new heap: it is nobody's yet.
func Sorted(from ...string) *names {
	h := &names{StringSlice: from}
	heap.Init(h)
	return h
}

// A Line may be used by anybody who has one.
type Line struct{ h names }

func (l *Line) Add(s string) { heap.Push(&l.h, s) }
func (l *Line) Next() string { return heap.Pop(&l.h).(string) }

// A worker has its line for itself.
type worker struct {
	in   chan string
	line *Line
}

func Work(in chan string) {
	w := &worker{in: in, line: &Line{}}
	go w.run()
}

func (w *worker) run() {
	for s := range w.in {
		w.line.Add(s)
		w.line.Add(s + " again")
		println(w.line.Next())
	}
}

// A Locked heap has its own lock, which is held also where an owner has another one. Two
// operations in one function are two uses.
type Locked struct {
	mu sync.Mutex
	names
}

func (l *Locked) Replace(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	heap.Pop(l)
	heap.Push(l, s)
}

func (l *Locked) Next() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return heap.Pop(l).(string)
}

type Owner struct {
	mu   sync.Mutex
	heap *Locked
}

func (o *Owner) Put(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heap.Replace(s)
}

func (o *Owner) Skip() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heap.Next()
}

// First uses a heap of another package's type for itself.
func First(from ...string) string {
	var w outer.Wrapper
	for _, s := range from {
		w.Add(s)
	}
	return w.Next()
}
