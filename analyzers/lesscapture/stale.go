package lesscapture

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/order"
)

// stale reports a comparator over indices that looks into a slice variable which
// the heap does not share: the heap's own slice grows and shrinks without it.
func (c *checker) stale(cmp order.Comparator) {
	if cmp.Kind != order.IndexLess || cmp.Heap == nil || !cmp.Heap.Known {
		return
	}
	for _, b := range cmp.Fn.Blocks {
		for _, in := range b.Instrs {
			at, ok := in.(*ssa.IndexAddr)
			if !ok || !isIndex(cmp.Fn, at.Index) {
				continue
			}
			if boundCopy(cmp.Fn, at.X) {
				c.report(at.Pos(), "stale", fmt.Sprintf("%s is a method value, which keeps a copy of its receiver, but the heap keeps a slice of its own, which grows and shrinks without it: after the first push or pop it compares other elements than the heap moves",
					who(cmp.Fn)), analysis.RelatedInformation{Pos: cmp.Heap.Obj.Pos(), Message: "the heap keeps its elements here"})
				return
			}
			fv, own := capturedSlice(at.X)
			if fv == nil || own {
				continue
			}
			cell := cellOf(cmp, fv)
			if cell == nil || c.shares(cell) {
				continue
			}
			c.report(at.Pos(), "stale", fmt.Sprintf("%s looks up elements in the captured variable %s, but the heap keeps a slice of its own, which grows and shrinks without it: after the first push or pop it compares other elements than the heap moves",
				who(cmp.Fn), fv.Name()), analysis.RelatedInformation{Pos: cmp.Heap.Obj.Pos(), Message: "the heap keeps its elements here"})
			return
		}
	}
}

// boundCopy tells whether a slice is, or is part of, the receiver of a method that
// takes it by value.
func boundCopy(fn *ssa.Function, v ssa.Value) bool {
	recv := fn.Signature.Recv()
	if recv == nil || isPointer(recv.Type()) {
		return false
	}
	for {
		switch x := v.(type) {
		case *ssa.Field:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp: // a field of the receiver, which was stored to select it
			addr, ok := x.X.(*ssa.FieldAddr)
			if !ok {
				return false
			}
			_, root := heaps.FieldPath(addr)
			return root == fn.Params[0] && !isPointer(x.Type())
		default:
			return v == fn.Params[0]
		}
	}
}

func isIndex(fn *ssa.Function, v ssa.Value) bool {
	n := len(fn.Params)
	return v == fn.Params[n-1] || v == fn.Params[n-2]
}

// capturedSlice is the free variable that a slice is loaded from, and whether it
// is reached through a pointer, so that the heap's growth is seen.
func capturedSlice(v ssa.Value) (fv *ssa.FreeVar, pointer bool) {
	loads := 0
	for {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return nil, false
			}
			loads++
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.FreeVar:
			// One load reads the variable itself; another one follows a pointer in it.
			return x, loads > 1
		default:
			return nil, false
		}
	}
}

// shares tells whether the variable is the heap itself or is kept up to date: its
// address is used for more than reading, or it is assigned by a literal.
func (c *checker) shares(cell ssa.Value) bool {
	if cell.Referrers() == nil {
		return true
	}
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef, *ssa.MakeClosure, *ssa.FieldAddr:
		case *ssa.Store:
			if r.Addr != cell {
				return true
			}
		default:
			return true
		}
	}
	for _, st := range stores(cell) {
		if st.Parent() != parentOf(cell) {
			return true
		}
	}
	// The heap's elements are the variable's own if the variable is a heap.
	if p, ok := cell.Type().Underlying().(*types.Pointer); ok && c.heaps.Type(p.Elem()) != nil {
		return len(c.heapUses(cell)) > 0
	}
	return false
}

func (c *checker) heapUses(cell ssa.Value) []ssa.Instruction {
	var list []ssa.Instruction
	for _, r := range *cell.Referrers() {
		if _, ok := r.(*ssa.MakeInterface); ok {
			list = append(list, r)
		}
	}
	return list
}

func parentOf(v ssa.Value) *ssa.Function {
	if in, ok := v.(ssa.Instruction); ok {
		return in.Parent()
	}
	if p, ok := v.(*ssa.Parameter); ok {
		return p.Parent()
	}
	return nil
}
