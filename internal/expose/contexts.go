package expose

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// contexts applies the rules that look at all ways in which a field is used: reads of
// a whole container without the lock that others hold.
func (f *finder) contexts() {
	for _, fd := range f.fs.list {
		f.reentrant(fd.Loc.Contexts)
		if !fd.InPlace || fd.Held <= 0 || fd.Unheld > fd.Held {
			continue
		}
		for _, c := range fd.Loc.Contexts {
			if c.Effect != locks.Reads || c.Private || c.Once || c.Exempt() || len(c.When) > 0 || len(c.May) > 0 || c.Instr == nil {
				continue
			}
			if direct(c) && shared(c.Object) && !forTests(c.Root) && !joined(c.Instr) {
				f.bare(fd, c)
			}
		}
	}
}

// reentrant finds loop bodies and callbacks that call back into the object whose lock
// the iterator holds while it yields: they wait for themselves.
func (f *finder) reentrant(contexts []*guards.Context) {
	for _, c := range contexts {
		if c.Again == nil || c.Opaque {
			continue
		}
		for i, fr := range c.Trace {
			if i > 0 && fr.Fn.Parent() == c.Root && i+1 < len(c.Trace) {
				f.report("iter", fr.At, nil, fmt.Sprintf("calls %s, which takes %s, while the function that calls this one holds it already: it waits for itself for ever", c.Trace[i+1].Fn.Name(), guards.Name(c.Again)))
				break
			}
		}
	}
}

// direct tells whether the use stands in the function by which the package is
// entered, or in a literal there. A helper may rely on a lock that its other callers
// hold; who of them is wrong is heaplock's business.
func direct(c *guards.Context) bool {
	for fn := c.Trace[len(c.Trace)-1].Fn; fn != nil; fn = fn.Parent() {
		if fn == c.Root {
			return true
		}
	}
	return false
}

// shared tells whether the object came to the function from outside: as its receiver or
// a package variable. One that it makes itself is not yet shared, as far as that can be
// told, and one that it is given may be its caller's alone.
func shared(p *locks.Place) bool {
	switch r := p.Root.(type) {
	case *ssa.Alloc:
		return false
	case *ssa.Parameter:
		return r.Parent().Signature.Recv() != nil && r == r.Parent().Params[0]
	}
	return true
}

// joined tells whether the function waits for other goroutines before an instruction,
// on every way to it: what they do under the lock is then done.
func joined(at ssa.Instruction) bool {
	started := false
	for _, b := range at.Parent().DomPreorder() {
		for _, instr := range b.Instrs {
			if !uses.Dominates(instr, at) {
				continue
			}
			switch instr := instr.(type) {
			case *ssa.Go:
				started = true
			case *ssa.UnOp:
				if started && instr.Op == token.ARROW {
					return true
				}
			case *ssa.Call:
				if fullName(&instr.Call) == "(*sync.WaitGroup).Wait" || startsAndWaits(instr.Call.StaticCallee()) {
					return true
				}
			}
		}
	}
	return false
}

// startsAndWaits tells whether a function starts a goroutine and then waits for something
// that it sends.
func startsAndWaits(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	started := false
	for _, b := range fn.DomPreorder() {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Go:
				started = true
			case *ssa.UnOp:
				if started && instr.Op == token.ARROW {
					return true
				}
			}
		}
	}
	return false
}

// bare reports a read without any lock, if it is of the whole container.
func (f *finder) bare(fd *Field, c *guards.Context) {
	load, ok := c.Instr.(ssa.Value)
	if !ok || !walks(load) {
		return
	}
	frame := c.Trace[len(c.Trace)-1]
	if f.a.Sorts(c.Place, frame.Fn) {
		return // who puts it in order without the lock means to be alone with it
	}
	if c.Spawn != nil {
		switch {
		case c.Spawn.Kind != locks.Escaping:
			f.report("range", frame.At, fd, fmt.Sprintf("a %s goes through %s without %s, under which it is changed in place meanwhile", c.Spawn.Kind, fd, fd.Guard))
		case returns(c.Spawn.Instr):
			f.report("iter", frame.At, fd, fmt.Sprintf("the function that is returned reads %s without %s: it runs when the lock is free again", fd, fd.Guard))
		}
		return
	}
	f.report("range", frame.At, fd, fmt.Sprintf("goes through %s without %s, under which it is changed in place", fd, fd.Guard))
}

func returns(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.Return)
	return ok
}

// walks tells whether a loaded slice or map is gone through: ranged over, or indexed
// in a loop.
func walks(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Range:
			return true
		case *ssa.IndexAddr:
			if _, ok := r.X.Type().Underlying().(*types.Slice); ok && inRange(r) {
				return true
			}
		case *ssa.ChangeType:
			if walks(r) {
				return true
			}
		}
	}
	return false
}

// inRange tells whether an index comes from a loop over the slice.
func inRange(ia *ssa.IndexAddr) bool {
	b, ok := ia.Index.(*ssa.BinOp)
	if ok && b.Op == token.ADD {
		_, ok = b.X.(*ssa.Phi)
		return ok
	}
	_, ok = ia.Index.(*ssa.Phi)
	return ok
}
