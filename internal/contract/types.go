package contract

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// PushedType is the one type that Push asserts its element to be, on pain of a
// panic; nil if it takes several types or asks before.
func PushedType(push *ssa.Function) types.Type {
	if push == nil || len(push.Params) != 2 {
		return nil
	}
	var want types.Type
	for _, r := range *push.Params[1].Referrers() {
		as, ok := r.(*ssa.TypeAssert)
		if !ok || as.CommaOk || want != nil && !types.Identical(want, as.AssertedType) {
			return nil
		}
		want = as.AssertedType
	}
	return want
}

// PoppedTypes are the dynamic types of what Pop returns; nil if they are not all
// known.
func PoppedTypes(pop *ssa.Function) []types.Type {
	if pop == nil {
		return nil
	}
	var list []types.Type
	for _, b := range pop.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != 1 {
			continue
		}
		switch v := ret.Results[0].(type) {
		case *ssa.MakeInterface:
			list = append(list, v.X.Type())
		case *ssa.Const:
		default:
			return nil
		}
	}
	return list
}

// MayBe tells whether a value of type got may hold the dynamic type want (or
// implement it, if want is an interface). Type parameters may be anything.
func MayBe(got, want types.Type) bool {
	if types.IsInterface(got) && !isTypeParam(got) {
		return true
	}
	if iface, ok := want.Underlying().(*types.Interface); ok && !isTypeParam(want) {
		return isTypeParam(got) || types.Implements(got, iface)
	}
	return Alike(got, want)
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// Alike tells whether two types are the same but for type parameters and the
// arguments of generic types.
func Alike(a, b types.Type) bool {
	a, b = types.Unalias(a), types.Unalias(b)
	if isTypeParam(a) || isTypeParam(b) {
		return true
	}
	switch a := a.(type) {
	case *types.Pointer:
		b, ok := b.(*types.Pointer)
		return ok && Alike(a.Elem(), b.Elem())
	case *types.Named:
		b, ok := b.(*types.Named)
		return ok && a.Origin().Obj() == b.Origin().Obj()
	case *types.Slice:
		b, ok := b.(*types.Slice)
		return ok && Alike(a.Elem(), b.Elem())
	}
	return types.Identical(a, b)
}

// IndexSource says where an index comes from: the field of an element, or the map
// field that was asked for it. A constant added to it does not matter.
func IndexSource(v ssa.Value) (field, table *types.Var) {
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.BinOp:
			if _, ok := x.Y.(*ssa.Const); !ok {
				return nil, nil
			}
			v = x.X
		case *ssa.UnOp:
			if a, ok := x.X.(*ssa.FieldAddr); ok {
				return fieldVar(a.X.Type(), a.Field), nil
			}
			return nil, nil
		case *ssa.Field:
			return fieldVar(x.X.Type(), x.Field), nil
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Lookup:
			if u, ok := x.X.(*ssa.UnOp); ok {
				if a, ok := u.X.(*ssa.FieldAddr); ok {
					return nil, fieldVar(a.X.Type(), a.Field)
				}
			}
			if f, ok := x.X.(*ssa.Field); ok {
				return nil, fieldVar(f.X.Type(), f.Field)
			}
			return nil, nil
		default:
			return nil, nil
		}
	}
}
