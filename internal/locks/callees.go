package locks

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// A Callee is a function that a call may run.
type Callee struct {
	Fn *ssa.Function
	// Vals are the arguments by parameter, the receiver first.
	Vals []ssa.Value

	target *target
}

// Callees returns the functions that a call may run, as far as they are known: the
// static callee, what a function value holds, the implementations of an interface
// method in the package.
func (a *Analysis) Callees(call *ssa.CallCommon) []Callee {
	var list []Callee
	for _, t := range a.targets(call) {
		list = append(list, Callee{Fn: t.fn, Vals: t.vals, target: t})
	}
	return list
}

// Bind gives a place of the callee's as the caller knows it; nil if it cannot be
// named there.
func (a *Analysis) Bind(p *Place, c Callee) *Place {
	if p == nil {
		return nil
	}
	return a.subst(p, c.target)
}

// Func returns the function that a value is, with what it is bound to: a function,
// a closure, a method value, or a variable that holds one of these.
func (a *Analysis) Func(v ssa.Value) (Callee, bool) {
	t := a.resolve(v, nil, 0)
	if t == nil {
		return Callee{}, false
	}
	return Callee{Fn: t.fn, Vals: t.vals, target: t}, true
}

// NewResolver returns an analysis that knows places and callees, but computes no
// summaries. It shares nothing with the one that the locks analyzer gives, so that
// checks which run side by side can each have their own: places are made as they
// are asked for.
func NewResolver(pkg *heaps.Package) *Analysis {
	a := &Analysis{
		pkg:      pkg,
		prog:     pkg.IR.Prog,
		places:   newPlaces(pkg.IR.Funcs),
		sums:     map[*ssa.Function]*Summary{},
		impls:    map[*types.Func][]*ssa.Function{},
		concrete: concreteTypes(pkg.IR.Pkg),
	}
	a.alias = findAliases(a.places, pkg.IR.Funcs)
	return a
}

// At tells whether the place is the element at a constant index, as written.
func (p *Place) At(index string) bool {
	s, ok := p.index.(string)
	return ok && (s == index || s == index+":int")
}
