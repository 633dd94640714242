package expose

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// A leak is a reference to guarded data that a value holds.
type leak struct {
	field *Field
	at    *locks.Place // the field's place
	place *locks.Place // the place that is referred to: the field's or a part of it
	pos   token.Pos    // where the reference is put into the value, if that is elsewhere
	value ssa.Value
}

// leaks returns the references to guarded data that v is or contains: directly, in a
// struct that is built in the function, or in a struct that is copied.
//
// What is of an object that the function makes itself does not count: nobody else has
// the object yet, or the object is what is handed out.
func (f *finder) leaks(v ssa.Value) []leak {
	all := f.collect(v, token.NoPos, map[ssa.Value]bool{})
	return slices.DeleteFunc(all, func(l leak) bool {
		a, ok := l.place.Root.(*ssa.Alloc)
		return ok && a.Parent() == f.fn
	})
}

func (f *finder) collect(v ssa.Value, pos token.Pos, seen map[ssa.Value]bool) []leak {
	v = heaps.Peel(v)
	if seen[v] || len(seen) > 40 {
		return nil
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Phi:
		var all []leak
		for _, e := range x.Edges {
			all = append(all, f.collect(e, pos, seen)...)
		}
		return all
	case *ssa.Alloc:
		return f.built(x, seen)
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL && locks.IsStruct(x.Type()) {
			return f.built(a, seen)
		}
		if a, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			if val := onlyStored(a); val != nil && !locks.IsStruct(x.Type()) {
				return f.collect(val, pos, seen)
			}
		}
		if x.Op == token.MUL && locks.IsStruct(x.Type()) {
			return f.structAt(f.a.Places().Of(x.X), x.Type(), nil, pos, x)
		}
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return f.slot(v, pos)
	case *ssa.MakeMap:
		var all []leak
		for _, r := range referrers(x) {
			if up, ok := r.(*ssa.MapUpdate); ok && up.Map == x {
				all = append(all, f.collect(up.Value, up.Pos(), seen)...)
			}
		}
		return all
	case *ssa.MakeSlice:
		for _, r := range referrers(x) {
			if call, ok := r.(*ssa.Call); ok && len(call.Call.Args) == 2 && call.Call.Args[0] == x && isBuiltin(&call.Call, "copy") {
				return f.inner(call.Call.Args[1], pos, seen)
			}
		}
		return nil
	case *ssa.Slice:
		if array, ok := x.X.(*ssa.Alloc); ok {
			var all []leak
			for _, e := range stored(array) {
				all = append(all, f.collectPart(e, pos, seen)...)
			}
			return all
		}
	case *ssa.Call:
		switch name := fullName(&x.Call); {
		case views[name]:
			return f.collect(x.Call.Args[0], pos, seen)
		case name == "slices.Clone" || name == "maps.Clone":
			return f.inner(x.Call.Args[0], pos, seen)
		}
		if src := copiedSlice(x); src != nil {
			return f.inner(src, pos, seen)
		}
		if added := appended(x); added != nil {
			var all []leak
			if base := f.a.Canonical(f.a.Places().Of(x.Call.Args[0])); base == nil || base.Parent == nil {
				all = f.collect(x.Call.Args[0], pos, seen) // else it is appends's business
			}
			for _, a := range added {
				all = append(all, f.collectPart(a, x.Pos(), seen)...)
			}
			return all
		}
	}
	return f.single(v, pos)
}

// single is the reference that a plain value is.
func (f *finder) single(v ssa.Value, pos token.Pos) []leak {
	t := v.Type()
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	if fresh(v, nil, 0) {
		return nil // the function's own, which it may also have put there
	}
	p := f.a.Canonical(f.a.Places().Of(v))
	if p == nil || locks.IsStruct(t) || !References(t) && !(types.IsInterface(t) && References(p.Type)) {
		return nil
	}
	fd, q := f.fs.At(p)
	if fd == nil || p != q && p.Field != nil && locks.IsStruct(p.Type) {
		return f.object(p, pos, v)
	}
	return []leak{{fd, q, p, pos, v}}
}

// object is a pointer to a struct that is a field, or its address, with guarded data in
// it.
func (f *finder) object(p *locks.Place, pos token.Pos, v ssa.Value) []leak {
	if p.Field == nil || !locks.IsStruct(p.Type) || selfGuarded(p.Type) {
		return nil
	}
	if fd, at := f.fs.Within(p); fd != nil {
		return []leak{{fd, at, p, pos, v}}
	}
	return nil
}

// slot is the address of a part of guarded data.
func (f *finder) slot(v ssa.Value, pos token.Pos) []leak {
	p := f.a.Canonical(f.a.Places().Of(v))
	if p == nil || selfGuarded(v.Type()) {
		return nil
	}
	if fd, at := f.fs.At(p); fd != nil && at == p && container(p.Type) {
		return []leak{{fd, at, p, pos, v}} // the address of the field itself
	}
	for q := p; q != nil; q = q.Parent {
		if q.Parent == nil || q.Field != nil || q.Transparent() {
			continue
		}
		if _, ok := q.Parent.Type.Underlying().(*types.Slice); !ok {
			continue
		}
		if fd, at := f.fs.At(q.Parent); fd != nil {
			return []leak{{fd, at, p, pos, v}}
		}
	}
	if _, field := v.(*ssa.FieldAddr); field {
		return f.object(p, pos, v)
	}
	return nil
}

// built are the references in a struct that the function makes: what is stored to
// its fields, and, if it is a copy of another struct, the fields of that which are
// not set anew.
func (f *finder) built(a *ssa.Alloc, seen map[ssa.Value]bool) []leak {
	var all []leak
	set := map[int]bool{}
	var whole ssa.Value
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == a {
				whole = r.Val
			}
		case *ssa.FieldAddr:
			for _, s := range *r.Referrers() {
				if st, ok := s.(*ssa.Store); ok && st.Addr == r {
					if sharedLock(st.Val) {
						return nil // what is shared is shared with its lock
					}
					set[r.Field] = true
					all = append(all, f.collect(st.Val, storePos(st), seen)...)
				}
			}
		}
	}
	if load, ok := whole.(*ssa.UnOp); ok && load.Op == token.MUL && locks.IsStruct(load.Type()) {
		all = append(all, f.structAt(f.a.Places().Of(load.X), load.Type(), set, token.NoPos, load)...)
	}
	if whole != nil && !locks.IsStruct(whole.Type()) {
		all = append(all, f.collect(whole, token.NoPos, seen)...)
	}
	return all
}

// sharedLock tells whether a value is a pointer to a lock that others have.
func sharedLock(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	_, field := load.X.(*ssa.FieldAddr)
	p, pointer := load.Type().Underlying().(*types.Pointer)
	return field && (pointer && locks.IsLock(p.Elem()) || types.IsInterface(load.Type()) && locks.IsLock(load.Type()))
}

// copiedSlice is the slice that append(nil, s...) copies, nil if the call is not that.
func copiedSlice(call *ssa.Call) ssa.Value {
	if !isBuiltin(&call.Call, "append") || len(call.Call.Args) != 2 {
		return nil
	}
	if c, ok := call.Call.Args[0].(*ssa.Const); ok && c.IsNil() {
		return call.Call.Args[1]
	}
	return nil
}

func isBuiltin(call *ssa.CallCommon, name string) bool {
	b, ok := call.Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// inner are the references that a copy of a guarded container still shares with it: its
// elements, if they are slices and maps that are changed in place.
func (f *finder) inner(src ssa.Value, pos token.Pos, seen map[ssa.Value]bool) []leak {
	var all []leak
	for _, l := range f.collect(src, pos, seen) {
		if l.place != l.at || !l.field.DeepOver {
			continue
		}
		if elem := elemOf(l.place.Type); elem != nil && container(elem) {
			l.place, l.value = f.a.Append(l.place, locks.Path{{}}), src
			all = append(all, l)
		}
	}
	return all
}

func elemOf(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}

// collectPart are the references in an element of a new slice: in an object that the
// function makes, or a slice or map. A pointer to an element that is taken as it is
// remains one that others have, as in any copy of a slice of pointers.
func (f *finder) collectPart(v ssa.Value, pos token.Pos, seen map[ssa.Value]bool) []leak {
	v = heaps.Peel(v)
	if container(v.Type()) {
		return f.collect(v, pos, seen)
	}
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	if a, ok := v.(*ssa.Alloc); ok && !seen[a] {
		seen[a] = true
		return f.built(a, seen)
	}
	return nil
}

// views are functions whose result reads their first argument later, or is a part of it.
var views = map[string]bool{
	"maps.Keys": true, "maps.Values": true, "maps.All": true,
	"slices.Values": true, "slices.All": true, "slices.Backward": true, "slices.Chunk": true,
	"slices.Clip": true, "slices.Grow": true, "slices.Compact": true, "slices.CompactFunc": true,
	"slices.Delete": true, "slices.DeleteFunc": true,
	"bytes.TrimSpace": true, "bytes.Trim": true, "bytes.TrimLeft": true, "bytes.TrimRight": true, "bytes.TrimFunc": true,
	"bytes.TrimPrefix": true, "bytes.TrimSuffix": true, "bytes.Split": true, "bytes.SplitN": true, "bytes.Fields": true,
}

// stored are the values that are stored to the elements of an array.
func stored(array *ssa.Alloc) []ssa.Value {
	var list []ssa.Value
	for _, r := range referrers(array) {
		if ia, ok := r.(*ssa.IndexAddr); ok {
			for _, u := range referrers(ia) {
				if st, ok := u.(*ssa.Store); ok && st.Addr == ia {
					list = append(list, st.Val)
				}
			}
		}
	}
	return list
}

// storePos is the line of the field in a composite literal: that of the value.
func storePos(st *ssa.Store) token.Pos {
	if p := st.Val.Pos(); p.IsValid() && st.Pos().IsValid() {
		return st.Pos()
	}
	return token.NoPos
}

// structAt are the references in a copy of the struct at p, but for the fields that
// are set anew.
func (f *finder) structAt(p *locks.Place, t types.Type, set map[int]bool, pos token.Pos, v ssa.Value) []leak {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || p == nil {
		return nil
	}
	var all []leak
	for i := range s.NumFields() {
		field := s.Field(i)
		if set[i] || !References(field.Type()) {
			continue
		}
		part := f.a.Append(p, locks.Path{{Field: field.Origin()}})
		if fd, q := f.fs.At(part); fd != nil && q == part {
			all = append(all, leak{fd, q, part, pos, v})
		}
	}
	return all
}

// handedOver tells whether the function takes the data out of where it was before it
// hands it on: it puts something else there, or removes the element from its map or
// heap.
func (f *finder) handedOver(l leak) bool {
	for p := l.place; p != nil; p = p.Parent {
		if f.replaced(p) {
			return true
		}
		if p == l.at {
			break
		}
	}
	for p := l.at.Parent; p != nil && p.Field != nil && locks.IsStruct(p.Type); p = p.Parent {
		if f.replaced(p) {
			return true // with the struct that it is in
		}
	}
	return l.place != l.at && f.removes(l.at) || f.callersReplace(l.at)
}

// replaced tells whether the function, or one that it calls, sets the place to something
// that is not made from what is there.
func (f *finder) replaced(p *locks.Place) bool {
	if f.a.Replaced(p, f.fn) {
		return true
	}
	path, ok := p.From(root(p))
	if !ok {
		return false
	}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, c := range f.a.Callees(&call.Call) {
				for _, param := range c.Fn.Params {
					q := f.a.Append(f.a.Places().Of(param), path)
					if f.a.Bind(q, c) == p && f.a.Replaced(q, c.Fn) {
						return true
					}
				}
			}
		}
	}
	return false
}

func root(p *locks.Place) *locks.Place {
	for p.Parent != nil {
		p = p.Parent
	}
	return p
}

// removes tells whether the function removes an element from the map or heap at p,
// or from a heap of the same object.
func (f *finder) removes(p *locks.Place) bool {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			if st, ok := instr.(*ssa.Store); ok && shorter(st.Val) && f.a.Canonical(f.a.Places().Of(st.Addr)) == p {
				return true
			}
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if op := f.a.Heaps().Op(call); op != nil && (op.Kind == heaps.Remove || op.Kind == heaps.Pop) {
				return true
			}
			if b, ok := call.Common().Value.(*ssa.Builtin); ok && b.Name() == "delete" && f.a.Canonical(f.a.Places().Of(call.Common().Args[0])) == p {
				return true
			}
		}
	}
	return false
}

// shorter tells whether a slice is a part of another one, or what remains of it.
func shorter(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Slice:
		return v.Low != nil || v.High != nil
	case *ssa.Call:
		return cuts(&v.Call)
	}
	return false
}

// element tells whether the reference is to one element of the guarded container,
// by pointer, and not to the container.
func (l leak) element() bool {
	if l.place == l.at {
		return false
	}
	switch l.value.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	_, ok := l.place.Type.Underlying().(*types.Struct)
	return ok
}

// changes tells whether what is referred to is changed while others may look at it.
func (f *finder) changes(l leak) bool {
	if l.element() {
		return (f.fs.WrittenBelow(l.place) || f.heapElement(l) && f.writtenElement(l.place.Type)) && f.shows(l)
	}
	return f.changesAt(l.field, l.place, l.at)
}

// heapElement tells whether the reference is to an element of a heap.
func (f *finder) heapElement(l leak) bool {
	slice := l.place.Parent
	if slice == nil || l.place.Field != nil {
		return false
	}
	if f.a.Heaps().Type(slice.Type) != nil {
		return true
	}
	if slice.Parent == nil || slice.Field == nil {
		return false
	}
	t := f.a.Heaps().Type(slice.Parent.Type)
	return t != nil && len(t.Slice) == 1 && t.Slice[0].Origin() == slice.Field
}

// writtenElement tells whether some field of a struct type is written in objects that
// are in use: in those of a heap whoever pops them may do so, beside whoever has a
// pointer still.
func (f *finder) writtenElement(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		field := s.Field(i).Origin()
		if f.index(field) {
			continue
		}
		for _, w := range f.accesses()[field] {
			if w.write && !w.fresh {
				return true
			}
		}
	}
	return false
}

// overwritten tells whether what is referred to shows changes that are made later: it
// does not if elements are only ever appended.
func (f *finder) overwritten(l leak) bool {
	switch {
	case !f.changes(l):
		return false
	case l.place == l.at:
		return l.field.Over
	case l.place.Field != nil, l.element():
		return true
	}
	return l.field.DeepOver
}

// changesAt tells whether the slice or map at p, which is the field at q or a part
// of it, is changed in place.
func (f *finder) changesAt(fd *Field, p, q *locks.Place) bool {
	if p == q {
		return fd.InPlace
	}
	if p.Field != nil && f.changedFields()[p.Field] {
		return true
	}
	for ; p != q; p = p.Parent {
		if p.Field != nil {
			return false // a field that nobody writes, or it would be found itself
		}
	}
	return fd.Deep
}

// referrers are the instructions that use a value of the function; those of what stands
// outside of functions are not known.
func referrers(v ssa.Value) []ssa.Instruction {
	if list := v.Referrers(); list != nil {
		return *list
	}
	return nil
}
