package lessorder

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/order"
)

// impossible tells whether a counterexample needs two elements that both lack a
// field, which the package never lets into the heap: it only ever sets the field to
// something, or it makes the heap with a single element without it, as a sentinel.
func (c *checker) impossible(cmp order.Comparator, f *order.Fault) bool {
	t := cmp.Heap
	if t == nil || f.Property != order.Irreflexive && f.Property != order.Asymmetric {
		return false
	}
	for _, kv := range f.Alike {
		if kv.Absent == nil || c.pushedWithout(t, kv.Absent).IsValid() {
			continue
		}
		if c.alwaysSet(kv.Absent) || c.sentinel(cmp.Fn) {
			return true
		}
	}
	return false
}

// alwaysSet tells whether the package stores only what is not nil in a field, and
// does so somewhere.
func (c *checker) alwaysSet(field *types.Var) bool {
	found := false
	for _, fn := range c.heaps.IR.Funcs {
		if c.skip(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok || !isField(st.Addr, field) {
					continue
				}
				if !notNil(st.Val, b) {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// notNil tells whether a value is an object that was just made, or is known not to
// be nil in a block: a condition on the way there says so.
func notNil(v ssa.Value, b *ssa.BasicBlock) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeClosure, *ssa.MakeInterface, *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	for ; b.Idom() != nil; b = b.Idom() {
		p := b.Idom()
		branch, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if !ok || cond.X != v {
			continue
		}
		if k, ok := cond.Y.(*ssa.Const); !ok || !k.IsNil() {
			continue
		}
		if cond.Op == token.NEQ && p.Succs[0] == b || cond.Op == token.EQL && p.Succs[1] == b {
			return true
		}
	}
	return false
}

// sentinel tells whether the package makes heaps of the type that a Less method
// belongs to with one element that is not set.
func (c *checker) sentinel(less *ssa.Function) bool {
	recv := less.Signature.Recv()
	if recv == nil {
		return false
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	for _, fn := range c.heaps.IR.Funcs {
		if c.skip(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if v, ok := in.(ssa.Value); ok && types.Identical(v.Type(), t) && madeLen(v) == 1 {
					return true
				}
			}
		}
	}
	return false
}

// madeLen is the length of the slice that make returns, -1 if v is something else
// or the length is not constant.
func madeLen(v ssa.Value) int64 {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		if k, ok := v.Len.(*ssa.Const); ok {
			return k.Int64()
		}
	case *ssa.Slice: // make with a constant capacity
		if a, ok := v.X.(*ssa.Alloc); ok && a.Comment == "makeslice" {
			if k, ok := v.High.(*ssa.Const); ok {
				return k.Int64()
			}
			if v.High == nil {
				return a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len()
			}
		}
	}
	return -1
}
