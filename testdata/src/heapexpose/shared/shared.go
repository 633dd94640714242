// Package shared changes in place what a copy shares with guarded data.
package shared

import (
	"slices"
	"sync"
)

type plan struct {
	no    int
	names []string
	seen  map[string]bool
}

type history struct {
	mu    sync.Mutex
	now   int
	plans map[int]plan
	lists map[int][]string
	last  plan
}

func (h *history) Without(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := h.plans[h.now]
	next.no++
	next.names = slices.DeleteFunc(next.names, func(n string) bool { return n == name }) // want `changes names of a copy in place`
	delete(next.seen, name)                                                              // want `changes seen of a copy in place`
	h.now = next.no
	h.plans[h.now] = next
}

func (h *history) See(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last.names[0] = name
	h.last.seen[name] = true
}

func (h *history) WithoutFirst() plan {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := h.last
	next.names[0] = "" // want `changes names of a copy in place`
	return next        // want `returns history.last.names itself`
}

// The copy goes back to where it is from.
func (h *history) Update(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.plans[h.now]
	p.names = slices.DeleteFunc(p.names, func(n string) bool { return n == name })
	h.plans[h.now] = p
}

// The copy has a slice of its own.
func (h *history) Cloned(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.plans[h.now]
	p.names = slices.Clone(p.names)
	p.seen = nil
	p.names = slices.DeleteFunc(p.names, func(n string) bool { return n == name })
	h.plans[h.now+1] = p
}

func (h *history) Next(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lists[h.now+1] = slices.DeleteFunc(h.lists[h.now], func(n string) bool { return n == name }) // want `makes one slice of another in place`
}

func (h *history) Same(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lists[h.now] = slices.DeleteFunc(h.lists[h.now], func(n string) bool { return n == name })
}

func (h *history) Move(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lists[h.now+1] = append(h.lists[h.now][:0], name)
	delete(h.lists, h.now)
}

type alert struct {
	labels []string
	note   []string
}

type sender struct {
	mu    sync.Mutex
	queue []*alert
}

func (s *sender) Send(list ...*alert) {
	for _, a := range list {
		kept := a.labels[:0]
		for _, l := range a.labels {
			if l != "" {
				kept = append(kept, l)
			}
		}
		a.labels = kept
	}
	s.mu.Lock()
	s.queue = append(s.queue, list...)
	s.mu.Unlock()
}

type rule struct {
	mu     sync.Mutex
	active map[string]*alert
}

func (r *rule) Set(key string, a *alert) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active[key] = a
}

func (r *rule) Notify(s *sender) {
	r.mu.Lock()
	var out []*alert
	for _, a := range r.active {
		out = append(out, &alert{
			labels: a.labels, // want `Send gets labels of rule.active itself`
			note:   a.note,
		})
	}
	r.mu.Unlock()
	s.Send(out...)
}

func (r *rule) NotifyCopies(s *sender) {
	r.mu.Lock()
	var out []*alert
	for _, a := range r.active {
		out = append(out, &alert{labels: slices.Clone(a.labels)})
	}
	r.mu.Unlock()
	s.Send(out...)
}
