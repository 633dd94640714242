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
	h := &jobHeap{less: func(a, b *job) bool { return a.prio < b.prio != reverse }}
	for _, j := range jobs {
		heap.Push(h, j)
	}
	reverse = true
	serve(heap.Pop(h).(*job))
}`,
		Right: `func topBy(jobs []*job) {
	reverse := true
	h := &jobHeap{less: func(a, b *job) bool { return a.prio < b.prio != reverse }}
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
once more leaves the first copy in the wrong place, and with it the heap.`,
		Wrong: `q := &nodeHeap{less: func(a, b int) bool { return dist[a] < dist[b] }}
heap.Push(q, 0)
for q.Len() > 0 {
	u := heap.Pop(q).(int)
	for _, e := range graph[u] {
		if d := dist[u] + e.cost; d < dist[e.to] {
			dist[e.to] = d
			heap.Push(q, e.to)
		}
	}
}`,
		Right: `q := &visitHeap{less: func(a, b visit) bool { return a.dist < b.dist }}
heap.Push(q, visit{0, 0})
for q.Len() > 0 {
	u := heap.Pop(q).(visit)
	for _, e := range graph[u.node] {
		if d := u.dist + e.cost; d < dist[e.to] {
			dist[e.to] = d
			heap.Push(q, visit{e.to, d})
		}
	}
}`,
	},
	{
		Name:  "stale",
		Title: "the comparator indexes a captured slice that the heap does not share once it grows",
		Wrong: `items := load()
h := &itemHeap{items: items, less: func(i, j int) bool { return items[i].prio < items[j].prio }}`,
		Right: `h := &itemHeap{items: load()}
h.less = func(i, j int) bool { return h.items[i].prio < h.items[j].prio }`,
	},
	{
		Name:  "loopvar",
		Title: "the comparators of several heaps share one loop variable",
		Text: `A variable that is declared outside of the loop, or a loop variable of a module
with a go version below 1.22.`,
		Wrong: `var w weights
for name, w = range config {
	queues[name] = &callHeap{less: func(a, b call) bool { return w.of(a) < w.of(b) }}
}`,
		Right: `for name, w := range config {
	queues[name] = &callHeap{less: func(a, b call) bool { return w.of(a) < w.of(b) }}
}`,
	},
	{
		Name:  "lifetime",
		Title: "the comparator captures something that is closed, released or put back before the heap's last use",
		Wrong: `buf := pool.Get().(*table)
defer pool.Put(buf)
return &keyHeap{less: func(a, b int) bool { return buf.rank[a] < buf.rank[b] }}`,
		Right: `ranks := slices.Clone(buf.rank)
return &keyHeap{less: func(a, b int) bool { return ranks[a] < ranks[b] }}`,
	},
}
