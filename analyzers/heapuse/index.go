package heapuse

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// index reports operations by position where the position is not the element's.
func (c *checker) index(fn *ssa.Function) {
	if c.MethodOf(outermost(fn)) != nil {
		return
	}
	uses.Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			return
		}
		op := c.Op(call)
		if op == nil || op.Model != nil || op.Index == nil {
			return
		}
		t := c.Type(op.Heap.Type())
		if t == nil {
			t = c.TypeAt(c.Place(op.Heap))
		}
		if t == nil {
			return
		}
		switch {
		case c.fixThenPop(op):
		case c.takenOut(op):
		case c.notFound(op):
		case c.collectedBefore(op):
		case c.shifted(op, t):
		case c.stale(op):
		case c.uncleaned(op, t):
		case c.unmaintained(op, t):
		case c.neverPushed(op, t):
		}
	})
}

// keeper returns the field or map that an index was read from, if the heap type
// keeps its elements' positions there.
func (c *checker) keeper(index ssa.Value, t *heaps.Type) (contract.Keeper, bool) {
	field, table := contract.IndexSource(index)
	for _, k := range c.Methods(t).Keepers() {
		if k.Field != nil && k.Field == field || k.Field == nil && table != nil && contract.MapField(t.Swap, k.Map) == table {
			return k, true
		}
	}
	return contract.Keeper{}, false
}

// fixThenPop reports that an element is moved by Fix and then whatever is first is
// popped in the belief that it is this element.
func (c *checker) fixThenPop(op *heaps.Op) bool {
	if op.Kind != heaps.Fix || isInt(op.Index, 0) || c.extreme(op) {
		return false
	}
	heap := c.Place(op.Heap)
	after := false
	for _, instr := range op.Instr.Block().Instrs {
		if instr == ssa.Instruction(op.Instr) {
			after = true
			continue
		}
		if !after {
			continue
		}
		for _, s := range c.At(instr) {
			if s.Heap != heap || !s.Own || s.Op.Kind != heaps.Pop {
				return false
			}
			call, ok := instr.(*ssa.Call)
			if !ok || len(*call.Referrers()) > 0 {
				return false
			}
			c.report("index", instr.Pos(), fmt.Sprintf("heap.Pop takes whatever is first in %s, which need not be the element that heap.Fix has just moved: remove that one by heap.Remove", heapName(heap, s.Type)),
				related(op.Instr.Pos(), "the element is moved here"))
			return true
		}
	}
	return false
}

// extreme tells whether the element got a key just before that comes before all
// others: the least or greatest number of its type, or a negative one.
func (c *checker) extreme(op *heaps.Op) bool {
	for _, instr := range op.Instr.Block().Instrs {
		if instr == ssa.Instruction(op.Instr) {
			return false
		}
		st, ok := instr.(*ssa.Store)
		if !ok {
			continue
		}
		switch v := st.Val.(type) {
		case *ssa.Const:
			if n, ok := intConst(v); ok && (n < 0 || n >= 1<<15-1) {
				return true
			}
			if b, ok := v.Type().Underlying().(*types.Basic); ok && v.Value != nil && b.Info()&(types.IsFloat|types.IsBoolean) != 0 {
				return true
			}
		case *ssa.Call:
			if pkg, name := library(v); pkg == "math" && name == "Inf" {
				return true
			}
		}
	}
	return false
}

// shifted reports an index that is a kept position plus or minus something.
func (c *checker) shifted(op *heaps.Op, t *heaps.Type) bool {
	b, ok := op.Index.(*ssa.BinOp)
	if !ok || b.Op != token.ADD && b.Op != token.SUB {
		return false
	}
	k, ok := c.keeper(b.X, t)
	if n, isConst := intConst(b.Y); !ok || !isConst || n == 0 {
		return false
	}
	c.report("index", op.Instr.Pos(), fmt.Sprintf("%s gets the position in %s %s %s: Swap keeps the position itself there, so this is a neighbour's slot", op.Name(), k, b.Op, b.Y.(*ssa.Const).Value))
	return true
}

// stale reports an index that was read before an operation that moves elements.
func (c *checker) stale(op *heaps.Op) bool {
	heap := c.Place(op.Heap)
	read := indexRead(op.Index)
	if heap == nil || read == nil || read.Parent() != op.Instr.Parent() {
		return false
	}
	var mover ssa.Instruction
	var name string
	uses.Walk(read, func(instr ssa.Instruction) bool {
		if instr == ssa.Instruction(op.Instr) || instr == read || mover != nil {
			return false
		}
		for _, s := range c.At(instr) {
			if s.Heap == heap && s.Op.Kind.Mutates() && reachesWithout(instr, op.Instr, read) {
				mover, name = instr, s.Op.Name()
			}
		}
		return true
	})
	if mover == nil {
		return false
	}
	c.report("index", op.Instr.Pos(), fmt.Sprintf("%s gets a position that was read before %s moved elements of %s: read it again", op.Name(), name, heapName(heap, nil)),
		related(contract.Position(read), "the position is read here"), related(mover.Pos(), "elements are moved here"))
	return true
}

// indexRead is the instruction that reads a position from a field or map.
func indexRead(v ssa.Value) ssa.Instruction {
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Lookup:
			return x
		case *ssa.Call:
			if callee := contract.CalleeOf(x); callee != nil && len(callee.Blocks) > 0 && len(x.Call.Args) > 1 {
				return x // a function that looks for the element
			}
			return nil
		case *ssa.UnOp:
			if _, ok := x.X.(*ssa.FieldAddr); ok {
				return x
			}
			return nil
		default:
			return nil
		}
	}
}

// reachesWithout tells whether b can run after a without avoid in between.
func reachesWithout(a, b, avoid ssa.Instruction) bool {
	found := false
	uses.Walk(a, func(instr ssa.Instruction) bool {
		if instr == b {
			found = true
		}
		return !found && instr != avoid
	})
	return found
}

// uncleaned reports an index from a position map whose entries outlive their
// elements.
func (c *checker) uncleaned(op *heaps.Op, t *heaps.Type) bool {
	k, ok := c.keeper(op.Index, t)
	m := c.Methods(t)
	if !ok || k.Field != nil || contract.Opaque(m.Pop) || m.Invalidates(k) {
		return false
	}
	table := contract.MapField(t.Swap, k.Map)
	leaver := c.leavesEntry(t, table)
	if leaver == nil {
		return false
	}
	c.report("index", op.Instr.Pos(), fmt.Sprintf("%s gets a position from %s, but entries of popped elements stay there: Pop must delete them, or the slot is somebody else's by now", op.Name(), k),
		related(t.Pop.Pos(), "Pop does not delete the entry"), related(leaver.Instr.Pos(), "the caller does not delete it either"))
	return true
}

// leavesEntry returns a pop after which the element's entry stays in the table.
func (c *checker) leavesEntry(t *heaps.Type, table *types.Var) *heaps.Op {
	for _, op := range c.Ops {
		if op.Kind != heaps.Pop || c.Type(op.Heap.Type()) != t || c.skipped(op.Instr.Pos()) {
			continue
		}
		deleted := false
		uses.Walk(op.Instr, func(instr ssa.Instruction) bool {
			if call, ok := instr.(*ssa.Call); ok {
				if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
					p := c.Place(call.Call.Args[0])
					deleted = deleted || p != nil && p.Field == table
				}
				for _, callee := range c.Locks.Callees(call.Common()) {
					deleted = deleted || c.deletes(callee.Fn, table)
				}
			}
			return !deleted
		})
		if !deleted {
			return op
		}
	}
	return nil
}

// deletes tells whether a function deletes from a map field.
func (c *checker) deletes(fn *ssa.Function, table *types.Var) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if call, ok := instr.(*ssa.Call); ok {
			if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
				p := c.Place(call.Call.Args[0])
				found = found || p != nil && p.Field == table
			}
		}
	})
	return found
}

// unmaintained reports an index from a field of the element that neither Swap nor
// anybody else sets to a position.
func (c *checker) unmaintained(op *heaps.Op, t *heaps.Type) bool {
	field, _ := contract.IndexSource(op.Index)
	m := c.Methods(t)
	if field == nil || !c.fieldOfElem(field, t) || contract.Opaque(m.Swap) || contract.Opaque(m.Push) || len(m.Exchanges()) == 0 || m.Calls() {
		return false
	}
	for _, k := range m.Keepers() {
		if k.Field == field {
			return false
		}
	}
	for _, fn := range c.IR.Funcs {
		if c.setsPosition(fn, field) {
			return false
		}
	}
	c.report("index", op.Instr.Pos(), fmt.Sprintf("%s gets its index from %s, but neither Swap nor Push of %s keeps the element's position there", op.Name(), field.Name(), t.Obj.Name()),
		related(t.Swap.Pos(), "Swap moves the elements"))
	return true
}

// fieldOfElem tells whether a field belongs to the heap's elements themselves.
func (c *checker) fieldOfElem(f *types.Var, t *heaps.Type) bool {
	if t.Elem == nil {
		return false
	}
	e := t.Elem
	if p, ok := e.Underlying().(*types.Pointer); ok {
		e = p.Elem()
	}
	if n, ok := types.Unalias(e).(*types.Named); ok {
		e = n.Origin()
	}
	s, ok := e.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for g := range s.Fields() {
		if g.Origin() == f {
			return true
		}
	}
	return false
}

// setsPosition tells whether a function stores to a field what may be a position: a
// length, a loop's counter, a parameter.
func (c *checker) setsPosition(fn *ssa.Function, f *types.Var) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if st, ok := instr.(*ssa.Store); ok && contract.StoredField(st) == f {
			found = found || isPosition(st.Val)
		}
	})
	return found
}

func isPosition(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Convert:
		return isPosition(x.X)
	case *ssa.BinOp:
		return isPosition(x.X)
	case *ssa.Phi, *ssa.Parameter, *ssa.Extract, *ssa.Call, *ssa.FreeVar:
		return true
	}
	return false
}

// takenOut reports a position of an element that was taken out of the heap before.
func (c *checker) takenOut(op *heaps.Op) bool {
	as, ok := c.indexedElem(op.Index).(*ssa.TypeAssert)
	if !ok {
		return false
	}
	call, ok := as.X.(*ssa.Call)
	if !ok {
		return false
	}
	taken := c.Op(call)
	heap := c.Place(op.Heap)
	if taken == nil || taken.Kind != heaps.Pop && taken.Kind != heaps.Remove || c.Place(taken.Heap) != heap || c.pushes(op.Instr.Parent(), c.Place(as)) {
		return false
	}
	c.report("index", op.Instr.Pos(), fmt.Sprintf("%s gets the position of an element that %s has taken out of %s: push it again", op.Name(), taken.Name(), heapName(heap, nil)),
		related(call.Pos(), "the element is taken out here"))
	return true
}

// notFound reports an index that a search gives, and that is -1 if nothing was
// found, without a test.
func (c *checker) notFound(op *heaps.Op) bool {
	call, ok := op.Index.(*ssa.Call)
	if !ok || len(*call.Referrers()) != 1 {
		return false
	}
	callee := contract.CalleeOf(call)
	if callee == nil || len(callee.Blocks) == 0 || !returnsMinusOne(callee) {
		return false
	}
	effect := "panics then"
	if op.Kind == heaps.Fix {
		effect = "does nothing then"
	}
	c.report("index", op.Instr.Pos(), fmt.Sprintf("%s gets what %s returns, which is -1 if there is no such element: it %s; test it first", op.Name(), callee.Name(), effect))
	return true
}

func returnsMinusOne(fn *ssa.Function) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if ret, ok := instr.(*ssa.Return); ok && len(ret.Results) == 1 {
			found = found || isInt(ret.Results[0], -1)
		}
	})
	return found
}

// collectedBefore reports removals in a loop over positions that were collected
// before the first of them.
func (c *checker) collectedBefore(op *heaps.Op) bool {
	load, ok := op.Index.(*ssa.UnOp)
	if !ok || op.Kind != heaps.Remove {
		return false
	}
	at, ok := load.X.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	heap := c.Place(op.Heap)
	for _, l := range uses.Loops(op.Instr.Parent()) {
		if ascends(at.Index, l) && l.Again(op.Instr) && c.collectsSlots(op.Instr.Parent(), heap) {
			c.report("index", op.Instr.Pos(), fmt.Sprintf("heap.Remove in a loop over positions in %s that were collected before: each removal moves elements, so the later positions are no longer right", heapName(heap, nil)))
			return true
		}
	}
	return false
}

// collectsSlots tells whether a function appends the counter of a loop over the
// heap's slots to something.
func (c *checker) collectsSlots(fn *ssa.Function, heap *locks.Place) bool {
	for _, l := range uses.Loops(fn) {
		for _, w := range c.walks(l) {
			if w.heap != heap {
				continue
			}
			for _, r := range *w.at.Index.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Val == w.at.Index {
					return true
				}
			}
		}
	}
	return false
}
