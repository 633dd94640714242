package lesscapture

import (
	"fmt"
	"go/token"

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
			if !ok {
				continue
			}
			switch call.(type) {
			case *ssa.Defer:
				if !escapes(made) {
					continue
				}
			case *ssa.Call:
				if !reaches(made, in, nil) || c.after(in)&uses == 0 && !(escapes(made) && c.effects[made.Parent()]&uses == 0) {
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

// endOf tells whether a call gives up what the variable holds, and how.
func endOf(call *ssa.CallCommon, cell ssa.Value) (string, bool) {
	if call.IsInvoke() {
		if enders[call.Method.Name()] && holds(call.Value, cell) {
			return call.Method.Name(), true
		}
		return "", false
	}
	callee := call.StaticCallee()
	if callee == nil || callee.Signature.Recv() == nil || len(call.Args) == 0 {
		return "", false
	}
	if enders[callee.Name()] && len(call.Args) == 1 && holds(call.Args[0], cell) {
		return callee.Name(), true
	}
	if callee.Name() == "Put" && callee.Pkg != nil && callee.Pkg.Pkg.Path() == "sync" && holds(heaps.Peel(call.Args[1]), cell) {
		return "Pool.Put", true
	}
	return "", false
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
