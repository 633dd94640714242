package lesscapture

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/order"
)

// fields reports fields that the comparator reads through a pointer that it
// captured, or that the heap keeps, and that a function of the heap's owner
// writes without restoring the heap.
func (c *checker) fields(cmp order.Comparator, set *order.Set) {
	done := map[*types.Var]bool{}
	for _, r := range set.Reads {
		field := r.Last()
		if field == nil || done[field] || r.Root == order.Element || r.Root == order.Global || !shared(cmp, r) {
			continue
		}
		done[field] = true
		c.field(cmp, r, field)
	}
}

// shared tells whether the place of a read lies behind a pointer that others may
// have too. The heap's own fields are not: changing those is a matter of using the
// heap, and heapuse's.
func shared(cmp order.Comparator, r *order.Read) bool {
	switch r.Root {
	case order.Captured:
		cell := cellOf(cmp, r.Base)
		if cell == nil {
			return false
		}
		p, ok := cell.Type().Underlying().(*types.Pointer)
		if ok && isPointer(p.Elem()) {
			return true
		}
	case order.Receiver:
		if cmp.Closure != nil && cmp.Fn.Signature.Recv() != nil && isPointer(cmp.Fn.Signature.Recv().Type()) {
			return true // a method value
		}
		if cmp.Closure != nil {
			return false
		}
		if recv := cmp.Fn.Signature.Recv(); recv != nil && isPointer(recv.Type()) && cmp.Heap != nil && cmp.Fn != cmp.Heap.Less {
			return true // a comparator that is an object
		}
	}
	for _, f := range r.Path[:len(r.Path)-1] {
		if isPointer(f.Type()) {
			return true
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func (c *checker) field(cmp order.Comparator, r *order.Read, field *types.Var) {
	own := callees(cmp.Fn) // what the comparator writes itself, it writes once
	for _, fn := range c.heaps.IR.Funcs {
		if own[fn] || c.heaps.Method(fn) || enders[fn.Name()] || completes(fn.Name()) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				addr := fieldWritten(in, field)
				if addr == nil || c.refuses(in, field) || !c.live(cmp, addr, in) {
					continue
				}
				c.report(r.Pos, "mutated", fmt.Sprintf("%s reads %s through a pointer, and %s changes it (line %d)%s without restoring the heap: elements that are in the heap keep the old order",
					who(cmp.Fn), field.Name(), funcName(fn), c.line(in.Pos()), raceNote(fn)),
					analysis.RelatedInformation{Pos: in.Pos(), Message: field.Name() + " is changed here"})
				return
			}
		}
	}
}

func funcName(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return "a function in " + funcName(fn.Parent())
	}
	return fn.Name()
}

// fieldWritten is the address of the field, if the instruction writes to it or to
// an entry of the slice or map in it.
func fieldWritten(in ssa.Instruction, field *types.Var) *ssa.FieldAddr {
	v := order.Written(in)
	if at, ok := v.(*ssa.IndexAddr); ok {
		v = at.X
	}
	v = loadOf(v)
	addr, ok := v.(*ssa.FieldAddr)
	if !ok || order.FieldOf(addr).Origin() != field.Origin() {
		return nil
	}
	return addr
}

// loadOf is the address that a value was loaded from.
func loadOf(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok {
		return load.X
	}
	return v
}

// live tells whether a write hits an object that a filled heap can be ordered by:
// not one under construction, reached from the owner of the heap or in a function
// that uses it, and neither the function nor all that call it restore the heap.
func (c *checker) live(cmp order.Comparator, addr *ssa.FieldAddr, in ssa.Instruction) bool {
	_, root := heaps.FieldPath(addr.X)
	if a, ok := root.(*ssa.Alloc); ok && fresh(a) {
		return false
	}
	if g, ok := root.(*ssa.Call); ok && g != nil {
		return false // an object from elsewhere
	}
	if c.after(in)&repairs != 0 || c.fillsAfter(in) {
		return false
	}
	fn := in.Parent()
	if p, ok := root.(*ssa.Parameter); ok && (c.configures(fn, p) || c.prepares(fn, p) || ends(fn, p)) {
		return false
	}
	if c.calledMeanwhile(cmp, fn) {
		return true
	}
	if !c.owns(cmp, root.Type()) && c.effects[fn]&uses == 0 && !c.outlives(cmp) && !c.calledByOwner(cmp, fn) {
		return false
	}
	return c.called(fn, 0)
}

// called tells whether a function can run while elements are in the heap, and does
// not have it restored by its callers: others call it, or a caller does so after it
// filled a heap.
func (c *checker) called(fn *ssa.Function, depth int) bool {
	if fn.Parent() != nil || exported(fn) || len(c.callers[fn]) == 0 || depth > 3 {
		return true
	}
	for _, call := range c.callers[fn] {
		if c.after(call)&repairs != 0 {
			continue
		}
		if c.fillsBefore(call) || c.effects[call.Parent()] == 0 && c.called(call.Parent(), depth+1) {
			return true
		}
	}
	return false
}

// fillsAfter tells whether the function makes its heap anew after the write: the
// comparator is put into a heap there.
func (c *checker) fillsAfter(in ssa.Instruction) bool {
	found := false
	reach(in, nil, func(i ssa.Instruction) {
		if st, ok := i.(*ssa.Store); ok {
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok && c.heaps.Type(fa.X.Type()) != nil {
				found = true // the heap, or its comparator, is replaced
			}
			if c.heaps.Type(st.Val.Type()) != nil {
				found = true
			}
		}
	})
	return found
}

func exported(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Object() != nil && fn.Object().Exported()
}

// fresh tells whether a variable holds an object that its function makes.
func fresh(a *ssa.Alloc) bool {
	if a.Heap {
		if _, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); ok {
			return true
		}
	}
	for _, st := range stores(a) {
		if b, ok := st.Val.(*ssa.Alloc); ok && b.Heap {
			return true
		}
	}
	return false
}

// owns tells whether a value of type t holds the heap, directly or through its
// fields.
func (c *checker) owns(cmp order.Comparator, t types.Type) bool {
	seen := map[types.Type]bool{}
	var walk func(t types.Type, depth int) bool
	walk = func(t types.Type, depth int) bool {
		if depth > 4 || seen[t] {
			return false
		}
		seen[t] = true
		if h := c.heaps.Type(t); h != nil && (cmp.Heap == nil || h == cmp.Heap) {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			return walk(u.Elem(), depth+1)
		case *types.Slice:
			return walk(u.Elem(), depth+1)
		case *types.Map:
			return walk(u.Elem(), depth+1)
		case *types.Struct:
			for f := range u.Fields() {
				if walk(f.Type(), depth+1) {
					return true
				}
			}
		}
		return false
	}
	return walk(t, 0)
}
