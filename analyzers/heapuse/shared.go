package heapuse

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/uses"
)

// sharedKeySet reports a write to an object that several elements refer to and are
// ordered by: it moves the keys of all of them, also where one element was taken
// out for the change.
func (c *checker) sharedKeySet(st *ssa.Store) {
	f := contract.StoredField(st)
	if f == nil {
		return
	}
	object := st.Addr.(*ssa.FieldAddr).X
	for _, t := range c.Types {
		if !t.Known || !c.Keys(t).Has(f) || !c.popped(t) {
			continue
		}
		ref := c.reference(t, object.Type())
		if ref == nil || madeHere(object) || c.ownReceiver(object) || c.initialized(st, nil, t) {
			continue
		}
		assigned := c.assignedShared(ref)
		if assigned == nil {
			continue
		}
		c.report("fix", st.Pos(), fmt.Sprintf("%s is changed, by which elements of the %s are ordered through %s: all that share it change their place, and only heap.Init puts the heap right", f.Name(), t.Obj.Name(), ref.Name()),
			related(assigned.Pos(), "elements get to share it here"), related(t.Less.Pos(), "Less reads it"))
		return
	}
}

// reference returns the field of the heap's elements that points to objects of a
// type, nil if there is none.
func (c *checker) reference(t *heaps.Type, object types.Type) *types.Var {
	s := elemStruct(t)
	if s == nil {
		return nil
	}
	want, ok := types.Unalias(uses.Behind(object)).(*types.Named)
	if !ok || want.Obj() == elemName(t) {
		return nil
	}
	for f := range s.Fields() {
		ptr, ok := f.Type().Underlying().(*types.Pointer)
		if !ok || !c.Keys(t).Has(f) {
			continue
		}
		if n, ok := types.Unalias(ptr.Elem()).(*types.Named); ok && n.Origin().Obj() == want.Origin().Obj() {
			return f.Origin()
		}
	}
	return nil
}

// elemStruct is the struct that a heap's elements are or point to, nil if none.
func elemStruct(t *heaps.Type) *types.Struct {
	if t.Elem == nil {
		return nil
	}
	s, _ := uses.Behind(t.Elem).Underlying().(*types.Struct)
	return s
}

func elemName(t *heaps.Type) *types.TypeName {
	if n, ok := types.Unalias(uses.Behind(t.Elem)).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// madeHere tells whether an object was made in the function.
func madeHere(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// ownReceiver tells whether an object is the receiver of the method at hand.
func (c *checker) ownReceiver(v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	return ok && p.Parent().Signature.Recv() != nil && p == p.Parent().Params[0]
}

// assignedShared returns a store by which an existing element gets to refer to an
// object that others may refer to as well: one that came by parameter or out of a
// map.
func (c *checker) assignedShared(ref *types.Var) *ssa.Store {
	for _, fn := range c.IR.Funcs {
		var found *ssa.Store
		uses.Instrs(fn, func(instr ssa.Instruction) {
			st, ok := instr.(*ssa.Store)
			if !ok || found != nil || contract.StoredField(st) != ref || c.skipped(st.Pos()) {
				return
			}
			switch v := st.Val.(type) {
			case *ssa.Parameter:
				if !madeHere(st.Addr.(*ssa.FieldAddr).X) {
					found = st
				}
			case *ssa.Lookup, *ssa.Extract:
				if lookupOf(v) != nil {
					found = st
				}
			}
		})
		if found != nil {
			return found
		}
	}
	return nil
}
