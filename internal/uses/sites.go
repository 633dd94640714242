package uses

import (
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// A Site is a heap operation as one function sees it: its own, or one that a
// function runs which it calls.
type Site struct {
	Op *heaps.Op
	// Instr is the operation itself, or the call that leads to it.
	Instr ssa.Instruction
	// Heap is the heap in terms of the function at hand, nil if it has no name
	// there.
	Heap *locks.Place
	Type *heaps.Type
	// Elem is the element that is pushed, or the one whose position field Fix
	// and Remove get; nil if it is not known.
	Elem *locks.Place
	// Own says that the function at hand runs the operation itself.
	Own bool
}

// maxSites bounds the operations that are kept for one function.
const maxSites = 60

// Sites returns the heap operations of a function by instruction.
func (p *Package) Sites(fn *ssa.Function) map[ssa.Instruction][]Site {
	if s, ok := p.sites[fn]; ok {
		return s
	}
	if p.busy[fn] {
		return nil
	}
	p.busy[fn] = true
	all, n := map[ssa.Instruction][]Site{}, 0
	Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(ssa.CallInstruction)
		if !ok || n > maxSites {
			return
		}
		if s := p.sitesOf(call); len(s) > 0 {
			all[instr] = s
			n += len(s)
		}
	})
	delete(p.busy, fn)
	p.sites[fn] = all
	return all
}

func (p *Package) sitesOf(call ssa.CallInstruction) []Site {
	if op := p.Op(call); op != nil {
		place := p.Place(op.Heap)
		s := Site{Op: op, Instr: call, Heap: place, Type: p.Type(op.Heap.Type()), Own: true}
		if s.Type == nil {
			s.Type = p.TypeAt(place)
		}
		switch {
		case op.Elem != nil:
			s.Elem = p.Place(op.Elem)
		case op.Index != nil:
			s.Elem = p.indexed(op.Index)
		}
		return []Site{s}
	}
	var list []Site
	add := func(c locks.Callee) {
		for _, b := range c.Fn.Blocks {
			for _, instr := range b.Instrs {
				for _, s := range p.Sites(c.Fn)[instr] {
					s.Instr, s.Own = call, false
					s.Heap, s.Elem = p.Locks.Bind(s.Heap, c), p.Locks.Bind(s.Elem, c)
					list = append(list, s)
				}
			}
		}
	}
	for _, c := range p.Locks.Callees(call.Common()) {
		add(c)
	}
	// A function that is handed on may be called.
	for _, a := range call.Common().Args {
		if mc, ok := a.(*ssa.MakeClosure); ok {
			if c, ok := p.Locks.Func(mc); ok {
				add(c)
			}
		}
	}
	return list
}

// indexed is the element whose field or map entry an index is read from.
func (p *Package) indexed(index ssa.Value) *locks.Place {
	for {
		switch x := index.(type) {
		case *ssa.Convert:
			index = x.X
		case *ssa.UnOp:
			if a, ok := x.X.(*ssa.FieldAddr); ok {
				return p.Place(a.X)
			}
			return nil
		case *ssa.Field:
			return p.Place(x.X)
		case *ssa.Phi:
			// A slot's own index: the element is the slot's.
			return nil
		default:
			return nil
		}
	}
}

// At returns the operations that an instruction runs.
func (p *Package) At(instr ssa.Instruction) []Site { return p.Sites(instr.Parent())[instr] }
