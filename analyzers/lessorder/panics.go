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
	for _, n := range r.NilUses {
		key := n.Key
		if key == "" {
			key = "the element"
		}
		c.pass.Report(analysis.Diagnostic{
			Pos:      n.Pos,
			Category: "panic",
			Message:  fmt.Sprintf("%s can be nil here: %s tests for that, but not on every path; %s", key, nameOf(n.Fn), c.unwinds(cmp)),
		})
	}
	c.unset(cmp, r)
	for _, a := range order.Assertions(cmp.Fn) {
		if push, typ := c.otherPush(cmp.Heap, a.AssertedType); push != nil {
			qual := types.RelativeTo(c.pass.Pkg)
			c.pass.Report(analysis.Diagnostic{
				Pos:      a.Pos(),
				Category: "panic",
				Message:  fmt.Sprintf("%s takes elements for %s, but a %s is pushed too, and the assertion panics on it; %s", nameOf(cmp.Fn), types.TypeString(a.AssertedType, qual), types.TypeString(typ, qual), c.unwinds(cmp)),
				Related:  []analysis.RelatedInformation{{Pos: push.Instr.Pos(), Message: "pushed here"}},
			})
		}
	}
}

// otherPush finds a push of an element whose type the assertion does not hold for.
func (c *checker) otherPush(t *heaps.Type, asserted types.Type) (*heaps.Op, types.Type) {
	for _, op := range c.heaps.Ops {
		if op.Kind != heaps.Push || op.Elem == nil || t == nil || c.heaps.Type(op.Heap.Type()) != t {
			continue
		}
		typ := op.Elem.Type()
		if types.IsInterface(typ) {
			if k, ok := op.Elem.(*ssa.Const); !ok || !k.IsNil() {
				continue
			}
		}
		if iface, ok := asserted.Underlying().(*types.Interface); ok {
			if types.Implements(typ, iface) {
				continue
			}
		} else if types.Identical(typ, asserted) {
			continue
		}
		return op, typ
	}
	return nil, nil
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
	for _, u := range r.PointerUses {
		if done[u.Field] || !u.Pos.IsValid() || cmp.Heap == nil {
			continue
		}
		done[u.Field] = true
		where, why := c.mayBeUnset(cmp.Heap, u.Field)
		if !where.IsValid() {
			continue
		}
		what := "is nil"
		if u.Index {
			what = "is empty"
		}
		c.pass.Report(analysis.Diagnostic{
			Pos:      u.Pos,
			Category: "panic",
			Message:  fmt.Sprintf("%s panics on an element whose %s %s: %s (line %d); %s", nameOf(cmp.Fn), u.Field.Name(), what, why, c.pass.Fset.Position(where).Line, c.unwinds(cmp)),
			Related:  []analysis.RelatedInformation{{Pos: where, Message: why}},
		})
	}
}

// mayBeUnset finds a reason to think that elements of the heap lack a field.
func (c *checker) mayBeUnset(t *heaps.Type, field *types.Var) (token.Pos, string) {
	for _, op := range c.heaps.Ops {
		if op.Kind != heaps.Push || op.Elem == nil || c.heaps.Type(op.Heap.Type()) != t {
			continue
		}
		for _, v := range c.pushed(op.Elem, 0) {
			if lit := literal(v); lit != nil && without(lit, field) {
				return lit.Pos(), "one is pushed without it"
			}
			if _, ok := v.(*ssa.Const); ok && hasField(v.Type(), field) {
				return op.Instr.Pos(), "one is pushed without it"
			}
		}
	}
	for _, fn := range c.heaps.IR.Funcs {
		if c.heaps.Method(fn) || c.skip(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if cmp, ok := in.(*ssa.BinOp); ok && c.testsElement(t, cmp, field) {
					return cmp.Pos(), "it is tested for that on an element of the heap"
				}
			}
		}
	}
	return token.NoPos, ""
}

// pushed are the values that an element can be: for a parameter, what the package
// passes for it.
func (c *checker) pushed(v ssa.Value, depth int) []ssa.Value {
	p, ok := v.(*ssa.Parameter)
	if !ok || depth > 2 {
		return []ssa.Value{v}
	}
	var list []ssa.Value
	for _, fn := range c.heaps.IR.Funcs {
		if c.skip(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok || call.Common().StaticCallee() != p.Parent() {
					continue
				}
				for i, q := range p.Parent().Params {
					if q == p && i < len(call.Common().Args) {
						list = append(list, c.pushed(heaps.Peel(call.Common().Args[i]), depth+1)...)
					}
				}
			}
		}
	}
	return list
}

// literal is the variable of a struct literal that v is the value or address of.
func literal(v ssa.Value) *ssa.Alloc {
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	a, ok := v.(*ssa.Alloc)
	if !ok || a.Comment != "complit" && a.Comment != "new" {
		return nil
	}
	return a
}

// without tells whether a struct is made without a field: nothing sets it, and
// nobody gets the struct who could, before it is pushed.
func without(lit *ssa.Alloc, field *types.Var) bool {
	if !hasField(lit.Type().Underlying().(*types.Pointer).Elem(), field) {
		return false
	}
	for _, r := range *lit.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if order.FieldOf(r).Origin() == field.Origin() {
				return false
			}
		case *ssa.MakeInterface, *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Call:
			if len(r.Call.Args) == 0 || r.Call.Args[len(r.Call.Args)-1] != lit {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// hasField tells whether a struct type has the field itself.
func hasField(t types.Type, field *types.Var) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Origin() == field.Origin() {
			return true
		}
	}
	return false
}

// testsElement tells whether a comparison with nil is of the field of an element
// that was taken from the heap's slice.
func (c *checker) testsElement(t *heaps.Type, cmp *ssa.BinOp, field *types.Var) bool {
	k, ok := cmp.Y.(*ssa.Const)
	if !ok || !k.IsNil() || cmp.Op != token.EQL && cmp.Op != token.NEQ || !isLoad(cmp.X, field) {
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
