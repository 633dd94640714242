package heapexpose

import "github.com/heapvet/heapvet/internal/check"

const text = `
A lock around a slice is worth nothing once a caller holds the slice. The check
follows references to data that a lock guards out of the critical section: the slice
behind a heap, its position map, and every other slice and map that is changed in
place under a lock of its own object.

It is not limited to heaps. On whole modules of real code, 13 of its 16 findings were true
before the causes of the others were mended (docs/evaluation.md).

A field counts as guarded if it is written under a lock of the object that it belongs
to, once that object is shared. Data that is only set while its object is made, or
only ever replaced whole, may be handed out. So may what is taken out first (the field
is set to something else, the element is removed), copies, and references that only
functions which still hold the lock get to see. What is read after a WaitGroup's Wait, and
functions whose name ends in ForTest or ForTesting, are left alone.

An exported function is reported where it hands the data out. An unexported one is if a
caller in the package does something with the result that needs the lock.
`

var rules = []check.Rule{
	{
		Name:  "return",
		Title: "the guarded slice or map itself is returned",
		Text: `That the lock is held at the return does not help: the value lives on after it.

Where a copy by slices.Clone or maps.Clone puts an end to the sharing, one is suggested. It
does not if the elements are pointers to what goes on being changed, or slices and maps
themselves: then the elements must be copied too, as only their author can say.`,
		Wrong: `
func (q *Queue) Names() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.names
}
`,
		Right: `
func (q *Queue) Names() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.names)
}
`,
	},
	{
		Name:  "elem",
		Title: "a pointer to an element that changes under the lock is handed out",
		Text: `Or it is used without the lock by the function that put it into the guarded heap or map,
or that found it there: whoever takes it out may use it at the same time. A pop gives an
element away; a peek does not. Elements with a lock of their own may be handed out, and so may
those of which users can see nothing that changes.`,
		Wrong: `
func (q *Queue) Find(name string) *item {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.byName[name]
}
`,
		Right: `
func (q *Queue) Find(name string) item {
	q.mu.Lock()
	defer q.mu.Unlock()
	if it := q.byName[name]; it != nil {
		return *it
	}
	return item{}
}
`,
	},
	{
		Name:  "store",
		Title: "the guarded slice or map becomes another object's as well",
		Text: `Another object is one that the function was given or returns, a package variable, a
context, a sync.Map, or whatever a function called after the unlock keeps.`,
		Wrong: `
func (q *Queue) Fork() *Queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	return &Queue{
		items: q.items,
	}
}
`,
		Right: `
func (q *Queue) Fork() *Queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	return &Queue{
		items: slices.Clone(q.items),
	}
}
`,
	},
	{
		Name:  "send",
		Title: "the guarded slice or map goes to another goroutine",
		Wrong: `
func (q *Queue) Flush(out chan<- []*item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	out <- q.items
	q.items = q.items[:0]
}
`,
		Right: `
func (q *Queue) Flush(out chan<- []*item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	out <- q.items
	q.items = nil
}
`,
	},
	{
		Name:  "callback",
		Title: "the guarded slice or map is given to a hook or callback",
		Text: `What a function that somebody else registered does with what it is given cannot be
known: it may keep it. Under the lock, it also waits for ever if it calls back. Functions that
are parameters of the method are left alone under the lock, and so are hooks whose comment
says what they must not do.`,
		Wrong: `
func (q *Queue) Flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.onFlush(q.names)
	q.names = q.names[:0]
}
`,
		Right: `
func (q *Queue) Flush() {
	q.mu.Lock()
	names := q.names
	q.names = nil
	q.mu.Unlock()
	q.onFlush(names)
}
`,
	},
	{
		Name:  "alias",
		Title: "a caller's slice or map is kept and changed",
		Text: `Or a slice is changed in place that a copy shares with guarded data: a copied struct has
the same slices and maps as the one that it is a copy of. A function whose comment says that it
takes ownership may keep what it is given.`,
		Wrong: `
func From(items []*item) *Queue {
	q := &Queue{items: items}
	heap.Init(&q.items)
	return q
}
`,
		Right: `
func From(items []*item) *Queue {
	q := &Queue{items: slices.Clone(items)}
	heap.Init(&q.items)
	return q
}
`,
	},
	{
		Name:  "range",
		Title: "a guarded slice or map is gone through without the lock",
		Text:  `Reading the field under the lock and the elements after it is not enough.`,
		Wrong: `
func (q *Queue) Names() (names []string) {
	q.mu.Lock()
	items := q.items
	q.mu.Unlock()
	for _, it := range items {
		names = append(names, it.name)
	}
	return names
}
`,
		Right: `
func (q *Queue) Names() (names []string) {
	q.mu.Lock()
	items := slices.Clone(q.items)
	q.mu.Unlock()
	for _, it := range items {
		names = append(names, it.name)
	}
	return names
}
`,
	},
	{
		Name:  "iter",
		Title: "an iterator reads guarded data after the lock is gone",
		Wrong: `
func (q *Queue) All() iter.Seq[*item] {
	q.mu.Lock()
	defer q.mu.Unlock()
	return func(yield func(*item) bool) {
		for _, it := range q.items {
			if !yield(it) {
				return
			}
		}
	}
}
`,
		Right: `
func (q *Queue) All() iter.Seq[*item] {
	return func(yield func(*item) bool) {
		q.mu.Lock()
		items := slices.Clone(q.items)
		q.mu.Unlock()
		for _, it := range items {
			if !yield(it) {
				return
			}
		}
	}
}
`,
	},
	{
		Name:  "append",
		Title: "a result is appended to a guarded slice and kept elsewhere",
		Text: `Two slices that are made by append to one base, and both kept, are reported with or
without a lock.`,
		Wrong: `
func (q *Queue) With(it *item) []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append(q.items, it)
}
`,
		Right: `
func (q *Queue) With(it *item) []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append(slices.Clone(q.items), it)
}
`,
	},
	{
		Name:  "marshal",
		Title: "guarded data is encoded without the lock",
		Text:  `By json, gob, xml, yaml, a template, or a print or log function, or as a part of an object that is.`,
		Wrong: `
func (q *Queue) JSON() ([]byte, error) {
	q.mu.Lock()
	byName := q.byName
	q.mu.Unlock()
	return json.Marshal(byName)
}
`,
		Right: `
func (q *Queue) JSON() ([]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return json.Marshal(q.byName)
}
`,
	},
	{
		Name:  "format",
		Title: "an object is printed field by field without its lock",
		Wrong: `
func Debug(q *Queue) {
	log.Printf("queue %+v", q)
}
`,
		Right: `
func Debug(q *Queue) {
	log.Printf("queue %p", q)
}
`,
	},
	{
		Name:  "field",
		Title: "a guarded field is exported and its lock is not",
		Wrong: `
type Log struct {
	mu    sync.Mutex
	Lines []string
}

func (l *Log) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Lines = append(l.Lines, line)
}
`,
		Right: `
type Log struct {
	mu    sync.Mutex
	lines []string
}

func (l *Log) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}
`,
	},
	{
		Name:  "pool",
		Title: "something is used after it went back into its sync.Pool",
		Wrong: `
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Render(name string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(name)
	return b.Bytes()
}
`,
		Right: `
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Render(name string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(name)
	return bytes.Clone(b.Bytes())
}
`,
	},
}

// setup completes the examples of the rules.
const setup = `
type item struct {
	name string
	due  time.Time
}

type itemHeap []*item

func (h itemHeap) Len() int           { return len(h) }
func (h itemHeap) Less(i, j int) bool { return h[i].due.Before(h[j].due) }
func (h itemHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *itemHeap) Push(x any)        { *h = append(*h, x.(*item)) }
func (h *itemHeap) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	old[n-1] = nil
	*h = old[:n-1]
	return x
}

type Queue struct {
	mu     sync.Mutex
	items  itemHeap
	byName map[string]*item
	names  []string

	onFlush func(names []string)
}

func (q *Queue) Add(it *item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.byName[it.name] = it
	q.names = append(q.names, it.name)
	heap.Push(&q.items, it)
}

func (q *Queue) Delay(name string, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it := q.byName[name]
	it.due = it.due.Add(d)
	heap.Init(&q.items)
}
`
