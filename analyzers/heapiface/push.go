package heapiface

import (
	"fmt"
	"maps"
	"slices"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
)

// push judges where Push puts the new element.
func (m *impl) push() {
	fn := m.typ.Push
	if !m.own(fn) || m.LostPush || contract.Opaque(m.Push) {
		return
	}
	adds, drops := false, false
	for _, out := range m.Push {
		added := false
		for _, path := range slices.Sorted(maps.Keys(out.Slices)) {
			if m.misplaced(out, path) {
				return
			}
			added = added || !out.Slices[path].Same()
		}
		adds = adds || added
		drops = drops || !added && !out.Mistyped
	}
	switch {
	case drops && adds:
		m.report("push", fn.Pos(), fmt.Sprintf("%s.Push drops the element on one way through, which the caller of heap.Push cannot know: decide before the call", name(fn)))
	case drops && m.runs(heaps.Push):
		m.report("push", fn.Pos(), fmt.Sprintf("%s.Push does not add the element to the heap", name(fn)))
	}
}

// misplaced reports a way through Push that puts the element elsewhere than at the
// end of the slice at path.
func (m *impl) misplaced(out contract.Outcome, path string) bool {
	seq := out.Slices[path]
	n := len(seq.Segs)
	if n == 0 || !slices.ContainsFunc(seq.Segs, func(g contract.Seg) bool { return g.Single }) {
		return false
	}
	first, last := seq.Segs[0], seq.Segs[n-1]
	if !first.Single && first.From == contract.Zero && first.To == contract.Len && last.Single {
		return false
	}
	where := "puts the new element in the middle"
	switch {
	case n == 1:
		where = "replaces the content of the heap by the new element"
	case first.Single:
		where = "puts the new element in front"
	}
	fn := m.typ.Push
	m.report("push", stored(fn, out, path), fmt.Sprintf("%s.Push %s, but heap.Push sifts up the last element: append to what is there", name(fn), where))
	return true
}
