package lessorder

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/order"
)

// panics reports what can panic on elements that the program pushes.
func (c *checker) panics(cmp order.Comparator, r *order.Result) {
	for _, u := range r.UnsafeUses {
		key, what := u.Key, "nil"
		if key == "" {
			key = "the element"
		}
		if u.Divide {
			what = "zero"
		}
		c.pass.Report(analysis.Diagnostic{
			Pos:      u.Pos,
			Category: "panic",
			Message:  fmt.Sprintf("%s can be %s here: %s tests for that, but not on every path; %s", key, what, nameOf(u.Fn), c.unwinds(cmp)),
		})
	}
	c.unset(cmp, r)
	c.nilElement(cmp)
	for _, a := range order.Assertions(cmp.Fn) {
		what := "elements"
		push, typ := c.otherPush(cmp.Heap, a.AssertedType)
		if f := order.AssertedField(a); f != nil {
			what = f.Name()
			push, typ = c.otherField(cmp.Heap, f, a.AssertedType)
		}
		if !push.IsValid() {
			continue
		}
		c.pass.Report(analysis.Diagnostic{
			Pos:      a.Pos(),
			Category: "panic",
			Message:  fmt.Sprintf("%s takes %s for %s, but a %s is pushed too, and the assertion panics on it; %s", nameOf(cmp.Fn), what, c.typeString(a.AssertedType), c.typeString(typ), c.unwinds(cmp)),
			Related:  []analysis.RelatedInformation{{Pos: push, Message: "pushed here"}},
		})
	}
}

func (c *checker) typeString(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(c.pass.Pkg))
}

// unwinds says what a panic in the comparator does.
func (c *checker) unwinds(cmp order.Comparator) string {
	for _, op := range c.heaps.Ops {
		if cmp.Heap != nil && c.heaps.Type(op.Heap.Type()) == cmp.Heap && inGoroutine(op.Instr.Parent()) {
			return "a panic leaves the heap half changed, and ends the program: " + op.Name() + " runs in a goroutine without recover"
		}
	}
	return "a panic leaves the heap half changed"
}

// inGoroutine tells whether fn is started by a go statement and does not recover.
func inGoroutine(fn *ssa.Function) bool {
	parent := fn.Parent()
	if parent == nil || fn.Recover != nil {
		return false
	}
	for _, b := range parent.Blocks {
		for _, in := range b.Instrs {
			g, ok := in.(*ssa.Go)
			if ok && g.Call.StaticCallee() == fn {
				return true
			}
		}
	}
	return false
}

// unset reports the use of a field that an element is pushed without, or that the
// program tests for nil on an element of the heap.
func (c *checker) unset(cmp order.Comparator, r *order.Result) {
	done := map[*types.Var]bool{}
	for _, u := range r.Uses {
		if done[u.Field] || !u.Pos.IsValid() || cmp.Heap == nil {
			continue
		}
		done[u.Field] = true
		where, why := c.mayBeUnset(cmp.Heap, u)
		if !where.IsValid() {
			continue
		}
		what := "is nil"
		switch {
		case u.Kind == order.Indexes, u.Kind == order.Divides && isSlice(u.Field.Type()):
			what = "is empty"
		case u.Kind == order.Divides:
			what = "is zero"
		}
		c.pass.Report(analysis.Diagnostic{
			Pos:      u.Pos,
			Category: "panic",
			Message:  fmt.Sprintf("%s panics on an element whose %s %s: %s (line %d); %s", nameOf(cmp.Fn), u.Field.Name(), what, why, c.pass.Fset.Position(where).Line, c.unwinds(cmp)),
			Related:  []analysis.RelatedInformation{{Pos: where, Message: why}},
		})
	}
}

// nilElement reports the use of an element without a test, where nil is pushed.
func (c *checker) nilElement(cmp order.Comparator) {
	if cmp.Heap == nil {
		return
	}
	use := order.ElementUse(cmp.Fn)
	if !use.IsValid() {
		return
	}
	for _, op := range c.heaps.Ops {
		if op.Kind != heaps.Push || op.Elem == nil || c.heaps.Type(op.Heap.Type()) != cmp.Heap {
			continue
		}
		if k, ok := op.Elem.(*ssa.Const); ok && isPointer(k.Type()) {
			c.pass.Report(analysis.Diagnostic{
				Pos:      use,
				Category: "panic",
				Message:  fmt.Sprintf("%s panics on nil, which is pushed too (line %d); %s", nameOf(cmp.Fn), c.pass.Fset.Position(op.Instr.Pos()).Line, c.unwinds(cmp)),
				Related:  []analysis.RelatedInformation{{Pos: op.Instr.Pos(), Message: "nil is pushed here"}},
			})
			return
		}
	}
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// mayBeUnset finds a reason to think that elements of the heap lack a field.
func (c *checker) mayBeUnset(t *heaps.Type, u order.FieldUse) (token.Pos, string) {
	if pos := c.pushedWithout(t, u.Field); pos.IsValid() {
		return pos, "one is pushed without it"
	}
	for _, fn := range c.heaps.IR.Funcs {
		if c.heaps.Method(fn) || c.skip(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if cmp, ok := in.(*ssa.BinOp); ok && c.testsElement(t, cmp, u) {
					return cmp.Pos(), "it is tested for that on an element of the heap"
				}
			}
		}
	}
	return token.NoPos, ""
}

// isZero tells whether a constant is nil or zero.
func isZero(k *ssa.Const) bool {
	if k.Value == nil {
		return k.IsNil()
	}
	n, ok := constInt(k)
	return ok && n == 0
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// testsElement tells whether a comparison with nil, or zero, is of the field of an element
// that was taken from the heap's slice.
func (c *checker) testsElement(t *heaps.Type, cmp *ssa.BinOp, u order.FieldUse) bool {
	k, ok := cmp.Y.(*ssa.Const)
	if !ok || !isZero(k) || cmp.Op != token.EQL && cmp.Op != token.NEQ || !isLoad(cmp.X, u.Field) {
		return false
	}
	v := cmp.X.(*ssa.UnOp).X.(*ssa.FieldAddr).X
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	at, ok := v.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	for x := at.X; ; {
		if c.heaps.Type(x.Type()) == t {
			return true
		}
		switch y := x.(type) {
		case *ssa.UnOp:
			x = y.X
		case *ssa.FieldAddr:
			x = y.X
		default:
			return false
		}
	}
}
