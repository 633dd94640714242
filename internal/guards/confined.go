package guards

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// confined finds uses of heaps that belong to one goroutine: no lock guards such a
// heap, the goroutine changes it, and nobody else may touch it while it runs. A use
// elsewhere is reported if the goroutine surely may run by then, in one of three ways:
// it was started before in the same function and nothing waits for it in between; it
// serves an object for good and the use is where anybody may get to meanwhile; or the
// goroutine itself has others do something for it, later or beside it.
func (j *judge) confined(locations []*Location) []*Violation {
	var found []*Violation
	for _, l := range locations {
		if l.Guard != nil {
			continue
		}
		homes := homesOf(l)
		if len(homes) == 0 {
			continue
		}
		for _, c := range l.Contexts {
			owner := j.ownerOf(l, c, homes)
			if owner == nil {
				continue
			}
			frame := j.ownerFrame(&view{l, c})
			running := j.running(owner.Spawn.Instr)
			first := 0
			if c.Spawn != nil {
				first = 1 // what is started, not the start
			}
			for frame > first && running[c.Trace[frame].Fn] {
				frame-- // what the goroutine runs too is not at fault
			}
			found = append(found, &Violation{Rule: "confined", Location: l, Context: c, Home: owner, Frame: frame, Pos: c.Trace[frame].At})
		}
	}
	return found
}

// homesOf are uses in goroutines to which the heap belongs: one of each goroutine and
// object, in a loop that waits for events if there is such a use.
func homesOf(l *Location) []*Context {
	type goroutine struct {
		start  *locks.Spawn
		object *locks.Place
	}
	at := map[goroutine]int{}
	var homes []*Context
	for _, c := range l.Contexts {
		if !c.owns() {
			continue
		}
		key := goroutine{c.Spawn, c.Object}
		i, known := at[key]
		switch {
		case !known:
			at[key] = len(homes)
			homes = append(homes, c)
		case !loops(homes[i]) && loops(c):
			homes[i] = c
		}
	}
	return homes
}

// ownerOf returns a use in a goroutine to which the heap belongs, if the context is a
// use beside it; nil otherwise.
func (j *judge) ownerOf(l *Location, c *Context, homes []*Context) *Context {
	if !c.unlocked() || c.exempt {
		return nil
	}
	if _, local := l.Var.(*ssa.Alloc); local && (c.Spawn == nil || c.Spawn.Kind == locks.Goroutine) {
		return nil // see unguarded
	}
	for _, home := range homes {
		if home == c {
			continue
		}
		if j.startedBefore(l, home, c) || j.servesFor(l, home, c) || j.delegates(l, home, c) {
			return home
		}
	}
	return nil
}

// unlocked tells whether nothing speaks for the use being alone with the heap.
func (c *Context) unlocked() bool {
	return !c.Private && !c.Copy && !c.Opaque && !c.Once && len(c.When) == 0 && len(c.May) == 0
}

// owns tells whether the use makes its goroutine the owner of the heap: the goroutine
// changes it with no lock.
func (c *Context) owns() bool {
	return c.Spawn != nil && c.Spawn.Kind == locks.Goroutine && c.Effect != locks.Reads && c.unlocked()
}

// startedBefore tells whether, in the function that starts the goroutine, the use
// comes after the start with nothing in between that waits for the goroutine.
func (j *judge) startedBefore(l *Location, home, c *Context) bool {
	start := home.Spawn.Instr
	use, obj := j.within(l, c, home.Spawn.Fn)
	if use == nil || use == start || obj == nil || c.Spawn != nil && !elsewhere(c.Spawn) || !j.maySame(home.Object, obj, home.Spawn.Fn) {
		return false
	}
	if obj == home.Object && varies(obj, start.Parent()) && together(start, use) && !after(start, use) {
		return false // the next round has another object
	}
	signals := j.signals(start)
	return j.follows(start, use, signals) && !j.awaits(c, home.Spawn.Fn, signals)
}

// elsewhere tells whether code is known to run on another goroutine.
func elsewhere(s *locks.Spawn) bool {
	if s.Kind != locks.Callback {
		return s.Kind == locks.Goroutine
	}
	call, ok := s.Instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fn := call.Common().StaticCallee()
	return fn != nil && othersCall[fn.String()]
}

// othersCall call the function that they are given on other goroutines.
var othersCall = map[string]bool{
	"time.AfterFunc":                  true,
	"context.AfterFunc":               true,
	"net/http.HandleFunc":             true,
	"(*net/http.ServeMux).HandleFunc": true,
}

// varies tells whether the place is another object in each round of a loop: an element,
// or an object that is made in a loop.
func varies(p *locks.Place, fn *ssa.Function) bool {
	if indexed(p) {
		return true
	}
	instr, ok := p.Root.(ssa.Instruction)
	return ok && slices.ContainsFunc(uses.Loops(fn), func(l *uses.Loop) bool { return l.Blocks[instr.Block()] })
}

// together tells whether a loop holds both instructions.
func together(a, b ssa.Instruction) bool {
	return slices.ContainsFunc(uses.Loops(a.Parent()), func(l *uses.Loop) bool { return l.Blocks[a.Block()] && l.Blocks[b.Block()] })
}

// after tells whether b can run after a in the same round of their loop.
func after(a, b ssa.Instruction) bool {
	found := false
	uses.WalkOnce(a, func(instr ssa.Instruction) bool {
		found = found || instr == b
		return !found
	})
	return found
}

// follows tells whether a use comes after the start of the goroutine with no wait for it
// in between. A wait in a loop or branch of its own counts for all ways: it is done as
// often as needed.
func (j *judge) follows(start, use ssa.Instruction, s signals) bool {
	waited := false
	reached := false
	uses.Walk(start, func(instr ssa.Instruction) bool {
		if instr == use {
			reached = true
			return false
		}
		if !j.joins(instr, s) {
			return true
		}
		waited = waited || !together(start, instr) && uses.Reaches(instr, use)
		return false
	})
	return reached && !waited
}

// within returns the instruction of fn that leads to a use, and the heap's owner as fn
// knows it: nil if fn is not on the way.
func (j *judge) within(l *Location, c *Context, fn *ssa.Function) (ssa.Instruction, *locks.Place) {
	if c.Spawn == nil {
		for _, fr := range c.Trace {
			if fr.Fn == fn {
				return instrAt(fn, fr.At), l.objectIn(fr.Place)
			}
		}
		return nil, nil
	}
	if c.Spawn.Fn == fn {
		return c.Spawn.Instr, c.Object
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, callee := range j.a.Callees(&call.Call) {
				if callee.Fn == c.Spawn.Fn {
					return call, j.a.Bind(c.Object, callee)
				}
			}
		}
	}
	return nil, nil
}

func instrAt(fn *ssa.Function, pos token.Pos) ssa.Instruction {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if _, ok := instr.(*ssa.DebugRef); !ok && locks.Pos(instr) == pos {
				return instr
			}
		}
	}
	return nil
}

// maySame tells whether two places of one type in a function are likely the same
// object: one place, some element each of one collection, or a new object that the
// function stores and an element of a collection.
func (j *judge) maySame(a, b *locks.Place, fn *ssa.Function) bool {
	if a == b {
		return true
	}
	if a.Root == b.Root {
		return indexed(a) && indexed(b) && pathOf(a) == pathOf(b)
	}
	return indexed(b) && a.Parent == nil && keptBy(a, fn, j.a.Places())
}

func indexed(p *locks.Place) bool { return strings.Contains(pathOf(p), "[]") }

// pathOf writes the way from the root to a place.
func pathOf(p *locks.Place) string {
	all := p.Ancestors()
	path, _ := p.From(all[len(all)-1])
	return path.String()
}

// keptBy tells whether the function stores the object somewhere.
func keptBy(obj *locks.Place, fn *ssa.Function, places *locks.Places) bool {
	kept := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		var val ssa.Value
		switch instr := instr.(type) {
		case *ssa.Store:
			if _, local := instr.Addr.(*ssa.Alloc); !local {
				val = instr.Val
			}
		case *ssa.MapUpdate:
			val = instr.Value
		}
		kept = kept || val != nil && places.Of(val) == obj
	})
	return kept
}

// A signal is the element type of a channel on which a goroutine sends or which it
// closes: who receives one may be waiting for it.
type signals []types.Type

func (s signals) has(t types.Type) bool {
	return slices.ContainsFunc(s, func(u types.Type) bool { return types.Identical(t, u) })
}

// signals are what a goroutine may send, to end or to hand over.
func (j *judge) signals(start ssa.Instruction) signals {
	var s signals
	for fn := range j.running(start) {
		uses.Instrs(fn, func(instr ssa.Instruction) {
			switch instr := instr.(type) {
			case *ssa.Send:
				s = append(s, chanElem(instr.Chan))
			case *ssa.Select:
				for _, st := range instr.States {
					if st.Dir == types.SendOnly {
						s = append(s, chanElem(st.Chan))
					}
				}
			case ssa.CallInstruction:
				if b, ok := instr.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
					s = append(s, chanElem(instr.Common().Args[0]))
				}
			}
		})
	}
	return s
}

// running are the functions that a goroutine may run which an instruction starts.
func (j *judge) running(start ssa.Instruction) map[*ssa.Function]bool {
	if fns := j.goes[start]; fns != nil {
		return fns
	}
	fns := map[*ssa.Function]bool{}
	j.goes[start] = fns
	call, ok := start.(ssa.CallInstruction)
	if !ok {
		return fns
	}
	var entries []*ssa.Function
	if _, ok := call.(*ssa.Go); ok {
		entries = j.a.Targets(call.Common())
	} else {
		for _, arg := range call.Common().Args {
			if c, ok := j.a.Func(arg); ok {
				entries = append(entries, c.Fn)
			}
		}
	}
	for _, fn := range entries {
		for g := range j.a.Reach(fn).Funcs {
			fns[g] = true
		}
	}
	return fns
}

func chanElem(ch ssa.Value) types.Type {
	if t, ok := ch.Type().Underlying().(*types.Chan); ok {
		return t.Elem()
	}
	return types.Typ[types.Invalid]
}

// joins tells whether an instruction may wait until the goroutine is done, or has
// handed over what it owns.
func (j *judge) joins(instr ssa.Instruction, s signals) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW && s.has(chanElem(instr.X))
	case *ssa.Select:
		return slices.ContainsFunc(instr.States, func(st *ssa.SelectState) bool {
			return st.Dir == types.RecvOnly && s.has(chanElem(st.Chan))
		})
	case *ssa.Call:
		return j.waits(instr)
	}
	return false
}

// waits tells whether a call may wait for a goroutine: it, or something that it calls,
// is named Wait, or receives from a channel.
func (j *judge) waits(call *ssa.Call) bool {
	if named(&call.Call, "Wait", "Join") {
		return true
	}
	for _, fn := range j.a.Targets(&call.Call) {
		if j.a.Reach(fn).Waits && !j.startsOwn(fn) {
			return true
		}
	}
	return false
}

// startsOwn tells whether a function starts goroutines itself: those are what it waits
// for.
func (j *judge) startsOwn(fn *ssa.Function) bool {
	starts := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		_, ok := instr.(*ssa.Go)
		starts = starts || ok
	})
	return starts
}

func named(call *ssa.CallCommon, names ...string) bool {
	if call.Method != nil {
		return slices.Contains(names, call.Method.Name())
	}
	fn := call.StaticCallee()
	return fn != nil && slices.Contains(names, fn.Name())
}

// awaits tells whether the functions between fn and the use wait for the goroutine
// before they use the heap.
func (j *judge) awaits(c *Context, fn *ssa.Function, s signals) bool {
	for _, fr := range c.Trace {
		if fr.Fn == fn {
			continue
		}
		use := instrAt(fr.Fn, fr.At)
		if use == nil {
			continue
		}
		waits := false
		uses.Instrs(fr.Fn, func(instr ssa.Instruction) {
			waits = waits || instr != use && j.joins(instr, s) && uses.Reaches(instr, use)
		})
		if waits {
			return true
		}
	}
	return false
}
