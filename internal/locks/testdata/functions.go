package samples

import (
	"container/heap"
	"errors"
)

func (q *queue) pop() {
	heap.Pop(&q.h)
}

func (q *queue) lock()   { q.mu.Lock() }
func (q *queue) unlock() { q.mu.Unlock() }

func (q *queue) helpers() {
	q.lock()
	q.pop() // held: q.mu
	q.unlock()
	q.pop() // held: -
}

func (q *queue) deep() {
	q.mu.Lock()
	q.deeper() // held: q.mu
	q.mu.Unlock()
}

func (q *queue) deeper() { q.deepest() } // held: -

func (q *queue) deepest() { q.pop() } // held: -

// begin locks, and gives back the lock if it fails.
func (q *queue) begin() error {
	q.mu.Lock()
	if !q.ready {
		q.mu.Unlock()
		return errors.New("not ready")
	}
	return nil
}

func (q *queue) transaction() {
	if err := q.begin(); err != nil {
		q.pop() // held: -
		return
	}
	defer q.mu.Unlock()
	q.pop() // held: q.mu
}

func (q *queue) release() func() {
	q.mu.Lock()
	return q.mu.Unlock
}

func (q *queue) releaseLiteral() func() {
	q.mu.Lock()
	return func() { q.mu.Unlock() }
}

func (q *queue) released() {
	defer q.release()()
	q.pop() // held: q.mu
}

func (q *queue) releasedLater() {
	unlock := q.releaseLiteral()
	q.pop() // held: q.mu
	unlock()
	q.pop() // held: -
	q.released()
	q.pop() // held: -
}

// wait lets the lock go for a while.
func (q *queue) yield() {
	q.mu.Unlock()
	q.pop() // held: -
	q.mu.Lock()
}

func (q *queue) yields() {
	q.mu.Lock()
	q.yield() // held: -
	q.pop()   // held: q.mu
	q.mu.Unlock()
}

func (q *queue) maybe(l bool) {
	if l {
		q.mu.Lock()
	}
}

func (q *queue) maybes() {
	q.maybe(unknown())
	q.pop() // held: - may: q.mu
}

func (q *queue) recursive(n int) {
	if n == 0 {
		q.pop() // held: -
		return
	}
	q.recursive(n - 1) // held: -
}

func (q *queue) callsRecursive() {
	q.mu.Lock()
	q.recursive(3) // held: q.mu
	q.mu.Unlock()
}
