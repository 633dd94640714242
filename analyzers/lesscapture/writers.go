package lesscapture

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/order"
)

// What a comparator reads through a pointer may be written by functions that prepare
// the object, before the heap has elements, and by others. This file tells them apart.

// callees are a function and those of the package that it calls.
func callees(fn *ssa.Function) map[*ssa.Function]bool {
	all := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn == nil || all[fn] {
			return
		}
		all[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok {
					visit(source(call.Common().StaticCallee()))
				}
			}
		}
	}
	visit(fn)
	return all
}

// completes tells whether a function is one of those that fill an object before it is
// used: decoders, copies and defaults.
func completes(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range []string{"unmarshal", "decode", "deepcopy", "default", "setdefault", "applydefault", "complete", "init", "parse"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "load"
}

// refuses tells whether the function leaves before an instruction if the heap has
// elements or a flag says that work has begun. That the value is the same already is
// no such condition.
func (c *checker) refuses(in ssa.Instruction, field *types.Var) bool {
	for b := in.Block(); b.Idom() != nil; b = b.Idom() {
		p := b.Idom()
		branch, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 || b.Preds[0] != p {
			continue
		}
		other := p.Succs[0]
		if other == b {
			other = p.Succs[1]
		}
		if leaves(other) && (p.Succs[max(c.emptySide(p), 0)] == b && c.emptySide(p) >= 0 || isFlag(branch.Cond, field)) {
			return true
		}
	}
	return false
}

// leaves tells whether a block ends its function.
func leaves(b *ssa.BasicBlock) bool {
	return len(b.Succs) == 0
}

// isFlag tells whether a condition is a boolean field other than the given one, or
// its negation.
func isFlag(cond ssa.Value, field *types.Var) bool {
	var place ssa.Value
	switch v := cond.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return isFlag(v.X, field)
		}
		place = v.X
	case *ssa.Call: // of an atomic.Bool
		if callee := v.Call.StaticCallee(); callee != nil && callee.Name() == "Load" && len(v.Call.Args) == 1 {
			place = v.Call.Args[0]
		}
	}
	addr, ok := place.(*ssa.FieldAddr)
	return ok && order.FieldOf(addr).Origin() != field.Origin()
}

// configures tells whether a function returns the object that it changes, as
// builders do.
func (c *checker) configures(fn *ssa.Function, p *ssa.Parameter) bool {
	res := fn.Signature.Results()
	return res.Len() == 1 && types.Identical(res.At(0).Type(), p.Type())
}

// prepares tells whether the package calls a function only for objects that the
// caller has just made.
func (c *checker) prepares(fn *ssa.Function, p *ssa.Parameter) bool {
	for _, call := range c.callers[fn] {
		for i, q := range fn.Params {
			if q != p || i >= len(call.Common().Args) {
				continue
			}
			if a, ok := built(call.Common().Args[i]).(*ssa.Alloc); !ok || !fresh(a) {
				return false
			}
		}
	}
	return len(c.callers[fn]) > 0
}

// built is the object that v is part of; a function that returns its receiver
// passes it on.
func built(v ssa.Value) ssa.Value {
	for {
		_, root := heaps.FieldPath(v)
		call, ok := root.(*ssa.Call)
		if !ok || len(call.Call.Args) == 0 || !types.Identical(call.Type(), call.Call.Args[0].Type()) {
			return root
		}
		v = call.Call.Args[0]
	}
}

// outlives tells whether the comparator leaves the function that makes it, and with
// it the heap: whoever has what it captured may then change that at any time.
func (c *checker) outlives(cmp order.Comparator) bool {
	return cmp.Closure != nil && escapes(cmp.Closure)
}

// calledMeanwhile tells whether the function that makes the comparator calls fn while
// the heap has elements, and goes on to use it unrepaired. A call for an element that
// was popped changes that one.
func (c *checker) calledMeanwhile(cmp order.Comparator, fn *ssa.Function) bool {
	if cmp.Closure == nil {
		return false
	}
	for _, call := range c.callers[fn] {
		if call.Parent() != cmp.Closure.Parent() || !c.fillsBefore(call) || c.repaired(call) || c.after(call)&uses == 0 {
			continue
		}
		if !slices.ContainsFunc(call.Common().Args, c.popped) {
			return true
		}
	}
	return false
}

// calledByOwner tells whether a method of an object that holds the heap calls fn,
// and does not restore the heap after that.
func (c *checker) calledByOwner(cmp order.Comparator, fn *ssa.Function) bool {
	for _, call := range c.callers[fn] {
		recv := call.Parent().Signature.Recv()
		if recv != nil && c.owns(cmp, recv.Type()) && c.after(call)&repairs == 0 {
			return true
		}
	}
	return false
}
