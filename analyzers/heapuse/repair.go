package heapuse

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/uses"
)

// A repairing says what puts a heap right after a write.
type repairing struct {
	// always says that every way from the write to the end of the function does,
	// or that what happens there cannot be told.
	always bool
	// sometimes is an operation on some ways that does, exit the end of a way on
	// which nothing does.
	sometimes, exit ssa.Instruction
	// fixedBefore is a Fix of the element that came too early.
	fixedBefore ssa.Instruction
	// other is a Fix of another element, which has not changed.
	other ssa.Instruction
}

// repair follows the ways from a write.
func (c *checker) repair(w uses.Write) repairing {
	var r repairing
	if c.deferred(w) {
		r.always = true
		return r
	}
	asked := c.membershipBranches(w)
	unknown := false
	r.exit = uses.Walk(w.Instr, func(instr ssa.Instruction) bool {
		if c.repairs(instr, w) {
			if r.sometimes == nil && c.fixesElem(instr, w) {
				r.sometimes = instr
			}
			unknown = unknown || c.pushesElem(instr, w) // it was not in the heap
			return false
		}
		if c.handsOut(instr, w) || c.setsFlag(instr, w) {
			unknown = true
			return false
		}
		return !asked[instr.Block()] || instr.Block() == w.Instr.Block()
	})
	r.always = unknown || r.exit == nil || r.sometimes != nil && c.firstSlot(w) && fails(r.exit)
	if !r.always && r.sometimes == nil {
		r.fixedBefore = c.fixedBefore(w)
	}
	return r
}

// repairs tells whether an instruction puts the heap right for the element.
func (c *checker) repairs(instr ssa.Instruction, w uses.Write) bool {
	for _, s := range c.At(instr) {
		if s.Type != nil && s.Type != w.Type && s.Type.Elem != nil && s.Op.Kind == heaps.Init {
			continue
		}
		switch s.Op.Kind {
		case heaps.Init:
			return true
		case heaps.Fix, heaps.Remove, heaps.Push:
			if s.Elem == nil || s.Elem == w.Elem || c.slotOp(s, w) {
				return true
			}
		case heaps.Pop: // of the first element, after which it is out
			if c.heapOf(w) != nil {
				return true
			}
		}
	}
	if call, ok := instr.(*ssa.Call); ok {
		if m := c.heapMethod(call); m != nil { // by hand
			return true
		}
	}
	return c.sorts(instr)
}

// pushesElem tells whether an instruction pushes the element that was written.
func (c *checker) pushesElem(instr ssa.Instruction, w uses.Write) bool {
	for _, s := range c.At(instr) {
		if s.Op.Kind == heaps.Push && s.Elem == w.Elem {
			return true
		}
	}
	return false
}

// fixesElem tells whether an instruction evidently puts the heap right for this
// very element.
func (c *checker) fixesElem(instr ssa.Instruction, w uses.Write) bool {
	for _, s := range c.At(instr) {
		if s.Op.Kind == heaps.Fix && (s.Elem == w.Elem || c.slotOp(s, w)) {
			return true
		}
	}
	return false
}

// slotOp tells whether an operation by position may be that of the element in a
// slot.
func (c *checker) slotOp(s uses.Site, w uses.Write) bool {
	return s.Op.Kind != heaps.Push && c.heapOf(w) != nil
}

// deferred tells whether a deferred call repairs.
func (c *checker) deferred(w uses.Write) bool {
	found := false
	uses.Instrs(w.Instr.Parent(), func(instr ssa.Instruction) {
		if _, ok := instr.(*ssa.Defer); ok && c.repairs(instr, w) {
			found = true
		}
	})
	return found
}

// membershipBranches are the blocks that run where the element turned out not to be
// in the heap: the other sides of conditions on the element, its position or the
// length, one side of which repairs.
func (c *checker) membershipBranches(w uses.Write) map[*ssa.BasicBlock]bool {
	skip := map[*ssa.BasicBlock]bool{}
	for _, b := range w.Instr.Parent().Blocks {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !c.asksMembership(cond.Cond, w, 0) {
			continue
		}
		for i, s := range b.Succs {
			if !c.leadsToRepair(s, w) && c.leadsToRepair(b.Succs[1-i], w) {
				skip[s] = true
			}
		}
	}
	return skip
}

// leadsToRepair tells whether a repair can follow from the start of a block.
func (c *checker) leadsToRepair(b *ssa.BasicBlock, w uses.Write) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			if instr == w.Instr {
				return false
			}
			if c.repairs(instr, w) {
				return true
			}
		}
		for _, s := range b.Succs {
			if !s.Dominates(b) && visit(s) {
				return true
			}
		}
		return false
	}
	return visit(b)
}

// asksMembership tells whether a condition reads the element, a position, or a
// length, by which a function knows whether the element is in the heap.
func (c *checker) asksMembership(v ssa.Value, w uses.Write, depth int) bool {
	if depth > 6 {
		return true
	}
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return c.Place(x.X) == w.Elem || c.asksMembership(x.X, w, depth+1)
	case *ssa.Lookup:
		return true
	case *ssa.Extract:
		_, lookup := x.Tuple.(*ssa.Lookup)
		return lookup || c.asksMembership(x.Tuple, w, depth+1)
	case *ssa.Call:
		if c.lengthOf(x) != nil {
			return true
		}
		for _, a := range x.Call.Args {
			if p := c.Place(a); p != nil && p == w.Elem {
				return true
			}
			if c.asksMembership(a, w, depth+1) {
				return true
			}
		}
		return false
	case *ssa.Phi: // a flag that remembers what was done
		return true
	case *ssa.Const, *ssa.Parameter:
		return false
	case ssa.Instruction:
		for _, op := range x.Operands(nil) {
			if *op != nil && c.asksMembership(*op, w, depth+1) {
				return true
			}
		}
	}
	return false
}

// handsOut tells whether an instruction gives the element, or what the heap is part
// of, to code that cannot be seen, or to another goroutine: it may repair.
func (c *checker) handsOut(instr ssa.Instruction, w uses.Write) bool {
	switch x := instr.(type) {
	case *ssa.Send:
		return c.Place(x.X) == w.Elem
	case ssa.CallInstruction:
		common := x.Common()
		if _, builtin := common.Value.(*ssa.Builtin); builtin || c.Op(x) != nil {
			return false
		}
		callees := c.Locks.Callees(common)
		if len(callees) > 0 || common.StaticCallee() != nil {
			return false
		}
		for _, a := range common.Args {
			if p := c.Place(a); p != nil && (p == w.Elem || p.Root == w.Elem.Root) {
				return true
			}
		}
	}
	return false
}

// setsFlag tells whether an instruction sets a flag that a function asks before it
// runs Init: the heap is put right when it is needed.
func (c *checker) setsFlag(instr ssa.Instruction, w uses.Write) bool {
	st, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	f := contract.StoredField(st)
	if f == nil {
		return false
	}
	for _, op := range c.Ops {
		if op.Kind != heaps.Init && op.Kind != heaps.Fix {
			continue
		}
		for _, g := range uses.Guards(op.Instr) {
			if g2, _ := contract.IndexSource(g.If.Cond); g2 == f {
				return true
			}
		}
	}
	return false
}

// fixedBefore returns a Fix of the element that always ran before the write.
func (c *checker) fixedBefore(w uses.Write) ssa.Instruction {
	var found ssa.Instruction
	uses.Instrs(w.Instr.Parent(), func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			if s.Op.Kind == heaps.Fix && s.Elem == w.Elem && uses.Dominates(instr, w.Instr) {
				found = instr
			}
		}
	})
	return found
}

// callersRepair tells whether the callers of the function that writes put the heap
// right after the call.
func (c *checker) callersRepair(w uses.Write) bool {
	for _, call := range c.Callers(outermost(w.Instr.Parent())) {
		if call.Common().StaticCallee() == nil || call.Parent() == w.Instr.Parent() {
			continue
		}
		found := false
		uses.Walk(call, func(instr ssa.Instruction) bool {
			for _, s := range c.At(instr) {
				own := s.Op.Instr.Parent() == w.Instr.Parent() // another round of the same call
				found = found || !own && (s.Op.Kind == heaps.Init || s.Op.Kind == heaps.Fix) && (s.Type == nil || s.Type == w.Type)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// firstSlot tells whether the element may be the one in the first slot: the source
// that a merge reads from.
func (c *checker) firstSlot(w uses.Write) bool {
	return c.heapOf(w) != nil && (w.Elem.At("0") || !w.Elem.Definite())
}

// fails tells whether a return gives an error: who gets it has no further use for a
// merge.
func fails(exit ssa.Instruction) bool {
	ret, ok := exit.(*ssa.Return)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	last := ret.Results[len(ret.Results)-1]
	_, isConst := last.(*ssa.Const)
	return !isConst && types.Identical(last.Type(), types.Universe.Lookup("error").Type())
}
