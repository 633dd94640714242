// Package outer guards a heap that a type of its own wraps.
package outer

import (
	"container/heap"
	"sort"
	"sync"
)

// A Wrapper leaves the lock to its owner.
type Wrapper struct{ h names }

func (w *Wrapper) Add(s string) { heap.Push(&w.h, s) }
func (w *Wrapper) Next() string { return heap.Pop(&w.h).(string) }

type Owner struct {
	mu   sync.RWMutex
	work Wrapper
}

func (o *Owner) Add(s string) {
	o.mu.Lock()
	o.work.Add(s)
	o.mu.Unlock()
}

func (o *Owner) Next() string {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.work.Next()
}

type names struct{ sort.StringSlice }

func (n *names) Push(x any) { n.StringSlice = append(n.StringSlice, x.(string)) }
func (n *names) Pop() any {
	last := len(n.StringSlice) - 1
	s := n.StringSlice[last]
	n.StringSlice = n.StringSlice[:last]
	return s
}
