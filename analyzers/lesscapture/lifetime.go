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

// enders are methods after which their receiver must not be used.
var enders = map[string]bool{
	"Close": true, "Release": true, "Free": true, "Destroy": true, "Unpin": true,
	"Recycle": true, "Unmap": true, "Dispose": true,
}

// lifetime reports captured objects that are closed, released or put back into a
// pool before the heap's last use.
func (c *checker) lifetime(cmp order.Comparator) {
	for i, cell := range cmp.Closure.Bindings {
		if i >= len(cmp.Fn.FreeVars) {
			return
		}
		if c.ended(cmp, cmp.Fn.FreeVars[i], cell) {
			return
		}
	}
}

func (c *checker) ended(cmp order.Comparator, fv *ssa.FreeVar, cell ssa.Value) bool {
	made := cmp.Closure
	for _, b := range made.Parent().Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			what, ok := endOf(call.Common(), cell)
			switch call.(type) {
			case *ssa.Defer:
				if !ok {
					what, ok = endIn(call.Common(), cell)
				}
				if !ok || !escapes(made) {
					continue
				}
			case *ssa.Call:
				if !ok || !reaches(made, in, nil) || c.after(in)&uses == 0 && !(escapes(made) && c.effects[made.Parent()]&uses == 0 && succeeds(in)) {
					continue
				}
			default:
				continue
			}
			c.report(firstUse(cmp.Fn, fv), "lifetime", fmt.Sprintf("%s uses %s, which is given up by %s (line %d) while the heap is still in use",
				who(cmp.Fn), fv.Name(), what, c.line(in.Pos())),
				analysis.RelatedInformation{Pos: in.Pos(), Message: fv.Name() + " is given up here"})
			return true
		}
	}
	return false
}

// succeeds tells whether the function can return something other than nil and an
// error after an instruction: what was given up on the way out of a failure is not
// used by anybody.
func succeeds(in ssa.Instruction) bool {
	found := in.Parent().Signature.Results().Len() == 0
	reach(in, nil, func(in ssa.Instruction) {
		ret, ok := in.(*ssa.Return)
		if !ok {
			return
		}
		for _, r := range ret.Results {
			if k, ok := r.(*ssa.Const); ok && k.IsNil() || types.Identical(r.Type(), errorType) {
				continue
			}
			found = true
		}
	})
	return found
}

var errorType = types.Universe.Lookup("error").Type()

// endIn is endOf for the calls of a function literal that captures the variable.
func endIn(call *ssa.CallCommon, cell ssa.Value) (string, bool) {
	m, ok := call.Value.(*ssa.MakeClosure)
	if !ok {
		return "", false
	}
	lit := m.Fn.(*ssa.Function)
	for i, b := range m.Bindings {
		if b != cell {
			continue
		}
		for _, b := range lit.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*ssa.Call); ok {
					if what, ok := endOf(call.Common(), lit.FreeVars[i]); ok {
						return what, true
					}
				}
			}
		}
	}
	return "", false
}

// endOf tells whether a call gives up what the variable holds, and how.
func endOf(call *ssa.CallCommon, cell ssa.Value) (string, bool) {
	what, v := ender(call)
	if v != nil {
		return what, holds(v, cell) || cancels(v, cell)
	}
	// A helper may do it: putBuffer(b).
	callee := call.StaticCallee()
	if callee == nil {
		return "", false
	}
	for i, a := range call.Args {
		if holds(a, cell) && i < len(callee.Params) && ends(callee, callee.Params[i]) {
			return callee.Name(), true
		}
	}
	return "", false
}

// ends tells whether a function gives up its parameter.
func ends(fn *ssa.Function, p *ssa.Parameter) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok {
				if _, v := ender(call.Common()); v == p {
					return true
				}
			}
		}
	}
	return false
}

// ender is what a call gives up, and how: nil if it is no such call.
func ender(call *ssa.CallCommon) (string, ssa.Value) {
	if call.IsInvoke() {
		if enders[call.Method.Name()] {
			return call.Method.Name(), call.Value
		}
		return "", nil
	}
	callee := call.StaticCallee()
	if callee == nil {
		if len(call.Args) == 0 { // a function to cancel a context
			return "its cancel function", call.Value
		}
		return "", nil
	}
	if callee.Signature.Recv() == nil || len(call.Args) == 0 {
		return "", nil
	}
	if enders[callee.Name()] && len(call.Args) == 1 {
		return callee.Name(), call.Args[0]
	}
	if callee.Name() == "Put" && callee.Pkg != nil && callee.Pkg.Pkg.Path() == "sync" {
		return "Pool.Put", heaps.Peel(call.Args[1])
	}
	return "", nil
}

// holds tells whether v is what the variable holds.
func holds(v, cell ssa.Value) bool {
	if v == cell {
		return true
	}
	if load, ok := v.(*ssa.UnOp); ok && load.X == cell {
		return true
	}
	for _, st := range stores(cell) {
		if st.Val == v {
			return true
		}
	}
	return false
}

// cancels tells whether v is the function that came with the context in the
// variable: ctx, cancel := context.WithCancel(parent).
func cancels(v, cell ssa.Value) bool {
	if load, ok := v.(*ssa.UnOp); ok {
		list := stores(load.X)
		if len(list) != 1 {
			return false
		}
		v = list[0].Val
	}
	cancel, ok := v.(*ssa.Extract)
	if !ok || cancel.Index != 1 {
		return false
	}
	call, ok := cancel.Tuple.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || call.Call.StaticCallee().Pkg == nil || call.Call.StaticCallee().Pkg.Pkg.Path() != "context" {
		return false
	}
	for _, st := range stores(cell) {
		if ctx, ok := st.Val.(*ssa.Extract); ok && ctx.Tuple == cancel.Tuple && ctx.Index == 0 {
			return true
		}
	}
	return false
}

// given reports an object in a field, read by the comparator, that a function
// closes or releases before it goes on to use the heap.
func (c *checker) given(cmp order.Comparator, set *order.Set) {
	done := map[*types.Var]bool{}
	for _, r := range set.Reads {
		if r.Root == order.Element || r.Root == order.Global {
			continue
		}
		for _, field := range r.Path {
			if !done[field] {
				done[field] = true
				c.fieldEnded(cmp, r, field)
			}
		}
	}
}

func (c *checker) fieldEnded(cmp order.Comparator, r *order.Read, field *types.Var) {
	for _, fn := range c.heaps.IR.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*ssa.Call)
				if !ok {
					continue
				}
				what, v := ender(call.Common())
				load, ok := v.(*ssa.UnOp)
				if !ok {
					continue
				}
				addr, ok := load.X.(*ssa.FieldAddr)
				if !ok || order.FieldOf(addr).Origin() != field.Origin() || !c.usedOn(in, addr.X) {
					continue
				}
				pos := r.Pos
				if p := selection(cmp.Fn, field); p.IsValid() {
					pos = p
				}
				c.report(pos, "lifetime", fmt.Sprintf("%s uses %s, which %s gives up by %s (line %d) and then goes on to use the heap",
					who(cmp.Fn), field.Name(), funcName(fn), what, c.line(in.Pos())),
					analysis.RelatedInformation{Pos: in.Pos(), Message: field.Name() + " is given up here"})
				return
			}
		}
	}
}

// usedOn tells whether a heap operation that can compare elements follows an
// instruction, on a heap that is reached from the same value as owner, and nothing
// puts another object in its place before.
func (c *checker) usedOn(in ssa.Instruction, owner ssa.Value) bool {
	_, root := heaps.FieldPath(owner)
	found := false
	reach(in, func(in ssa.Instruction) bool {
		st, ok := in.(*ssa.Store)
		if !ok {
			return false
		}
		_, at := heaps.FieldPath(st.Addr)
		return at == root
	}, func(in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok || c.ops(in)&uses == 0 {
			return
		}
		for _, a := range call.Common().Args {
			_, at := heaps.FieldPath(heaps.Peel(a))
			found = found || at == root
		}
	})
	return found
}

// selection is the first place where a function selects a field.
func selection(fn *ssa.Function, field *types.Var) (pos token.Pos) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if addr, ok := in.(*ssa.FieldAddr); ok && order.FieldOf(addr).Origin() == field.Origin() && addr.Pos().IsValid() && (!pos.IsValid() || addr.Pos() < pos) {
				pos = addr.Pos()
			}
		}
	}
	return pos
}

// firstUse is the first place where a function reads a free variable.
func firstUse(fn *ssa.Function, fv *ssa.FreeVar) (pos token.Pos) {
	for _, r := range *fv.Referrers() {
		p := r.Pos()
		if v, ok := r.(ssa.Value); ok && !p.IsValid() && v.Referrers() != nil {
			for _, u := range *v.Referrers() {
				if u.Pos().IsValid() && (!p.IsValid() || u.Pos() < p) {
					p = u.Pos()
				}
			}
		}
		if p.IsValid() && (!pos.IsValid() || p < pos) {
			pos = p
		}
	}
	if !pos.IsValid() {
		pos = fn.Pos()
	}
	return pos
}
