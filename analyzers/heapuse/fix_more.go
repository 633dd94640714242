package heapuse

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// otherFixed returns a Fix, after the write, of another element than the one that
// is written, which itself has not changed.
func (c *checker) otherFixed(w uses.Write) ssa.Instruction {
	if !isRootParameter(w.Elem) {
		return nil
	}
	var found ssa.Instruction
	uses.Walk(w.Instr, func(instr ssa.Instruction) bool {
		for _, s := range c.At(instr) {
			if s.Own && s.Op.Kind == heaps.Fix && s.Elem != nil && s.Elem != w.Elem && isRootParameter(s.Elem) && s.Type == w.Type && !c.writes(w.Instr.Parent(), s.Elem) {
				found = instr
			}
		}
		return true
	})
	return found
}

func isRootParameter(p *locks.Place) bool {
	_, ok := p.Root.(*ssa.Parameter)
	return ok && p.Parent == nil
}

// writes tells whether a function changes a key of the element.
func (c *checker) writes(fn *ssa.Function, elem *locks.Place) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		for _, w := range c.WritesAt(instr) {
			found = found || w.Elem == elem
		}
	})
	return found
}

// setter tells whether a function is there to change the key of an element in a
// heap: an exported method of the heap's owner that does nothing with heaps, while
// the package keeps positions and calls heap.Fix elsewhere.
func (c *checker) setter(w uses.Write) bool {
	fn := w.Instr.Parent()
	recv := fn.Signature.Recv()
	if recv == nil || !exported(fn) || len(c.Sites(fn)) > 0 || len(c.Callers(fn)) > 0 || w.Type.Index == nil || !isRootParameter(w.Elem) {
		return false
	}
	if !c.owns(recv.Type(), w.Type) {
		return false
	}
	for _, op := range c.Ops {
		if op.Kind == heaps.Fix && c.Type(op.Heap.Type()) == w.Type && !c.skipped(op.Instr.Pos()) {
			return true
		}
	}
	return false
}

// owns tells whether a struct has a heap of the type in a field.
func (c *checker) owns(owner types.Type, t *heaps.Type) bool {
	s, ok := uses.Behind(owner).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if c.Type(f.Type()) == t {
			return true
		}
	}
	return false
}

// copyChanged reports a change of a key in a copy of an element, made from a slot
// and not put back, with a Fix of the heap after it.
func (c *checker) copyChanged(st *ssa.Store) {
	local := localVariable(st.Addr)
	if local == nil || st.Addr == ssa.Value(local) {
		return
	}
	heap, t := c.copiedSlot(local)
	f := contract.StoredField(st)
	if heap == nil || !c.Keys(t).Has(f) || c.putBack(local) {
		return
	}
	var fixed ssa.Instruction
	uses.WalkOnce(st, func(instr ssa.Instruction) bool {
		for _, s := range c.At(instr) {
			if s.Heap == heap && s.Op.Kind == heaps.Fix {
				fixed = instr
			}
		}
		return fixed == nil
	})
	if fixed == nil {
		return
	}
	c.report("fix", st.Pos(), fmt.Sprintf("%s is changed in a copy of the element: the one in %s keeps its old %s, and heap.Fix finds nothing to do", f.Name(), heapName(heap, t), f.Name()),
		related(fixed.Pos(), "heap.Fix is called here"))
}

// copiedSlot returns the heap of which a variable holds a copy of an element.
func (c *checker) copiedSlot(local *ssa.Alloc) (*locks.Place, *heaps.Type) {
	for _, r := range *local.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(local) {
			continue
		}
		if load, ok := st.Val.(*ssa.UnOp); ok {
			if at, ok := load.X.(*ssa.IndexAddr); ok {
				return c.BackingOf(at.X)
			}
		}
		return nil, nil
	}
	return nil, nil
}

// putBack tells whether a variable's value, or its address, goes anywhere.
func (c *checker) putBack(local *ssa.Alloc) bool {
	for _, r := range *local.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if len(*r.Referrers()) > 0 {
				return true
			}
		case *ssa.Store, *ssa.FieldAddr, *ssa.DebugRef:
		default:
			return true
		}
	}
	return false
}

// tablesSet reports updates of a map of the heap which Less looks into.
func (c *checker) tablesSet(fn *ssa.Function) {
	uses.Instrs(fn, func(instr ssa.Instruction) {
		up, ok := instr.(*ssa.MapUpdate)
		if !ok {
			return
		}
		table := c.Place(up.Map)
		if table == nil || table.Field == nil || table.Parent == nil {
			return
		}
		t := c.TypeAt(table.Parent)
		if t == nil || !t.Known || !c.Keys(t).Has(table.Field) || c.made(table, up) || len(c.Sites(fn)) > 0 || !c.popped(t) || c.calledWithOps(fn) {
			return
		}
		c.report("fix", up.Pos(), fmt.Sprintf("%s is changed, by which the Less of %s orders the elements, and neither heap.Fix nor heap.Init follows", table.Field.Name(), t.Obj.Name()),
			related(t.Less.Pos(), "Less reads it"))
	})
}

// calledWithOps tells whether a caller of the function runs heap operations: it may
// put right what the function changes.
func (c *checker) calledWithOps(fn *ssa.Function) bool {
	for _, call := range c.Callers(outermost(fn)) {
		if len(c.Sites(call.Parent())) > 0 {
			return true
		}
	}
	return false
}

// severalKeys reports that the keys of two elements are changed before the first of
// them is fixed: Fix assumes that all other elements are in order.
func (c *checker) severalKeys(fn *ssa.Function) {
	type fixed struct {
		site  uses.Site
		instr ssa.Instruction
	}
	var fixes []fixed
	uses.Instrs(fn, func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			if s.Op.Kind == heaps.Init {
				return
			}
			if s.Op.Kind == heaps.Fix && s.Elem != nil && s.Elem.Definite() {
				fixes = append(fixes, fixed{s, instr})
			}
		}
	})
	for i, first := range fixes {
		for _, second := range fixes[i+1:] {
			if first.site.Elem == second.site.Elem || first.site.Heap != second.site.Heap || !uses.Dominates(first.instr, second.instr) {
				continue
			}
			w := c.writeBefore(fn, second.site.Elem, first.instr)
			if w == nil || c.writeBefore(fn, first.site.Elem, first.instr) == nil {
				continue
			}
			c.report("fix", w.Pos(), "the keys of two elements are changed before the first heap.Fix, which relies on all others being in order: fix each after its change, or call heap.Init",
				related(first.instr.Pos(), "the first heap.Fix"), related(second.instr.Pos(), "the second heap.Fix"))
			return
		}
	}
}

// writeBefore returns a change of the element's key that always comes before instr.
func (c *checker) writeBefore(fn *ssa.Function, elem *locks.Place, instr ssa.Instruction) ssa.Instruction {
	var found ssa.Instruction
	uses.Instrs(fn, func(in ssa.Instruction) {
		for _, w := range c.WritesAt(in) {
			if w.Elem == elem && uses.Dominates(in, instr) {
				found = in
			}
		}
	})
	return found
}
