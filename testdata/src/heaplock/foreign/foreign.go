// Package foreign uses the heaps and the lock of another package, and has none itself.
package foreign

import (
	"sync"

	"heaplock/foreignheap"
)

// Wrapped has the lock for a heap of another package.
type Wrapped struct {
	mu   sync.Mutex
	heap foreignheap.Heap[string]
}

func (w *Wrapped) Add(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heap.Push(s)
}

func (w *Wrapped) Next() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.next()
}

func (w *Wrapped) next() string { return w.heap.Pop() }

func (w *Wrapped) Len() int { return w.heap.Len() } // want `Heap.Len of Wrapped.heap without w.mu, which guards it \(held at 2 of its 3 uses\)`

// Pointed has the heap behind a pointer.
type Pointed struct {
	mu   sync.RWMutex
	heap *foreignheap.Heap[int]
}

func NewPointed(n int) *Pointed {
	p := &Pointed{heap: foreignheap.New(func(a, b int) bool { return a < b })}
	p.heap.Push(n)
	return p
}

func (p *Pointed) Add(n int) {
	p.mu.Lock()
	p.heap.Push(n)
	p.mu.Unlock()
}

func (p *Pointed) Next() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.heap.Pop() // want `Heap.Pop changes Pointed.heap under the read lock of p.mu`
}

func (p *Pointed) Len() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.heap.Len()
}

// Plain gives its heap to functions of another package.
type Plain struct {
	mu   sync.Mutex
	heap foreignheap.Ints
}

func (p *Plain) Add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	foreignheap.Add(&p.heap, n)
}

func (p *Plain) Next() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return foreignheap.Take(&p.heap)
}

func (p *Plain) Steal() int {
	return foreignheap.Take(&p.heap) // want `foreignheap.Take of Plain.heap without p.mu`
}

// Based locks by what it embeds.
type Based struct {
	foreignheap.Base
	heap foreignheap.Heap[int]
}

func (b *Based) Add(n int) {
	b.Acquire()
	defer b.Release()
	b.heap.Push(n)
}

func (b *Based) Next() int {
	b.Acquire()
	defer b.Release()
	return b.heap.Pop()
}

func (b *Based) Try(n int) bool {
	if !b.TryAcquire() {
		return false
	}
	b.heap.Push(n)
	b.Release()
	return true
}

func (b *Based) Len() int {
	b.AcquireShared()
	defer b.ReleaseShared()
	return b.heap.Len()
}

func (b *Based) Drop() {
	b.AcquireShared()
	b.heap.Pop() // want `Heap.Pop changes Based.heap under the read lock of b.Base.mu`
	b.ReleaseShared()
}

// Trusting leaves the lock to the heap, which has one: nothing to say here.
type Trusting struct {
	mu   sync.Mutex
	heap foreignheap.Synced
}

func (t *Trusting) Add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heap.Add(n)
}

func (t *Trusting) Take() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.heap.Take()
}

func (t *Trusting) Len() int { return t.heap.Len() }

// Local has a heap that nobody else knows.
func Local(in []int) int {
	h := foreignheap.New(func(a, b int) bool { return a < b })
	for _, n := range in {
		h.Push(n)
	}
	return h.Pop()
}
