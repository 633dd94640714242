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

// duplicates reports elements that are pushed while they are in the heap already.
func (c *checker) duplicates(fn *ssa.Function) {
	uses.Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(*ssa.Call)
		if !ok {
			return
		}
		if op := c.Op(call); op != nil && op.Kind == heaps.Push && op.Model == nil {
			_ = c.repushed(op) || c.twice(op) || c.registeredAgain(op) || c.overwritten(op)
		}
	})
}

// repushed reports a push of an element that was only read from the heap, not taken
// out of it.
func (c *checker) repushed(op *heaps.Op) bool {
	load, ok := op.Elem.(ssa.Instruction)
	elem := c.Place(op.Elem)
	if !ok || elem == nil || elem.Parent == nil || elem.Field != nil {
		return false
	}
	heap := c.Place(op.Heap)
	slot, t := c.Backing(elem.Parent)
	if slot == nil || slot != heap {
		return false
	}
	taken := false
	uses.Instrs(load.Parent(), func(instr ssa.Instruction) {
		if instr == ssa.Instruction(op.Instr) {
			return
		}
		for _, s := range c.At(instr) {
			out := s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove
			between := uses.Reaches(load, instr) && reachesOnce(instr, op.Instr)
			taken = taken || out && (between || uses.Dominates(op.Instr, instr))
		}
		if st, ok := instr.(*ssa.Store); ok { // taken out by hand
			of, _ := c.Backing(c.Place(st.Addr))
			taken = taken || of == heap
		}
	})
	if taken || c.handTaken(load.Parent(), heap) {
		return false
	}
	c.report("dup", op.Instr.Pos(), fmt.Sprintf("heap.Push adds an element that is in %s already: it was only read there, so the heap now has it twice; take it out first, or change it in place and call heap.Fix", heapName(heap, t)),
		related(contract.Position(load), "the element is read here"))
	return true
}

// reachesOnce is Reaches without another round of a loop.
func reachesOnce(a, b ssa.Instruction) bool {
	found := false
	uses.WalkOnce(a, func(instr ssa.Instruction) bool {
		found = found || instr == b
		return !found
	})
	return found
}

// handTaken tells whether a function calls the heap's own Pop.
func (c *checker) handTaken(fn *ssa.Function, heap *locks.Place) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if call, ok := instr.(*ssa.Call); ok {
			if m := c.heapMethod(call); m != nil && m.pop {
				found = true
			}
		}
	})
	return found
}

// overwritten reports a push whose element's key is registered in a map in passing,
// over whatever stands there, where the other end takes the entry for the element's
// own.
func (c *checker) overwritten(op *heaps.Op) (found bool) {
	fn := op.Instr.Parent()
	heap := c.Place(op.Heap)
	if heap == nil || heap.Field == nil {
		return false
	}
	uses.Instrs(fn, func(instr ssa.Instruction) {
		up, ok := instr.(*ssa.MapUpdate)
		if !ok || found || !isParameter(up.Key) || op.Elem != up.Key {
			return
		}
		if _, mark := up.Value.(*ssa.Const); mark { // nothing is lost
			return
		}
		table := c.Place(up.Map)
		if table == nil || table.Field == nil || !uses.Dominates(up, op.Instr) && !uses.Dominates(op.Instr, up) || c.consults(fn, table) {
			return
		}
		user := c.trusts(table, heap)
		if user == nil {
			return
		}
		found = true
		c.report("dup", op.Instr.Pos(), fmt.Sprintf("heap.Push adds %s again if it is in %s already, while the entry in %s is overwritten: the heap then has the key twice and the map once", up.Key.Name(), heapName(heap, nil), table.Field.Name()),
			related(up.Pos(), "the entry is overwritten here"), related(user.Pos(), "the entry is taken for that of the popped key here"))
	})
	return found
}

// twice reports a second push of an element that a first one has just pushed.
func (c *checker) twice(op *heaps.Op) bool {
	heap, elem := c.Place(op.Heap), c.Place(op.Elem)
	if heap == nil || elem == nil || !isReference(op.Elem) {
		return false
	}
	var first ssa.Instruction
	taken := false
	uses.Instrs(op.Instr.Parent(), func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			switch {
			case instr == ssa.Instruction(op.Instr):
			case s.Op.Kind == heaps.Push && s.Heap == heap && s.Elem == elem && uses.Dominates(instr, op.Instr):
				first = instr
			case s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove:
				taken = taken || uses.Reaches(instr, op.Instr)
			}
		}
	})
	if first == nil || taken {
		return false
	}
	c.report("dup", op.Instr.Pos(), fmt.Sprintf("heap.Push adds an element to %s that was pushed before, so the heap has it twice", heapName(heap, nil)),
		related(first.Pos(), "it is pushed here"))
	return true
}

func isReference(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Pointer)
	return ok
}

// registeredAgain reports a push of an element that comes from a map which has just
// the elements of the heap.
func (c *checker) registeredAgain(op *heaps.Op) bool {
	look := lookupOf(op.Elem)
	t := c.Type(op.Heap.Type())
	if look == nil || t == nil || !isReference(op.Elem) {
		return false
	}
	table := c.Place(look.X)
	if table == nil || table.Field == nil || !c.mirrors(table.Field, t) || c.takenBefore(op) {
		return false
	}
	c.report("dup", op.Instr.Pos(), fmt.Sprintf("heap.Push adds an element that %s gives, and so is in %s already: call heap.Fix instead", table.Field.Name(), heapName(c.Place(op.Heap), t)),
		related(look.Pos(), "the element is looked up here"))
	return true
}

// takenBefore tells whether the function takes something out of a heap before the
// push.
func (c *checker) takenBefore(op *heaps.Op) bool {
	taken := false
	uses.Instrs(op.Instr.Parent(), func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			out := s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove
			taken = taken || out && uses.Reaches(instr, op.Instr)
		}
	})
	return taken
}

// mirrors tells whether a map field has just the elements of the heaps of a type:
// every function that puts an element into it pushes it too, and every function
// that pops deletes from it.
func (c *checker) mirrors(table *types.Var, t *heaps.Type) bool {
	filled := false
	for _, fn := range c.IR.Funcs {
		ok := true
		uses.Instrs(fn, func(instr ssa.Instruction) {
			up, isUpdate := instr.(*ssa.MapUpdate)
			if !isUpdate {
				return
			}
			if p := c.Place(up.Map); p != nil && p.Field == table {
				pushed := c.pushes(fn, c.Place(up.Value)) && c.pushesAlways(up)
				ok, filled = ok && pushed, filled || pushed
			}
		})
		if !ok {
			return false
		}
	}
	popped := false
	for _, op := range c.Ops {
		if op.Kind != heaps.Pop && op.Kind != heaps.Remove || c.Type(op.Heap.Type()) != t || c.skipped(op.Instr.Pos()) || !beside(c.Place(op.Heap), table) {
			continue
		}
		if !c.deletes(op.Instr.Parent(), table) {
			return false
		}
		popped = true
	}
	return filled && popped
}

// beside tells whether a heap stands in an object that has the field too.
func beside(heap *locks.Place, field *types.Var) bool {
	if heap == nil {
		return false
	}
	for _, p := range heap.Ancestors() {
		s, ok := p.Type.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if f.Origin() == field {
				return true
			}
		}
	}
	return false
}

// pushesAlways tells whether the element that a map gets is pushed on every way
// before or after.
func (c *checker) pushesAlways(up *ssa.MapUpdate) bool {
	elem := c.Place(up.Value)
	before := false
	push := func(instr ssa.Instruction) bool {
		for _, s := range c.At(instr) {
			if s.Op.Kind == heaps.Push && s.Elem == elem {
				return true
			}
		}
		return false
	}
	uses.Instrs(up.Parent(), func(instr ssa.Instruction) {
		before = before || push(instr) && uses.Dominates(instr, up)
	})
	return before || uses.Walk(up, func(instr ssa.Instruction) bool { return !push(instr) }) == nil
}

// consults tells whether a function looks into a map, deletes from it, or calls
// something of the package that does.
func (c *checker) consults(fn *ssa.Function, table *locks.Place) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		switch x := instr.(type) {
		case *ssa.Lookup:
			p := c.Place(x.X)
			found = found || p != nil && p.Field == table.Field
		case *ssa.Call:
			if b, ok := x.Call.Value.(*ssa.Builtin); ok {
				found = found || (b.Name() == "delete" || b.Name() == "len") && c.fieldIs(x.Call.Args[0], table)
				return
			}
			for _, callee := range c.Locks.Callees(x.Common()) {
				if callee.Fn != fn && len(callee.Fn.Blocks) > 0 && c.MethodOf(callee.Fn) == nil {
					found = found || c.consults1(callee.Fn, table)
				}
			}
		}
	})
	return found
}

func (c *checker) consults1(fn *ssa.Function, table *locks.Place) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		switch x := instr.(type) {
		case *ssa.Lookup:
			found = found || c.fieldIs(x.X, table)
		case *ssa.Call:
			if b, ok := x.Call.Value.(*ssa.Builtin); ok {
				found = found || b.Name() == "delete" && c.fieldIs(x.Call.Args[0], table)
			}
		}
	})
	return found
}

func (c *checker) fieldIs(v ssa.Value, table *locks.Place) bool {
	p := c.Place(v)
	return p != nil && p.Field == table.Field
}

// trusts returns where a function pops from the heap and takes or deletes the map's
// entry for what it popped, without comparing the two.
func (c *checker) trusts(table, heap *locks.Place) ssa.Instruction {
	for _, op := range c.Ops {
		if op.Kind != heaps.Pop && op.Kind != heaps.Remove {
			continue
		}
		if p := c.Place(op.Heap); p == nil || p.Field != heap.Field {
			continue
		}
		var use ssa.Instruction
		compares := false
		uses.Instrs(op.Instr.Parent(), func(instr ssa.Instruction) {
			switch x := instr.(type) {
			case *ssa.Lookup:
				if c.fieldIs(x.X, table) && uses.Reaches(op.Instr, x) {
					use = instr
				}
			case *ssa.Call:
				if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" && c.fieldIs(x.Call.Args[0], table) && uses.Reaches(op.Instr, x) && use == nil {
					use = instr
				}
			case *ssa.BinOp:
				compares = compares || c.fromLookup(x.X, table) || c.fromLookup(x.Y, table)
			}
		})
		if use != nil && !compares {
			return use
		}
	}
	return nil
}

// fromLookup tells whether a value is what a map gave, or a field of that.
func (c *checker) fromLookup(v ssa.Value, table *locks.Place) bool {
	for {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.Extract:
			if x.Index != 0 {
				return false
			}
			v = x.Tuple
		case *ssa.Lookup:
			return c.fieldIs(x.X, table)
		case *ssa.Call:
			b, ok := x.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "len" {
				return false
			}
			v = x.Call.Args[0]
		default:
			return false
		}
	}
}
