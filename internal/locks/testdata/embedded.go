package samples

import (
	"container/heap"
	"sync"
)

type embeds struct {
	sync.RWMutex
	h ints
}

func (e *embeds) promoted() {
	e.Lock()
	heap.Push(&e.h, 1) // held: e.RWMutex
	e.Unlock()
	e.RWMutex.RLock()
	heap.Push(&e.h, 2) // held: e.RWMutex(read)
	e.RUnlock()
}

type outer struct {
	embeds
	other ints
}

func (o *outer) twice() {
	o.Lock()
	heap.Push(&o.h, 1)     // held: o.embeds.RWMutex
	heap.Push(&o.other, 2) // held: o.embeds.RWMutex
	o.embeds.Unlock()
}

type pointerEmbeds struct {
	*sync.Mutex
	h ints
}

func (p *pointerEmbeds) promoted() {
	p.Lock()
	defer p.Unlock()
	heap.Push(&p.h, 1) // held: p.Mutex
}

type mutex struct{ sync.Mutex }

func (m *mutex) with(f func()) {
	m.Lock()
	defer m.Unlock()
	f()
}

type wraps struct {
	mu mutex
	h  ints
}

func (w *wraps) wrapper() {
	w.mu.Lock()
	heap.Push(&w.h, 1) // held: w.mu.Mutex
	w.mu.Unlock()
	w.mu.with(func() {
		heap.Push(&w.h, 2) // held: w.mu.Mutex
	})
	heap.Push(&w.h, 3) // held: -
}

type nested struct {
	state struct {
		sync.Mutex
		h ints
	}
}

func (n *nested) inside() {
	s := &n.state
	s.Lock()
	heap.Push(&n.state.h, 1) // held: n.state.Mutex
	n.state.Unlock()
}

type ownLock struct {
	c chan struct{}
	h ints
}

func (l *ownLock) Lock()   { l.c <- struct{}{} }
func (l *ownLock) Unlock() { <-l.c }

func (l *ownLock) own() {
	l.Lock()
	heap.Push(&l.h, 1) // held: l
	l.Unlock()
	heap.Push(&l.h, 2) // held: -
}
