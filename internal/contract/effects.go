package contract

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// store runs an assignment.
func (s *state) store(x *ssa.Store) {
	val := s.get(x.Val)
	switch a := s.get(x.Addr).(type) {
	case Cell:
		s.cells[a] = val
		s.storeField(x, a, val)
	case Place:
		s.storePlace(x, a, val)
	case Slot:
		s.storeSlot(x, a, val)
	case Elem:
		// Without a field the element's whole content goes: an exchange of contents.
		s.out.Opaque = s.out.Opaque || StoredField(x) == nil
		s.storeField(x, a, val)
	case Part:
		s.storeField(x, a.Of, val)
	default:
		if _, ok := x.Addr.(*ssa.IndexAddr); ok { // a slot that cannot be told
			s.out.Opaque = true
		}
	}
}

// storeField notes an assignment to a field of an element.
func (s *state) storeField(x *ssa.Store, elem, val Value) {
	if f := StoredField(x); f != nil {
		s.effect(Effect{Kind: StoreField, Instr: x, Elem: elem, Field: f, Val: val})
	}
}

// StoredField is the field that an assignment is to, nil if it is to none.
func StoredField(x *ssa.Store) *types.Var {
	if a, ok := x.Addr.(*ssa.FieldAddr); ok {
		return fieldVar(a.X.Type(), a.Field)
	}
	return nil
}

func (s *state) storePlace(x *ssa.Store, a Place, val Value) {
	_, isSlice := x.Val.Type().Underlying().(*types.Slice)
	switch v := val.(type) {
	case Seq:
		if isSlice {
			s.out.Slices[a.Path] = v
			s.effect(Effect{Kind: StoreSlice, Instr: x, Path: a.Path, Seq: v})
			return
		}
	case Const:
		if isSlice && v.Nil {
			s.out.Slices[a.Path] = Seq{Base: a.Path}
			s.effect(Effect{Kind: StoreSlice, Instr: x, Path: a.Path, Seq: Seq{Base: a.Path}})
			return
		}
	}
	if isSlice || a.Path == "" {
		s.out.Opaque = true
		return
	}
	s.effect(Effect{Kind: Other, Instr: x, Path: a.Path, Val: val})
}

func (s *state) storeSlot(x *ssa.Store, a Slot, val Value) {
	if a.Path != "" {
		e := s.slot(Slot{Base: a.Base, At: a.At})
		s.storeField(x, e, val)
		return
	}
	if val == nil {
		s.out.Opaque = true
	}
	s.out.Slots[SlotKey{a.Base, a.At}] = val
	s.effect(Effect{Kind: StoreSlot, Instr: x, Path: a.Base, At: a.At, Val: val})
}

// call runs a call that is not followed.
func (s *state) call(x *ssa.Call) {
	if b, ok := x.Call.Value.(*ssa.Builtin); ok {
		s.vals[x] = s.builtin(x, b.Name())
		return
	}
	if callee := CalleeOf(x); callee != nil && callee.Object() != nil && callee.Object().Pkg() != nil && callee.Object().Pkg().Path() == "slices" {
		if s.slicesCall(x, callee.Name()) {
			return
		}
	}
	s.unknownCall(x)
}

func (s *state) builtin(x *ssa.Call, name string) Value {
	args := x.Call.Args
	switch name {
	case "len":
		switch v := s.get(args[0]).(type) {
		case Seq:
			s.effect(Effect{Kind: LenOf, Instr: x, Path: v.Base})
			return v.Length()
		}
		return s.derived(args[0])
	case "append":
		return s.concat(x, args...)
	case "clear":
		if seq, ok := s.get(args[0]).(Seq); ok && len(seq.Segs) == 1 {
			s.clear(x, seq)
		}
	case "delete":
		if p, ok := s.get(args[0]).(Place); ok {
			s.effect(Effect{Kind: Delete, Instr: x, Path: p.Path, Elem: s.get(args[1])})
		}
	case "copy":
		if seq, ok := s.get(args[0]).(Seq); ok && seq.Base != "#" {
			s.out.Opaque = true
		}
	}
	return nil
}

func (s *state) clear(x *ssa.Call, seq Seq) {
	from := seq.Segs[0].From
	s.effect(Effect{Kind: Clear, Instr: x, Path: seq.Base, At: from})
	for at := from; at != seq.Segs[0].To && at.minus(from).C < 4; at.C++ {
		s.out.Slots[SlotKey{seq.Base, at}] = Const{Nil: true}
	}
}

// concat is append.
func (s *state) concat(x *ssa.Call, args ...ssa.Value) Value {
	var out Seq
	for i, a := range args {
		v := s.get(a)
		if c, ok := v.(Const); ok && c.Nil {
			v = Seq{Base: "#"}
		}
		seq, ok := v.(Seq)
		if !ok {
			return nil
		}
		if i == 0 || out.Base == "#" {
			out.Base = seq.Base
		}
		out.Segs = append(out.Segs[:len(out.Segs):len(out.Segs)], seq.Segs...)
	}
	out.Segs = merge(out.Segs)
	s.effect(Effect{Kind: Grow, Instr: x, Path: out.Base, Seq: out})
	return out
}

// merge joins runs that follow on each other, and drops empty ones.
func merge(segs []Seg) []Seg {
	var out []Seg
	for _, g := range segs {
		if !g.Single && g.From == g.To {
			continue
		}
		if n := len(out); n > 0 && !g.Single && !out[n-1].Single && out[n-1].To == g.From {
			out[n-1].To = g.To
			continue
		}
		out = append(out, g)
	}
	return out
}

// slicesCall knows the functions of package slices that a heap method may use;
// false if it is none of them.
func (s *state) slicesCall(x *ssa.Call, name string) bool {
	args := x.Call.Args
	seq, ok := s.get(args[0]).(Seq)
	if !ok {
		return false
	}
	switch name {
	case "Delete":
		from, ok1 := s.get(args[1]).(Lin)
		to, ok2 := s.get(args[2]).(Lin)
		if !ok1 || !ok2 || !seq.Same() {
			return false
		}
		out := Seq{seq.Base, merge([]Seg{{From: Zero, To: from}, {From: to, To: Len}})}
		if to == Len {
			s.clear(x, Seq{seq.Base, []Seg{{From: from, To: to}}})
		}
		s.effect(Effect{Kind: Shrink, Instr: x, Path: seq.Base, Seq: out})
		s.vals[x] = out
	case "Insert":
		at, ok1 := s.get(args[1]).(Lin)
		more, ok2 := s.get(args[2]).(Seq)
		if !ok1 || !ok2 || !seq.Same() {
			return false
		}
		segs := append([]Seg{{From: Zero, To: at}}, more.Segs...)
		out := Seq{seq.Base, merge(append(segs, Seg{From: at, To: Len}))}
		s.effect(Effect{Kind: Grow, Instr: x, Path: seq.Base, Seq: out})
		s.vals[x] = out
	case "Grow", "Clip":
		s.vals[x] = seq
	case "Concat":
		return false
	default:
		return false
	}
	return true
}

// unknownCall runs a call of code that cannot be seen. Its result may be made of
// an element among the arguments; if it gets the receiver, the slice or a slot,
// everything may have happened.
func (s *state) unknownCall(x *ssa.Call) {
	var args []ssa.Value
	args = append(args, x.Call.Args...)
	if x.Call.IsInvoke() {
		args = append(args, x.Call.Value)
	}
	var elem, pos Value
	for _, a := range args {
		switch v := s.get(a).(type) {
		case Place:
			// A function kept in the receiver gets what it is given; a call on
			// the receiver or something that it embeds may do anything.
			if v.Path == "" || x.Call.IsInvoke() || isPointer(a.Type()) {
				s.out.Opaque = true
			}
		case Seq, Slot:
			if !pure(x) {
				s.out.Opaque = true
			}
		case Elem, Part:
			elem = v
		case Lin:
			pos = v
		}
	}
	if elem != nil {
		s.effect(Effect{Kind: Call, Instr: x, Elem: elem, Val: pos})
	}
	s.vals[x] = s.derived(args...)
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// pure tells whether the callee only looks at what it is given: formatting and
// logging in a heap method, mostly.
func pure(x *ssa.Call) bool {
	callee := CalleeOf(x)
	if callee == nil || callee.Object() == nil || callee.Object().Pkg() == nil {
		return false
	}
	switch callee.Object().Pkg().Path() {
	case "fmt", "log", "strings", "cmp", "math", "time":
		return true
	}
	return false
}
