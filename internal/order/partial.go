package order

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Some operations of a comparator panic for some elements: the dereference of a
// pointer that is nil, an index out of range, a division by zero. An operation on
// what the comparator itself tests elsewhere is noted as unsafe where no test on
// the path protects it, and such elements are left out of account; one on what it
// never tests is noted as a use, for others to judge by what the program pushes.

// noteUse notes an operation on a field of an element that panics if the field is
// not set, and that no test on the path makes safe.
func (x *executor) noteUse(f *frame, in ssa.Instruction, st state) {
	kind, v, base := x.operation(f, in)
	if base == nil || !base.mask.single() {
		return
	}
	switch kind {
	case Divides:
		if x.nonzero(st, base) || x.mayBeZero[x.shape(base)] {
			return
		}
		base = dividend(base)
	case Indexes:
		n := x.node(opLen, 0, nil, types.Typ[types.Int], base)
		if x.nonzero(st, n) || x.measured[x.shape(base)] && !x.endIndex(f, in) {
			return
		}
	default:
		isNil := x.node(opIsNil, 0, nil, types.Typ[types.Bool], base)
		if st.known.get(isNil, x.boolean(true))&relEQ == 0 || x.mayBeNil[x.shape(base)] {
			return
		}
	}
	if base.op != opLoad && base.op != opField {
		return
	}
	if field := fieldOfKey(base); field != nil {
		x.uses = append(x.uses, FieldUse{Kind: kind, Field: field, Pos: posOf(v, 0), Fn: f.fn})
	}
}

// operation is what an instruction does to a value that must be set, nil if
// nothing.
func (x *executor) operation(f *frame, in ssa.Instruction) (kind UseKind, v ssa.Value, base *term) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		return Dereferences, in, x.value(f, in.X)
	case *ssa.UnOp:
		if in.Op == token.MUL {
			return Dereferences, in, x.value(f, in.X)
		}
	case *ssa.IndexAddr:
		if _, ok := in.X.Type().Underlying().(*types.Slice); !ok {
			return 0, nil, nil
		}
		s, i := x.value(f, in.X), x.value(f, in.Index)
		if i.op == opConst || x.fromEnd(s, i) {
			return Indexes, in, s
		}
	case *ssa.BinOp:
		if (in.Op == token.QUO || in.Op == token.REM) && isInteger(in.Type()) {
			return Divides, in, x.value(f, in.Y)
		}
	case *ssa.Call:
		if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin && in.Call.StaticCallee() == nil {
			return Calls, in, x.value(f, in.Call.Value)
		}
	}
	return 0, nil, nil
}

func (x *executor) endIndex(f *frame, in ssa.Instruction) bool {
	at, ok := in.(*ssa.IndexAddr)
	return ok && x.fromEnd(x.value(f, at.X), x.value(f, at.Index))
}

// fromEnd tells whether i is len(s)-1 or its like.
func (x *executor) fromEnd(s, i *term) bool {
	return i.op == opBin && token.Token(i.num) == token.SUB && i.args[0].op == opLen && i.args[0].args[0] == s && i.args[1].op == opConst
}

// dividend is the field, or the slice in the field, that a divisor is made of.
func dividend(t *term) *term {
	for t.op == opConv {
		t = t.args[0]
	}
	if t.op == opLen {
		return t.args[0]
	}
	return t
}

// nonzero tells whether the path has shown that a number is not zero: by a
// comparison, perhaps before a conversion, with a constant.
func (x *executor) nonzero(st state, t *term) bool {
	for {
		for pair, r := range st.known {
			other, out := pair[1], r
			if pair[1] == t {
				other, out = pair[0], r.flip()
			}
			if (pair[0] == t || pair[1] == t) && other.op == opConst {
				if at, ok := compareConst(constant.MakeInt64(0), other.val); ok && out&at == 0 {
					return true
				}
			}
		}
		if t.op != opConv {
			return t.op == opConst && constant.Sign(t.val) != 0
		}
		t = t.args[0]
	}
}

// maybeNil is the condition under which an instruction dereferences a nil
// pointer, or nil if that cannot be told: only pointers that the comparator
// itself tests somewhere are taken for possibly nil.
func (x *executor) maybeNil(f *frame, in ssa.Instruction, st state) *term {
	var ptr ssa.Value
	switch in := in.(type) {
	case *ssa.FieldAddr:
		ptr = in.X
	case *ssa.UnOp:
		if in.Op == token.MUL {
			ptr = in.X
		}
	}
	if ptr == nil {
		return nil
	}
	p := x.value(f, ptr)
	if !p.mask.single() || !x.mayBeNil[x.shape(p)] {
		return nil
	}
	isNil := x.node(opIsNil, 0, nil, types.Typ[types.Bool], p)
	if known := st.known.get(isNil, x.boolean(true)); known&relEQ == 0 {
		return nil
	}
	x.derefs = append(x.derefs, deref{ptr: p, pos: posOf(in.(ssa.Value), 0), fn: f.fn})
	return isNil
}

// maybeZero is the divisor of an instruction that may be zero on this path, as far
// as the comparator itself compares it with zero elsewhere, or nil.
func (x *executor) maybeZero(f *frame, in ssa.Instruction, st state) *term {
	kind, v, d := x.operation(f, in)
	if kind != Divides || d == nil {
		return nil
	}
	for d.op == opConv {
		d = d.args[0]
	}
	if !d.mask.single() || !x.mayBeZero[x.shape(d)] || x.nonzero(st, d) {
		return nil
	}
	x.derefs = append(x.derefs, deref{ptr: d, pos: posOf(v, 0), fn: f.fn, div: true})
	return d
}

// maybeOutside is the condition under which the index of an instruction is
// within the slice, or nil if that goes without saying. As with nil, only slices
// whose length the comparator asks for are taken for possibly too short.
func (x *executor) maybeOutside(f *frame, in ssa.Instruction, st state) *term {
	at, ok := in.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	s, i := x.value(f, at.X), x.value(f, at.Index)
	if !s.mask.single() || i.op != opConst || !x.measured[x.shape(s)] {
		return nil
	}
	n := x.node(opLen, 0, nil, types.Typ[types.Int], s)
	if st.known.get(i, n)&^(relLT|relUN) == 0 {
		return nil
	}
	return x.relation(relLT, false, i, n)
}
