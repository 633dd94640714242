package initialize

import (
	"container/heap"
	"encoding/json"
	"slices"
	"sort"
)

type msg struct {
	Due int
	Who string
}

type msgs []msg

func (m msgs) Len() int           { return len(m) }
func (m msgs) Less(i, j int) bool { return m[i].Due < m[j].Due }
func (m msgs) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *msgs) Push(x any)        { *m = append(*m, x.(msg)) }
func (m *msgs) Pop() any {
	old := *m
	x := old[len(old)-1]
	*m = old[:len(old)-1]
	return x
}

type box struct{ in msgs }

func (b *box) next() msg { return heap.Pop(&b.in).(msg) }

func (b *box) decode(data []byte) error {
	var saved []msg
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	b.in = saved // want `b.in gets decoded elements, and no heap.Init puts it in order`
	return nil
}

func (b *box) decodeRight(data []byte) error {
	var saved []msg
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	b.in = saved
	heap.Init(&b.in)
	return nil
}

func (b *box) literal(x, y msg) {
	b.in = msgs{x, y} // want `b.in is filled by a literal`
}

func (b *box) one(x msg) { b.in = msgs{x} }

func (b *box) appends(xs []msg) {
	for _, x := range xs {
		b.in = append(b.in, x) // want `b.in is filled by append`
	}
}

func (b *box) cut(i int) {
	b.in = append(b.in[:i], b.in[i+1:]...) // want `b.in loses an element in the middle`
}

func (b *box) del(i int) {
	b.in = slices.Delete(b.in, i, i+1) // want `b.in is changed in the middle`
}

func (b *box) front() {
	b.in = b.in[1:] // want `b.in loses its first elements`
}

func (b *box) slots(xs []msg) {
	in := make(msgs, len(xs))
	for i, x := range xs {
		in[i] = x // want `b.in is filled slot by slot`
	}
	b.in = in
}

func (b *box) cloned(o *box) {
	in := make(msgs, len(o.in))
	for i, x := range o.in {
		in[i] = x
	}
	b.in = in
}

func (b *box) decodedInPlace(data []byte) error {
	return json.Unmarshal(data, &b.in) // want `b.in gets decoded elements`
}

func (b *box) copiedInto(xs []msg) {
	b.in = make(msgs, len(xs))
	copy(b.in, xs) // want `b.in is filled by copy`
}

func (b *box) reversed() {
	slices.Reverse(b.in) // want `b.in is reversed`
}

func (b *box) replaced(x msg) msg {
	old := b.in[0]
	b.in[0] = x // want `another element is put into a slot of b.in, and neither heap.Fix nor heap.Init puts it in its place`
	return old
}

func (b *box) replacedRight(x msg) msg {
	old := b.in[0]
	b.in[0] = x
	heap.Fix(&b.in, 0)
	return old
}

func given(xs []msg) *box {
	return &box{in: xs} // want `is filled from outside|gets elements from outside`
}

func givenRight(xs []msg) *box {
	b := &box{in: xs}
	heap.Init(&b.in)
	return b
}

func (b *box) sortedByName() {
	sort.Slice(b.in, func(i, j int) bool { return b.in[i].Who < b.in[j].Who }) // want `the slice of b.in is sorted in place by another key`
}

// Right ones.

func (b *box) back(n int) { b.in = b.in[:n] }

func (b *box) reset() { b.in = nil }

func (b *box) sortedByDue() {
	sort.Slice(b.in, func(i, j int) bool { return b.in[i].Due < b.in[j].Due })
}

func (b *box) copied(o *box) { b.in = append(msgs(nil), o.in...) }

func (b *box) taken(o *box) { b.in = o.in }

func (b *box) fill(xs []msg) { b.in = append(b.in, xs...) }

func (b *box) filledByCaller(xs []msg) {
	b.fill(xs)
	heap.Init(&b.in)
}

func (b *box) filledInClosure(each func(func(msg))) {
	each(func(x msg) { b.in = append(b.in, x) })
	heap.Init(&b.in)
}

func filledSorted(xs []msg) *box {
	b := &box{}
	slices.SortFunc(xs, func(x, y msg) int { return x.Due - y.Due })
	b.in = append(b.in, xs...)
	return b
}

func local(xs []msg) msg {
	var m msgs
	for _, x := range xs {
		m = append(m, x) // want `m is filled by append`
	}
	return heap.Pop(&m).(msg)
}

func localRight(xs []msg) msg {
	var m msgs
	for _, x := range xs {
		m = append(m, x)
	}
	heap.Init(&m)
	return heap.Pop(&m).(msg)
}

// A heap that embeds another.
type latest struct{ msgs }

func (l latest) Less(i, j int) bool { return l.msgs.Less(j, i) }

func backward(xs []msg) heap.Interface {
	live := make(msgs, 0, len(xs))
	for _, x := range xs {
		live = append(live, x) // want `is filled by append`
	}
	return &latest{live}
}

// Another comparator.

type ordered struct {
	list []msg
	less func(a, b msg) bool
}

func (o *ordered) Len() int           { return len(o.list) }
func (o *ordered) Less(i, j int) bool { return o.less(o.list[i], o.list[j]) }
func (o *ordered) Swap(i, j int)      { o.list[i], o.list[j] = o.list[j], o.list[i] }
func (o *ordered) Push(x any)         { o.list = append(o.list, x.(msg)) }
func (o *ordered) Pop() any {
	x := o.list[len(o.list)-1]
	o.list = o.list[:len(o.list)-1]
	return x
}

type policy struct{ q ordered }

func newPolicy(less func(a, b msg) bool) *policy {
	p := &policy{}
	p.q.less = less
	return p
}

func (p *policy) add(m msg) { heap.Push(&p.q, m) }

func (p *policy) set(less func(a, b msg) bool) {
	p.q.less = less // want `p.q gets another comparator while elements may be in it`
}

func (p *policy) setRight(less func(a, b msg) bool) {
	p.q.less = less
	heap.Init(&p.q)
}

func (p *policy) setOnce(less func(a, b msg) bool) {
	if p.q.less == nil {
		p.q.less = less
	}
}
