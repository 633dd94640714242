// Package kept makes guarded data a part of other things.
package kept

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

type report struct {
	names []string
	parts map[string][]string
}

type list struct {
	mu    sync.RWMutex
	names []string
	count map[string]int
	rows  [][]int
	state *state
	whole []string
	build []string
}

type state struct {
	n    int
	keys []string
}

func (l *list) Set(i int, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names[i] = name
	l.count[name]++
	l.rows[0][i] = 1
	l.state.n++
	l.state.keys[i] = name
	l.whole = append(l.whole[:len(l.whole):len(l.whole)], name)
	l.build = []string{}
	l.build = append(l.build, name)
}

var last []string

func (l *list) Report(r *report) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	r.names = l.names        // want `makes list.names itself a part of r.names`
	r.parts["all"] = l.names // want `makes list.names itself a part of r.parts`
	r.names = slices.Clone(l.names)
	last = l.names // want `makes list.names itself a part of last`
	last = append([]string(nil), l.names...)
}

func (l *list) Collect(all *[][]string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	*all = append(*all, l.names) // want `makes list.names itself a part of all`
}

type key struct{}

var cache sync.Map

func (l *list) Context(ctx context.Context) context.Context {
	l.mu.RLock()
	defer l.mu.RUnlock()
	cache.Store("names", l.names) // want `Store keeps list.names itself`
	cache.Store("names", slices.Clone(l.names))
	return context.WithValue(ctx, key{}, l.names) // want `WithValue keeps list.names itself`
}

func (l *list) Select(c chan []string, done chan bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	select {
	case c <- l.names: // want `sends list.names itself`
	case <-done:
	}
}

func (l *list) Later() {
	l.mu.RLock()
	defer l.mu.RUnlock()
	names := l.names
	time.AfterFunc(time.Second, func() {
		for _, n := range names { // want `a goroutine uses list.names`
			println(n)
		}
	})
	go func() {
		for n := range l.count { // want `a goroutine goes through list.count without mu`
			println(n)
		}
	}()
}

func (l *list) Keys() iter.Seq[string] {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return maps.Keys(l.count) // want `returns list.count itself`
}

func (l *list) Sorted() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Sorted(maps.Keys(l.count))
}

func (l *list) Rows() [][]int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Clone(l.rows) // want `returns list.rows itself`
}

func (l *list) DeepRows() [][]int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	rows := make([][]int, len(l.rows))
	for i, r := range l.rows {
		rows[i] = slices.Clone(r)
	}
	return rows
}

func (l *list) State() *state {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.state // want `returns a pointer into list.state`
}

func (l *list) Names() (names []string, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	names, ok = l.names, true
	return names, ok // want `returns list.names itself`
}

func (l *list) Address() *[]string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return &l.names // want `returns list.names itself`
}

func (l *list) Has(name string) bool {
	l.mu.RLock()
	count := l.count
	l.mu.RUnlock()
	_, ok := count[name] // want `list.count is read after mu is unlocked`
	return ok
}

// Each change makes these anew.
func (l *list) Whole() ([]string, []string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.whole, l.build
}

type option func(*list)

func WithCount(count map[string]int) option {
	return func(l *list) { l.count = count } // want `keeps the caller's count`
}

func WithCopy(count map[string]int) option {
	return func(l *list) { l.count = maps.Clone(count) }
}

type found struct {
	name string
	hits int
}

type index struct {
	mu   sync.Mutex
	list []*found
}

func (x *index) Hit(i int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list[i].hits++
}

func (x *index) Hits(i int) int {
	x.mu.Lock()
	f := x.list[i]
	x.mu.Unlock()
	println(f.name)
	return f.hits // want `reads index.list\[\].hits after mu is unlocked`
}

type path struct{ steps []string }

func (p *path) Fork(a, b string) (x, y []string) {
	x = append(p.steps, a)
	y = append(p.steps, b) // want `appends to steps twice and keeps both results`
	return x, y
}

func (p *path) ForkClipped(a, b string) (x, y []string) {
	x = append(slices.Clip(p.steps), a)
	y = append(slices.Clip(p.steps), b)
	return x, y
}

// Only one of the two is made.
func (p *path) Either(a, b string) []string {
	if a != "" {
		return append(p.steps, a)
	}
	return append(p.steps, b)
}

func (l *list) ByName() map[string][]int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	m := map[string][]int{}
	for i, r := range l.rows {
		m[l.names[i]] = r // want `returns list.rows itself`
	}
	return m
}

func (l *list) Pairs() (all [][]int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, r := range l.rows {
		all = append(all, r) // want `returns list.rows itself`
	}
	return all
}

func next() *path { return &path{steps: []string{"a"}} }

func (p *path) Children(names []string) (all [][]string) {
	for _, n := range names {
		all = append(all, append(p.steps, n)) // want `appends to steps twice and keeps both results`
	}
	return all
}

// Each round has another base.
func Each(paths []path, names []string) (all [][]string) {
	for i, n := range names {
		q := next()
		all = append(all, append(q.steps, n))
		all = append(all, append(paths[i].steps, n))
	}
	return all
}
