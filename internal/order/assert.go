package order

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Assertions lists the single-valued type assertions on elements, and on fields of
// structs, that a comparator makes, in its own body
// and in functions of the package that it calls.
func Assertions(fn *ssa.Function) []*ssa.TypeAssert {
	var list []*ssa.TypeAssert
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function, depth int)
	visit = func(fn *ssa.Function, depth int) {
		if fn == nil || seen[fn] || depth > maxSetDepth {
			return
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.TypeAssert:
					if !in.CommaOk && (isElement(in.X) || AssertedField(in) != nil) {
						list = append(list, in)
					}
				case *ssa.Call:
					if callee := in.Call.StaticCallee(); callee != nil {
						visit(bodyOf(callee), depth+1)
					}
				}
			}
		}
	}
	visit(bodyOf(fn), 0)
	return list
}

// AssertedField is the field that a type assertion is of, nil if it is of something
// else.
func AssertedField(in *ssa.TypeAssert) *types.Var {
	if load, ok := in.X.(*ssa.UnOp); ok {
		if addr, ok := load.X.(*ssa.FieldAddr); ok {
			return FieldOf(addr)
		}
	}
	return nil
}

// ElementUse is the place where a Less method selects a field of an element that is
// a pointer, if it tests no element for nil.
func ElementUse(fn *ssa.Function) (pos token.Pos) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.FieldAddr:
				if load, ok := in.X.(*ssa.UnOp); ok && isElement(load) && !pos.IsValid() {
					pos = in.Pos()
				}
			case *ssa.BinOp:
				if k, ok := in.Y.(*ssa.Const); ok && k.IsNil() && isElement(in.X) {
					return token.NoPos
				}
			}
		}
	}
	return pos
}

// isElement tells whether v is a parameter or an element of a slice.
func isElement(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.UnOp:
		_, ok := v.X.(*ssa.IndexAddr)
		return ok
	case *ssa.Index:
		return true
	}
	return false
}
