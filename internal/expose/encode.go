package expose

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// encodesObject finds objects that are encoded by reflection with a guarded field that
// the encoder reads: an exported one, in the object or in what it refers to.
func (f *finder) encodesObject(call *ssa.Call, arg ssa.Value) {
	v := heaps.Peel(arg)
	if !f.entered() || len(f.heldBy(f.fn)[call]) > 0 || fresh(v, nil, 0) && !locks.IsStruct(uses.Behind(v.Type())) {
		return
	}
	fd := f.read(v, 0)
	if fd == nil {
		return
	}
	f.report("marshal", call.Pos(), fd, fmt.Sprintf("encodes a %s, of which it reads %s, without %s, under which it is written; give it a method for that which locks", fd.Loc.Owner.Name(), fd, fd.Guard))
}

// read returns a guarded field that encoding a value reads, nil if there is none. An
// object that the function makes is looked into as far as it is given others.
func (f *finder) read(v ssa.Value, depth int) *Field {
	v = heaps.Peel(v)
	if load, ok := v.(*ssa.UnOp); ok {
		if a, ok := load.X.(*ssa.Alloc); ok && locks.IsStruct(load.Type()) {
			v = a
		}
	}
	a, ok := v.(*ssa.Alloc)
	if !ok {
		return f.readType(v.Type(), depth)
	}
	if depth > 3 {
		return nil
	}
	for _, r := range referrers(a) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || !encoded(uses.Behind(a.Type()), fa.Field) {
			continue
		}
		for _, u := range referrers(fa) {
			if st, ok := u.(*ssa.Store); ok && st.Addr == fa {
				if fd := f.read(st.Val, depth+1); fd != nil {
					return fd
				}
			}
		}
	}
	return nil
}

// readType returns a guarded field that encoding any value of the type reads: by a
// pointer, since a copy of the object is no longer shared.
func (f *finder) readType(t types.Type, depth int) *Field {
	if depth > 3 || encodesItself(t) {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return f.readType(u.Elem(), depth+1)
	case *types.Map:
		return f.readType(u.Elem(), depth+1)
	case *types.Pointer:
		s, ok := u.Elem().Underlying().(*types.Struct)
		n, named := types.Unalias(u.Elem()).(*types.Named)
		if !ok || !named || encodesItself(u.Elem()) {
			return nil
		}
		for _, fd := range f.fs.list {
			if fd.Loc.Owner == n.Origin().Obj() && len(fd.Loc.Path) == 1 && fd.Loc.Path[0].Field != nil && f.encodedField(s, fd.Loc.Path[0].Field) {
				return fd
			}
		}
		for i := range s.NumFields() {
			if _, pointer := s.Field(i).Type().Underlying().(*types.Pointer); pointer && encoded(u.Elem(), i) {
				if fd := f.readType(s.Field(i).Type(), depth+1); fd != nil {
					return fd
				}
			}
		}
	}
	return nil
}

func (f *finder) encodedField(s *types.Struct, field *types.Var) bool {
	for i := range s.NumFields() {
		if s.Field(i).Origin() == field {
			return encodedAt(s, i)
		}
	}
	return false
}

// encoded tells whether encoders read the i'th field of the struct type t.
func encoded(t types.Type, i int) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && i < s.NumFields() && encodedAt(s, i)
}

func encodedAt(s *types.Struct, i int) bool {
	json, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
	return s.Field(i).Exported() && json != "-" && !types.IsInterface(s.Field(i).Type()) && !isFunc(s.Field(i).Type())
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// encodesItself tells whether the type has a method by which encoders leave it to the
// type.
func encodesItself(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	for _, m := range []string{"MarshalJSON", "MarshalText", "GobEncode", "MarshalBinary", "MarshalYAML", "MarshalXML"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, false, nil, m); obj != nil {
			if _, ok := obj.(*types.Func); ok {
				return true
			}
		}
	}
	return false
}
