package locks

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// call applies what a call does to the locks. result is the call as a value, nil
// if it has none (a deferred call).
func (f *flow) call(instr ssa.CallInstruction, result ssa.Value, w *world) []*world {
	common := instr.Common()
	if prim, p, ok := f.a.primitive(common); ok {
		return f.primitive(prim, p, instr.Pos(), result, w)
	}
	f.waited(common, w)
	if starts(common) {
		f.spawn(common, w)
	}
	targets := f.a.targets(common)
	for _, t := range targets {
		f.publishArgs(t, w)
	}
	f.handedOver(common, instr.Pos(), w)
	if len(targets) != 1 {
		return []*world{f.anyOf(targets, instr.Pos(), w)}
	}
	t := targets[0]
	if prim, ok := f.a.primitiveTarget(t); ok {
		return f.primitive(prim, t.args[0], instr.Pos(), result, w)
	}
	if t.sum == nil {
		return []*world{w}
	}
	if !t.sum.Conditional {
		f.apply(&t.sum.Net, t, instr.Pos(), w)
		return []*world{w}
	}
	other := w.clone()
	f.apply(&t.sum.Net, t, instr.Pos(), w)
	f.apply(&t.sum.Else, t, instr.Pos(), other)
	if result == nil {
		return []*world{merge(w, other)}
	}
	key := resultKey(result)
	w.assume(key, true)
	other.assume(key, false)
	return []*world{w, other}
}

// anyOf is the world after a call that runs one of the targets.
func (f *flow) anyOf(targets []*target, at token.Pos, w *world) *world {
	var after *world
	for _, t := range targets {
		v := w.clone()
		if t.sum != nil {
			f.apply(&t.sum.Net, t, at, v)
			if t.sum.Conditional {
				other := w.clone()
				f.apply(&t.sum.Else, t, at, other)
				v = merge(v, other)
			}
		}
		if after == nil {
			after = v
		} else {
			after = merge(after, v)
		}
	}
	if after == nil {
		return w
	}
	return after
}

// handedOver applies the effects of the function literals that a call is given,
// which may run within it.
func (f *flow) handedOver(call *ssa.CallCommon, at token.Pos, w *world) {
	for _, arg := range call.Args {
		mc, ok := arg.(*ssa.MakeClosure)
		if !ok || handling(call) == runsLater {
			continue
		}
		t := f.a.resolve(mc, nil, 0)
		if t == nil || t.sum == nil || t.sum.Net.empty() && t.sum.Else.empty() {
			continue
		}
		*w = *merge(f.anyOf([]*target{t}, at, w), w)
	}
}

// apply applies a callee's net effect, with its places as the caller knows them.
func (f *flow) apply(n *Net, t *target, at token.Pos, w *world) {
	for _, p := range n.Released {
		if q := f.a.subst(p, t); q != nil {
			f.release(q, n.releasedAs(p), w)
		}
	}
	for _, p := range n.Dropped {
		if q := f.a.subst(p, t); q != nil {
			w.mayRelease(q)
		}
	}
	for _, h := range n.Acquired {
		if q := f.a.subst(h.Place, t); q != nil {
			w.acquire(q, h.Mode, at)
		}
	}
	for _, h := range n.Maybe {
		if q := f.a.subst(h.Place, t); q != nil {
			w.may = put(w.may, Held{Place: q, Mode: h.Mode, At: at})
		}
	}
}
