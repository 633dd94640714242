package lesscapture

import (
	"go/token"
	"go/types"

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

// fillReaches is reaches for a heap that from fills: not past a place where the
// heap is known to be empty, such as the end of a loop that pops while there are
// elements.
func (c *checker) fillReaches(from, to ssa.Instruction) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, k int) bool
	walk = func(b *ssa.BasicBlock, k int) bool {
		for _, in := range b.Instrs[k:] {
			if in == to {
				return true
			}
		}
		for i, s := range b.Succs {
			if i == c.emptySide(b) || seen[s] {
				continue
			}
			seen[s] = true
			if walk(s, 0) {
				return true
			}
		}
		return false
	}
	b := from.Block()
	for k, in := range b.Instrs {
		if in == from {
			return walk(b, k+1)
		}
	}
	return false
}

// emptySide is the successor of a block that runs if a heap is empty, -1 if the
// block does not end in a test for that.
func (c *checker) emptySide(b *ssa.BasicBlock) int {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return -1
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok {
		return -1
	}
	x, y, op := cond.X, cond.Y, cond.Op
	if _, ok := x.(*ssa.Const); ok { // 0 < n
		x, y, op = y, x, turned[op]
	}
	k, ok := y.(*ssa.Const)
	if !ok || k.Value == nil || !c.heapLen(x) {
		return -1
	}
	switch zero := k.Int64() == 0; {
	case zero && (op == token.GTR || op == token.NEQ), k.Int64() == 1 && op == token.GEQ:
		return 1
	case zero && (op == token.EQL || op == token.LEQ), k.Int64() == 1 && op == token.LSS:
		return 0
	}
	return -1
}

var turned = map[token.Token]token.Token{
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
	token.EQL: token.EQL, token.NEQ: token.NEQ,
}

// heapLen tells whether v is the length of a heap, by its method Len or that of
// its slice.
func (c *checker) heapLen(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if call.Call.IsInvoke() {
		return call.Call.Method.Name() == "Len" && heaps.IsInterface(call.Call.Value.Type())
	}
	if len(call.Call.Args) != 1 {
		return false
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() != "len" {
			return false
		}
	} else if callee := call.Call.StaticCallee(); callee == nil || callee.Name() != "Len" {
		return false
	}
	_, root := heaps.FieldPath(call.Call.Args[0])
	for _, v := range []ssa.Value{root, call.Call.Args[0]} {
		if c.heaps.Type(pointee(v.Type())) != nil {
			return true
		}
	}
	return false
}

// pointee is what t points to through any number of pointers.
func pointee(t types.Type) types.Type {
	for {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			return t
		}
		t = p.Elem()
	}
}

// after are the operations that can follow an instruction in its function.
func (c *checker) after(in ssa.Instruction) opSet {
	var s opSet
	reach(in, nil, func(in ssa.Instruction) { s |= c.ops(in) })
	return s
}

// fillsBefore tells whether elements can be in a heap when in runs: an operation
// of its function that fills one can come before, and the heap is not known to be
// empty since.
func (c *checker) fillsBefore(in ssa.Instruction) bool {
	for _, b := range in.Parent().Blocks {
		for _, other := range b.Instrs {
			if c.ops(other)&fills != 0 && c.fillReaches(other, in) {
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
