package lesscapture

import (
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// An opSet tells which heap operations a function performs, itself or through
// the functions of the package that it calls.
type opSet uint8

const (
	fills   opSet = 1 << iota // Push or Init: elements are in the heap afterwards
	uses                      // Push, Pop, Fix or Remove: elements are compared
	repairs                   // Init, Fix or Remove
	pushes                    // Push
)

func opSetOf(op *heaps.Op) opSet {
	switch op.Kind {
	case heaps.Init:
		return fills | repairs
	case heaps.Push:
		return fills | uses | pushes
	case heaps.Fix, heaps.Remove:
		return uses | repairs
	case heaps.Pop:
		return uses
	}
	return 0
}

// summarize computes the operations of every function, to a fixpoint.
func (c *checker) summarize() {
	for changed := true; changed; {
		changed = false
		for _, fn := range c.heaps.IR.Funcs {
			var s opSet
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					s |= c.ops(in)
				}
			}
			if s != c.effects[fn] {
				c.effects[fn] = s
				changed = true
			}
		}
	}
}

// ops are the heap operations that an instruction performs.
func (c *checker) ops(in ssa.Instruction) opSet {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return 0
	}
	if op := c.heaps.Op(call); op != nil {
		return opSetOf(op)
	}
	if callee := source(call.Common().StaticCallee()); callee != nil {
		return c.effects[callee]
	}
	return 0
}

// reach walks over the instructions that can run after from in its function,
// in no particular order, until visit returns false for a path. It does not go
// past the instructions for which stop holds.
func reach(from ssa.Instruction, stop func(ssa.Instruction) bool, visit func(ssa.Instruction)) {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, k int)
	walk = func(b *ssa.BasicBlock, k int) {
		for _, in := range b.Instrs[k:] {
			if stop != nil && stop(in) {
				return
			}
			visit(in)
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				walk(s, 0)
			}
		}
	}
	b := from.Block()
	for k, in := range b.Instrs {
		if in == from {
			walk(b, k+1)
		}
	}
}

// reaches tells whether to can run after from, not past a stop.
func reaches(from, to ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	found := false
	reach(from, stop, func(in ssa.Instruction) { found = found || in == to })
	return found
}

// after are the operations that can follow an instruction in its function.
func (c *checker) after(in ssa.Instruction) opSet {
	var s opSet
	reach(in, nil, func(in ssa.Instruction) { s |= c.ops(in) })
	return s
}

// fillsBefore tells whether elements can be in a heap when in runs: an operation
// of its function that fills one can come before.
func (c *checker) fillsBefore(in ssa.Instruction) bool {
	for _, b := range in.Parent().Blocks {
		for _, other := range b.Instrs {
			if c.ops(other)&fills != 0 && reaches(other, in, nil) {
				return true
			}
		}
	}
	return false
}

// escapes tells whether v, or something that holds it, leaves the function: it is
// returned, stored in an object from elsewhere, in a map or a slice, or sent.
func escapes(v ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var walk func(v ssa.Value) bool
	walk = func(v ssa.Value) bool {
		if seen[v] || v.Referrers() == nil {
			return false
		}
		seen[v] = true
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Return, *ssa.Send, *ssa.Panic:
				return true
			case *ssa.MapUpdate:
				if r.Value == v {
					return true
				}
			case *ssa.Store:
				if r.Val != v {
					continue
				}
				root := rootOf(r.Addr)
				if _, ok := root.(*ssa.Alloc); !ok || walk(root) {
					return true
				}
			case *ssa.Call:
				// A constructor hands back what it was given, and append a slice.
				if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && walk(r) {
					return true
				}
				if callee := r.Call.StaticCallee(); callee != nil && callee.Signature.Results().Len() > 0 && walk(r) {
					return true
				}
			case *ssa.Phi, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Slice, *ssa.UnOp, *ssa.Extract, *ssa.MakeClosure:
				if walk(r.(ssa.Value)) {
					return true
				}
			}
		}
		return false
	}
	return walk(v)
}

// rootOf is the value that an address starts from.
func rootOf(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return v
		}
	}
}
