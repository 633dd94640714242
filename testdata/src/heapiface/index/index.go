package index

import "container/heap"

type lease struct {
	end, size int64
	pos       int
}

type base struct{ list []*lease }

func (b *base) Len() int { return len(b.list) }
func (b *base) Swap(i, j int) {
	b.list[i], b.list[j] = b.list[j], b.list[i]
	b.list[i].pos, b.list[j].pos = i, j
}
func (b *base) Push(x any) {
	l := x.(*lease)
	l.pos = len(b.list)
	b.list = append(b.list, l)
}
func (b *base) Pop() any {
	n := len(b.list) - 1
	l := b.list[n]
	b.list[n] = nil
	b.list = b.list[:n]
	l.pos = -1
	return l
}

type byEnd struct{ base }

func (b *byEnd) Less(i, j int) bool { return b.list[i].end < b.list[j].end }

type bySize struct{ base }

func (b *bySize) Less(i, j int) bool { return b.list[i].size < b.list[j].size }

type store struct {
	ends  byEnd
	sizes bySize
}

func (s *store) add(l *lease) {
	heap.Push(&s.ends, l)
	heap.Push(&s.sizes, l)
}

func (s *store) drop(l *lease) {
	heap.Remove(&s.ends, l.pos)  // want `heap.Remove takes its index from pos, but the element is in another heap as well`
	heap.Remove(&s.sizes, l.pos) // want `heap.Remove takes its index from pos`
}

// In one heap at a time.
type stages struct{ wait, run byEnd }

func (s *stages) add(l *lease) { heap.Push(&s.wait, l) }

func (s *stages) start() {
	l := heap.Pop(&s.wait).(*lease)
	heap.Push(&s.run, l)
}

func (s *stages) choose(l *lease, now bool) {
	if now {
		heap.Push(&s.run, l)
	} else {
		heap.Push(&s.wait, l)
	}
}

func (s *stages) drop(l *lease) { heap.Remove(&s.run, l.pos) }

// Recorded after the append.
type late struct{ base }

func (l *late) Less(i, j int) bool { return l.list[i].end < l.list[j].end }

func (l *late) Push(x any) {
	v := x.(*lease)
	l.list = append(l.list, v)
	v.pos = len(l.list) // want `late.Push records the length\+1 as the position in pos`
}

func use(l *late, v *lease) {
	heap.Push(l, v)
	heap.Fix(l, v.pos)
}
