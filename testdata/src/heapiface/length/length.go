package length

import "container/heap"

type other struct{ todo, done []int }

func (o *other) Len() int           { return len(o.done) } // want `other.Len is the length of done, but Swap exchanges the elements of todo`
func (o *other) Less(i, j int) bool { return o.todo[i] < o.todo[j] }
func (o *other) Swap(i, j int)      { o.todo[i], o.todo[j] = o.todo[j], o.todo[i] }
func (o *other) Push(x any)         { o.todo = append(o.todo, x.(int)) }
func (o *other) Pop() any {
	v := o.todo[len(o.todo)-1]
	o.todo = o.todo[:len(o.todo)-1]
	return v
}

type less []int

func (l less) Len() int           { return len(l) - 1 } // want `less.Len returns the length of the receiver -1`
func (l less) Less(i, j int) bool { return l[i] < l[j] }
func (l less) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *less) Push(x any)        { *l = append(*l, x.(int)) }
func (l *less) Pop() any {
	v := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return v
}

// A count of its own beside a fixed array is right.
type counted struct {
	slots [16]int
	n     int
}

func (c *counted) Len() int           { return c.n }
func (c *counted) Less(i, j int) bool { return c.slots[i] < c.slots[j] }
func (c *counted) Swap(i, j int)      { c.slots[i], c.slots[j] = c.slots[j], c.slots[i] }
func (c *counted) Push(x any) {
	c.slots[c.n] = x.(int)
	c.n++
}
func (c *counted) Pop() any {
	c.n--
	return c.slots[c.n]
}

// Slices of equal length may be measured by any of them.
type columns struct{ a, b []int }

func (c *columns) Len() int           { return len(c.b) }
func (c *columns) Less(i, j int) bool { return c.a[i] < c.a[j] }
func (c *columns) Swap(i, j int) {
	c.a[i], c.a[j] = c.a[j], c.a[i]
	c.b[i], c.b[j] = c.b[j], c.b[i]
}
func (c *columns) Push(x any) {
	c.a = append(c.a, x.(int))
	c.b = append(c.b, 0)
}
func (c *columns) Pop() any {
	n := len(c.a) - 1
	v := c.a[n]
	c.a, c.b = c.a[:n], c.b[:n]
	return v
}

func use(a *other, b *less, c *counted, d *columns) {
	heap.Init(a)
	heap.Init(b)
	heap.Init(c)
	heap.Init(d)
}
