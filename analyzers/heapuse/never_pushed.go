package heapuse

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/uses"
)

// neverPushed reports an index read from an element that a map gave, when elements
// get into that map that are not pushed and whose index is zero since they were
// made: zero is a position, and another element's.
func (c *checker) neverPushed(op *heaps.Op, t *heaps.Type) bool {
	k, ok := c.keeper(op.Index, t)
	if !ok || k.Field == nil {
		return false
	}
	elem := c.indexedElem(op.Index)
	look := lookupOf(elem)
	if look == nil || c.asksElement(op.Instr, elem) {
		return false
	}
	table := c.Place(look.X)
	if table == nil || table.Field == nil {
		return false
	}
	maker := c.unpushed(t, k, table.Field)
	if maker == nil {
		return false
	}
	c.report("index", op.Instr.Pos(), fmt.Sprintf("%s gets %s of an element that may never have been pushed: %s is then zero, which is the position of another element; make it -1 and test it", op.Name(), k, k),
		related(maker.Pos(), "the element gets into "+table.Field.Name()+" here, and is pushed on some ways only"))
	return true
}

// indexedElem is the element whose field an index is read from.
func (c *checker) indexedElem(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.UnOp:
			if a, ok := x.X.(*ssa.FieldAddr); ok {
				return a.X
			}
			return nil
		default:
			return nil
		}
	}
}

func lookupOf(v ssa.Value) *ssa.Lookup {
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	l, _ := v.(*ssa.Lookup)
	return l
}

// asksElement tells whether the operation depends on a condition that reads the
// element.
func (c *checker) asksElement(instr ssa.Instruction, elem ssa.Value) bool {
	for _, g := range uses.Guards(instr) {
		if mentions(g.If.Cond, elem, 0) {
			return true
		}
	}
	return false
}

// mentions tells whether a condition is computed from something read through elem,
// not counting whether elem itself is there.
func mentions(v, elem ssa.Value, depth int) bool {
	if depth > 6 {
		return true
	}
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return x.X == elem || mentions(x.X, elem, depth+1)
	case *ssa.Extract, *ssa.Const, *ssa.Parameter, *ssa.Lookup:
		return false
	case *ssa.Call:
		for _, a := range x.Call.Args {
			if a == elem || mentions(a, elem, depth+1) {
				return true
			}
		}
		return false
	case ssa.Instruction:
		for _, op := range x.Operands(nil) {
			if *op != nil && mentions(*op, elem, depth+1) {
				return true
			}
		}
	}
	return false
}

// unpushed returns where an element whose index is still zero gets into a map and
// the function can end without having pushed it.
func (c *checker) unpushed(t *heaps.Type, k contract.Keeper, table *types.Var) ssa.Instruction {
	for _, fn := range c.IR.Funcs {
		if c.skipped(fn.Pos()) {
			continue
		}
		var found ssa.Instruction
		uses.Instrs(fn, func(instr ssa.Instruction) {
			up, ok := instr.(*ssa.MapUpdate)
			if !ok || found != nil {
				return
			}
			made, ok := up.Value.(*ssa.Alloc)
			if p := c.Place(up.Map); !ok || p == nil || p.Field != table || initialises(made, k.Field) {
				return
			}
			if c.pushedSometimes(up, made, t) {
				found = up
			}
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// initialises tells whether a field of what was made is set in the function.
func initialises(made *ssa.Alloc, f *types.Var) bool {
	for _, r := range *made.Referrers() {
		if a, ok := r.(*ssa.FieldAddr); ok && uses.FieldOf(a.X.Type(), a.Field) == f {
			return true
		}
	}
	return false
}

// pushedSometimes tells whether some ways from up push the element, or pushed it
// before, and others end without.
func (c *checker) pushedSometimes(up ssa.Instruction, made *ssa.Alloc, t *heaps.Type) bool {
	elem := c.Place(made)
	pushes := func(instr ssa.Instruction) bool {
		for _, s := range c.At(instr) {
			if s.Op.Kind == heaps.Push && (s.Elem == elem || s.Elem == nil) {
				return true
			}
		}
		return false
	}
	some, before := false, false
	uses.Instrs(up.Parent(), func(instr ssa.Instruction) {
		if pushes(instr) {
			some = true
			before = before || uses.Dominates(instr, up)
		}
	})
	if !some || before {
		return false
	}
	return uses.Walk(up, func(instr ssa.Instruction) bool { return !pushes(instr) }) != nil
}
