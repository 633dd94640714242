package locks

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A variable that is set on some paths and tested later (locked := false; if … {
// mu.Lock(); locked = true }; …; if locked { mu.Unlock() }) is a phi in SSA form.
// Its outcome is known on the edges that set it to a constant.

// trackedPhis finds the phis whose outcome a branch tests or the function returns.
// In a function that does not touch locks nothing depends on them.
func (f *flow) trackedPhis() map[*ssa.Phi]bool {
	tracked := map[*ssa.Phi]bool{}
	var track func(v ssa.Value)
	track = func(v ssa.Value) {
		phi, ok := tested(v).(*ssa.Phi)
		if !ok || tracked[phi] {
			return
		}
		tracked[phi] = true
		for _, e := range phi.Edges {
			track(e)
		}
	}
	for _, b := range f.fn.Blocks {
		switch last := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.If:
			track(last.Cond)
		case *ssa.Return:
			if n := len(last.Results); n > 0 {
				track(last.Results[n-1])
			}
		}
		for _, instr := range b.Instrs {
			if st, ok := instr.(*ssa.Store); ok && f.tested[f.loaded(st.Addr)] {
				track(st.Val)
			}
		}
	}
	if len(tracked) > 0 && !f.locking() {
		return nil
	}
	return tracked
}

// tested returns the value of which a condition tests whether it is true, or nil.
func tested(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return tested(x.X)
		}
	case *ssa.BinOp:
		if x.Op != token.EQL && x.Op != token.NEQ {
			return v
		}
		if c, ok := x.Y.(*ssa.Const); ok && (c.IsNil() || isBool(c.Type())) {
			return tested(x.X)
		}
		if c, ok := x.X.(*ssa.Const); ok && (c.IsNil() || isBool(c.Type())) {
			return tested(x.Y)
		}
	}
	return v
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// locking tells whether some call in the function may change what is held.
func (f *flow) locking() bool {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, _, ok := f.a.primitive(call.Common()); ok {
				return true
			}
			if t := f.a.onlyTarget(call.Common()); t != nil && t.sum != nil && (t.sum.Conditional || !t.sum.Net.empty()) {
				return true
			}
		}
	}
	return false
}

// along gives the tracked phis of a block the outcomes that they have when it is
// entered by its edge number i.
func (f *flow) along(succ *ssa.BasicBlock, i int, w *world) {
	type decision struct{ known, outcome bool }
	var phis []*ssa.Phi
	var decisions []decision
	for _, instr := range succ.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		outcome, known := false, false
		if f.tracked[phi] {
			outcome, known = f.outcome(phi.Edges[i], w)
		}
		phis = append(phis, phi)
		decisions = append(decisions, decision{known, outcome})
	}
	// all phis of a block change at once
	for _, phi := range phis {
		w.forget(valueKey(phi))
	}
	for k, d := range decisions {
		if d.known {
			w.assume(valueKey(phis[k]), d.outcome)
		}
	}
	f.prune(succ, w)
}

// outcome tells whether a value is true, or nil, in a world, if that is known.
func (f *flow) outcome(v ssa.Value, w *world) (outcome, ok bool) {
	switch v := v.(type) {
	case *ssa.Const:
		if v.IsNil() {
			return true, true
		}
		if b, ok := constBool(v); ok {
			return b, true
		}
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeMap, *ssa.MakeClosure, *ssa.Function:
		return false, true // an error value, say
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil && (fn.String() == "errors.New" || fn.String() == "fmt.Errorf") {
			return false, true
		}
	case *ssa.UnOp:
		if _, global := v.X.(*ssa.Global); global && v.Op == token.MUL && types.IsInterface(v.Type()) {
			return false, true // return ErrClosed
		}
	}
	key, negated := f.conditionKey(v)
	if o, ok := w.known(key); ok {
		return o != negated, true
	}
	return false, false
}

// edge returns which of its predecessors' edges the i-th edge out of b is to its
// target: both ways of a branch may lead to one block.
func edge(b *ssa.BasicBlock, i int) int {
	succ := b.Succs[i]
	skip := 0
	for _, s := range b.Succs[:i] {
		if s == succ {
			skip++
		}
	}
	for n, p := range succ.Preds {
		if p == b {
			if skip == 0 {
				return n
			}
			skip--
		}
	}
	return 0
}
