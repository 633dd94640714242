package guards

import "github.com/heapvet/heapvet/internal/locks"

// Siblings finds writes to other fields of a heap's owner that miss the heap's guard
// in a function that knows better: it, and every other function, holds the guard at
// all other uses of the field. heaps and data are the locations of both kinds.
func Siblings(a *locks.Analysis, heaps, data []*Location) []*Violation {
	j := &judge{a: a, uses: map[*Location]*tally{}}
	for _, l := range data {
		g := guardOfHeap(l, heaps)
		if g == nil || l.Guard == nil || l.Guard.key() != g.key() {
			continue
		}
		if l.Guard.Held == 0 || l.Guard.Mixed != 1 || l.Guard.Held+l.Guard.Mixed != l.Guard.Total {
			continue
		}
		for _, c := range l.Contexts {
			if c.Effect == locks.Reads || c.exempt || c.Private || c.Once || c.Spawn != nil || len(c.May) > 0 || len(c.When) > 0 {
				continue
			}
			v := &Violation{Rule: "unheld", Location: l, Guard: l.Guard, Context: c}
			v.Frame = j.ownerFrame(&view{l, c})
			v.Pos = c.Trace[v.Frame].At
			j.found = append(j.found, v)
		}
	}
	j.complete()
	return j.found
}

// guardOfHeap returns the guard of a heap of the same owner, nil if it has none.
func guardOfHeap(l *Location, heaps []*Location) *Guard {
	if l.Owner == nil {
		return nil
	}
	for _, h := range heaps {
		if h.Owner == l.Owner && h.Guard != nil && h.Guard.Place == nil {
			return h.Guard
		}
	}
	return nil
}
