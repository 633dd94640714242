package heaplock

import "github.com/heapvet/heapvet/internal/check"

const text = `
A heap that several goroutines reach needs a lock around every use, reading
included: heap.Push and heap.Pop move elements about while another goroutine looks at
the first. The race detector finds such a use only if a test happens to make it.

The check infers the lock that guards a heap from how the package uses it: what most
operations hold, in all ways that lead to them, is the guard. Comments such as
"guarded by mu" and names that end in Locked weigh more. The operations that lack the
guard are reported, with the places that hold it as evidence. A helper without a lock
whose callers all hold the guard is right; if one of them does not, its call is
reported.

Nothing is said about heaps that no lock guards, unless goroutines that share them are in
sight, nor about heaps that do not leave a function, or that are still being built and that
no other goroutine can see.
`

var rules = []check.Rule{
	{
		Name:  "unheld",
		Title: "the heap is used without its guard",
		Text: `Len, a peek at the first element and a dump for a log are the usual ones: they only read, but beside a writer.

A fix is suggested for a method that takes no lock, if the other methods of its type begin
with Lock and defer Unlock, and nothing that it calls, and nobody who calls it, has the lock.
Where code that holds the guard calls the method, the finding says so: then the method cannot
lock, and wants a twin for such callers.`,
		Wrong: `
func (q *Queue) Len() int {
	return q.items.Len()
}
`,
		Right: `
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.items.Len()
}
`,
	},
	{
		Name:  "rlock",
		Title: "the heap is changed under the read lock",
		Text: `Readers exclude writers, but not each other: two calls under RLock change the slice at
the same time. A fix takes the write lock instead, where nothing that runs meanwhile takes
the lock again.`,
		Wrong: `
func (t *Table) Expire(now time.Time) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for len(t.items) > 0 && t.items[0].due.Before(now) {
		heap.Pop(&t.items)
	}
}
`,
		Right: `
func (t *Table) Expire(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.items) > 0 && t.items[0].due.Before(now) {
		heap.Pop(&t.items)
	}
}
`,
		Setup: tableSetup,
	},
	{
		Name:  "wrong",
		Title: "the heap is used under another lock than its guard",
		Wrong: `
func (q *Queue) Drop() {
	q.statsMu.Lock()
	defer q.statsMu.Unlock()
	q.dropped++
	heap.Pop(&q.items)
}
`,
		Right: `
func (q *Queue) Drop() {
	q.statsMu.Lock()
	q.dropped++
	q.statsMu.Unlock()

	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Pop(&q.items)
}
`,
	},
	{
		Name:  "path",
		Title: "the guard is held on some paths only",
		Text:  `One branch unlocks early, or only one branch locks, and the code behind them uses the heap.`,
		Wrong: `
func (q *Queue) Trim(max int) {
	q.mu.Lock()
	if len(q.items) <= max {
		q.mu.Unlock()
	}
	heap.Pop(&q.items)
}
`,
		Right: `
func (q *Queue) Trim(max int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) <= max {
		return
	}
	heap.Pop(&q.items)
}
`,
	},
	{
		Name:  "escape",
		Title: "the use runs later or elsewhere, when the guard is no longer held",
		Text: `A goroutine, a timer's function or a stored callback does not hold the locks of the code
that made it.`,
		Wrong: `
func (q *Queue) DropLater() {
	q.mu.Lock()
	defer q.mu.Unlock()
	go func() {
		heap.Pop(&q.items)
	}()
}
`,
		Right: `
func (q *Queue) DropLater() {
	go func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		heap.Pop(&q.items)
	}()
}
`,
	},
	{
		Name:  "elem",
		Title: "an element is changed without the guard while it is in the heap",
		Text: `What Less compares is part of the heap: another goroutine may be comparing it. The field
is written under the guard, together with the heap.Fix that belongs to it.`,
		Wrong: `
func (q *Queue) Delay(it *item, until time.Time) {
	it.due = until
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Fix(&q.items, it.index)
}
`,
		Right: `
func (q *Queue) Delay(it *item, until time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it.due = until
	heap.Fix(&q.items, it.index)
}
`,
		Setup: indexSetup,
	},
	{
		Name:  "leak",
		Title: "a return leaves the guard locked that other returns unlock",
		Text:  `The next caller waits for ever. An early return between Lock and Unlock is the usual way.`,
		Wrong: `
func (q *Queue) Swap(it *item) *item {
	q.mu.Lock()
	if len(q.items) == 0 {
		return nil
	}
	old := heap.Pop(&q.items).(*item)
	heap.Push(&q.items, it)
	q.mu.Unlock()
	return old
}
`,
		Right: `
func (q *Queue) Swap(it *item) *item {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil
	}
	old := heap.Pop(&q.items).(*item)
	heap.Push(&q.items, it)
	return old
}
`,
	},
	{
		Name:  "split",
		Title: "a decision is taken in one critical section and acted upon in the next",
		Text: `Between the two the lock is free, and another goroutine may empty the heap or move the
element. Test again in the section that acts, or make one section of both.`,
		Wrong: `
func (t *Table) NextOrNil() *item {
	if t.Len() == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return heap.Pop(&t.items).(*item)
}
`,
		Right: `
func (t *Table) NextOrNil() *item {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.items) == 0 {
		return nil
	}
	return heap.Pop(&t.items).(*item)
}
`,
		Setup: tableSetup,
	},
	{
		Name:  "confined",
		Title: "a heap that belongs to one goroutine is used by another",
		Text: `An event loop or a worker needs no lock for a heap that it alone uses. Others ask it by a
channel, or wait until it is done. Reported is what surely can happen beside it: in the
function that starts the goroutine, or in an exported method of the object that it serves.`,
		Wrong: `
func NewLoop() *Loop {
	l := &Loop{add: make(chan *item)}
	go l.run()
	return l
}

func (l *Loop) Len() int { return l.items.Len() }
`,
		Right: `
func NewLoop() *Loop {
	l := &Loop{add: make(chan *item), size: make(chan int)}
	go l.run()
	return l
}

func (l *Loop) Len() int { return <-l.size }
`,
		Setup: loopSetup,
	},
	{
		Name:  "unguarded",
		Title: "goroutines share a heap with no lock at all",
		Text:  `The goroutines are in sight, and so is the heap: no evidence of a guard is needed.`,
		Wrong: `
func Cheapest(prices []time.Time) itemHeap {
	var best itemHeap
	var wg sync.WaitGroup
	for _, p := range prices {
		wg.Add(1)
		go func() {
			defer wg.Done()
			heap.Push(&best, &item{due: p})
		}()
	}
	wg.Wait()
	return best
}
`,
		Right: `
func Cheapest(prices []time.Time) itemHeap {
	var best itemHeap
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, p := range prices {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			heap.Push(&best, &item{due: p})
		}()
	}
	wg.Wait()
	return best
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
	mu    sync.Mutex
	items itemHeap

	statsMu sync.Mutex
	dropped int
}

func (q *Queue) Add(it *item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, it)
}

func (q *Queue) Next() *item {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil
	}
	return heap.Pop(&q.items).(*item)
}

func (q *Queue) Dropped() int {
	q.statsMu.Lock()
	defer q.statsMu.Unlock()
	return q.dropped
}
`

const tableSetup = `
type Table struct {
	mu    sync.RWMutex
	items itemHeap
}

func (t *Table) Add(it *item) {
	t.mu.Lock()
	defer t.mu.Unlock()
	heap.Push(&t.items, it)
}

func (t *Table) Next() *item {
	t.mu.Lock()
	defer t.mu.Unlock()
	return heap.Pop(&t.items).(*item)
}

func (t *Table) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.items)
}
`

const indexSetup = `
type item struct {
	due   time.Time
	index int
}

func (h itemHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *itemHeap) Push(x any) {
	it := x.(*item)
	it.index = len(*h)
	*h = append(*h, it)
}
`

const loopSetup = `
type Loop struct {
	add   chan *item
	size  chan int
	items itemHeap
}

func (l *Loop) run() {
	for {
		select {
		case it := <-l.add:
			heap.Push(&l.items, it)
		case l.size <- l.items.Len():
		}
	}
}
`
