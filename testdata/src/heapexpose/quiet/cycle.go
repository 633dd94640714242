package quiet

import (
	"slices"
	"sync"
)

// Variables that hold each other's value have no beginning.
type node struct{ n int }

type ring struct {
	mu    sync.Mutex
	nodes map[string]*node
}

func (r *ring) Walk(n int) {
	var a, b *node
	show := func() { println(a, b) }
	for range n {
		a = b
		b = a
		show()
	}
	p := new(node)
	r.mu.Lock()
	r.nodes["a"] = p
	r.mu.Unlock()
	a.n++
	p.n = 1
}

type spinner struct {
	mu   sync.Mutex
	list []string
}

func (s *spinner) Add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, name)
}

// A copy of a copy of itself has no beginning either.
func (s *spinner) Copy(n int, names []string) []string {
	list := names
	for range n {
		list = slices.Clone(list)
	}
	return list
}

func (s *spinner) Copy2(n int, names []string) []string {
	var list []string
	for range n {
		list = append([]string(nil), list...)
	}
	return list
}

// An append goes round two loops.
func (s *spinner) Spin(n int) (total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append(s.list, "a")
	for i := range n {
		for j := range n {
			if i > j {
				all = all[1:]
			}
		}
	}
	return len(all)
}
