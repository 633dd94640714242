package quiet

import (
	"encoding/json"
	"sync"
)

// The lock of one part of a connection guards that part, though the other part is
// mostly written while it is held.

type half struct {
	sync.Mutex
	pending []byte
}

type events struct{ list [][]byte }

type conn struct {
	out half
	ev  *events
}

func (c *conn) Write(b []byte) {
	c.out.Lock()
	defer c.out.Unlock()
	c.out.pending = append(c.out.pending[:0], b...)
	c.ev.list[0] = append(c.ev.list[0][:0], b...)
	c.ev.list = append(c.ev.list, c.out.pending)
}

func (c *conn) Events() [][]byte { return c.ev.list }

// What is appended goes back by a method.

type rows struct {
	mu  sync.Mutex
	raw []byte
}

func (r *rows) buf() []byte { return r.raw }

func (r *rows) set(b []byte) []byte {
	off := len(r.raw)
	r.raw = b
	return r.raw[off:]
}

func (r *rows) Add(b []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.set(append(r.raw, b...))
}

// What is appended goes back into the map with the struct that it is in.

type hosts struct {
	addrs []string
	name  string
}

func byName(lines [][2]string) map[string]hosts {
	m := map[string]hosts{}
	for _, l := range lines {
		if h, ok := m[l[0]]; ok {
			m[l[0]] = hosts{addrs: append(h.addrs, l[1]), name: h.name}
			continue
		}
		m[l[0]] = hosts{addrs: []string{l[1]}, name: l[0]}
	}
	return m
}

// An error that a pooled object was given is not a part of it.

type scanner struct {
	err  error
	data []byte
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func scan(b []byte) error {
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	s.data = append(s.data[:0], b...)
	s.err = json.Unmarshal(s.data, new(any))
	return s.err
}

// Who finds a plugin that is not loaded yet waits for its channel.

type plugin struct {
	syms   map[string]any
	loaded chan struct{}
}

var (
	pluginsMu sync.Mutex
	plugins   = map[string]*plugin{}
)

func Open(name string) *plugin {
	pluginsMu.Lock()
	if p := plugins[name]; p != nil {
		pluginsMu.Unlock()
		<-p.loaded
		return p
	}
	p := &plugin{loaded: make(chan struct{})}
	plugins[name] = p
	pluginsMu.Unlock()
	p.syms = map[string]any{"name": name}
	close(p.loaded)
	return p
}

func Symbol(name string) any {
	pluginsMu.Lock()
	defer pluginsMu.Unlock()
	if p := plugins[name]; p != nil {
		return p.syms[name]
	}
	return nil
}

// Templates know the lock of their set.

type set struct {
	mu  sync.RWMutex
	all map[string]*tmpl
}

type tmpl struct {
	*set
	text string
}

func (t *tmpl) Redefine(name, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if other := t.all[name]; other != nil {
		other.text = text
		return
	}
	t.all[name] = &tmpl{t.set, text}
}

func (t *tmpl) Text() string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.text
}

func (t *tmpl) Lookup(name string) *tmpl {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.all[name]
}

// The report is written when the work is done.

type work struct {
	mu   sync.Mutex
	out  []byte
	done chan bool
}

func (w *work) log(b []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out = append(w.out, b...)
	copy(w.out, b)
}

func (w *work) run() {
	go func() {
		w.log([]byte("done"))
		w.done <- true
	}()
	<-w.done
}

func (w *work) Report() ([]byte, error) {
	w.run()
	return json.Marshal(w.out)
}

func (w *work) RunAndReport() ([]byte, error) {
	go func() {
		w.log([]byte("once"))
		w.done <- true
	}()
	<-w.done
	return json.Marshal(w.out)
}

// A goroutine that is given the map takes the lock before it looks.

type client struct {
	mu   sync.Mutex
	subs map[string]int
}

func (c *client) Add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subs[name]++
}

func (c *client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	go c.save(c.subs)
}

func (c *client) save(subs map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name := range subs {
		println(name)
	}
}
