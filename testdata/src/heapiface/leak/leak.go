package leak

import "container/heap"

type doc struct {
	rank int
	text []byte
}

type base []*doc

func (b base) Len() int           { return len(b) }
func (b base) Less(i, j int) bool { return b[i].rank < b[j].rank }
func (b base) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *base) Push(x any)        { *b = append(*b, x.(*doc)) }

type keeping struct{ base }

func (k *keeping) Pop() any {
	n := len(k.base) - 1
	d := k.base[n]
	k.base = k.base[:n] // want `keeping.Pop leaves the element in the slot behind the new end`
	return d
}

type clearing struct{ base }

func (c *clearing) Pop() any {
	n := len(c.base) - 1
	d := c.base[n]
	c.base[n] = nil
	c.base = c.base[:n]
	return d
}

// The slot is cleared in a helper.
type helping struct{ base }

func (h *helping) clear(i int) { h.base[i] = nil }

func (h *helping) Pop() any {
	n := len(h.base) - 1
	d := h.base[n]
	h.clear(n)
	h.base = h.base[:n]
	return d
}

// Lives no longer than a function.
type local struct{ base }

func (l *local) Pop() any {
	n := len(l.base) - 1
	d := l.base[n]
	l.base = l.base[:n]
	return d
}

// Numbers keep nothing alive.
type numbers []int

func (n numbers) Len() int           { return len(n) }
func (n numbers) Less(i, j int) bool { return n[i] < n[j] }
func (n numbers) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n *numbers) Push(x any)        { *n = append(*n, x.(int)) }
func (n *numbers) Pop() any {
	v := (*n)[len(*n)-1]
	*n = (*n)[:len(*n)-1]
	return v
}

// Shelf lives long.
type Shelf struct {
	k keeping
	c clearing
	h helping
	n numbers
}

func (s *Shelf) Take() (*doc, *doc, *doc, int) {
	return heap.Pop(&s.k).(*doc), heap.Pop(&s.c).(*doc), heap.Pop(&s.h).(*doc), heap.Pop(&s.n).(int)
}

func (s *Shelf) Put(d *doc) {
	heap.Push(&s.k, d)
	heap.Push(&s.c, d)
	heap.Push(&s.h, d)
}

func Sort(docs []*doc) (out []*doc) {
	h := &local{docs}
	heap.Init(h)
	for h.Len() > 0 {
		out = append(out, heap.Pop(h).(*doc))
	}
	return out
}
