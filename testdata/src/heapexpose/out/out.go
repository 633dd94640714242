// Package out lets guarded data out of its lock.
package out

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

type row struct {
	key  string
	hits int
}

type table struct {
	mu     sync.RWMutex
	rows   []*row
	byKey  map[string]*row
	groups map[string][]string
	counts []int
	state  state
}

type state struct {
	term  int
	peers map[string]int
	names []string
}

func (t *table) Add(r *row, group string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, r)
	t.byKey[r.key] = r
	t.groups[group] = append(t.groups[group], r.key)
	t.counts[0]++
	t.state.peers[group]++
	t.state.names = append(t.state.names, group)
}

func (t *table) Hit(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byKey[key].hits++
}

func (t *table) Rows() []*row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.rows // want `returns table.rows itself`
}

func (t *table) Tail(n int) []*row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.rows[n:] // want `returns table.rows itself`
}

func (t *table) Counts() []int {
	return t.counts // want `returns table.counts itself`
}

func (t *table) Group(name string) ([]string, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	g, ok := t.groups[name]
	if !ok {
		return nil, false
	}
	return g, true // want `returns table.groups itself`
}

func (t *table) State() state {
	t.mu.RLock()
	defer t.mu.RUnlock()
	s := t.state
	s.names = slices.Clone(s.names)
	return s // want `returns table.state.peers itself`
}

func (t *table) Find(key string) *row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.byKey[key] // want `returns a pointer into table.byKey`
}

type view struct{ Rows []*row }

func (t *table) View() *view {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return &view{Rows: t.rows} // want `returns table.rows itself`
}

func (t *table) Flush(c chan<- []*row) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c <- t.rows // want `sends table.rows itself`
	t.rows = t.rows[:0]
}

func (t *table) Async(f func([]*row)) {
	t.mu.Lock()
	rows := t.rows
	t.mu.Unlock()
	go f(rows) // want `a goroutine uses table.rows`
}

func (t *table) Total() (n int) {
	t.mu.RLock()
	counts := t.counts
	t.mu.RUnlock()
	for _, c := range counts { // want `table.counts is read after mu is unlocked`
		n += c
	}
	return n
}

func (t *table) Keys() []string {
	t.mu.RLock()
	m := t.byKey
	t.mu.RUnlock()
	return slices.Collect(maps.Keys(maps.Clone(m))) // want `table.byKey is copied after mu is unlocked`
}

func (t *table) Print() {
	for _, r := range t.rows { // want `goes through table.rows without mu`
		fmt.Println(r.key)
	}
}

func (t *table) All() iter.Seq[*row] {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return func(yield func(*row) bool) {
		for _, r := range t.rows { // want `the function that is returned reads table.rows without mu`
			if !yield(r) {
				return
			}
		}
	}
}

func (t *table) Each(f func(*row)) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, r := range t.rows {
		f(r)
	}
}

func (t *table) HitAll() {
	t.Each(func(r *row) {
		t.Hit(r.key) // want `calls Hit, which takes t.mu`
	})
}

func (t *table) MarshalJSON() ([]byte, error) {
	return json.Marshal(t.counts) // want `encodes table.counts`
}

func (t *table) With(r *row) []*row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return append(t.rows, r) // want `appends to table.rows and keeps the result elsewhere`
}

func newTable(counts []int) *table { return &table{counts: counts} }

func NewTable(counts []int) *table {
	t := &table{byKey: map[string]*row{}}
	t.counts = counts // want `keeps the caller's counts as table.counts`
	return t
}

func debug(t *table) string {
	return fmt.Sprintf("table %+v", t) // want `prints a table with all its fields`
}

// Log is changed under a lock that its users cannot take.
type Log struct {
	mu    sync.Mutex
	Lines []string // want `Log.Lines is changed in place under mu, but is exported`
}

func (l *Log) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Lines = append(l.Lines, line)
}
