package samples

import (
	"container/heap"
	"sync"
)

type store interface {
	put(x int)
	lock()
	unlock()
}

type disk struct {
	mu sync.Mutex
	h  ints
}

func (d *disk) put(x int) { heap.Push(&d.h, x) }
func (d *disk) lock()     { d.mu.Lock() }
func (d *disk) unlock()   { d.mu.Unlock() }

func (d *disk) throughInterface() {
	var s store = d
	s.lock()
	s.put(1) // held: d.mu
	s.unlock()
	s.put(2) // held: -
}

type withLocker interface {
	sync.Locker
	push(x int)
}

type lockable struct {
	sync.Mutex
	h ints
}

func (l *lockable) push(x int) { heap.Push(&l.h, x) }

func embeddedInterface(w withLocker) {
	w.Lock()
	defer w.Unlock()
	w.push(1) // held: w
}
