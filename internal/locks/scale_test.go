package locks_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/guards/notes"
)

// large returns a package of about n functions with locks and heaps: types of a
// dozen functions each, which call each other and, in chains of eight, the next type.
func large(n int) string {
	var b strings.Builder
	b.WriteString(`package p

import (
	"container/heap"
	"sync"
)

type item struct{ key, index int }

type items []*item

func (h items) Len() int           { return len(h) }
func (h items) Less(i, j int) bool { return h[i].key < h[j].key }
func (h items) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *items) Push(x any) { *h = append(*h, x.(*item)) }
func (h *items) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
`)
	for i := range n / 12 {
		next := i + 1
		if next%8 == 0 || next == n/12 {
			next = i // the end of a chain
		}
		fmt.Fprintf(&b, largeType, i, next)
	}
	return b.String()
}

const largeType = `
type queue%[1]d struct {
	mu    sync.RWMutex
	cond  *sync.Cond
	items items
	byKey map[int]*item
	next  *queue%[2]d
	done  bool
}

func newQueue%[1]d(next *queue%[2]d) *queue%[1]d {
	q := &queue%[1]d{byKey: map[int]*item{}, next: next}
	q.cond = sync.NewCond(&q.mu)
	go q.run()
	return q
}

func (q *queue%[1]d) Put(x *item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if old := q.byKey[x.key]; old != nil {
		q.removeLocked(old)
	}
	q.putLocked(x)
	q.cond.Signal()
}

func (q *queue%[1]d) putLocked(x *item) {
	heap.Push(&q.items, x)
	q.byKey[x.key] = x
}

func (q *queue%[1]d) removeLocked(x *item) {
	if x.index >= 0 && x.index < len(q.items) {
		heap.Remove(&q.items, x.index)
	}
	delete(q.byKey, x.key)
}

func (q *queue%[1]d) Get() *item {
	q.mu.Lock()
	for len(q.items) == 0 {
		if q.done {
			q.mu.Unlock()
			return nil
		}
		q.cond.Wait()
	}
	x := heap.Pop(&q.items).(*item)
	q.mu.Unlock()
	return x
}

func (q *queue%[1]d) Begin()         { q.mu.Lock() }
func (q *queue%[1]d) End()           { q.mu.Unlock() }
func (q *queue%[1]d) Add(x *item) { heap.Push(&q.items, x) }

func (q *queue%[1]d) Len() int {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return len(q.items)
}

func (q *queue%[1]d) Change(key, to int) bool {
	if !q.mu.TryLock() {
		return false
	}
	defer q.mu.Unlock()
	x := q.byKey[key]
	if x == nil {
		return false
	}
	x.key = to
	heap.Fix(&q.items, x.index)
	return true
}

func (q *queue%[1]d) run() {
	for {
		x := q.Get()
		if x == nil {
			return
		}
		if q.next != nil {
			q.forward(x)
		}
	}
}

func (q *queue%[1]d) forward(x *item) {
	q.mu.RLock()
	next := q.next
	q.mu.RUnlock()
	next.Put(x)
	if next.Len() > 10 {
		next.each(func(y *item) { y.index = -1 })
	}
}

func (q *queue%[1]d) each(f func(*item)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, x := range q.items {
		f(x)
	}
	if q.next != nil && len(q.items) > 0 {
		q.next.mu.Lock()
		q.next.putLocked(heap.Pop(&q.items).(*item))
		q.next.mu.Unlock()
	}
}
`

// BenchmarkLarge analyses packages of 500 to 5,000 functions, of which half are
// exported. The time a function takes must not grow much from the least to the
// largest. It prints the size of the facts, too.
func BenchmarkLarge(b *testing.B) {
	for _, n := range []int{500, 1000, 2500, 5000} {
		src := large(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			pass, err := typeCheck([]string{src})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				a := runPass(pass)
				none := guards.Options{Skip: func(*ssa.Function) bool { return false }, Notes: notes.Read(pass)}
				guards.Violations(a.Analysis, guards.Find(a.Analysis, none))
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/function")
			b.ReportMetric(float64(factBytes(b, pass)), "fact-bytes")
		})
	}
}

// factBytes is the size of the facts that the package exports.
func factBytes(b *testing.B, pass *analysis.Pass) int {
	var buf bytes.Buffer
	enc := gob.NewEncoder(&buf)
	p := *pass
	p.ExportObjectFact = func(_ types.Object, f analysis.Fact) {
		if err := enc.Encode(f); err != nil {
			b.Fatal(err)
		}
	}
	runPass(&p)
	return buf.Len()
}

// TestLargeIsLinear counts what the summaries of large packages hold: it must grow
// as the package does.
func TestLargeIsLinear(t *testing.T) {
	count := func(n int) int {
		a := analyze(t, large(n))
		total := 0
		for _, fn := range a.Heaps().IR.Funcs {
			s := a.Summary(fn)
			total += len(s.Accesses) + len(s.Spawned)
		}
		return total
	}
	small, big := count(200), count(800)
	if big > small*9/2 {
		t.Errorf("200 functions have %d accesses, 800 have %d", small, big)
	}
}

// huge returns a package with one function of about n statements: branches under
// which locks are taken and dropped, captured variables, loops.
func huge(n int) string {
	var b strings.Builder
	b.WriteString(prologue)
	b.WriteString("\nfunc (t *T) root(p bool) {\n")
	for i := range n / 10 {
		fmt.Fprintf(&b, `	locked%[1]d := c()
	if locked%[1]d {
		t.mu.Lock()
	}
	for range xs {
		heap.Push(&t.h, %[1]d)
	}
	if locked%[1]d {
		t.mu.Unlock()
	}
	flag%[1]d := p
	func() {
		if flag%[1]d {
			t.rw.Lock()
			heap.Push(&t.h, %[1]d)
			t.rw.Unlock()
		}
	}()
`, i)
	}
	b.WriteString("}\n")
	return b.String()
}

// BenchmarkHuge analyses one function of many statements.
func BenchmarkHuge(b *testing.B) {
	for _, n := range []int{500, 2000, 8000} {
		src := huge(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			pass, err := typeCheck([]string{src})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				runPass(pass)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/statement")
		})
	}
}
