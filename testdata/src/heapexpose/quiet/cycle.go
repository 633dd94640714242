package quiet

import "sync"

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
