package guards

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// Elements finds writes to a field of an element, by which a guarded heap is ordered,
// that miss the guard while the element may be in the heap. It is there if it comes
// from the heap's slice, from a map of the owner's in which what is pushed is kept, or
// if heap.Fix is told of the change. locations are the heaps, data the owners' fields.
func Elements(a *locks.Analysis, locations, data []*Location) []*Violation {
	e := &elements{
		judge: judge{a: a, uses: map[*Location]*tally{}, under: map[*Location]map[*ssa.Function]bool{}},
		may:   map[*ssa.Function]map[ssa.Instruction][]locks.Held{},
		at:    map[token.Pos]bool{},
	}
	for _, l := range locations {
		if t := e.ordered(l); t != nil {
			e.check(l, t, data)
		}
	}
	e.complete()
	return e.found
}

type elements struct {
	judge
	pkg    *uses.Package
	writes []uses.Write
	may    map[*ssa.Function]map[ssa.Instruction][]locks.Held
	at     map[token.Pos]bool
}

// ordered returns the type of a guarded heap whose elements are pointers; nil for
// other locations.
func (e *elements) ordered(l *Location) *heaps.Type {
	if l.Guard == nil || len(l.Contexts) == 0 {
		return nil
	}
	t := e.a.Heaps().Type(l.Contexts[0].Place.Type)
	if t == nil || !t.Known {
		return nil
	}
	if _, ok := t.Elem.Underlying().(*types.Pointer); !ok {
		return nil
	}
	return t
}

func (e *elements) check(l *Location, t *heaps.Type, data []*Location) {
	if e.pkg == nil {
		e.pkg = uses.On(e.a)
		e.writes = e.allWrites()
	}
	e.under[l] = e.calledUnder(l)
	for _, w := range e.writes {
		if w.Type == t && w.Field != t.Index {
			e.fixed(l, w)
		}
	}
	for _, d := range data {
		if l.Owner != nil && d.Owner == l.Owner {
			e.stored(l, t, d)
		}
	}
}

// allWrites are the writes to ordering fields in the package, but for those of the
// heaps' own methods.
func (e *elements) allWrites() []uses.Write {
	var all []uses.Write
	for _, fn := range e.a.Heaps().IR.Funcs {
		if e.a.Heaps().Method(fn) {
			continue
		}
		uses.Instrs(fn, func(instr ssa.Instruction) { all = append(all, e.pkg.WritesAt(instr)...) })
	}
	return all
}

// fixed judges a write to an element that the function, or one it calls, tells
// heap.Fix about under the guard. It is wrong if the function does not hold the guard
// yet, or no more, and its callers do not hold it either: the operation takes it.
func (e *elements) fixed(l *Location, w uses.Write) {
	fn := w.Instr.Parent()
	uses.Instrs(fn, func(instr ssa.Instruction) {
		for _, s := range e.pkg.At(instr) {
			if s.Op.Kind != heaps.Fix || s.Elem != w.Elem || s.Type != w.Type || s.Heap == nil || instr == w.Instr || e.outside(fn, w) {
				continue
			}
			if !uses.Reaches(w.Instr, instr) && !uses.Reaches(instr, w.Instr) {
				continue
			}
			if c, k := e.takenBelow(l, instr); c != nil && e.free(c, k, w.Instr) {
				e.report(l, c, k, w.Instr, w.Field)
			}
		}
	})
}

// outside tells whether the element may have left the heap when it is written: the
// function takes elements out before.
func (e *elements) outside(fn *ssa.Function, w uses.Write) bool {
	for instr, sites := range e.pkg.Sites(fn) {
		for _, s := range sites {
			if (s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove) && s.Type == w.Type && uses.Reaches(instr, w.Instr) {
				return true
			}
		}
	}
	return false
}

// takenBelow returns a context in which the instruction leads to a use of the heap
// under the guard, and the step that the instruction is, if in all contexts the guard
// is taken by the instruction's function or further on.
func (e *elements) takenBelow(l *Location, instr ssa.Instruction) (*Context, int) {
	var found *Context
	step := 0
	for _, c := range l.Contexts {
		for k, fr := range c.Trace {
			if fr.Fn != instr.Parent() || fr.At != locks.Pos(instr) {
				continue
			}
			must, _ := l.Holds(e.a, l.Guard, c)
			if must == 0 || c.exempt || c.Private || e.lockFrame(&view{l, c}, l.Guard) < k {
				return nil, 0
			}
			found, step = c, k
		}
	}
	return found, step
}

// free tells whether no lock is held at an instruction of the function in a step of
// the context, by it or its callers. Another lock than the guard may be what guards
// the element: one of its own, that Less takes as well.
func (e *elements) free(c *Context, step int, instr ssa.Instruction) bool {
	fn := instr.Parent()
	if e.may[fn] == nil {
		e.may[fn] = e.a.MayHoldAt(fn)
	}
	if len(e.may[fn][instr]) > 0 {
		return false
	}
	for _, h := range c.May {
		if e.frameOf(c, h.At) < step {
			return false
		}
	}
	return true
}

// report notes a write in a step of a context.
func (e *elements) report(l *Location, c *Context, step int, instr ssa.Instruction, field *types.Var) {
	pos := locks.Pos(instr)
	if e.at[pos] {
		return
	}
	e.at[pos] = true
	acc := *c.Access
	acc.Trace = append(append([]locks.Frame{}, c.Trace[:step]...), locks.Frame{Fn: instr.Parent(), At: pos, Place: c.Trace[step].Place})
	e.found = append(e.found, &Violation{
		Rule: "elem", Location: l, Guard: l.Guard, Field: field, Pos: pos, Frame: step,
		Context: &Context{Root: c.Root, Access: &acc, Object: c.Object},
	})
}

// stored judges the writes to elements that the owner leads to.
func (e *elements) stored(l *Location, t *heaps.Type, d *Location) {
	for _, c := range d.Contexts {
		st, ok := c.Instr.(*ssa.Store)
		if !ok || c.exempt || c.Private || c.Once || c.Opaque || len(c.May) > 0 || len(c.When) > 0 {
			continue
		}
		for _, w := range e.pkg.WritesAt(st) {
			if w.Type != t || w.Field == t.Index || !e.kept(l, w) || e.moves(c, t) || e.at[locks.Pos(st)] {
				continue
			}
			v := &Violation{Rule: "elem", Location: l, Guard: l.Guard, Field: w.Field, Context: c}
			v.Frame = e.ownerFrame(&view{d, c})
			for v.Frame > 0 && e.under[l][c.Trace[v.Frame].Fn] {
				v.Frame--
			}
			v.Pos = c.Trace[v.Frame].At
			e.at[locks.Pos(st)] = true
			e.found = append(e.found, v)
		}
	}
}

// kept tells whether the written element comes from the heap's slice, or from a map in
// which elements are kept for as long as they are in the heap.
func (e *elements) kept(l *Location, w uses.Write) bool {
	p := w.Elem
	if p.Parent == nil || p.Field != nil {
		return false
	}
	if heap, _ := e.pkg.Backing(p.Parent); heap != nil {
		return true
	}
	f := p.Parent.Field
	if f == nil {
		return false
	}
	if _, ok := f.Type().Underlying().(*types.Map); !ok {
		return false
	}
	return e.pushedWith(f, w.Type) && e.takenWith(f, w.Type)
}

// pushedWith tells whether what is put into the map is pushed as well, wherever that
// is done.
func (e *elements) pushedWith(f *types.Var, t *heaps.Type) bool {
	found := false
	for _, fn := range e.a.Heaps().IR.Funcs {
		puts := map[*locks.Place]bool{}
		uses.Instrs(fn, func(instr ssa.Instruction) {
			if up, ok := instr.(*ssa.MapUpdate); ok {
				if m := e.a.Places().Of(up.Map); m != nil && m.Field == f {
					puts[e.a.Places().Of(up.Value)] = true
				}
			}
		})
		if len(puts) == 0 {
			continue
		}
		for _, sites := range e.pkg.Sites(fn) {
			for _, s := range sites {
				if s.Op.Kind == heaps.Push && s.Type == t {
					delete(puts, s.Elem)
				}
			}
		}
		if len(puts) > 0 {
			return false
		}
		found = true
	}
	return found
}

// takenWith tells whether every function that takes elements out of the heap deletes
// from the map, or puts them back.
func (e *elements) takenWith(f *types.Var, t *heaps.Type) bool {
	for _, fn := range e.a.Heaps().IR.Funcs {
		takes, pushes := false, false
		for _, sites := range e.pkg.Sites(fn) {
			for _, s := range sites {
				takes = takes || s.Own && (s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove) && s.Type == t
				pushes = pushes || s.Op.Kind == heaps.Push && s.Type == t
			}
		}
		if takes && !pushes && !e.deletes(fn, f) {
			return false
		}
	}
	return true
}

func (e *elements) deletes(fn *ssa.Function, f *types.Var) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			return
		}
		b, ok := call.Common().Value.(*ssa.Builtin)
		if ok && b.Name() == "delete" {
			m := e.a.Places().Of(call.Common().Args[0])
			found = found || m != nil && m.Field == f
		}
	})
	return found
}

// moves tells whether a function on the way to a write puts elements into the heap or
// takes them out: the one that is written may be outside then.
func (e *elements) moves(c *Context, t *heaps.Type) bool {
	for _, fr := range c.Trace {
		for _, sites := range e.pkg.Sites(fr.Fn) {
			for _, s := range sites {
				if s.Type == t && s.Op.Kind != heaps.Fix && s.Op.Kind.Mutates() {
					return true
				}
			}
		}
	}
	return false
}
