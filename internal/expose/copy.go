package expose

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
)

// A Copy is a way to mend a finding: by a copy of a slice or map, made where the
// source names it.
type Copy struct {
	// Func is the function that copies: slices.Clone, maps.Clone or bytes.Clone.
	Func string
	// Pos is in the statement, or at the element of a composite literal, that
	// hands the value on.
	Pos token.Pos
	// Result is the number of the result if the statement is a return.
	Result int
	// Base says that, of an append, its first argument is to be copied and not the
	// one that is added.
	Base bool
	// Var is the variable that the expression to copy must be, nil for any
	// expression.
	Var types.Object
}

// cloneFunc is the function that copies a value of the type, empty if there is none.
// What a type parameter stands for is not known well enough.
func cloneFunc(t types.Type) string {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return ""
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		return "slices.Clone"
	case *types.Map:
		return "maps.Clone"
	}
	return ""
}

// copies tells whether a copy of the container puts an end to the sharing: nothing
// that its elements refer to is changed once they are made.
func (f *finder) copies(fd *Field, at, p *locks.Place) bool {
	if fd.Deep && p == at || f.fs.WrittenBelow(p) {
		return false
	}
	switch t := p.Type.Underlying().(type) {
	case *types.Slice:
		return f.fixed(t.Elem())
	case *types.Map:
		return f.fixed(t.Elem())
	}
	return false
}

// fixed tells whether nobody writes what an element of the type points to, but for
// the heap that keeps its index there.
func (f *finder) fixed(elem types.Type) bool {
	p, ok := elem.Underlying().(*types.Pointer)
	if !ok {
		return true
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if f.a.Written(field.Origin()) && !f.index(field.Origin()) {
			return false
		}
	}
	return true
}

func (f *finder) index(field *types.Var) bool {
	for _, t := range f.a.Heaps().Types {
		if t.Index == field {
			return true
		}
	}
	return false
}

// mendResult says how to mend a return: by a copy in it, if the lock is held then, or
// where the value was loaded.
func (f *finder) mendResult(r *ssa.Return, i int, l leak) *Copy {
	c := f.mend(l, r.Pos(), beforeDefers(r))
	if c != nil && c.Pos == r.Pos() {
		c.Result = i
		if l.pos.IsValid() {
			c.Pos = l.pos
		}
	}
	return c
}

// mend says how to mend a leak by a copy: at pos, if the guard is held at the
// instruction there, or else in the assignment that loads the value under it.
func (f *finder) mend(l leak, pos token.Pos, at ssa.Instruction) *Copy {
	if locks.IsStruct(l.value.Type()) || !f.copies(l.field, l.at, l.place) {
		return nil
	}
	fn := cloneFunc(l.place.Type)
	if fn == "" {
		return nil
	}
	if f.holds(l.field, l.at, at) {
		return &Copy{Func: fn, Pos: pos}
	}
	if load := loadOf(l.value); load != nil && load.Pos().IsValid() && f.holds(l.field, l.at, load) {
		return &Copy{Func: fn, Pos: load.Pos()}
	}
	return nil
}

// beforeDefers is the point at which the results of a return are computed.
func beforeDefers(r *ssa.Return) ssa.Instruction {
	for _, instr := range r.Block().Instrs {
		if d, ok := instr.(*ssa.RunDefers); ok {
			return d
		}
	}
	return r
}
