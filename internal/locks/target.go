package locks

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A target is a function that a call may run, with what its parameters are bound
// to there.
type target struct {
	fn   *ssa.Function
	sum  *Summary // nil if nothing is known of the function (yet)
	args []*Place // by parameter; nil where the argument is at no place
	vals []ssa.Value
}

// subst gives a place of the callee's as the caller knows it; nil if it cannot be
// named there.
func (a *Analysis) subst(p *Place, t *target) *Place {
	if t == nil {
		return p
	}
	i, ok := t.param(p.Root)
	if !ok {
		return p
	}
	if i < 0 || i >= len(t.args) || t.args[i] == nil {
		return nil
	}
	sub := a.places.rebase(p, a.places.root(p.Root), t.args[i])
	if sub.depth() > maxDepth {
		return nil
	}
	return a.alias.canonical(sub)
}

// param tells whether a root is a parameter of the target's function, and which.
func (t *target) param(root ssa.Value) (int, bool) {
	switch r := root.(type) {
	case *ssa.Parameter:
		if r.Parent() == t.fn {
			return slices.Index(t.fn.Params, r), true
		}
	case *foreignParam:
		return r.index, r.fn == t.fn
	}
	return 0, false
}

// maxDepth bounds the length of places, which recursion over linked structures
// would let grow for ever.
const maxDepth = 10

func (p *Place) depth() int {
	n := 0
	for ; p != nil; p = p.Parent {
		n++
	}
	return n
}

// onlyTarget returns the one function that a call runs, or nil.
func (a *Analysis) onlyTarget(call *ssa.CallCommon) *target {
	ts := a.targets(call)
	if len(ts) == 1 {
		return ts[0]
	}
	return nil
}

// maxImplementations bounds the methods that an interface call is followed to.
const maxImplementations = 8

// targets returns the functions that a call may run, as far as they can be known:
// the static callee, the function value that a variable holds or another call
// returns, or the implementations of an interface method in the package.
func (a *Analysis) targets(call *ssa.CallCommon) []*target {
	if call.IsInvoke() {
		impls := a.implementations(call.Method)
		if len(impls) > maxImplementations {
			return nil
		}
		var ts []*target
		for _, fn := range impls {
			t := a.target(fn, append([]ssa.Value{call.Value}, call.Args...))
			if recv := typeNameOf(fn.Signature.Recv().Type()); t.args[0] != nil && recv != nil {
				t.args[0] = a.places.as(t.args[0], recv)
			}
			ts = append(ts, t)
		}
		return ts
	}
	if t := a.resolve(call.Value, call.Args, 0); t != nil {
		return []*target{t}
	}
	return nil
}

func (a *Analysis) target(fn *ssa.Function, args []ssa.Value) *target {
	fn = origin(fn)
	t := &target{fn: fn, sum: a.summary(fn), vals: args, args: make([]*Place, len(args))}
	for i, arg := range args {
		t.args[i] = a.places.Of(arg)
	}
	return t
}

// resolve finds the function that a value is.
func (a *Analysis) resolve(v ssa.Value, args []ssa.Value, depth int) *target {
	if depth > 4 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Function:
		return a.target(v, args)
	case *ssa.MakeClosure:
		if fn, recv := boundMethod(v); fn != nil {
			return a.bound(fn, recv, args)
		}
		return a.target(v.Fn.(*ssa.Function), args)
	case *ssa.ChangeType:
		return a.resolve(v.X, args, depth+1)
	case *ssa.UnOp:
		if cell := a.places.cell(v.X); cell != nil {
			if val := a.places.onlyStore(cell); val != nil {
				return a.resolve(val, args, depth+1)
			}
		}
	case *ssa.FreeVar:
		if mc := a.places.closures[v.Parent()]; mc != nil {
			for i, fv := range v.Parent().FreeVars {
				if fv == v {
					return a.resolve(mc.Bindings[i], args, depth+1)
				}
			}
		}
	case *ssa.Call:
		return a.returnedFunc(v, args, depth)
	}
	return nil
}

// bound resolves a method value: the method with its receiver before the arguments.
func (a *Analysis) bound(m *types.Func, recv ssa.Value, args []ssa.Value) *target {
	fn := a.prog.FuncValue(m.Origin())
	if fn == nil {
		return nil
	}
	t := a.target(fn, append([]ssa.Value{recv}, args...))
	t.args[0] = a.promoted(a.places.Of(recv), recv.Type(), m)
	return t
}

// returnedFunc resolves a call of a function value that another call returns
// (defer q.lock()()), if that one always returns the same.
func (a *Analysis) returnedFunc(call *ssa.Call, args []ssa.Value, depth int) *target {
	maker := call.Call.StaticCallee()
	if maker == nil {
		return nil
	}
	maker = origin(maker)
	var val ssa.Value
	for _, b := range maker.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			if b == maker.Recover {
				continue
			}
			if len(r.Results) != 1 || val != nil && val != Result(r, 0) {
				return nil
			}
			val = Result(r, 0)
		}
	}
	if val == nil {
		return nil
	}
	outer := a.target(maker, call.Call.Args)
	inner := a.resolve(val, args, depth+1)
	if inner == nil {
		return nil
	}
	for i, p := range inner.args {
		if p != nil {
			inner.args[i] = a.subst(p, outer)
		}
	}
	inner.sum = a.moved(inner.sum, outer)
	return inner
}

// moved is a closure's summary with the places of the function that made it as
// the caller of that function knows them.
func (a *Analysis) moved(s *Summary, outer *target) *Summary {
	if s == nil {
		return nil
	}
	m := *s
	m.Net, m.Else = a.movedNet(s.Net, outer), a.movedNet(s.Else, outer)
	m.Accesses = nil
	for _, acc := range s.Accesses {
		if b := a.substAccess(acc, outer); b != nil {
			m.Accesses = append(m.Accesses, b)
		}
	}
	m.calls = nil
	for _, pc := range s.calls {
		c := *pc
		c.held, c.may, c.dropped = a.substHeld(pc.held, outer), a.substHeld(pc.may, outer), a.substPlaces(pc.dropped, outer)
		m.calls = append(m.calls, &c)
	}
	return &m
}

func (a *Analysis) movedNet(n Net, t *target) Net {
	var m Net
	m.Acquired, m.Maybe = a.movedHeld(n.Acquired, t), a.movedHeld(n.Maybe, t)
	m.Released, m.Dropped = a.movedPlaces(n.Released, t), a.movedPlaces(n.Dropped, t)
	return m
}

func (a *Analysis) movedPlaces(list []*Place, t *target) []*Place {
	var out []*Place
	for _, p := range list {
		if q := a.subst(p, t); q != nil {
			out = putPlace(out, q)
		}
	}
	return out
}

func (a *Analysis) movedHeld(list []Held, t *target) []Held {
	var out []Held
	for _, h := range list {
		if p := a.subst(h.Place, t); p != nil {
			h.Place = p
			out = put(out, h)
		}
	}
	return out
}

// primitive tells whether the call is a lock's own method, and on which place. A
// lock type of the package with a summary of its own is no primitive: what its
// methods do is known.
func (a *Analysis) primitive(call *ssa.CallCommon) (primitive, *Place, bool) {
	fn, recv := method(call)
	if fn == nil {
		return primitive{}, nil, false
	}
	prim, ok := primitiveOf(fn)
	if !ok {
		return prim, nil, false
	}
	if f := a.prog.FuncValue(fn.Origin()); f != nil && !call.IsInvoke() && len(f.Blocks) > 0 {
		if s := a.summary(f); s != nil && (!s.Net.empty() || !s.Else.empty()) {
			return prim, nil, false
		}
	}
	p := a.promoted(a.places.Of(recv), recv.Type(), fn)
	if p == nil {
		return prim, nil, false
	}
	return prim, a.alias.canonical(p), true
}

// primitiveTarget tells whether what a call runs is a lock's own method, by way of a
// function value: unlock := q.mu.Unlock, or what a function that locks returns.
func (a *Analysis) primitiveTarget(t *target) (primitive, bool) {
	m := methodOf(t.fn)
	if m == nil || len(t.args) == 0 || t.args[0] == nil || t.sum != nil && !t.sum.Net.empty() {
		return primitive{}, false
	}
	return primitiveOf(m)
}

// promoted follows the embedded fields from a value of type t to the receiver of a
// method that is promoted through them.
func (a *Analysis) promoted(p *Place, t types.Type, m *types.Func) *Place {
	if p == nil {
		return nil
	}
	if types.Identical(behind(t), behind(m.Signature().Recv().Type())) {
		return p
	}
	lookup := t
	if !types.IsInterface(t) {
		if _, ok := t.Underlying().(*types.Pointer); !ok {
			lookup = types.NewPointer(t)
		}
	}
	_, index, _ := types.LookupFieldOrMethod(lookup, false, m.Pkg(), m.Name())
	if len(index) == 0 {
		return p
	}
	for _, i := range index[:len(index)-1] {
		f := fieldAt(t, i)
		if f == nil {
			return p
		}
		p = a.places.field(p, f)
		t = f.Type()
	}
	return p
}

// implementations returns the methods of the package's types that a call of the
// interface method m can run, in order of declaration.
func (a *Analysis) implementations(m *types.Func) []*ssa.Function {
	if impls, ok := a.impls[m]; ok {
		return impls
	}
	recv := m.Signature().Recv()
	var impls []*ssa.Function
	if recv != nil {
		if iface, ok := recv.Type().Underlying().(*types.Interface); ok {
			for _, t := range a.concrete {
				if !types.Implements(types.NewPointer(t), iface) {
					continue
				}
				obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, m.Pkg(), m.Name())
				if fn, ok := obj.(*types.Func); ok {
					if f := a.prog.FuncValue(fn.Origin()); f != nil && len(f.Blocks) > 0 {
						impls = append(impls, f)
					}
				}
			}
		}
	}
	a.impls[m] = impls
	return impls
}

func typeNameOf(t types.Type) *types.TypeName {
	if n, ok := types.Unalias(behind(t)).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

func resultCount(call ssa.Value) int {
	if t, ok := call.Type().(*types.Tuple); ok {
		return t.Len()
	}
	return 1
}
