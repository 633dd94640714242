package expose

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// shallow finds changes in place of a slice or map that a copy of guarded data still
// shares with what it is a copy of: a struct copied out of a map, say, whose slice is
// filtered before the struct is stored under another key.
func (f *finder) shallow() {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Alloc:
				f.shallowStruct(instr)
			case *ssa.MapUpdate:
				f.filtered(instr, f.target(instr), instr.Value)
			case *ssa.Store:
				f.filtered(instr, f.a.Places().Of(instr.Addr), instr.Val)
			}
		}
	}
}

// target is the place that a map assignment sets.
func (f *finder) target(up *ssa.MapUpdate) *locks.Place {
	m := f.a.Places().Of(up.Map)
	if m == nil {
		return nil
	}
	return f.a.Places().Elem(m, up.Key, up.Value.Type())
}

// shallowStruct looks at a variable that holds a copy of a guarded struct.
func (f *finder) shallowStruct(a *ssa.Alloc) {
	p, ok := a.Type().Underlying().(*types.Pointer)
	if !ok || !locks.IsStruct(p.Elem()) {
		return
	}
	from := f.copiedFrom(a)
	if from == nil {
		return
	}
	if !f.livesOn(a, from) {
		return
	}
	for _, r := range referrers(a) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || !container(locks.Field(fa).Type()) {
			continue
		}
		part := f.a.Append(from, locks.Path{{Field: locks.Field(fa)}})
		fd, q := f.fs.At(part)
		if fd == nil || f.handedOver(leak{field: fd, at: q, place: part}) {
			continue
		}
		for _, u := range referrers(fa) {
			load, ok := u.(*ssa.UnOp)
			if !ok || f.renewed(a, fa.Field, load) {
				continue
			}
			for _, c := range changes(load, maxChangeDepth) {
				f.report("alias", locks.Pos(c), fd, fmt.Sprintf("changes %s of a copy in place: it is still the one in %s, which the copy was made from and which %s guards", locks.Field(fa).Name(), fd, fd.Guard))
			}
		}
	}
}

// copiedFrom is the place of which a variable is a copy from its beginning, nil if
// there is no one such.
func (f *finder) copiedFrom(a *ssa.Alloc) *locks.Place {
	var val ssa.Value
	for _, r := range referrers(a) {
		if st, ok := r.(*ssa.Store); ok && st.Addr == a {
			if val != nil {
				return nil
			}
			val = st.Val
		}
	}
	switch v := val.(type) {
	case *ssa.UnOp, *ssa.Lookup, *ssa.Extract:
		return f.a.Places().Of(v)
	}
	return nil
}

// livesOn tells whether the copy is stored somewhere else than where it came from, or
// returned: then there are two that share.
func (f *finder) livesOn(a *ssa.Alloc, from *locks.Place) bool {
	elsewhere := false
	for _, r := range referrers(a) {
		load, ok := r.(*ssa.UnOp)
		if !ok {
			continue
		}
		for _, u := range referrers(load) {
			switch u := u.(type) {
			case *ssa.Return, *ssa.Send:
				elsewhere = true
			case *ssa.MapUpdate:
				if u.Value == load && f.same(f.target(u), from) {
					return false
				}
				elsewhere = elsewhere || u.Value == load
			case *ssa.Store:
				if _, local := u.Addr.(*ssa.Alloc); local {
					elsewhere = elsewhere || returned(u.Addr)
					continue
				}
				if f.same(f.a.Places().Of(u.Addr), from) {
					return false
				}
				elsewhere = true
			}
		}
	}
	return elsewhere
}

// same tells whether two places are one at two points of the function: not if an index
// is a field that the function sets.
func (f *finder) same(p, q *locks.Place) bool {
	if p == nil || p != q {
		return false
	}
	for _, part := range p.Ancestors() {
		if i := part.Index(); i != nil && f.sets(i) {
			return false
		}
	}
	return true
}

// sets tells whether the function stores to the place.
func (f *finder) sets(p *locks.Place) bool {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			if st, ok := instr.(*ssa.Store); ok && f.a.Places().Of(st.Addr) == p {
				return true
			}
		}
	}
	return false
}

// renewed tells whether the field of the copy is set to something of its own before
// the instruction.
func (f *finder) renewed(a *ssa.Alloc, field int, before ssa.Instruction) bool {
	for _, r := range referrers(a) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.Field != field {
			continue
		}
		for _, u := range referrers(fa) {
			st, ok := u.(*ssa.Store)
			if ok && st.Addr == fa && uses.Dominates(st, before) && !f.derives(st.Val, fa, 0) {
				return true
			}
		}
	}
	return false
}

// derives tells whether a value shares memory with what was loaded from addr's field.
func (f *finder) derives(v ssa.Value, addr *ssa.FieldAddr, depth int) bool {
	if depth > 6 {
		return true
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		fa, ok := v.X.(*ssa.FieldAddr)
		return ok && fa.X == addr.X && fa.Field == addr.Field
	case *ssa.Slice:
		return f.derives(v.X, addr, depth+1)
	case *ssa.ChangeType:
		return f.derives(v.X, addr, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if f.derives(e, addr, depth+1) {
				return true
			}
		}
	case *ssa.Call:
		return inPlaceResult(&v.Call) && f.derives(v.Call.Args[0], addr, depth+1)
	}
	return false
}

// inPlaceResult tells whether a call returns the slice that it is given, changed.
func inPlaceResult(call *ssa.CallCommon) bool {
	if len(call.Args) == 0 {
		return false
	}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "append"
	}
	name := fullName(call)
	return mutators[name] && call.Signature().Results().Len() > 0
}

// filtered finds a slice that is made from a guarded one by changing that in place,
// and kept at another place while the first stays where it is.
func (f *finder) filtered(instr ssa.Instruction, to *locks.Place, val ssa.Value) {
	call, ok := heaps.Peel(val).(*ssa.Call)
	if to == nil || !ok || !cuts(&call.Call) {
		return
	}
	from := f.a.Canonical(f.a.Places().Of(call.Call.Args[0]))
	if to, _ = f.a.Canonical(to), 0; from == nil || f.same(from, to) {
		return
	}
	fd, q := f.fs.At(from)
	if fd == nil || from.Root != to.Root || to.Parent == nil || f.handedOver(leak{field: fd, at: q, place: from}) || f.setsElem(from) {
		return
	}
	if other, _ := f.fs.At(to); other == nil {
		return
	}
	f.report("alias", locks.Pos(call), fd, fmt.Sprintf("makes one slice of another in place, and %s still has the other: its elements are overwritten", fd))
}

// cuts tells whether a call overwrites elements of the slice that it is given and
// returns the rest.
func cuts(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
		s, ok := call.Args[0].(*ssa.Slice)
		return ok && s.High != nil && s.Max == nil
	}
	return inPlaceResult(call)
}

// setsElem tells whether the function sets the element at p to something.
func (f *finder) setsElem(p *locks.Place) bool {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			if up, ok := instr.(*ssa.MapUpdate); ok && f.same(f.a.Canonical(f.target(up)), p) {
				return true
			}
		}
	}
	return false
}
