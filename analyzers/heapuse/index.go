package heapuse

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
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

// setsPosition tells whether a function stores something other than a constant to a
// field.
func (c *checker) setsPosition(fn *ssa.Function, f *types.Var) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if st, ok := instr.(*ssa.Store); ok && contract.StoredField(st) == f {
			if _, isConst := st.Val.(*ssa.Const); !isConst {
				found = true
			}
		}
	})
	return found
}
