package order

import "golang.org/x/tools/go/ssa"

// Assertions lists the single-valued type assertions on elements, or values
// reached from them without a field, that a comparator makes, in its own body
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
					if !in.CommaOk && isElement(in.X) {
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
