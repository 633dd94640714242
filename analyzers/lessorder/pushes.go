package lessorder

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/order"
)

// otherField finds a push of an element with a value in the field for which the
// assertion does not hold.
func (c *checker) otherField(t *heaps.Type, field *types.Var, asserted types.Type) (token.Pos, types.Type) {
	for _, op := range c.heaps.Ops {
		if op.Kind != heaps.Push || op.Elem == nil || t == nil || c.heaps.Type(op.Heap.Type()) != t {
			continue
		}
		for _, v := range c.pushed(op.Elem, 0) {
			lit := literal(v)
			if lit == nil {
				continue
			}
			for _, r := range *lit.Referrers() {
				addr, ok := r.(*ssa.FieldAddr)
				if !ok || order.FieldOf(addr).Origin() != field.Origin() {
					continue
				}
				for _, u := range *addr.Referrers() {
					st, ok := u.(*ssa.Store)
					if !ok || st.Addr != addr {
						continue
					}
					if typ := heaps.Peel(st.Val).Type(); !types.IsInterface(typ) && !satisfies(typ, asserted) {
						return st.Pos(), typ
					}
				}
			}
		}
	}
	return token.NoPos, nil
}

// satisfies tells whether an assertion to a type holds for values of typ.
func satisfies(typ, asserted types.Type) bool {
	if iface, ok := asserted.Underlying().(*types.Interface); ok {
		return types.Implements(typ, iface)
	}
	return types.Identical(typ, asserted)
}

// otherPush finds a push of an element whose type the assertion does not hold for.
func (c *checker) otherPush(t *heaps.Type, asserted types.Type) (token.Pos, types.Type) {
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
		if !satisfies(typ, asserted) {
			return op.Instr.Pos(), typ
		}
	}
	return token.NoPos, nil
}

// pushedWithout finds a push of an element in which a field is not set.
func (c *checker) pushedWithout(t *heaps.Type, field *types.Var) token.Pos {
	for _, op := range c.heaps.Ops {
		if op.Kind != heaps.Push || op.Elem == nil || c.heaps.Type(op.Heap.Type()) != t {
			continue
		}
		for _, v := range c.pushed(op.Elem, 0) {
			if lit := literal(v); lit != nil && without(lit, field) {
				return lit.Pos()
			}
			if _, ok := v.(*ssa.Const); ok && hasField(v.Type(), field) {
				return op.Instr.Pos()
			}
		}
	}
	return token.NoPos
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
			if order.FieldOf(r).Origin() == field.Origin() && !staysUnset(r) {
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

// staysUnset tells whether nothing but nil or zero is stored at an address, and
// nobody else gets it.
func staysUnset(addr *ssa.FieldAddr) bool {
	for _, r := range *addr.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != addr {
			return false
		}
		if k, ok := st.Val.(*ssa.Const); !ok || !isZero(k) {
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
