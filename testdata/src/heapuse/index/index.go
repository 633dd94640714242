package index

import (
	"container/heap"
	"math"
)

type item struct {
	key  string
	due  int
	pos  int
	slot int
}

type items []*item

func (h items) Len() int           { return len(h) }
func (h items) Less(i, j int) bool { return h[i].due < h[j].due }
func (h items) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}
func (h *items) Push(x any) {
	it := x.(*item)
	it.pos = len(*h)
	*h = append(*h, it)
}
func (h *items) Pop() any {
	old := *h
	it := old[len(old)-1]
	old[len(old)-1] = nil
	it.pos = -1
	*h = old[:len(old)-1]
	return it
}

type cache struct {
	byKey map[string]*item
	due   items
}

func (c *cache) fixThenPop(it *item) {
	it.due = 0
	heap.Fix(&c.due, it.pos)
	heap.Pop(&c.due) // want `heap.Pop takes whatever is first in c.due, which need not be the element that heap.Fix has just moved`
}

func (c *cache) fixThenPopExtreme(it *item) {
	it.due = math.MinInt
	heap.Fix(&c.due, it.pos)
	heap.Pop(&c.due)
}

func (c *cache) fixThenEvict(it *item, due, limit int) {
	it.due = due
	heap.Fix(&c.due, it.pos)
	if c.due.Len() > limit {
		heap.Pop(&c.due)
	}
}

func (c *cache) shifted(it *item) {
	heap.Remove(&c.due, it.pos-1) // want `heap.Remove gets the position in pos - 1`
}

func (c *cache) stale(a, b *item) {
	i, j := a.pos, b.pos
	heap.Remove(&c.due, i)
	heap.Remove(&c.due, j) // want `heap.Remove gets a position that was read before heap.Remove moved elements of c.due`
}

func (c *cache) readAgain(a, b *item) {
	heap.Remove(&c.due, a.pos)
	heap.Remove(&c.due, b.pos)
}

func (c *cache) unmaintained(it *item) {
	heap.Fix(&c.due, it.slot) // want `heap.Fix gets its index from slot, but neither Swap nor Push of items keeps the element's position there`
}

func (c *cache) set(key string, due int) {
	it := &item{key: key}
	c.byKey[key] = it
	if due > 0 {
		it.due = due
		heap.Push(&c.due, it)
	}
}

func (c *cache) remove(key string) {
	it, ok := c.byKey[key]
	if !ok {
		return
	}
	delete(c.byKey, key)
	heap.Remove(&c.due, it.pos) // want `heap.Remove gets pos of an element that may never have been pushed`
}

func (c *cache) removeAsked(key string) {
	if it, ok := c.byKey[key]; ok && it.due > 0 {
		heap.Remove(&c.due, it.pos)
	}
}

func (c *cache) popped() {
	it := heap.Pop(&c.due).(*item)
	it.due++
	heap.Fix(&c.due, it.pos) // want `heap.Fix gets the position of an element that heap.Pop has taken out of c.due`
}

func (c *cache) find(key string) int {
	for i, it := range c.due {
		if it.key == key {
			return i
		}
	}
	return -1
}

func (c *cache) notFound(key string) {
	heap.Remove(&c.due, c.find(key)) // want `heap.Remove gets what find returns, which is -1 if there is no such element`
}

func (c *cache) found(key string) {
	if i := c.find(key); i >= 0 {
		heap.Remove(&c.due, i)
	}
}

func (c *cache) collected(key string) {
	var at []int
	for i, it := range c.due {
		if it.key == key {
			at = append(at, i)
		}
	}
	for _, i := range at {
		heap.Remove(&c.due, i) // want `heap.Remove in a loop over positions in c.due that were collected before`
	}
}

// Positions in a map that Pop leaves alone.

type table struct {
	rows []string
	at   map[string]int
}

func (t *table) Len() int           { return len(t.rows) }
func (t *table) Less(i, j int) bool { return t.rows[i] < t.rows[j] }
func (t *table) Swap(i, j int) {
	t.rows[i], t.rows[j] = t.rows[j], t.rows[i]
	t.at[t.rows[i]] = i
	t.at[t.rows[j]] = j
}
func (t *table) Push(x any) {
	s := x.(string)
	t.at[s] = len(t.rows)
	t.rows = append(t.rows, s)
}
func (t *table) Pop() any {
	s := t.rows[len(t.rows)-1]
	t.rows = t.rows[:len(t.rows)-1]
	return s
}

func (t *table) next() string { return heap.Pop(t).(string) }

func forget(t *table, s string) {
	if i, ok := t.at[s]; ok {
		heap.Remove(t, i) // want `heap.Remove gets a position from at, but entries of popped elements stay there`
		delete(t.at, s)
	}
}

// All callers delete.

type tidy struct{ table }

func (t *tidy) Swap(i, j int) {
	t.rows[i], t.rows[j] = t.rows[j], t.rows[i]
	t.at[t.rows[i]] = i
	t.at[t.rows[j]] = j
}

func (t *tidy) take() string {
	s := heap.Pop(t).(string)
	delete(t.at, s)
	return s
}

func (t *tidy) drop(s string) {
	if i, ok := t.at[s]; ok {
		heap.Remove(t, i)
		delete(t.at, s)
	}
}
