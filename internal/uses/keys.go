package uses

import (
	"go/types"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/order"
)

// Keys are the fields by which a heap orders its elements: of the elements, of what
// they refer to, of the heap itself.
type Keys struct {
	fields map[*types.Var]bool
	// Complete says that the whole comparator is in sight.
	Complete bool
}

// Has tells whether the field is one of the keys, or on the way to one.
func (k *Keys) Has(f *types.Var) bool { return f != nil && k.fields[f.Origin()] }

// Keys returns the ordering fields of a heap type.
func (p *Package) Keys(t *heaps.Type) *Keys {
	if k, ok := p.keys[t]; ok {
		return k
	}
	set := order.HeapSet(p.Package, t)
	k := &Keys{fields: map[*types.Var]bool{}, Complete: !set.Open}
	for _, r := range set.Reads {
		if r.Root != order.Element && r.Root != order.Receiver {
			continue
		}
		for _, f := range r.Path {
			k.fields[f.Origin()] = true
		}
	}
	for _, f := range t.Backing() { // where the elements are is no part of their order
		delete(k.fields, f.Origin())
	}
	p.keys[t] = k
	return k
}

// FieldOf is the i-th field of a struct type or of what a pointer type points at;
// the generic type's field for an instance, nil if there is none.
func FieldOf(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(i).Origin()
}
