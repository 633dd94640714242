package heaps

import "go/types"

// HoldsReferences tells whether a value of the type keeps other objects alive: it
// is or contains a pointer, slice, map, function, channel or interface. Strings do
// not count: they are mostly small and shared. A type parameter may be a number,
// so it does not count.
func HoldsReferences(t types.Type) bool { return holds(t, map[types.Type]bool{}) }

func holds(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Signature, *types.Chan, *types.Interface:
		return true
	case *types.Array:
		return holds(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			// A time's location is one of few, which live for ever.
			if n, ok := types.Unalias(f.Type()).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
				continue
			}
			if holds(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}
