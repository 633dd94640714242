package pop

import "container/heap"

type base struct{ list []int }

func (b *base) Len() int           { return len(b.list) }
func (b *base) Less(i, j int) bool { return b.list[i] < b.list[j] }
func (b *base) Swap(i, j int)      { b.list[i], b.list[j] = b.list[j], b.list[i] }
func (b *base) Push(x any)         { b.list = append(b.list, x.(int)) }

type front struct{ base }

func (f *front) Pop() any {
	v := f.list[0] // want `front.Pop returns the first element, but heap.Pop has moved the minimum to the end`
	f.list = f.list[1:]
	return v
}

type before struct{ base }

func (b *before) Pop() any {
	b.list = b.list[:b.Len()-1]
	return b.list[b.Len()-1] // want `before.Pop returns the element at length-2`
}

type same struct{ base }

func (s *same) Pop() any { // want `same.Pop does not shorten the heap: Len stays the same`
	list := s.list
	v := list[len(list)-1]
	list = list[:len(list)-1]
	return v
}

type otherSlice struct {
	base
	done []int
}

func (o *otherSlice) Pop() any { // want `otherSlice.Pop does not shorten the heap \(it takes the element from base.list and shortens done\)`
	v := o.list[len(o.list)-1]
	o.done = o.done[:len(o.done)-1]
	return v
}

type twice struct{ base }

func (t *twice) Pop() any {
	n := len(t.list)
	v := t.list[n-1]
	t.list = t.list[:n-2] // want `twice.Pop returns the last element but does not remove exactly that one`
	return v
}

// Ways that are right, however they are written.

type guarded struct{ base }

func (g *guarded) Pop() any {
	if g.Len() == 0 {
		return nil
	}
	v := g.list[len(g.list)-1]
	g.list = append([]int(nil), g.list[:len(g.list)-1]...)
	return v
}

type helper struct{ base }

func (h *helper) last() int { return h.Len() - 1 }

func (h *helper) cut(n int) { h.list = h.list[0:n:n] }

func (h *helper) Pop() any {
	n := h.last()
	defer func() { recover() }()
	v := h.list[n]
	h.cut(n)
	return v
}

type shrinking struct{ base }

func (s *shrinking) Pop() any {
	n := len(s.list)
	v := s.list[n-1]
	s.list = s.list[:n-1]
	if cap(s.list) > 4*n {
		s.list = append(make([]int, 0, n), s.list...)
	}
	return v
}

// Sifts by itself: used with heap.Fix only.
type own struct{ base }

func (o *own) Pop() any {
	v := o.list[0]
	n := len(o.list) - 1
	o.list[0] = o.list[n]
	o.list = o.list[:n]
	heap.Fix(o, 0)
	return v
}

// Meant as a heap, though nothing here uses it as one.
type Unused []int

func (u Unused) Len() int           { return len(u) }
func (u Unused) Less(i, j int) bool { return u[i] < u[j] }
func (u Unused) Swap(i, j int)      { u[i], u[j] = u[j], u[i] }
func (u *Unused) Push(x any)        { *u = append(*u, x.(int)) }
func (u *Unused) Pop() any {
	x := (*u)[0] // want `Unused.Pop returns the first element`
	*u = (*u)[1:]
	return x
}

// Clears first.
type pointers []*int

func (p pointers) Len() int           { return len(p) }
func (p pointers) Less(i, j int) bool { return *p[i] < *p[j] }
func (p pointers) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *pointers) Push(x any)        { *p = append(*p, x.(*int)) }
func (p *pointers) Pop() any {
	old := *p
	n := len(old) - 1
	old[n] = nil
	x := old[n] // want `pointers.Pop reads the element after it has cleared the slot`
	*p = old[:n]
	return x
}

var _ heap.Interface = (*pointers)(nil)

func use(a *front, b *before, c *same, d *otherSlice, e *twice, f *guarded, g *helper, h *shrinking) {
	for _, x := range []heap.Interface{a, b, c, d, e, f, g, h} {
		heap.Pop(x)
	}
}
