package guards

import (
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
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
