package guards

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
)

// Message is the finding in one sentence.
func (v *Violation) Message() string {
	heap := v.Location.String()
	if v.Rule == "leak" {
		return fmt.Sprintf("return with %s still locked, which guards %s; the other returns unlock it", Name(v.Other), heap)
	}
	what := v.what()
	if v.Rule == "split" {
		return fmt.Sprintf("%s acts on what was read before %s was last locked; it may no longer be true", what, v.lock)
	}
	if v.Rule == "unguarded" {
		return what + " in a goroutine that runs beside others which use it, with no lock"
	}
	if v.Rule == "confined" {
		return what + " outside the goroutine that it belongs to, which may be running, with no lock"
	}
	if v.Guard == nil {
		return fmt.Sprintf("%s under %s, which is made anew for each call and excludes nobody", what, Name(v.Other))
	}
	guard := fmt.Sprintf("%s, which guards it (%s)", v.lock, v.reasons())
	switch v.Rule {
	case "rlock":
		if v.Context.What != written {
			what = v.Context.What + " changes " + heap
		}
		return fmt.Sprintf("%s under the read lock of %s", what, guard)
	case "wrong":
		if Name(v.Other) == v.lock {
			guard = "its own, " + strings.TrimPrefix(guard, v.lock+", ")
			return fmt.Sprintf("%s under the %s of another %s instead of %s", what, v.Guard, v.Location.Owner.Name(), guard)
		}
		return fmt.Sprintf("%s under %s instead of %s", what, Name(v.Other), guard)
	case "path":
		return fmt.Sprintf("%s, on some paths without %s", what, guard)
	case "escape":
		return fmt.Sprintf("%s in a %s, which runs without %s", what, v.Context.Spawn.Kind, guard)
	}
	return fmt.Sprintf("%s without %s", what, guard)
}

// written is what an access says that is an assignment.
const written = "written"

// what says what is done to the heap.
func (v *Violation) what() string {
	if v.Rule == "elem" {
		return fmt.Sprintf("write to %s, by which %s is ordered,", v.Field.Name(), v.Location)
	}
	if v.Context.What == written {
		return "write to " + v.Location.String()
	}
	return v.Context.What + " of " + v.Location.String()
}

// reasons says why the lock is taken for the guard: how often it is held and, if that
// alone would not tell, what speaks for it besides.
func (v *Violation) reasons() string {
	held, total := len(v.uses.held), v.uses.total
	count := fmt.Sprintf("held at %d of its %d uses", held, total)
	if held == total {
		count = fmt.Sprintf("held at each of its %d uses", total)
	}
	if held >= 2 && 2*held >= total {
		return count
	}
	return strings.Join(append([]string{count}, v.Guard.Reasons...), "; ")
}

// A tally counts the uses of a heap: the places in the source where its guard is held,
// or should be. That is where the heap is used if the function there takes the lock,
// and otherwise the call that leads to the use.
type tally struct {
	held  []Site
	total int
}

// A Site is a place where a heap is used with its guard.
type Site struct {
	Pos token.Pos
	// Lock is the guard as the function there names it.
	Lock string
	fn   *ssa.Function
}

// Evidence are uses with the guard, a few at most, from as many functions as there are.
func (v *Violation) Evidence() []Site {
	if v.uses == nil {
		return nil
	}
	var sites, more []Site
	seen := map[*ssa.Function]bool{}
	for _, s := range v.uses.held {
		if seen[s.fn] {
			more = append(more, s)
		} else {
			sites = append(sites, s)
		}
		seen[s.fn] = true
	}
	sites = append(sites, more...)
	return sites[:min(len(sites), maxEvidence)]
}

const maxEvidence = 3

// complete adds to the findings what their messages need.
func (j *judge) complete() {
	for _, v := range j.found {
		if v.Guard == nil || v.Context == nil {
			continue
		}
		v.lock = j.lockName(v.Location, v.Guard, v.Context, v.Frame)
		if j.uses[v.Location] == nil {
			j.uses[v.Location] = j.tally(v.Location)
		}
		v.uses = j.uses[v.Location]
	}
}

func (j *judge) tally(l *Location) *tally {
	var order []Site
	without := map[token.Pos]bool{}
	seen := map[token.Pos]bool{}
	for _, c := range l.Contexts {
		if c.exempt || c.Copy || c.Once {
			continue
		}
		v := &view{l, c}
		must, may := l.Holds(j.a, l.Guard, c)
		if c.Private && must == 0 {
			continue
		}
		var frame int
		if may > 0 {
			frame = j.lockFrame(v, l.Guard)
		} else {
			frame = j.ownerFrame(v)
		}
		at := c.Trace[frame].At
		without[at] = without[at] || must == 0
		if !seen[at] {
			seen[at] = true
			order = append(order, Site{at, j.lockName(l, l.Guard, c, frame), c.Trace[frame].Fn})
		}
	}
	t := &tally{total: len(order)}
	for _, s := range order {
		if !without[s.Pos] {
			t.held = append(t.held, s)
		}
	}
	return t
}

// lockName writes the guard as the function in a step of the context's trace does; if
// it has no name for the owner, as a field of its type.
func (j *judge) lockName(l *Location, g *Guard, c *Context, frame int) string {
	if g.Place != nil {
		return Name(g.Place)
	}
	if obj := l.objectIn(c.Trace[frame].Place); obj != nil && nameable(obj) {
		return Name(j.a.Append(obj, g.Path))
	}
	if l.Owner == nil {
		return g.String()
	}
	if len(g.Path) == 0 {
		return l.Owner.Name()
	}
	return l.Owner.Name() + "." + g.String()
}

// objectIn returns the owner of the heap at a place, nil if it is not part of one there.
func (l *Location) objectIn(heap *locks.Place) *locks.Place {
	if heap == nil {
		return nil
	}
	for _, obj := range heap.Ancestors() {
		if l.Owner == nil && (obj.Parent != nil || obj.Root != l.Var) || l.Owner != nil && obj.Named() != l.Owner {
			continue
		}
		if path, ok := heap.From(obj); (ok || heap == obj) && path.String() == l.Path.String() {
			return obj
		}
	}
	return nil
}

// nameable tells whether the source has a name for what the place starts from.
func nameable(p *locks.Place) bool {
	switch r := p.Root.(type) {
	case *ssa.Alloc:
		return r.Comment != "" && r.Comment != "complit" && r.Comment != "new"
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return r.Name() != "" && r.Name() != "_"
	}
	return false
}
