package heaps

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Type is a named type that is used as a heap.
type Type struct {
	Obj   *types.TypeName
	Named *types.Named
	// Len, Less, Swap, Push and Pop are its methods of heap.Interface as written
	// in this package. One is nil if it is promoted from an embedded field whose
	// type stands in another package, or belongs to another package.
	Len, Less, Swap, Push, Pop *ssa.Function
	// Slice is the way from the receiver to the backing slice, empty if the type
	// is itself a slice. It is what Len returns the length of; Known is false if
	// that cannot be told.
	Slice []*types.Var
	Known bool
	// Elem is the element type of the backing slice, nil if not Known.
	Elem types.Type
	// Index is the field of the element in which Swap stores the element's
	// position, nil if there is none.
	Index *types.Var
}

// Methods returns the methods that are known, in the order of heap.Interface.
func (t *Type) Methods() []*ssa.Function {
	var all []*ssa.Function
	for _, m := range []*ssa.Function{t.Len, t.Less, t.Swap, t.Push, t.Pop} {
		if m != nil {
			all = append(all, m)
		}
	}
	return all
}

func (t *Type) complete(p *Package) {
	t.Len, t.Less, t.Swap = t.method(p, "Len"), t.method(p, "Less"), t.method(p, "Swap")
	t.Push, t.Pop = t.method(p, "Push"), t.method(p, "Pop")
	if t.Len != nil {
		t.Slice, t.Elem, t.Known = lenPath(t.Len, 0)
	}
	if t.Swap != nil {
		t.Index = indexField(t.Swap)
	}
}

// Backing is the way from a heap of the type to the slice that it works on. Unlike
// Slice it starts at the type itself also where Len is promoted from an embedded
// field. It is nil if that is not known, and empty for a type that is a slice.
func (t *Type) Backing() []*types.Var {
	if !t.Known {
		return nil
	}
	path := []*types.Var{}
	_, index, _ := types.LookupFieldOrMethod(types.NewPointer(t.Named), true, t.Obj.Pkg(), "Len")
	var at types.Type = t.Named
	for _, i := range index[:max(0, len(index)-1)] {
		if p, ok := at.Underlying().(*types.Pointer); ok {
			at = p.Elem()
		}
		s, ok := at.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		path = append(path, s.Field(i).Origin())
		at = s.Field(i).Type()
	}
	return append(path, t.Slice...)
}

// method finds the source function of a method, also one that is promoted from an
// embedded field. A promoted method's Slice path starts at its own receiver.
func (t *Type) method(p *Package, name string) *ssa.Function {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t.Named), true, t.Obj.Pkg(), name)
	fn, _ := obj.(*types.Func)
	if fn == nil {
		return nil
	}
	f := p.IR.Prog.FuncValue(fn.Origin())
	if f == nil || len(f.Blocks) == 0 {
		return nil
	}
	return f
}

// lenPath finds what a Len method returns the length of. It follows one Len
// method that calls another.
func lenPath(fn *ssa.Function, depth int) ([]*types.Var, types.Type, bool) {
	if len(fn.Params) == 0 || depth > 4 {
		return nil, nil, false
	}
	v, ok := onlyResult(fn)
	call, _ := v.(*ssa.Call)
	if !ok || call == nil || len(call.Call.Args) == 0 {
		return nil, nil, false
	}
	path, root := FieldPath(call.Call.Args[0])
	if root != fn.Params[0] {
		return nil, nil, false
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
		s, ok := call.Call.Args[0].Type().Underlying().(*types.Slice)
		if !ok {
			return nil, nil, false
		}
		return path, s.Elem(), true
	}
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Name() != "Len" || len(callee.Blocks) == 0 {
		return nil, nil, false
	}
	rest, elem, ok := lenPath(callee, depth+1)
	return append(path, rest...), elem, ok
}

// onlyResult is the one value that fn returns, if it has one return statement.
func onlyResult(fn *ssa.Function) (ssa.Value, bool) {
	var v ssa.Value
	for _, b := range fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			if v != nil || len(r.Results) != 1 {
				return nil, false
			}
			v = r.Results[0]
		}
	}
	return v, v != nil
}

// FieldPath follows loads and field selections from v back to the value they
// start from. It returns the fields from there to v, outermost first, and that
// value: for (*h).inner.items it returns [inner items] and h. A local variable
// that holds nothing but a parameter is that parameter.
func FieldPath(v ssa.Value) ([]*types.Var, ssa.Value) {
	var rev []*types.Var
	for {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			rev = append(rev, fieldOf(x.X.Type(), x.Field))
			v = x.X
		case *ssa.Field:
			rev = append(rev, fieldOf(x.X.Type(), x.Field))
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Alloc:
			p := spilledParam(x)
			if p == nil {
				return reverse(rev), x
			}
			v = p
		default:
			return reverse(rev), v
		}
	}
}

// spilledParam returns the parameter that a local variable holds all its life: a
// value receiver whose address is taken (by a selection) is stored to one first.
func spilledParam(a *ssa.Alloc) *ssa.Parameter {
	var p *ssa.Parameter
	for _, r := range *a.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == a {
			q, ok := st.Val.(*ssa.Parameter)
			if !ok || p != nil {
				return nil
			}
			p = q
		}
	}
	return p
}

func fieldOf(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(i)
}

func reverse(s []*types.Var) []*types.Var {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	return s
}

// indexField finds the integer field to which Swap stores one of its own
// parameters: the position that the element keeps of itself.
func indexField(swap *ssa.Function) *types.Var {
	for _, b := range swap.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			addr, ok := st.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			val := st.Val
			if c, ok := val.(*ssa.Convert); ok {
				val = c.X
			}
			if p, ok := val.(*ssa.Parameter); ok && p != swap.Params[0] {
				return fieldOf(addr.X.Type(), addr.Field)
			}
		}
	}
	return nil
}
