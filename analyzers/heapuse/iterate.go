package heapuse

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// iterate reports operations that move elements while a loop walks over the heap's
// slice, and goes on after them.
func (c *checker) iterate(fn *ssa.Function) {
	for _, l := range uses.Loops(fn) {
		for _, w := range c.walks(l) {
			c.moved(l, w)
		}
	}
}

// A walked is a heap whose slots a loop visits in turn.
type walked struct {
	heap *locks.Place
	typ  *heaps.Type
	at   *ssa.IndexAddr
}

// walks finds the heaps whose slice a loop goes over from the front, one slot a
// round.
func (c *checker) walks(l *uses.Loop) []walked {
	var list []walked
	for _, b := range l.Header.Parent().Blocks {
		if !l.Blocks[b] {
			continue
		}
		for _, instr := range b.Instrs {
			at, ok := instr.(*ssa.IndexAddr)
			if !ok || !ascends(at.Index, l) {
				continue
			}
			heap, t := c.BackingOf(at.X)
			if heap == nil || seen(list, heap) {
				continue
			}
			list = append(list, walked{heap, t, at})
		}
	}
	return list
}

func seen(list []walked, heap *locks.Place) bool {
	for _, w := range list {
		if w.heap == heap {
			return true
		}
	}
	return false
}

// ascends tells whether a value counts the rounds of the loop: it starts somewhere
// and grows every round. It may stay as it is in some, as where the element at hand
// was removed and another has taken its place.
func ascends(v ssa.Value, l *uses.Loop) bool {
	if b, ok := v.(*ssa.BinOp); ok && b.Op == token.ADD { // of a range loop
		v = b.X
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() != l.Header {
		return false
	}
	grows := false
	for i, e := range phi.Edges {
		if !l.Blocks[phi.Block().Preds[i]] {
			continue
		}
		low, high, ok := steps(e, phi, 0)
		if !ok || low < 0 {
			return false
		}
		grows = grows || high > 0
	}
	return grows
}

// steps returns the least and the most by which v differs from the counter of a
// loop.
func steps(v ssa.Value, counter *ssa.Phi, depth int) (low, high int64, ok bool) {
	if v == ssa.Value(counter) {
		return 0, 0, true
	}
	if depth > 6 {
		return 0, 0, false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		c, isConst := v.Y.(*ssa.Const)
		if !isConst || c.Value == nil || v.Op != token.ADD && v.Op != token.SUB {
			return 0, 0, false
		}
		by := c.Int64()
		if v.Op == token.SUB {
			by = -by
		}
		low, high, ok = steps(v.X, counter, depth+1)
		return low + by, high + by, ok
	case *ssa.Phi:
		for i, e := range v.Edges {
			l, h, ok := steps(e, counter, depth+1)
			if !ok {
				return 0, 0, false
			}
			if i == 0 {
				low, high = l, h
			}
			low, high = min(low, l), max(high, h)
		}
		return low, high, true
	}
	return 0, 0, false
}

// moved reports the operations in the loop that move the heap's elements and are
// followed by another round.
func (c *checker) moved(l *uses.Loop, w walked) {
	for _, b := range l.Header.Parent().Blocks {
		if !l.Blocks[b] {
			continue
		}
		for _, instr := range b.Instrs {
			for _, s := range c.At(instr) {
				if s.Heap != w.heap || !s.Op.Kind.Mutates() || s.Op.Kind == heaps.Init || !l.Again(instr) {
					continue
				}
				c.report("iterate", instr.Pos(), fmt.Sprintf("%s moves elements of %s while the loop walks over its slice: the walk skips some and sees others twice", s.Op.Name(), heapName(w.heap, w.typ)),
					related(w.at.Pos(), "the loop reads the slice here"))
				return
			}
		}
	}
}
