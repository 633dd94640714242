package heapuse

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// fix reports changes of what a heap is ordered by that nothing repairs.
func (c *checker) fix(fn *ssa.Function) {
	if c.MethodOf(outermost(fn)) != nil {
		return
	}
	uses.Instrs(fn, func(instr ssa.Instruction) {
		for _, w := range c.WritesAt(instr) {
			c.changed(w)
		}
		if st, ok := instr.(*ssa.Store); ok {
			c.ownKeySet(st)
			c.sharedKeySet(st)
			c.copyChanged(st)
		}
	})
	c.unassigned(fn)
	c.tablesSet(fn)
	c.severalKeys(fn)
}

// ownKeySet reports that a field of the heap itself is set which Less reads.
func (c *checker) ownKeySet(st *ssa.Store) {
	if _, isFunc := st.Val.Type().Underlying().(*types.Signature); isFunc {
		return // a comparator: see initialize
	}
	heap, t := c.ownKey(st)
	if heap == nil || c.initialized(st, heap, t) || c.lazySet(st) || !c.popped(t) {
		return
	}
	f := contract.StoredField(st)
	c.report("fix", st.Pos(), fmt.Sprintf("%s is changed, by which the Less of %s orders all its elements, and no heap.Init puts them in the new order", f.Name(), t.Obj.Name()),
		related(t.Less.Pos(), "Less reads it"))
}

// changed judges one write to a key of an element.
func (c *checker) changed(w uses.Write) {
	m := c.membership(w)
	if m == out {
		return
	}
	r := c.repair(w)
	if r.always {
		return
	}
	switch {
	case m == in:
	case r.fixedBefore != nil:
	case m == maybe && r.sometimes != nil && r.exit != nil:
	case m == maybe && c.otherFixed(w) != nil:
		r.other = c.otherFixed(w)
	case m == maybe && c.setter(w):
	default:
		return
	}
	if c.callersRepair(w) {
		return
	}
	d := analysis.Diagnostic{Pos: w.Instr.Pos(), Category: "fix"}
	d.Message = fmt.Sprintf("%s of an element in %s is changed, by which the heap is ordered, and no heap.Fix follows", w.Field.Name(), heapName(c.heapOf(w), w.Type))
	switch {
	case r.fixedBefore != nil:
		d.Message = fmt.Sprintf("%s is changed after heap.Fix: call heap.Fix after the change", w.Field.Name())
		d.Related = append(d.Related, related(r.fixedBefore.Pos(), "heap.Fix is called here"))
	case r.other != nil:
		d.Message = fmt.Sprintf("%s is changed, but heap.Fix is called for another element, which is not", w.Field.Name())
		d.Related = append(d.Related, related(r.other.Pos(), "heap.Fix is called here"))
	case r.sometimes != nil:
		d.Message = fmt.Sprintf("%s is changed, by which %s is ordered, and on one way no heap.Fix follows", w.Field.Name(), heapName(c.heapOf(w), w.Type))
		d.Related = append(d.Related, related(r.sometimes.Pos(), "the heap is put right here"))
		if pos := contract.Position(r.exit); pos.IsValid() {
			d.Related = append(d.Related, related(pos, "but not on the way here"))
		}
	}
	if w.Type.Less != nil {
		d.Related = append(d.Related, related(w.Type.Less.Pos(), "Less depends on it"))
	}
	c.emit(d)
}

// A presence says whether an element is in its heap.
type presence int

const (
	out presence = iota
	maybe
	in
)

// heapOf is the heap that an element is evidently in, nil if that is not known.
func (c *checker) heapOf(w uses.Write) *locks.Place {
	if w.Elem.Parent != nil {
		if heap, _ := c.Backing(w.Elem.Parent); heap != nil && w.Elem.Field == nil {
			return heap
		}
	}
	return nil
}

// membership tells whether an element is in a heap when it is written.
func (c *checker) membership(w uses.Write) presence {
	if heap := c.heapOf(w); heap != nil {
		if c.alone(heap, w.Instr) {
			return out
		}
		if kept(heap) || c.operatedBefore(heap, w.Instr) {
			return in
		}
		return out // it is still being filled
	}
	if push := c.pushedBefore(w); push != nil {
		return in
	}
	switch root := w.Elem.Root.(type) {
	case *ssa.Alloc:
		if w.Elem.Parent == nil {
			return out // just made, or a copy
		}
	case *ssa.Call:
		if op := c.Op(root); op != nil && w.Elem.Parent == nil {
			return out // popped
		}
		if w.Elem.Parent == nil {
			return c.fromCall(root)
		}
	case *ssa.Parameter:
		if w.Elem.Parent == nil && root.Parent().Signature.Recv() != nil && root == root.Parent().Params[0] {
			return out // the element's own method: its callers are asked
		}
	}
	if c.registered(w) || c.mirrored(w) {
		return in
	}
	return maybe
}

// mirrored tells whether an element comes from a map field that has just the
// elements of the heap.
func (c *checker) mirrored(w uses.Write) bool {
	table := w.Elem.Parent
	return table != nil && w.Elem.Field == nil && table.Field != nil && c.mirrors(table.Field, w.Type) && !c.takenInFunction(w)
}

// takenInFunction tells whether the function takes elements out of a heap.
func (c *checker) takenInFunction(w uses.Write) bool {
	for _, sites := range c.Sites(w.Instr.Parent()) {
		for _, s := range sites {
			if s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove {
				return true
			}
		}
	}
	return false
}

// alone tells whether an instruction runs only while the heap has at most one
// element, which is in order whatever its key is.
func (c *checker) alone(heap *locks.Place, instr ssa.Instruction) bool {
	for _, g := range uses.Guards(instr) {
		if n, ok := c.atLeast(uses.Guard{If: g.If, Holds: !g.Holds}, heap); ok && (n == 1 || n == 2) {
			return true
		}
		if cmp, ok := g.If.Cond.(*ssa.BinOp); ok && g.Holds && cmp.Op == token.EQL && isInt(cmp.Y, 1) && c.isLength(cmp.X, heap) {
			return true
		}
	}
	return false
}

// operatedBefore tells whether an operation ran on the heap before an instruction,
// and another may run after it.
func (c *checker) operatedBefore(heap *locks.Place, instr ssa.Instruction) bool {
	before, after := false, false
	uses.Instrs(instr.Parent(), func(in ssa.Instruction) {
		for _, s := range c.At(in) {
			if s.Heap == heap {
				before = before || uses.Reaches(in, instr)
				after = after || uses.Reaches(instr, in)
			}
		}
	})
	return before && after
}

// fromCall tells whether what a call returns may be in a heap: not if it was made
// or taken out there.
func (c *checker) fromCall(call *ssa.Call) presence {
	for _, callee := range c.Locks.Callees(call.Common()) {
		for _, sites := range c.Sites(callee.Fn) {
			for _, s := range sites {
				if s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove {
					return out
				}
			}
		}
	}
	return maybe
}

// pushedBefore returns a push of the element that must have run, with no operation
// after it that may have taken it out again.
func (c *checker) pushedBefore(w uses.Write) ssa.Instruction {
	var push ssa.Instruction
	uses.Instrs(w.Instr.Parent(), func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			if s.Op.Kind == heaps.Push && s.Elem == w.Elem && s.Type == w.Type && uses.Dominates(instr, w.Instr) {
				push = instr
			}
		}
	})
	if push == nil || c.takenBetween(push, w) {
		return nil
	}
	return push
}

// takenBetween tells whether an element may be taken out of its heap between two
// instructions.
func (c *checker) takenBetween(push ssa.Instruction, w uses.Write) bool {
	taken := false
	uses.Instrs(w.Instr.Parent(), func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			out := s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove
			taken = taken || out && uses.Reaches(push, instr) && reachesWithout(instr, w.Instr, push)
		}
	})
	return taken
}

// registered tells whether an element comes from a local map whose elements the
// function has all pushed, and takes out of the heap only to push them again.
func (c *checker) registered(w uses.Write) bool {
	table := w.Elem.Parent
	if table == nil || w.Elem.Field != nil || table.Parent != nil {
		return false
	}
	if _, ok := table.Root.(*ssa.MakeMap); !ok {
		return false
	}
	fn := w.Instr.Parent()
	pushed, kept := false, true
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if up, ok := instr.(*ssa.MapUpdate); ok && c.Place(up.Map) == table {
			p := c.pushes(fn, c.Place(up.Value))
			pushed, kept = pushed || p, kept && p
		}
		for _, s := range c.At(instr) {
			if s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove {
				kept = kept && s.Own && c.pushes(fn, resultOf(c, s.Instr))
			}
		}
	})
	return pushed && kept
}

// pushes tells whether a function pushes the element.
func (c *checker) pushes(fn *ssa.Function, elem *locks.Place) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			found = found || elem != nil && s.Op.Kind == heaps.Push && s.Elem == elem
		}
	})
	return found
}

func resultOf(c *checker, instr ssa.Instruction) *locks.Place {
	v, ok := instr.(ssa.Value)
	if !ok {
		return nil
	}
	return c.Place(v)
}
