// Package hooks gives guarded data to functions that it does not know.
package hooks

import (
	"io"
	"strings"
	"sync"
)

type listener interface {
	OnNames(names []string)
	Save(names []string) error
}

type list struct {
	mu    sync.Mutex
	names []string
	lines []byte

	onFlush func([]string)
	// onSeen must not keep the slice.
	onSeen func([]string)
	hooks  []func([]string)
	l      listener
	w      io.Writer
}

func (l *list) Add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = append(l.names[:0], name)
	l.lines = append(l.lines[:0], name...)
}

func (l *list) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onFlush(l.names) // want `gives list.names itself to onFlush under mu`
	l.onSeen(l.names)
	for _, h := range l.hooks {
		h(l.names) // want `gives list.names itself to a callback under mu`
	}
	l.l.OnNames(l.names) // want `gives list.names itself to OnNames under mu`
}

// Services and writers use what they get until they return.
func (l *list) Store() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.w.Write(l.lines)
	return l.l.Save(l.names)
}

// View lets f look at the names.
func (l *list) View(f func([]string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l.names)
}

func (l *list) After(f func([]string)) error {
	l.mu.Lock()
	names := l.names
	l.mu.Unlock()
	f(names)               // want `gives list.names itself to f after mu is unlocked`
	return l.l.Save(names) // want `gives list.names itself to Save after mu is unlocked`
}

func (l *list) Joined() string {
	l.mu.Lock()
	names := l.names
	l.mu.Unlock()
	return strings.Join(names, ",") // want `Join gets list.names after mu is unlocked`
}

func (l *list) Counted() int {
	l.mu.Lock()
	names := l.names
	l.mu.Unlock()
	return size(names)
}

func size(names []string) int { return len(names) }

func (l *list) Taken() {
	l.mu.Lock()
	names := l.names
	l.names = nil
	l.mu.Unlock()
	l.onFlush(names)
}

func (l *list) Longest() string {
	var all []string
	n := 0
	l.View(func(names []string) {
		all = names // want `keeps list.names itself, which View shows only while it holds mu`
		n = len(names)
	})
	return all[n-1]
}

func (l *list) Length() (n int) {
	l.View(func(names []string) { n = len(names) })
	return n
}
