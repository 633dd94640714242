package swap

import "container/heap"

type job struct{ prio, at int }

type base []*job

func (b base) Len() int           { return len(b) }
func (b base) Less(i, j int) bool { return b[i].prio < b[j].prio }
func (b *base) Push(x any) {
	j := x.(*job)
	j.at = len(*b)
	*b = append(*b, j)
}
func (b *base) Pop() any {
	old := *b
	j := old[len(old)-1]
	j.at = -1
	*b = old[:len(old)-1]
	return j
}

type idle struct{ base }

func (s idle) Swap(i, j int) {} // want `idle.Swap does not exchange the elements at its two positions`

type oneWay struct{ base }

func (s oneWay) Swap(i, j int) { // want `oneWay.Swap does not exchange`
	s.base[i] = s.base[j]
	s.base[j] = s.base[i]
}

type plain struct{ base }

func (s plain) Swap(i, j int) { s.base[i], s.base[j] = s.base[j], s.base[i] } // want `plain.Swap moves the elements but not their positions in at, which Push sets and heap.Fix uses`

type half struct{ base }

func (s half) Swap(i, j int) { // want `half.Swap refreshes at for one of the two elements only`
	s.base[i], s.base[j] = s.base[j], s.base[i]
	s.base[i].at = i
}

type crossed struct{ base }

func (s crossed) Swap(i, j int) { // want `crossed.Swap stores the wrong positions in at`
	s.base[i], s.base[j] = s.base[j], s.base[i]
	s.base[i].at, s.base[j].at = j, i
}

// Right ones.

type locals struct{ base }

func (s locals) Swap(i, j int) {
	if i == j {
		return
	}
	a, b := s.base[i], s.base[j]
	s.base[i], s.base[j] = b, a
	a.at, b.at = j, i
}

type before struct{ base }

func (s before) Swap(i, j int) {
	s.base[i].at, s.base[j].at = j, i
	s.base[i], s.base[j] = s.base[j], s.base[i]
}

type method struct{ base }

func (j *job) moved(to int) { j.at = to }

func (s method) Swap(i, j int) {
	tmp := s.base[i]
	s.base[i] = s.base[j]
	s.base[j] = tmp
	s.base[i].moved(i)
	s.base[j].moved(j)
}

type contents struct{ base }

func (s contents) Swap(i, j int) { *s.base[i], *s.base[j] = *s.base[j], *s.base[i] }

func use(a *idle, b *oneWay, c *plain, d *half, e *crossed, f *locals, g *before, h *method, k *contents, j *job) {
	for _, x := range []heap.Interface{a, b, c, d, e, f, g, h, k} {
		heap.Fix(x, j.at)
	}
}

// Positions in a map.

type order struct {
	no    string
	price float64
}

type side struct {
	rows []order
	pos  map[string]int
}

func (s *side) Len() int           { return len(s.rows) }
func (s *side) Less(i, j int) bool { return s.rows[i].price < s.rows[j].price }
func (s *side) Push(x any) {
	o := x.(order)
	s.pos[o.no] = len(s.rows)
	s.rows = append(s.rows, o)
}
func (s *side) Pop() any {
	o := s.rows[len(s.rows)-1]
	s.rows = s.rows[:len(s.rows)-1]
	delete(s.pos, o.no)
	return o
}

type halfMap struct{ side }

func (s *halfMap) Swap(i, j int) { // want `halfMap.Swap refreshes side.pos for one of the two elements only`
	s.rows[i], s.rows[j] = s.rows[j], s.rows[i]
	s.pos[s.rows[j].no] = j
}

type noMap struct {
	rows []order
	pos  map[string]int
}

func (s *noMap) Len() int           { return len(s.rows) }
func (s *noMap) Less(i, j int) bool { return s.rows[i].price < s.rows[j].price }
func (s *noMap) Swap(i, j int)      { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] } // want `noMap.Swap moves the elements but not their positions in pos, which Push sets and heap.Remove uses`
func (s *noMap) Push(x any) {
	o := x.(order)
	s.pos[o.no] = len(s.rows)
	s.rows = append(s.rows, o)
}
func (s *noMap) Pop() any {
	o := s.rows[len(s.rows)-1]
	s.rows = s.rows[:len(s.rows)-1]
	delete(s.pos, o.no)
	return o
}

func maps(a *halfMap, b *noMap, no string) {
	heap.Push(a, order{})
	if i, ok := b.pos[no]; ok {
		heap.Remove(b, i)
	}
}

// A sequence number at Push is no position.

type fifo struct {
	list []*job
}

func (f *fifo) Len() int           { return len(f.list) }
func (f *fifo) Less(i, j int) bool { return f.list[i].prio < f.list[j].prio }
func (f *fifo) Swap(i, j int)      { f.list[i], f.list[j] = f.list[j], f.list[i] }
func (f *fifo) Push(x any) {
	j := x.(*seq)
	j.n = len(f.list)
	f.list = append(f.list, &j.job)
}
func (f *fifo) Pop() any {
	j := f.list[len(f.list)-1]
	f.list = f.list[:len(f.list)-1]
	return j
}

type seq struct {
	job
	n int
}

// Two slices side by side.

type pairs struct {
	keys []int
	vals []string
}

func (p *pairs) Len() int           { return len(p.keys) }
func (p *pairs) Less(i, j int) bool { return p.keys[i] < p.keys[j] }
func (p *pairs) Swap(i, j int)      { p.keys[i], p.keys[j] = p.keys[j], p.keys[i] } // want `pairs.Swap does not exchange the elements of vals, which Push fills as well`
func (p *pairs) Push(x any) {
	p.keys = append(p.keys, x.(int))
	p.vals = append(p.vals, "")
}
func (p *pairs) Pop() any {
	k := p.keys[len(p.keys)-1]
	p.keys = p.keys[:len(p.keys)-1]
	p.vals = p.vals[:len(p.vals)-1]
	return k
}

// Asked by position whether it is in the heap.

type task struct{ due, pos int }

type tasks []*task

func (t tasks) Len() int           { return len(t) }
func (t tasks) Less(i, j int) bool { return t[i].due < t[j].due }
func (t tasks) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].pos, t[j].pos = i, j
}
func (t *tasks) Push(x any) {
	v := x.(*task)
	v.pos = len(*t)
	*t = append(*t, v)
}
func (t *tasks) Pop() any { // want `tasks.Pop leaves the old position in pos of the element that it takes, and cancel asks by it`
	old := *t
	v := old[len(old)-1]
	*t = old[:len(old)-1]
	return v
}

func cancel(h *tasks, t *task) {
	if t.pos >= 0 {
		heap.Remove(h, t.pos)
	}
}

func more(f *fifo, p *pairs) {
	heap.Push(f, &seq{})
	heap.Push(p, 1)
}
