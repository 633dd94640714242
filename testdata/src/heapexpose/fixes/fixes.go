// Package fixes has leaks that a copy mends, and some that it does not.
package fixes

import (
	"bytes"
	"sync"
)

type ring struct {
	mu     sync.RWMutex
	names  []string
	counts map[string]int
	nested map[string][]int
	jobs   []*job
	spots  []*spot
	buf    bytes.Buffer
}

// A job counts while it is in the ring.
type job struct{ runs int }

// A spot never changes.
type spot struct{ x, y int }

func (r *ring) Add(name string, j *job, s *spot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names = append(r.names, name)
	r.counts[name]++
	r.nested[name] = append(r.nested[name], len(r.names))
	r.jobs = append(r.jobs, j)
	r.spots = append(r.spots, s)
	r.buf.WriteString(name)
}

func (r *ring) Run() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.jobs {
		j.runs++
	}
}

func (r *ring) Rename(i int, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[i] = name
}

func (r *ring) Names() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.names // want `returns ring.names itself`
}

func (r *ring) Head(n int) (names []string, more bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.names[:n], n < len(r.names) // want `returns ring.names itself`
}

func (r *ring) Counts() map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.counts // want `returns ring.counts itself`
}

func (r *ring) Spots() []*spot {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.spots // want `returns ring.spots itself`
}

// A copy of the slice still has the jobs that change.
func (r *ring) Jobs() []*job {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.jobs // want `returns ring.jobs itself`
}

// A copy of the map still has the slices that grow.
func (r *ring) Nested() map[string][]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.nested // want `returns ring.nested itself`
}

// A copy made here is made without the lock.
func (r *ring) Bare() []string {
	return r.names // want `returns ring.names itself`
}

// The copy belongs where the lock is held.
func (r *ring) Late() []string {
	r.mu.RLock()
	names := r.names
	r.mu.RUnlock()
	return names // want `returns ring.names itself`
}

func (r *ring) Length() (n int) {
	r.mu.RLock()
	names := r.names
	r.mu.RUnlock()
	for _, s := range names { // want `ring.names is read after mu is unlocked`
		n += len(s)
	}
	return n
}

// There is no expression to copy.
func (r *ring) Named() (names []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	names = r.names
	return // want `returns ring.names itself`
}

type view struct {
	title string
	names []string
}

func (r *ring) View() *view {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return &view{
		title: "names",
		names: r.names, // want `returns ring.names itself`
	}
}

func (r *ring) Send(c chan<- []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	c <- r.names // want `sends ring.names itself`
}

func (r *ring) With(name string) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return append(r.names, name) // want `appends to ring.names`
}

func (r *ring) Text() []byte {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.buf.Bytes() // want `returns a window into r.buf`
}

func (r *ring) Set(names []string, counts map[string]int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names = names   // want `keeps the caller's names`
	r.counts = counts // want `keeps the caller's counts`
}

func New(names ...string) *ring {
	r := &ring{
		names: names, // want `keeps the caller's names`
	}
	return r
}

// The package's name stands for something else.
func (r *ring) Shadowed(slices int) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.names[slices:] // want `returns ring.names itself`
}

type bag[E any] struct {
	mu    sync.Mutex
	items []E
}

func (b *bag[E]) Add(e E) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, e)
}

func (b *bag[E]) Items() []E {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.items // want `returns bag.items itself`
}

type table struct {
	mu   sync.Mutex
	rows [][]int
}

func (t *table) Set(i, j, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[i][j] = n
}

func (t *table) All() (all [][]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.rows {
		all = append(all, r) // want `returns table.rows itself`
	}
	return all
}
