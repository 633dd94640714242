package tables

import "container/heap"

type nodes struct {
	list []int
	less func(a, b int) bool
}

func (n *nodes) Len() int           { return len(n.list) }
func (n *nodes) Less(i, j int) bool { return n.less(n.list[i], n.list[j]) }
func (n *nodes) Swap(i, j int)      { n.list[i], n.list[j] = n.list[j], n.list[i] }
func (n *nodes) Push(x any)         { n.list = append(n.list, x.(int)) }
func (n *nodes) Pop() any {
	k := len(n.list) - 1
	x := n.list[k]
	n.list = n.list[:k]
	return x
}

type ranked struct {
	list []int
	rank map[int]int
}

func (r *ranked) Len() int { return len(r.list) }
func (r *ranked) Less(i, j int) bool {
	return r.rank[r.list[i]] < r.rank[r.list[j]] // want `ranked.Less reads rank, whose entries are changed while elements are in the heap \(line \d+\), and nothing restores the heap`
}
func (r *ranked) Swap(i, j int) { r.list[i], r.list[j] = r.list[j], r.list[i] }
func (r *ranked) Push(x any)    { r.list = append(r.list, x.(int)) }
func (r *ranked) Pop() any {
	k := len(r.list) - 1
	x := r.list[k]
	r.list = r.list[:k]
	return x
}

type edge struct{ to, cost int }

func relax(graph [][]edge, dist []int) {
	q := &nodes{less: func(a, b int) bool {
		return dist[a] < dist[b] // want `this comparator reads dist, whose entries are changed while elements are in the heap \(line \d+\), and pushing the element once more leaves its first copy in the wrong place`
	}}
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
}

func byDistance(dist []int) *nodes {
	return &nodes{less: func(a, b int) bool {
		return dist[a] < dist[b] // want `this comparator reads dist`
	}}
}

func relaxThroughConstructor(graph [][]edge) {
	dist := make([]int, len(graph))
	q := byDistance(dist)
	heap.Push(q, 0)
	for q.Len() > 0 {
		u := heap.Pop(q).(int)
		for _, e := range graph[u] {
			if dist[e.to] > dist[u]+e.cost {
				dist[e.to] = dist[u] + e.cost
				heap.Push(q, e.to)
			}
		}
	}
}

func raise(in []int, changes map[int]int) int {
	rank := map[int]int{}
	r := &ranked{list: in, rank: rank}
	heap.Init(r)
	for k, v := range changes {
		rank[k] = v
	}
	return heap.Pop(r).(int)
}

// The rest is right.

func completeBefore(words []int) *nodes {
	count := map[int]int{}
	for _, w := range words {
		count[w]++
	}
	h := &nodes{less: func(a, b int) bool { return count[a] < count[b] }}
	for w := range count {
		heap.Push(h, w)
	}
	return h
}

func fixed(graph [][]edge, dist []int, at []int) {
	q := &nodes{less: func(a, b int) bool { return dist[a] < dist[b] }}
	heap.Push(q, 0)
	for q.Len() > 0 {
		u := heap.Pop(q).(int)
		for _, e := range graph[u] {
			if d := dist[u] + e.cost; d < dist[e.to] {
				dist[e.to] = d
				if at[e.to] >= 0 {
					heap.Fix(q, at[e.to])
				} else {
					heap.Push(q, e.to)
				}
			}
		}
	}
}

func onceEach(graph [][]edge) {
	level := make([]int, len(graph))
	seen := make([]bool, len(graph))
	q := &nodes{less: func(a, b int) bool { return level[a] < level[b] }}
	heap.Push(q, 0)
	for q.Len() > 0 {
		u := heap.Pop(q).(int)
		for _, e := range graph[u] {
			if !seen[e.to] {
				seen[e.to] = true
				level[e.to] = level[u] + 1
				heap.Push(q, e.to)
			}
		}
	}
}

func poppedFirst(in []int, load map[int]int) {
	h := &nodes{list: in, less: func(a, b int) bool { return load[a] < load[b] }}
	heap.Init(h)
	for range 10 {
		least := heap.Pop(h).(int)
		load[least]++
		heap.Push(h, least)
	}
}
