// Package quiet hands out what may be handed out.
package quiet

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

type part struct {
	key  string
	size int
}

type self struct {
	mu sync.Mutex
	n  map[string]int
}

func (s *self) inc(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n[k]++
}

type box struct {
	mu     sync.Mutex
	kinds  []string // set when the box is made
	parts  []*part
	byKey  map[string]*part
	frozen []string // replaced whole
	sub    map[string]*self
	sizes  [4]int
	done   chan bool
	spare  []*part
}

func newBox(kinds []string) *box {
	b := &box{kinds: slices.Clone(kinds), byKey: map[string]*part{}}
	for _, k := range kinds {
		b.frozen = append(b.frozen, k)
	}
	return b
}

// A new object may be given to its goroutine and returned.
func startBox() *box {
	b := box{byKey: map[string]*part{}}
	go b.Swap()
	return &b
}

func (b *box) Add(p *part) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.parts = append(b.parts, p)
	b.byKey[p.key] = p
	b.sizes[0]++
	b.sub[p.key] = &self{}
	b.frozen = append(slices.Clone(b.frozen), p.key)
}

func (b *box) Kinds() []string { return b.kinds }

func (b *box) Frozen() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.frozen
}

func (b *box) Parts() []*part {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.parts)
}

func (b *box) Copy() []*part {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]*part(nil), b.parts...)
}

func (b *box) ByKey() map[string]*part {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.byKey)
}

func (b *box) Take() []*part {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.parts
	b.parts = nil
	return taken
}

func (b *box) Swap() {
	for range b.done {
		b.mu.Lock()
		b.spare, b.parts = b.parts, b.spare[:0]
		b.mu.Unlock()
	}
}

func (b *box) Remove(key string) *part {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.byKey[key]
	delete(b.byKey, key)
	return p
}

func (b *box) Sub(key string) *self {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sub[key]
}

func (b *box) Sizes() [4]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sizes
}

func (b *box) Done() <-chan bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.done
}

// live runs under the lock of its callers.
func (b *box) live() []*part { return b.parts }

func (b *box) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.live())
}

func (b *box) MarshalJSON() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return json.Marshal(b.parts)
}

// FromParts makes a box that takes ownership of parts.
func FromParts(parts []*part) *box { return &box{parts: parts} }

// A struct without a lock is its owner's business.
type bag struct{ parts []*part }

func (b *bag) Add(p *part)    { b.parts = append(b.parts, p) }
func (b *bag) Parts() []*part { return b.parts }

// What workers collect under the lock is put in order and gone through by who comes when
// they have all ended.
var (
	wrongMu sync.Mutex
	wrong   []part
)

func note(p part) {
	wrongMu.Lock()
	wrong = append(wrong, p)
	wrongMu.Unlock()
}

func Check(ps []part) {
	for _, p := range ps {
		if p.size < 0 {
			note(p)
		}
	}
}

func Recheck(p part) {
	wrongMu.Lock()
	defer wrongMu.Unlock()
	wrong = append(wrong, p)
}

func Report() (keys []string) {
	slices.SortFunc(wrong, func(a, b part) int { return a.size - b.size })
	for _, p := range wrong {
		keys = append(keys, p.key)
	}
	return keys
}

// A client's id is set before anybody else has the client, also where another kind of
// client has the same part.
type ident struct{ id int }

type reader struct {
	ident
	got chan int
}

type writer struct{ ident }

type clients struct {
	mu      sync.Mutex
	next    int
	readers map[int]*reader
	writers map[int]*writer
}

func (c *clients) drop(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.readers, id)
	delete(c.writers, id)
}

func (c *clients) Read(id int) *reader {
	r := &reader{got: make(chan int)}
	r.id = id
	go func() {
		defer c.drop(r.id)
		println(len(r.got))
	}()
	c.mu.Lock()
	c.readers[r.id] = r
	c.mu.Unlock()
	return r
}

func (c *clients) Write(id int) *writer {
	w := &writer{}
	w.id = id
	go func() {
		defer c.drop(w.id)
		println("writing")
	}()
	c.mu.Lock()
	c.writers[w.id] = w
	c.mu.Unlock()
	return w
}

type job struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	errs []error
}

func (j *job) Fail(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.errs = append(j.errs, err)
}

// Nobody is left who could change the errors.
func (j *job) Wait() []error {
	j.wg.Wait()
	return j.errs
}

// Handle hides what changes in it.
type Handle struct {
	name string
	uses int
}

func (h *Handle) Name() string { return h.name }

type handles struct {
	mu  sync.Mutex
	all []*Handle
}

func (h *handles) Take(i int) *Handle {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all[i].uses++
	return h.all[i]
}

// A slice that is copied into a longer one, round a loop, is still new.
func (b *box) Padded(n int) []*part {
	b.mu.Lock()
	defer b.mu.Unlock()
	parts := make([]*part, 0, n)
	for range n {
		longer := make([]*part, len(parts)+1)
		copy(longer, parts)
		parts = longer
	}
	return parts
}

type stack struct {
	mu   sync.Mutex
	free []*part
	m    map[string]int
}

func (s *stack) Get() *part {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	p.size++
	s.free[0].size++
	return p
}

// The caller gets the lock with it.
func (s *stack) Acquire() (map[string]int, func()) {
	s.mu.Lock()
	return s.m, s.mu.Unlock
}

func (s *stack) Set(key string) {
	m, release := s.Acquire()
	defer release()
	m[key] = 1
	s.m[key]++
}

type sender struct {
	mu    sync.Mutex
	batch []int
	out   chan []int
}

func (s *sender) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batch = append(s.batch[:0], n)
}

func (s *sender) trySend() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.out <- s.batch:
		return true
	default:
		return false
	}
}

// The batch that was sent is the last one.
func (s *sender) Close() {
	for !s.trySend() {
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batch = nil
	close(s.out)
}

type addresses interface{ Add(string) }

// addrs locks itself, behind an interface.
type addrs struct {
	mu   sync.Mutex
	list []string
}

func (a *addrs) Add(s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, s)
}

type Tower struct {
	Name  string
	Addrs addresses
}

type towers struct {
	mu  sync.Mutex
	all map[string]*Tower
}

func (t *towers) Add(name, addr string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all[name] == nil {
		t.all[name] = &Tower{name, &addrs{}}
	}
	t.all[name].Addrs.Add(addr)
}

func (t *towers) Get(name string) *Tower {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all[name]
}

type expiring struct {
	mu  sync.Mutex
	all map[string]*part
}

// What the timer does with f is its own business.
func (e *expiring) Add(key string, t timer, f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all[key] = &part{key: key}
	t.Start(f)
}

func (e *expiring) Watch(key string, t timer) {
	e.Add(key, t, func() { e.Drop(key) })
}

func (e *expiring) Drop(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.all, key)
}

type timer interface{ Start(func()) }
