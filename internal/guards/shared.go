package guards

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// unguarded finds heaps in local variables that goroutines share with no lock at
// all. The goroutines are in sight, so no evidence of a guard is needed: one that
// runs several times, or beside another use of the variable, races with it.
func (j *judge) unguarded(locations []*Location) []*Violation {
	var found []*Violation
	for _, l := range locations {
		v, ok := l.Var.(*ssa.Alloc)
		if !ok || l.Guard != nil || !sharedByGoroutines(l, v) {
			continue
		}
		for _, c := range l.Contexts {
			if c.racing() && c.Spawn != nil && len(c.May) == 0 {
				frame := j.ownerFrame(&view{l, c})
				found = append(found, &Violation{Rule: "unguarded", Location: l, Context: c, Frame: frame, Pos: c.Trace[frame].At})
			}
		}
	}
	return found
}

// crowded finds heaps of objects that several goroutines of one kind share with no lock
// at all: a pool of workers that are started in a loop, on one object.
func (j *judge) crowded(locations []*Location) []*Violation {
	var found []*Violation
	for _, l := range locations {
		if l.Owner == nil || l.Guard != nil {
			continue
		}
		changed := map[*locks.Spawn]bool{}
		for _, c := range l.Contexts {
			if c.owns() && j.crowd(c) {
				changed[c.Spawn] = true
			}
		}
		for _, c := range l.Contexts {
			if c.Spawn != nil && changed[c.Spawn] && c.unlocked() && !c.exempt && j.crowd(c) {
				frame := j.ownerFrame(&view{l, c})
				found = append(found, &Violation{Rule: "unguarded", Location: l, Context: c, Frame: frame, Pos: c.Trace[frame].At})
			}
		}
	}
	return found
}

// crowd tells whether the use's goroutine is started several times on one object, and
// nothing keeps one of them from the heap while another uses it.
func (j *judge) crowd(c *Context) bool {
	if !c.Spawn.Many || c.Object.Parent != nil || !indexFree(c.Place) {
		return false
	}
	switch root := c.Object.Root.(type) {
	case *ssa.Parameter:
		if root.Parent() != c.Spawn.Fn {
			return false
		}
	case *ssa.Alloc:
		if made(root, c.Spawn) {
			return false
		}
	default:
		return false
	}
	for _, fr := range c.Trace[1:] {
		if j.takesTurns(fr.Fn) {
			return false
		}
	}
	return !limited(c.Spawn.Fn) && j.follows(c.Spawn.Instr, c.Spawn.Instr, j.signals(c.Spawn.Instr))
}

// takesTurns tells whether a function both sends on a channel and receives from it:
// then the channel may be a lock.
func (j *judge) takesTurns(fn *ssa.Function) bool {
	sent := map[*locks.Place]bool{}
	turns := false
	for _, dir := range []types.ChanDir{types.SendOnly, types.RecvOnly} {
		uses.Instrs(fn, func(instr ssa.Instruction) {
			for _, ch := range channels(instr, dir) {
				p := j.a.Places().Of(ch)
				if dir == types.SendOnly {
					sent[p] = true
				} else {
					turns = turns || sent[p]
				}
			}
		})
	}
	return turns
}

// limited tells whether a function sets a limit to the goroutines that run at once.
func limited(fn *ssa.Function) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(*ssa.Call)
		found = found || ok && named(&call.Call, "SetLimit")
	})
	return found
}

// racing tells whether the context runs beside others.
func (c *Context) racing() bool {
	return !c.Private && !c.Copy && !c.Opaque && !c.Once && len(c.When) == 0 && indexFree(c.Place)
}

// sharedByGoroutines tells whether a goroutine changes the heap while another, or
// the function that started it, uses it, and none of the uses holds any lock.
func sharedByGoroutines(l *Location, v *ssa.Alloc) bool {
	changes := false
	sides := map[any]bool{}
	for _, c := range l.Contexts {
		if len(c.May) > 0 {
			return false
		}
		if !c.racing() {
			continue
		}
		sides[c.Entry()] = true
		if c.Spawn == nil {
			continue
		}
		if c.Spawn.Kind != locks.Goroutine || c.Spawn.Fn != v.Parent() {
			return false
		}
		if c.Spawn.Many && !made(v, c.Spawn) {
			sides[v] = true // another one of the same goroutine
		}
		changes = changes || c.Effect != locks.Reads
	}
	return changes && len(sides) > 1
}

// made tells whether each goroutine gets a variable of its own: it is made in the
// loop that starts them.
func made(v *ssa.Alloc, s *locks.Spawn) bool {
	return reaches(s.Instr.Block(), v.Block(), nil) && s.Instr.Block() != v.Block() || s.Instr.Block() == v.Block()
}

// indexFree tells whether the place is one heap and not one of many.
func indexFree(p *locks.Place) bool {
	for _, q := range p.Ancestors() {
		if q.Parent != nil && q.Field == nil && !q.Transparent() {
			return false
		}
	}
	return true
}
