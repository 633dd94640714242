package samples

import (
	"container/heap"
	"sync"
)

// A type may be a pointer to itself.
type self *self

type hasSelf struct {
	s  self
	mu **sync.Mutex
	h  ints
}

func (s *hasSelf) follow(p self) {
	s.s = p
	for p != nil {
		p = *p
	}
	heap.Push(&s.h, 1) // held: -
}

func (s *hasSelf) twoPointers() {
	(*s.mu).Lock()
	heap.Push(&s.h, 1) // held: s.mu
	(*s.mu).Unlock()
}

type linked struct {
	sync.Mutex
	next *linked
	h    ints
}

func (l *linked) hand() {
	for l != nil {
		l.Lock()
		n := l.next
		l.Unlock()
		l = n
	}
}

func (l *linked) recursive() {
	if l == nil {
		return
	}
	l.Lock()
	heap.Push(&l.h, 1) // held: l.Mutex
	l.next.recursive()
	l.Unlock()
}

func (_ *queue) nameless() {}

func (*queue) unnamed(_ int, _ sync.Locker) {}

func _() {}

func unreachable(q *queue) {
	for {
	}
	q.mu.Lock()
}

func forever(q *queue) {
	q.mu.Lock()
	for {
		heap.Push(&q.h, 1) // held: q.mu
	}
}

func empty(q *queue) {
	select {}
}

var atStart = func() *queue {
	q := &queue{}
	q.mu.Lock()
	heap.Push(&q.h, 1)
	q.mu.Unlock()
	return q
}()

func nilFunctions(q *queue) {
	var f func()
	q.mu.Lock()
	f()
	defer f()
	go f()
	heap.Push(&q.h, 1) // held: q.mu
	q.mu.Unlock()
}

func array(qs *[3]queue) {
	for i := range qs {
		qs[i].mu.Lock()
		heap.Push(&qs[i].h, 1) // held: qs[].mu
		qs[i].mu.Unlock()
	}
}

func mapped(qs map[string]*queue, k string) {
	qs[k].mu.Lock()
	heap.Push(&qs[k].h, 1) // held: qs[].mu
	qs[k].mu.Unlock()
	heap.Push(&qs[k].h, 2) // held: -
}
