package lifetime

import (
	"container/heap"
	"context"
	"errors"
)

func closedByLiteral(in []int, t *table) *keys {
	defer func() { t.Close() }()
	return &keys{list: in, less: func(a, b int) bool {
		return t.of(a) < t.of(b) // want `this comparator uses t, which is given up by Close`
	}}
}

func cancelled(parent context.Context, in []int) *keys {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	return &keys{list: in, less: func(a, b int) bool {
		return ctx.Err() == nil && a < b // want `this comparator uses ctx, which is given up by its cancel function`
	}}
}

type reader struct {
	t *table
	h *keys
}

func newReader(t *table) *reader {
	r := &reader{t: t}
	r.h = &keys{less: func(a, b int) bool {
		return r.t.of(a) < r.t.of(b) // want `this comparator uses t, which drain gives up by Close \(line \d+\) and then goes on to use the heap`
	}}
	return r
}

func (r *reader) drain() (out []int) {
	r.t.Close()
	for r.h.Len() > 0 {
		out = append(out, heap.Pop(r.h).(int))
	}
	return out
}

// The rest is right.

func (r *reader) replace(t *table) {
	r.t.Close()
	r.t = t
	heap.Init(r.h)
}

func (r *reader) finish() int {
	n := heap.Pop(r.h).(int)
	r.t.Close()
	return n
}

func closedOnFailure(in []int, t *table) (*keys, error) {
	h := &keys{list: in, less: func(a, b int) bool { return t.of(a) < t.of(b) }}
	if len(in) == 0 {
		t.Close()
		return nil, errors.New("nothing to read")
	}
	return h, nil
}

func putTable(t *table) {
	t.rank = t.rank[:0]
	pool.Put(t)
}

func putByHelper(in []int) *keys {
	t := pool.Get().(*table)
	defer putTable(t)
	return &keys{list: in, less: func(a, b int) bool {
		return t.rank[a] < t.rank[b] // want `this comparator uses t, which is given up by putTable`
	}}
}
