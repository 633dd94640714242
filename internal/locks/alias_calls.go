package locks

import (
	"golang.org/x/tools/go/ssa"
)

// passRounds is how many calls deep an object may be built for its parts to be known:
// a constructor that calls an init method which calls another.
const passRounds = 3

// maxPassed bounds the equations that a function passes on to its callers.
const maxPassed = 16

// passOn adds to the equations of every function those of the functions that it calls
// to build its objects: a constructor or an init method that is given the lock, or the
// owner, and keeps it.
func (ps *Places) passOn(eqs map[*ssa.Function][]equation, funcs []*ssa.Function) {
	calls := map[*ssa.Function][]*ssa.Call{}
	for _, fn := range funcs {
		calls[fn] = ps.buildingCalls(fn)
	}
	done := map[equation]bool{}
	for range passRounds {
		passed := map[*ssa.Function][]equation{}
		for _, fn := range funcs {
			passed[fn] = ps.aboutCaller(fn, eqs[fn])
		}
		changed := false
		for _, fn := range funcs {
			for _, call := range calls[fn] {
				callee := origin(call.Call.StaticCallee())
				for _, e := range passed[callee] {
					if got, ok := ps.atCall(e, callee, call); ok && !done[got] {
						done[got] = true
						eqs[fn] = append(eqs[fn], got)
						changed = true
					}
				}
			}
		}
		if !changed {
			return
		}
	}
}

// buildingCalls are the calls of fn's that give a pointer to a lock or a struct to a
// function which can be seen.
func (ps *Places) buildingCalls(fn *ssa.Function) []*ssa.Call {
	var calls []*ssa.Call
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			callee := call.Call.StaticCallee()
			if callee == nil || len(origin(callee).Blocks) == 0 {
				continue
			}
			for _, arg := range call.Call.Args {
				if leadsToLock(arg.Type()) {
					calls = append(calls, call)
					break
				}
			}
		}
	}
	return calls
}

// aboutCaller are the equations that say something of what the caller of fn has: of a
// field of a parameter, or of the object that fn makes and returns, that it is the
// same as a parameter, or as a lock within one.
func (ps *Places) aboutCaller(fn *ssa.Function, eqs []equation) []equation {
	if len(eqs) == 0 {
		return nil
	}
	made := ps.made(fn)
	var list []equation
	for _, e := range eqs {
		_, given := e.a.Root.(*ssa.Parameter)
		_, arg := e.b.Root.(*ssa.Parameter)
		if arg && (given || made != nil && e.a.Root == made) && (e.b.Parent == nil || IsLock(e.b.Type)) && len(list) < maxPassed {
			list = append(list, e)
		}
	}
	return list
}

// made returns the object that all returns of fn give as the first result, if fn makes
// it; nil otherwise.
func (ps *Places) made(fn *ssa.Function) ssa.Value {
	var made ssa.Value
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 || b == fn.Recover {
			continue
		}
		v := Result(ret, 0)
		if c, ok := v.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		p := ps.Of(v)
		if p == nil || p.Parent != nil || made != nil && made != p.Root {
			return nil
		}
		if _, ok := p.Root.(*ssa.Alloc); !ok {
			return nil
		}
		made = p.Root
	}
	return made
}

// atCall is an equation of the callee's as its caller knows it.
func (ps *Places) atCall(e equation, callee *ssa.Function, call *ssa.Call) (equation, bool) {
	a, b := ps.given(e.a, callee, call), ps.given(e.b, callee, call)
	ok := a != nil && b != nil && a != b && a.depth() <= maxDepth && b.depth() <= maxDepth
	return equation{a, b}, ok
}

// given is a place of the callee's as its caller knows it, nil if it cannot be named.
func (ps *Places) given(p *Place, callee *ssa.Function, call *ssa.Call) *Place {
	root := ps.root(p.Root)
	for i, q := range callee.Params {
		if p.Root == q && i < len(call.Call.Args) {
			if arg := ps.Of(call.Call.Args[i]); arg != nil {
				return ps.rebase(p, root, arg)
			}
			return nil
		}
	}
	if _, ok := p.Root.(*ssa.Alloc); !ok {
		return nil
	}
	return ps.rebase(p, root, ps.firstResult(call))
}

// firstResult is the place of a call's first result.
func (ps *Places) firstResult(call *ssa.Call) *Place {
	if resultCount(call) == 1 {
		return ps.Of(call)
	}
	for _, r := range *call.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == 0 {
			return ps.Of(e)
		}
	}
	return ps.root(call)
}
