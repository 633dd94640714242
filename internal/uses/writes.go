package uses

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// A Write changes a field of an element that a heap type orders its elements by.
type Write struct {
	// Instr is the assignment, or the call of a function that makes it.
	Instr ssa.Instruction
	// Elem is the element in terms of the function at hand.
	Elem  *locks.Place
	Type  *heaps.Type
	Field *types.Var
}

// WritesAt returns the writes to ordering fields of elements that an instruction
// makes, itself or through the package's functions that it calls.
func (p *Package) WritesAt(instr ssa.Instruction) []Write {
	switch x := instr.(type) {
	case *ssa.Store:
		return p.write(x)
	case *ssa.Call:
		return p.writesOfCall(x)
	}
	return nil
}

func (p *Package) write(st *ssa.Store) []Write {
	a, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	f := contract.StoredField(st)
	var list []Write
	for _, t := range p.Types {
		if !t.Known || !p.Keys(t).Has(f) {
			continue
		}
		if elem := p.Place(p.elemOf(a, t)); elem != nil {
			list = append(list, Write{st, elem, t, f})
		}
	}
	return list
}

// elemOf returns the element of which a field, or a field within a struct in it, is
// addressed; nil if it is none.
func (p *Package) elemOf(a *ssa.FieldAddr, t *heaps.Type) ssa.Value {
	for {
		if p.isElem(a.X.Type(), t) {
			return a.X
		}
		outer, ok := a.X.(*ssa.FieldAddr)
		if !ok {
			return nil
		}
		a = outer
	}
}

// isElem tells whether a pointer points to elements of the heap type.
func (p *Package) isElem(ptr types.Type, t *heaps.Type) bool {
	return sameNamed(Behind(ptr), Behind(t.Elem))
}

// Behind is the type that a pointer type points to, or the type itself.
func Behind(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func sameNamed(a, b types.Type) bool {
	na, ok1 := types.Unalias(a).(*types.Named)
	nb, ok2 := types.Unalias(b).(*types.Named)
	return ok1 && ok2 && na.Origin().Obj() == nb.Origin().Obj()
}

// writesOfCall returns the writes of a callee to elements that are its receiver or
// parameters: those that it has from elsewhere are its own business.
func (p *Package) writesOfCall(call *ssa.Call) []Write {
	if call.Call.IsInvoke() || p.Op(call) != nil {
		return nil
	}
	var list []Write
	for _, c := range p.Locks.Callees(call.Common()) {
		for _, w := range p.paramWrites(c.Fn) {
			if elem := p.Locks.Bind(w.Elem, c); elem != nil && len(list) < maxSites {
				list = append(list, Write{call, elem, w.Type, w.Field})
			}
		}
	}
	return list
}

// paramWrites returns the writes of a function to elements that are its parameters.
// A function that also runs operations on heaps may settle them itself.
func (p *Package) paramWrites(fn *ssa.Function) []Write {
	if list, ok := p.writes[fn]; ok {
		return list
	}
	p.writes[fn] = nil // for recursion
	if p.MethodOf(fn) != nil || len(p.Sites(fn)) > 0 {
		return nil
	}
	var list []Write
	Instrs(fn, func(instr ssa.Instruction) {
		for _, w := range p.WritesAt(instr) {
			param, ok := w.Elem.Root.(*ssa.Parameter)
			if ok && w.Elem.Parent == nil && param.Parent() == fn && len(list) < maxSites {
				list = append(list, w)
			}
		}
	})
	p.writes[fn] = list
	return list
}
