// Package uses follows what a package does with its heaps: which operations a
// function runs on which heap, itself and through what it calls, which values are
// elements of a heap, where a heap's slice is touched directly, and what can happen
// between two instructions.
package uses

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// A Package is what is known of one package's use of heaps.
type Package struct {
	*heaps.Package
	// Locks resolves places and callees.
	Locks *locks.Analysis

	heapAt  map[*locks.Place]*heaps.Type
	sites   map[*ssa.Function]map[ssa.Instruction][]Site
	busy    map[*ssa.Function]bool
	callers map[*ssa.Function][]ssa.CallInstruction
	methods map[*heaps.Type]*contract.Methods
	byFunc  map[*ssa.Function]*heaps.Type
	keys    map[*heaps.Type]*Keys
	writes  map[*ssa.Function][]Write
}

// New prepares the analysis of a package.
func New(pkg *heaps.Package) *Package { return On(locks.NewResolver(pkg)) }

// On is New on an analysis that is there already; places are then its places. Who
// uses it must hold the analysis's lock.
func On(a *locks.Analysis) *Package {
	pkg := a.Heaps()
	p := &Package{
		Package: pkg,
		Locks:   a,
		heapAt:  map[*locks.Place]*heaps.Type{},
		sites:   map[*ssa.Function]map[ssa.Instruction][]Site{},
		busy:    map[*ssa.Function]bool{},
		callers: map[*ssa.Function][]ssa.CallInstruction{},
		methods: map[*heaps.Type]*contract.Methods{},
		byFunc:  map[*ssa.Function]*heaps.Type{},
		keys:    map[*heaps.Type]*Keys{},
		writes:  map[*ssa.Function][]Write{},
	}
	for _, op := range p.Ops {
		if t, place := p.Type(op.Heap.Type()), p.Place(op.Heap); t != nil && place != nil {
			p.heapAt[place] = t
		}
	}
	for _, t := range p.Types {
		for _, m := range t.Methods() {
			p.byFunc[m] = t
		}
	}
	for _, fn := range p.IR.Funcs {
		Instrs(fn, func(instr ssa.Instruction) {
			if call, ok := instr.(ssa.CallInstruction); ok {
				for _, c := range a.Callees(call.Common()) {
					p.callers[c.Fn] = append(p.callers[c.Fn], call)
				}
			}
		})
	}
	return p
}

// Place is where the object is that v is or points to, nil if that is not known.
func (p *Package) Place(v ssa.Value) *locks.Place {
	if v == nil {
		return nil
	}
	return p.Locks.Places().Of(v)
}

// Callers returns the calls in the package that may run fn.
func (p *Package) Callers(fn *ssa.Function) []ssa.CallInstruction { return p.callers[fn] }

// Methods is what the methods of a heap type do.
func (p *Package) Methods(t *heaps.Type) *contract.Methods {
	if p.methods[t] == nil {
		p.methods[t] = contract.Of(t)
	}
	return p.methods[t]
}

// MethodOf returns the heap type of which fn is one of the five methods, also one
// that it has by embedding; nil for other functions.
func (p *Package) MethodOf(fn *ssa.Function) *heaps.Type {
	if t := p.byFunc[fn]; t != nil {
		return t
	}
	recv := fn.Signature.Recv()
	if recv == nil || !p.Method(fn) {
		return nil
	}
	return p.Type(recv.Type())
}

// TypeAt returns the type of the heap at a place, nil if there is none.
func (p *Package) TypeAt(place *locks.Place) *heaps.Type {
	if place == nil {
		return nil
	}
	if t := p.heapAt[place]; t != nil {
		return t
	}
	return p.Type(place.Type)
}

// Backing returns the heap whose backing slice is at a place, and its type.
func (p *Package) Backing(slice *locks.Place) (*locks.Place, *heaps.Type) {
	if slice == nil {
		return nil, nil
	}
	for _, a := range slice.Ancestors() {
		t := p.TypeAt(a)
		if t == nil || !t.Known {
			continue
		}
		path, ok := slice.From(a)
		if ok && isPath(path, t.Backing()) {
			return a, t
		}
	}
	return nil, nil
}

func isPath(path locks.Path, fields []*types.Var) bool {
	if len(path) != len(fields) {
		return false
	}
	for i, s := range path {
		if s.Field == nil || s.Field != fields[i].Origin() {
			return false
		}
	}
	return true
}

// BackingOf is Backing of the place of a value, which must be a slice.
func (p *Package) BackingOf(v ssa.Value) (*locks.Place, *heaps.Type) {
	if _, ok := v.Type().Underlying().(*types.Slice); !ok {
		return nil, nil
	}
	return p.Backing(p.Place(v))
}

// Slot returns the heap of which v is the address or the content of a slot.
func (p *Package) Slot(v ssa.Value) (heap *locks.Place, t *heaps.Type, index ssa.Value) {
	for range 4 {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
			continue
		case *ssa.IndexAddr:
			heap, t = p.BackingOf(x.X)
			return heap, t, x.Index
		}
		break
	}
	return nil, nil, nil
}

// Instrs calls f with every instruction of fn, in order.
func Instrs(fn *ssa.Function, f func(ssa.Instruction)) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			f(instr)
		}
	}
}
