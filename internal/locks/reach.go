package locks

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Reach is what may happen within a call of a function, in whatever it calls.
// It tells whether the function may be changed to hold a lock, or a stronger one.
type Reach struct {
	// Funcs are the functions that may run, the function itself among them.
	Funcs map[*ssa.Function]bool
	// Takes are the fields and package variables whose locks may be taken: a
	// *types.Var each, nil for locks that are neither.
	Takes map[*types.Var]bool
	// Unknown says that it may call functions which are not known, and those may
	// come back.
	Unknown bool
	// Waits says that it may wait for another goroutine.
	Waits bool
}

// Reach follows all calls from fn. What a heap's own methods do counts as nothing:
// they run under the lock of whoever calls container/heap.
func (a *Analysis) Reach(fn *ssa.Function) *Reach {
	if r := a.reach[fn]; r != nil {
		return r
	}
	if a.reach == nil {
		a.reach = map[*ssa.Function]*Reach{}
	}
	r := &Reach{Funcs: map[*ssa.Function]bool{}, Takes: map[*types.Var]bool{}}
	a.reach[fn] = r
	work := []*ssa.Function{fn}
	for len(work) > 0 {
		fn := origin(work[len(work)-1])
		work = work[:len(work)-1]
		if r.Funcs[fn] {
			continue
		}
		r.Funcs[fn] = true
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				work = append(work, a.reached(r, instr)...)
			}
		}
	}
	return r
}

// reached notes what an instruction does and returns the functions that it runs. A
// function literal may be run by the function that makes it.
func (a *Analysis) reached(r *Reach, instr ssa.Instruction) []*ssa.Function {
	switch instr := instr.(type) {
	case *ssa.MakeClosure:
		return []*ssa.Function{instr.Fn.(*ssa.Function)}
	case *ssa.Select, *ssa.Send:
		r.Waits = true
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			r.Waits = true
		}
	case *ssa.Go:
		return nil
	case ssa.CallInstruction:
		return a.reachedByCall(r, instr)
	}
	return nil
}

func (a *Analysis) reachedByCall(r *Reach, call ssa.CallInstruction) []*ssa.Function {
	common := call.Common()
	if a.pkg.Op(call) != nil {
		return nil
	}
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return nil
	}
	if prim, p, ok := a.primitive(common); ok {
		if prim.acquire {
			r.Takes[LockVar(p)] = true
		}
		return nil
	}
	if m, _ := method(common); m != nil && m.Name() == "Wait" {
		r.Waits = true
	}
	var fns []*ssa.Function
	for _, t := range a.targets(common) {
		fns = append(fns, t.fn)
		if s := t.sum; s != nil && len(t.fn.Blocks) == 0 {
			r.Unknown = r.Unknown || !s.Net.empty() || !s.Else.empty()
		}
	}
	if len(fns) == 0 || len(fns[0].Blocks) == 0 {
		r.Unknown = r.Unknown || mayComeBack(common)
	}
	return fns
}

// LockVar is the field or package variable that a lock is, nil if it is neither.
func LockVar(p *Place) *types.Var {
	for p.Parent != nil && p.Field == nil {
		p = p.Parent
	}
	if p.Field != nil {
		return p.Field
	}
	if g, ok := p.Root.(*ssa.Global); ok {
		v, _ := g.Object().(*types.Var)
		return v
	}
	return nil
}

// mayComeBack tells whether a call of a function outside the package may call the
// package's functions: it is given a function or an object to call, or it is itself
// a function value or a method of an interface that others implement.
func mayComeBack(call *ssa.CallCommon) bool {
	if m := call.Method; m != nil {
		return m.Pkg() != nil && !standard(m.Pkg().Path()) || slices.ContainsFunc(call.Args, callable)
	}
	if call.StaticCallee() == nil {
		return true
	}
	return slices.ContainsFunc(call.Args, callable)
}

// callable tells whether who has the value can call something of the package's: a
// function, or methods behind an interface.
func callable(v ssa.Value) bool {
	switch t := v.Type().Underlying().(type) {
	case *types.Signature:
		c, ok := v.(*ssa.Const)
		return !ok || !c.IsNil()
	case *types.Interface:
		mi, ok := v.(*ssa.MakeInterface)
		if !ok {
			return !standardInterface(v.Type()) && !isNil(v)
		}
		return types.NewMethodSet(mi.X.Type()).Len() > 0
	case *types.Slice:
		_, ok := t.Elem().Underlying().(*types.Interface)
		return ok && !isNil(v) && anyCallable(v)
	}
	return false
}

// anyCallable is [callable] for the elements of a slice, which are known of variadic
// arguments.
func anyCallable(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return true
	}
	array, ok := s.X.(*ssa.Alloc)
	if !ok {
		return true
	}
	for _, r := range *array.Referrers() {
		elem, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *elem.Referrers() {
			if st, ok := r.(*ssa.Store); ok && callable(st.Val) {
				return true
			}
		}
	}
	return false
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

func standardInterface(t types.Type) bool {
	n := typeNameOf(t)
	return n != nil && (n.Pkg() == nil || standard(n.Pkg().Path()))
}

// HeldCalls returns a call in the package that may run fn while the lock, a field or
// package variable, is held by the function that makes the call; nil if there is
// none.
func (a *Analysis) HeldCalls(fn *ssa.Function, lock *types.Var) ssa.CallInstruction {
	leads := a.leadingTo(fn)
	for _, g := range a.pkg.IR.Funcs {
		var held map[ssa.Instruction][]Held
		for _, c := range a.callers()[g] {
			if _, ok := c.call.(*ssa.Go); ok || c.call == nil || !leads[c.runs] {
				continue
			}
			if held == nil {
				held = a.HeldAt(g)
			}
			for _, h := range held[c.call] {
				if LockVar(h.Place) == lock {
					return c.call
				}
			}
		}
	}
	return nil
}

// A step is a call and a function that it may run, or a function literal (call is
// nil) that the function which makes it may run.
type step struct {
	call ssa.CallInstruction
	runs *ssa.Function
}

// callers are the calls that each function makes.
func (a *Analysis) callers() map[*ssa.Function][]step {
	if a.steps != nil {
		return a.steps
	}
	a.steps = map[*ssa.Function][]step{}
	for _, g := range a.pkg.IR.Funcs {
		for _, b := range g.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					a.steps[g] = append(a.steps[g], a.stepsOf(call)...)
				}
			}
		}
		for _, lit := range g.AnonFuncs {
			a.steps[g] = append(a.steps[g], step{nil, lit})
		}
	}
	return a.steps
}

// stepsOf are the functions that a call may run: those it calls, and those it is given.
func (a *Analysis) stepsOf(call ssa.CallInstruction) []step {
	var steps []step
	for _, fn := range a.Targets(call.Common()) {
		steps = append(steps, step{call, fn})
	}
	for _, arg := range call.Common().Args {
		if c, ok := a.Func(arg); ok {
			steps = append(steps, step{call, c.Fn})
		}
	}
	return steps
}

// leadingTo returns the functions whose call may run fn.
func (a *Analysis) leadingTo(fn *ssa.Function) map[*ssa.Function]bool {
	from := map[*ssa.Function][]*ssa.Function{}
	for g, steps := range a.callers() {
		for _, s := range steps {
			from[s.runs] = append(from[s.runs], g)
		}
	}
	leads := map[*ssa.Function]bool{}
	work := []*ssa.Function{fn}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if !leads[g] {
			leads[g] = true
			work = append(work, from[g]...)
		}
	}
	return leads
}
