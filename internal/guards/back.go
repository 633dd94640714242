package guards

import (
	"go/types"

	"github.com/heapvet/heapvet/internal/locks"
)

// byBackPointer tells whether an object is reached from one of its own parts, as
// n.tree is where a tree is made of nodes that know it. Which way the node was found
// need not be visible; that it is a node of the tree at hand can be taken for granted.
func (l *Location) byBackPointer(obj *locks.Place) bool {
	if l.Owner == nil || obj.Field == nil || obj.Parent == nil || !pointerLike(obj.Field.Type()) {
		return false
	}
	part := obj.Parent.Named()
	if part == nil || part == l.Owner || obj.Named() != l.Owner {
		return false
	}
	has, known := l.parts[part]
	if !known {
		has = contains(l.Owner.Type(), part, map[types.Type]bool{}, 0)
		if l.parts == nil {
			l.parts = map[*types.TypeName]bool{}
		}
		l.parts[part] = has
	}
	return has
}

// maxNesting bounds how deep in its owner a part is looked for.
const maxNesting = 6

// contains tells whether a value of type t leads to values of the named type.
func contains(t types.Type, part *types.TypeName, seen map[types.Type]bool, depth int) bool {
	if seen[t] || depth > maxNesting {
		return false
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Origin().Obj() == part {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return contains(u.Elem(), part, seen, depth)
	case *types.Slice:
		return contains(u.Elem(), part, seen, depth)
	case *types.Array:
		return contains(u.Elem(), part, seen, depth)
	case *types.Map:
		return contains(u.Elem(), part, seen, depth) || contains(u.Key(), part, seen, depth)
	case *types.Struct:
		for f := range u.Fields() {
			if contains(f.Type(), part, seen, depth+1) {
				return true
			}
		}
	}
	return false
}

// inOwner returns the way from an object of the owner's type to a lock in it.
func (l *Location) inOwner(lock *locks.Place) (locks.Path, bool) {
	for _, obj := range lock.Ancestors() {
		if obj.Named() == l.Owner {
			path, ok := lock.From(obj)
			return path, ok || obj == lock
		}
	}
	return nil, false
}

// heldByOwner is how the guard of some object of the owner's type is held.
func (l *Location) heldByOwner(list []locks.Held, g *Guard) locks.Mode {
	var mode locks.Mode
	for _, h := range list {
		if path, ok := l.inOwner(h.Place); ok && path.String() == g.Path.String() {
			mode = max(mode, h.Mode)
		}
	}
	return mode
}
