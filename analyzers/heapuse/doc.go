package heapuse

import "github.com/heapvet/heapvet/internal/check"

const text = `
A right implementation of heap.Interface is half of a priority queue. The other half
is how it is used: by the functions of container/heap and not by the methods; filled
and then initialised; with heap.Fix after every change of what Less reads; by
positions that are still those of the elements. Nothing of this is checked at run
time. The queue goes on working and serves its elements in the wrong order, or
panics much later.

The check knows a heap by its use, follows operations through the functions, closures
and methods of the package, and compares heaps by the way that leads to them, so that
two queues in one struct are two. What orders the elements is what Less reads,
transitively; writes to anything else are no findings. Where it is not evident that an
element is in a heap, or that a heap is not put right somewhere else, the check is
silent.

Test files (-heapuse.tests reports there too) and generated files are silent.`

// setup declares what the examples use.
const setup = `
import "container/heap"

type IntHeap []int

func (h IntHeap) Len() int           { return len(h) }
func (h IntHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h IntHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *IntHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *IntHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type Job struct {
	Name  string
	Prio  int
	index int
}

type jobs []*Job

func (h jobs) Len() int           { return len(h) }
func (h jobs) Less(i, j int) bool { return h[i].Prio < h[j].Prio }
func (h jobs) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *jobs) Push(x any) {
	j := x.(*Job)
	j.index = len(*h)
	*h = append(*h, j)
}
func (h *jobs) Pop() any {
	old := *h
	j := old[len(old)-1]
	old[len(old)-1] = nil
	j.index = -1
	*h = old[:len(old)-1]
	return j
}

type Queue struct {
	heap   jobs
	byName map[string]*Job
}

func (q *Queue) Add(j *Job) { heap.Push(&q.heap, j) }
`

var rules = []check.Rule{
	{
		Name:  "direct",
		Title: "the heap's own Push or Pop is called instead of heap.Push or heap.Pop",
		Text: `
The methods are the raw material of container/heap: Push appends and Pop takes the last
element, and neither keeps the order. Calling them is right where heap.Init or heap.Fix
follows (filling in bulk, removing by hand) or the heap is sorted.`,
		Wrong: `
func (q *Queue) Next() *Job { return q.heap.Pop().(*Job) }`,
		Right: `
func (q *Queue) Next() *Job { return heap.Pop(&q.heap).(*Job) }`,
	},
	{
		Name:  "init",
		Title: "the heap is filled or reordered without heap.Init",
		Text: `
Elements that come into the slice by a literal, append, a decoder or slot by slot, that
leave it from the middle, that are sorted by another key, or that get another
comparator, are in no heap order. heap.Init establishes it. A heap with one element,
and one that is sorted by its own order, needs none.`,
		Wrong: `
func Load(data []byte, q *IntHeap) error {
	var saved []int
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	*q = saved
	return nil
}

func Next(q *IntHeap) int { return heap.Pop(q).(int) }`,
		Right: `
func Load(data []byte, q *IntHeap) error {
	var saved []int
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	*q = saved
	heap.Init(q)
	return nil
}

func Next(q *IntHeap) int { return heap.Pop(q).(int) }`,
	},
	{
		Name:  "fix",
		Title: "an element's key is changed in the heap without heap.Fix",
		Text: `
Whatever Less reads, of the elements, of what they refer to, or of the heap itself, must
not change while elements wait, or the heap must be put right at once: by heap.Fix for
one element, by heap.Init for several, after the change and on every way. Elements that
are not in the heap (just made, popped, removed) may be changed freely.`,
		Wrong: `
func (q *Queue) Raise() { q.heap[0].Prio++ }`,
		Right: `
func (q *Queue) Raise() {
	q.heap[0].Prio++
	heap.Fix(&q.heap, 0)
}`,
	},
	{
		Name:  "index",
		Title: "a position is not the element's",
		Text: `
heap.Fix and heap.Remove take a position, and every operation moves elements. A position
that was read before another operation, that an element never got because it was never
pushed, that nobody keeps, or that is corrected by one, is somebody else's slot.
heap.Remove panics where there is none.`,
		Wrong: `
func (q *Queue) Drop(a, b *Job) {
	i, j := a.index, b.index
	heap.Remove(&q.heap, i)
	heap.Remove(&q.heap, j)
}`,
		Right: `
func (q *Queue) Drop(a, b *Job) {
	heap.Remove(&q.heap, a.index)
	heap.Remove(&q.heap, b.index)
}`,
	},
	{
		Name:  "empty",
		Title: "an element is taken from a heap that can be empty",
		Text: `
heap.Pop on an empty heap panics, and so does reading its first slot. The rule speaks
only where emptiness is evident: a loop that asks for one element and takes two, a test
that comes after the reading, a caller that takes as many as it is told.`,
		Wrong: `
func Pairs(h *IntHeap) (sum int) {
	for h.Len() > 0 {
		sum += heap.Pop(h).(int) * heap.Pop(h).(int)
	}
	return sum
}`,
		Right: `
func Pairs(h *IntHeap) (sum int) {
	for h.Len() > 1 {
		sum += heap.Pop(h).(int) * heap.Pop(h).(int)
	}
	return sum
}`,
	},
	{
		Name:  "order",
		Title: "the heap's slice is taken for sorted",
		Text: `
Of a heap's slice only the first element is known: it is the minimum. The last is not
the maximum, the first few are not the smallest, a binary search finds nothing, and a
loop that stops at the first element beyond a bound misses others.`,
		Wrong: `
func Max(h IntHeap) int { return h[len(h)-1] }

func Min(h *IntHeap) int { return heap.Pop(h).(int) }`,
		Right: `
func Max(h IntHeap) int { return slices.Max(h) }

func Min(h *IntHeap) int { return heap.Pop(h).(int) }`,
	},
	{
		Name:  "iterate",
		Title: "elements are moved while a loop walks over the heap",
		Text: `
Every heap operation exchanges slots, so a loop over the slice that goes on afterwards
skips elements and meets others twice. Leave the loop after the operation, or collect
first and change later.`,
		Wrong: `
func (q *Queue) Drop(name string) {
	for i, j := range q.heap {
		if j.Name == name {
			heap.Remove(&q.heap, i)
		}
	}
}`,
		Right: `
func (q *Queue) Drop(name string) {
	for i, j := range q.heap {
		if j.Name == name {
			heap.Remove(&q.heap, i)
			break
		}
	}
}`,
	},
	{
		Name:  "copy",
		Title: "a shallow copy is used as a heap",
		Text: `
Assigning a slice, or a struct that holds one, copies the header and shares the array.
Draining the copy leaves the original with all its elements and in no order. Clone the
slice (and mind that elements which keep their own position keep only one).`,
		Wrong: `
func (q *Queue) Sorted() (out []*Job) {
	tmp := q.heap
	for tmp.Len() > 0 {
		out = append(out, heap.Pop(&tmp).(*Job))
	}
	return out
}`,
		Right: `
func (q *Queue) Sorted() []*Job {
	out := slices.Clone(q.heap)
	slices.SortFunc(out, func(a, b *Job) int { return a.Prio - b.Prio })
	return out
}`,
	},
	{
		Name:  "dup",
		Title: "an element is pushed that is in the heap already",
		Text: `
An element that was only read from the heap and is pushed again is there twice, with one
position for both. And where a map registers the elements by key, a push that overwrites
the entry of a waiting one leaves the map with one and the heap with two. Pushing again
on purpose, with outdated copies recognised when they are popped, is left alone.`,
		Wrong: `
func (q *Queue) Retry() {
	j := q.heap[0]
	j.Prio++
	heap.Push(&q.heap, j)
}`,
		Right: `
func (q *Queue) Retry() {
	j := heap.Pop(&q.heap).(*Job)
	j.Prio++
	heap.Push(&q.heap, j)
}`,
	},
}
