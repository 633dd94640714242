package locks

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// aliases knows which paths of a type lead to one object, by construction: cond.L
// and lock after h.cond.L = &h.lock, child.parent and the object itself after
// child.parent = t; t.child = child. It is found once for the package, from the
// stores that build objects.
type aliases struct {
	places *Places
	// to maps a path of a type to the canonical one. A nil Path in byType means
	// that different stores say different things, so nothing is known.
	to map[*types.TypeName]map[string]*alias
	// known are the canonical places that were found so far: the same few are asked
	// for again and again.
	known map[*Place]*Place
}

type alias struct {
	path      Path // the way that is replaced
	canonical Path
	ambiguous bool
}

// An equation says that what is at two places is one object.
type equation struct{ a, b *Place }

func findAliases(ps *Places, funcs []*ssa.Function) *aliases {
	al := &aliases{places: ps, to: map[*types.TypeName]map[string]*alias{}, known: map[*Place]*Place{}}
	eqs := map[*ssa.Function][]equation{}
	for _, fn := range funcs {
		eqs[fn] = ps.equations(fn)
	}
	ps.passOn(eqs, funcs)
	for _, fn := range funcs {
		al.learn(eqs[fn])
	}
	return al
}

// equations collects the pointer stores of a function that say that a field leads
// to an object known by another name.
func (ps *Places) equations(fn *ssa.Function) []equation {
	var eqs []equation
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok || !leadsToLock(st.Val.Type()) {
				continue
			}
			addr := ps.Of(st.Addr)
			if addr == nil || addr.Parent == nil {
				continue
			}
			if lock := newCond(st.Val); lock != nil {
				if p, l := ps.Of(lock), condL(addr.Type); p != nil && l != nil {
					eqs = append(eqs, equation{ps.field(addr, l), p})
				}
				continue
			}
			if val := ps.Of(st.Val); val != nil && val != addr {
				eqs = append(eqs, equation{addr, val})
			}
		}
	}
	return eqs
}

// leadsToLock tells whether a value of the type can be a lock or lead to one: a
// pointer to a lock or to a struct, or an interface with Lock.
func leadsToLock(t types.Type) bool {
	if types.IsInterface(t) {
		return IsLock(t)
	}
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return false
	}
	_, ok := behind(t).Underlying().(*types.Struct)
	return ok
}

// newCond returns the lock that a sync.NewCond call is given.
func newCond(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Object() == nil || fn.Object().Pkg() == nil || fn.Object().Pkg().Path() != "sync" || fn.Name() != "NewCond" {
		return nil
	}
	return call.Call.Args[0]
}

func condL(t types.Type) *types.Var {
	s, ok := behind(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == "L" {
			return f
		}
	}
	return nil
}

// learn derives aliases from the equations of one function. Equations about an
// object that another equation places inside a larger one hold there as well.
func (al *aliases) learn(eqs []equation) {
	all := eqs
	for _, outer := range eqs {
		if outer.b.Parent != nil || outer.a.Root == outer.b.Root {
			continue
		}
		for _, inner := range eqs {
			if p := al.places.rebase(inner.a, outer.b, outer.a); p != inner.a {
				all = append(all, equation{p, inner.b})
			}
		}
	}
	for i, e := range all {
		if e.a.Root == e.b.Root {
			al.note(e.a, e.b)
		}
		for _, f := range all[:i] {
			if e.b == f.b && e.a != f.a && e.a.Root == f.a.Root {
				al.note(longer(e.a, f.a))
			}
		}
	}
}

// longer orders two places so that the one further from its root, or through a
// condition variable, comes first: it is the alias, the other the canonical name.
func longer(a, b *Place) (*Place, *Place) {
	da, db := a.depth(), b.depth()
	if da > db || da == db && a.id > b.id {
		return a, b
	}
	return b, a
}

// note records that, from their common root, a leads to the same object as b.
func (al *aliases) note(a, b *Place) {
	root := al.places.root(a.Root)
	t := root.Named()
	if t == nil {
		return
	}
	from, ok1 := a.From(root)
	to, ok2 := b.From(root)
	if !ok1 && a != root || !ok2 && b != root || len(from) == 0 || len(to) >= len(from) && len(from) < 2 && len(to) > 1 {
		return
	}
	if al.to[t] == nil {
		al.to[t] = map[string]*alias{}
	}
	key := from.String()
	if old := al.to[t][key]; old != nil {
		if old.canonical.String() != to.String() {
			old.ambiguous = true
		}
		return
	}
	al.to[t][key] = &alias{path: from, canonical: to}
}

// canonical returns the one place by which an object is known.
func (al *aliases) canonical(p *Place) *Place {
	if al == nil || len(al.to) == 0 || p == nil {
		return p
	}
	if q := al.known[p]; q != nil {
		return q
	}
	q := al.find(p)
	al.known[p] = q
	return q
}

func (al *aliases) find(p *Place) *Place {
	for range 4 { // aliases of aliases; a cycle would be a mistake of ours
		q := al.step(p)
		if q == p {
			return p
		}
		p = q
	}
	return p
}

func (al *aliases) step(p *Place) *Place {
	chain := p.Ancestors() // innermost first
	for i := len(chain) - 1; i > 0; i-- {
		base := chain[i]
		t := base.Named()
		if t == nil || len(al.to[t]) == 0 {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			path, ok := chain[j].From(base)
			if !ok {
				continue
			}
			a := al.to[t][path.String()]
			if a == nil || a.ambiguous {
				continue
			}
			return al.places.rebase(p, chain[j], al.places.append(base, a.canonical))
		}
	}
	return p
}
