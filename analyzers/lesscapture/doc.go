package lesscapture

import "github.com/heapvet/heapvet/internal/check"

const text = `
A heap compares elements when they move, and trusts ever after that the answers
would still be the same. A comparator that is a closure, a method value, or a Less
method over shared tables gives other answers when what it captured changes:
elements that are in the heap stay where they are, and come out in the wrong order,
until heap.Init.

The check takes what the comparator of a heap reads besides its elements, and looks
for the place where that is changed while elements can be in the heap, with no Init,
Fix or Remove after it. Captured values that nobody changes, such as options that
were copied, constants, tables that are complete before the heap is filled, and
other comparators, are right.
`

var rules = []check.Rule{
	{
		Name:  "reassigned",
		Title: "the comparator captures a variable that is assigned after it was made",
		Wrong: `func topBy(jobs []*job) {
	reverse := false
	h := &jobHeap{less: func(a, b *job) bool {
		if reverse {
			a, b = b, a
		}
		return a.prio < b.prio
	}}
	for _, j := range jobs {
		heap.Push(h, j)
	}
	reverse = true
	serve(heap.Pop(h).(*job))
}`,
		Right: `func topBy(jobs []*job) {
	reverse := true
	h := &jobHeap{less: func(a, b *job) bool {
		if reverse {
			a, b = b, a
		}
		return a.prio < b.prio
	}}
	for _, j := range jobs {
		heap.Push(h, j)
	}
	serve(heap.Pop(h).(*job))
}`,
	},
	{
		Name:  "mutated",
		Title: "what the comparator reads through a captured pointer, map or slice is written while elements are in the heap",
		Text: `Also for Less methods that read a table which the heap type shares with others,
as the distances of a shortest-path search: lowering a distance and pushing the node
once more leaves the first copy in the wrong place, and with it the heap. What lies behind
a pointer may be changed by methods that know nothing of the heap; atomic values count
as well.`,
		Wrong: `func distances(graph [][]edge, dist []int) {
	q := &nodeHeap{less: func(a, b int) bool { return dist[a] < dist[b] }}
	heap.Push(q, 0)
	for q.Len() > 0 {
		u := heap.Pop(q).(int)
		for _, e := range graph[u] {
			if d := dist[u] + e.cost; d < dist[e.to] {
				dist[e.to] = d
				heap.Push(q, e.to)
			}
		}
	}
}`,
		Right: `func distances(graph [][]edge, dist []int) {
	q := &visitHeap{less: func(a, b visit) bool { return a.dist < b.dist }}
	heap.Push(q, visit{0, 0})
	for q.Len() > 0 {
		u := heap.Pop(q).(visit)
		for _, e := range graph[u.node] {
			if d := u.dist + e.cost; d < dist[e.to] {
				dist[e.to] = d
				heap.Push(q, visit{e.to, d})
			}
		}
	}
}`,
		Setup: `
type edge struct{ to, cost int }

type visit struct{ node, dist int }

type nodeHeap struct {
	list []int
	less func(a, b int) bool
}

func (h *nodeHeap) Len() int           { return len(h.list) }
func (h *nodeHeap) Less(i, j int) bool { return h.less(h.list[i], h.list[j]) }
func (h *nodeHeap) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *nodeHeap) Push(x any)         { h.list = append(h.list, x.(int)) }
func (h *nodeHeap) Pop() any {
	n := len(h.list) - 1
	x := h.list[n]
	h.list = h.list[:n]
	return x
}

type visitHeap struct {
	list []visit
	less func(a, b visit) bool
}

func (h *visitHeap) Len() int           { return len(h.list) }
func (h *visitHeap) Less(i, j int) bool { return h.less(h.list[i], h.list[j]) }
func (h *visitHeap) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *visitHeap) Push(x any)         { h.list = append(h.list, x.(visit)) }
func (h *visitHeap) Pop() any {
	n := len(h.list) - 1
	x := h.list[n]
	h.list = h.list[:n]
	return x
}
`,
	},
	{
		Name:  "stale",
		Title: "the comparator indexes a captured slice that the heap does not share once it grows",
		Wrong: `func newHeap(items []*job) *itemHeap {
	h := &itemHeap{items: items}
	h.less = func(i, j int) bool { return items[i].prio < items[j].prio }
	heap.Init(h)
	return h
}`,
		Right: `func newHeap(items []*job) *itemHeap {
	h := &itemHeap{items: items}
	h.less = func(i, j int) bool { return h.items[i].prio < h.items[j].prio }
	heap.Init(h)
	return h
}`,
		Setup: `
type itemHeap struct {
	items []*job
	less  func(i, j int) bool
}

func (h *itemHeap) Len() int           { return len(h.items) }
func (h *itemHeap) Less(i, j int) bool { return h.less(i, j) }
func (h *itemHeap) Swap(i, j int)      { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *itemHeap) Push(x any)         { h.items = append(h.items, x.(*job)) }
func (h *itemHeap) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	return x
}
`,
	},
	{
		Name:  "loopvar",
		Title: "the comparators of several heaps share one loop variable",
		Text: `A variable that is declared outside of the loop, or a loop variable of a module
with a go version below 1.22.`,
		Wrong: `func fill(queues map[string]*jobHeap, config map[string]int) {
	var name string
	var weight int
	for name, weight = range config {
		queues[name] = &jobHeap{less: func(a, b *job) bool { return a.prio*weight < b.prio*weight }}
	}
}`,
		Right: `func fill(queues map[string]*jobHeap, config map[string]int) {
	for name, weight := range config {
		queues[name] = &jobHeap{less: func(a, b *job) bool { return a.prio*weight < b.prio*weight }}
	}
}`,
		Setup: `func add(h *jobHeap, j *job) { heap.Push(h, j) }`,
	},
	{
		Name:  "lifetime",
		Title: "the comparator captures something that is closed, released or put back before the heap's last use",
		Text: `Also a context that is cancelled, a function literal that is deferred and closes
it, and a field of the owner that one of its methods closes before it goes on to pop.
What is given up on the way out of a failure is right.`,
		Wrong: `func byRank(pool *sync.Pool) *jobHeap {
	buf := pool.Get().(*table)
	defer pool.Put(buf)
	return &jobHeap{less: func(a, b *job) bool { return buf.rank[a.prio] < buf.rank[b.prio] }}
}`,
		Right: `func byRank(pool *sync.Pool) *jobHeap {
	buf := pool.Get().(*table)
	defer pool.Put(buf)
	rank := slices.Clone(buf.rank)
	return &jobHeap{less: func(a, b *job) bool { return rank[a.prio] < rank[b.prio] }}
}`,
		Setup: `
type table struct{ rank []int }

func add(h *jobHeap, j *job) { heap.Push(h, j) }
`,
	},
}

const setup = `
type job struct{ prio int }

func serve(*job) {}

type jobHeap struct {
	list []*job
	less func(a, b *job) bool
}

func (h *jobHeap) Len() int           { return len(h.list) }
func (h *jobHeap) Less(i, j int) bool { return h.less(h.list[i], h.list[j]) }
func (h *jobHeap) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *jobHeap) Push(x any)         { h.list = append(h.list, x.(*job)) }
func (h *jobHeap) Pop() any {
	n := len(h.list) - 1
	x := h.list[n]
	h.list[n] = nil
	h.list = h.list[:n]
	return x
}
`
