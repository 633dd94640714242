package contract

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Lin is an integer that the interpreter can tell: N·n + I·i + J·j + C, where n is
// the length of the backing slice when the method was entered and i and j are the
// parameters of Swap and Less.
type Lin struct{ N, I, J, C int }

// The integers that the rules ask for.
var (
	Zero = Lin{}
	Len  = Lin{N: 1}
	Last = Lin{N: 1, C: -1}
	PosI = Lin{I: 1} // Swap's first parameter
	PosJ = Lin{J: 1} // Swap's second parameter
)

func (a Lin) plus(b Lin) Lin  { return Lin{a.N + b.N, a.I + b.I, a.J + b.J, a.C + b.C} }
func (a Lin) minus(b Lin) Lin { return Lin{a.N - b.N, a.I - b.I, a.J - b.J, a.C - b.C} }
func (a Lin) times(k int) Lin { return Lin{a.N * k, a.I * k, a.J * k, a.C * k} }
func (a Lin) constant() bool  { return a.N == 0 && a.I == 0 && a.J == 0 }

// A Value is what the interpreter knows of an SSA value: one of the types of this
// file, or nil if it knows nothing.
type Value any

// Place is something reached from the receiver by fields (through pointers as
// well): its address or its content. The path joins the field names by dots; it is
// empty for the receiver itself.
type Place struct{ Path string }

// Cell is the address of a local variable or a field of one.
type Cell struct {
	Alloc *ssa.Alloc
	Path  string
}

// Slot is the address of a slot of a slice that the receiver holds, or of a field
// of it.
type Slot struct {
	Base string // path of the slice
	At   Lin
	Path string
}

// Elem is an element: the one in slot At of the slice when the method was entered,
// or the one that Push was given.
type Elem struct {
	Base   string
	At     Lin
	Pushed bool
}

// Part is something computed from an element alone: a field of it, its key. Path
// is the field path, empty if it was computed some other way.
type Part struct {
	Of   Elem
	Path string
}

// Const is a constant or zero value that is no integer.
type Const struct{ Nil bool }

// Seq is a slice put together from parts of the receiver's slice at path Base and
// single elements.
type Seq struct {
	Base string
	Segs []Seg
}

// Seg is a run of slots From ≤ k < To of the slice as it was on entry, or, if
// Single, one element Val.
type Seg struct {
	From, To Lin
	Single   bool
	Val      Value
}

// asserted is the second result of a type assertion on the pushed element.
type asserted struct{}

// pair is the result of a comma-ok assertion.
type pair struct{ val, ok Value }

// comparison is the result of comparing two integers or an element with nothing.
type comparison struct {
	op   string
	a, b Lin
}

func whole(base string) Seq { return Seq{base, []Seg{{From: Zero, To: Len}}} }

// Length is the number of elements of the slice.
func (s Seq) Length() Lin {
	var n Lin
	for _, g := range s.Segs {
		if g.Single {
			n.C++
		} else {
			n = n.plus(g.To.minus(g.From))
		}
	}
	return n
}

// Same tells whether the slice is the receiver's as it was on entry.
func (s Seq) Same() bool {
	return len(s.Segs) == 1 && !s.Segs[0].Single && s.Segs[0].From == Zero && s.Segs[0].To == Len
}

// cut is s[from:to]; ok is false if the bounds do not fall on a segment's end or
// within one run.
func (s Seq) cut(from, to Lin) (Seq, bool) {
	if len(s.Segs) == 1 && !s.Segs[0].Single {
		g := s.Segs[0]
		if from == to {
			return Seq{Base: s.Base}, true
		}
		return Seq{s.Base, []Seg{{From: g.From.plus(from), To: g.From.plus(to)}}}, true
	}
	if from == Zero && to == s.Length() {
		return s, true
	}
	out, at := Seq{Base: s.Base}, Zero
	for _, g := range s.Segs {
		end := at.plus(Seq{Segs: []Seg{g}}.Length())
		if in := at.minus(from); in.constant() && in.C >= 0 {
			if left := to.minus(end); !left.constant() {
				return Seq{}, false
			} else if left.C >= 0 {
				out.Segs = append(out.Segs, g)
			}
		}
		at = end
	}
	return out, out.Length() == to.minus(from)
}

// at is the segment's value at position k: the element of a slot or a single value.
func (s Seq) at(k Lin) (slot Lin, single Value, ok bool) {
	if len(s.Segs) == 1 && !s.Segs[0].Single {
		return s.Segs[0].From.plus(k), nil, true
	}
	at := Zero
	for _, g := range s.Segs {
		d := k.minus(at)
		if g.Single {
			if d == Zero {
				return Lin{}, g.Val, true
			}
			at.C++
			continue
		}
		if left := g.To.minus(g.From).minus(d); d.constant() && d.C >= 0 || left.constant() && left.C > 0 {
			if left.constant() && left.C <= 0 {
				at = at.plus(g.To.minus(g.From))
				continue
			}
			return g.From.plus(d), nil, true
		}
		at = at.plus(g.To.minus(g.From))
	}
	return Lin{}, nil, false
}

// ElemOf is the element that v is or is a part of.
func ElemOf(v Value) (Elem, bool) {
	switch v := v.(type) {
	case Elem:
		return v, true
	case Part:
		return v.Of, true
	}
	return Elem{}, false
}

// join appends a field to a path.
func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

// fieldVar is the i-th field of a struct or of what a pointer points at; fields of
// instances are those of the generic type.
func fieldVar(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok { // a type parameter with a core struct type
		return nil
	}
	return s.Field(i).Origin()
}
