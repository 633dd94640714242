package heapuse

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// copies reports operations on a copy of a heap that shares the array with the
// original, which lives on.
func (c *checker) copies(fn *ssa.Function) {
	done := map[*ssa.Alloc]bool{}
	uses.Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			return
		}
		for _, s := range c.At(instr) {
			if !s.Op.Kind.Mutates() || s.Op.Model != nil {
				continue
			}
			for _, arg := range call.Common().Args {
				local := localVariable(heaps.Peel(arg))
				if local == nil || done[local] || !c.copied(s, instr, local) {
					continue
				}
				done[local] = true
			}
		}
	})
}

// copied reports an operation on a variable that shares its array with a heap which
// lives on.
func (c *checker) copied(s uses.Site, instr ssa.Instruction, local *ssa.Alloc) bool {
	if st, of := c.sharedSlice(local, s.Heap); st != nil {
		c.report("copy", instr.Pos(), fmt.Sprintf("%s works on a heap that shares its array with %s: the original heap is left scrambled; clone the slice first", s.Op.Name(), heapName(of, nil)),
			related(contract.Position(st), "the slice is taken over here"))
		return true
	}
	from := c.sharedWith(local)
	if from == nil || c.originalEnds(local, from) {
		return false
	}
	c.report("copy", instr.Pos(), fmt.Sprintf("%s works on a copy of %s that shares its array: the original heap is left scrambled; clone the slice first", s.Op.Name(), from.name),
		related(from.pos(), "the heap is copied here"))
	return true
}

// localVariable is the variable in which the heap of an operation is kept, nil if
// it is not a variable of the function or reached through a pointer.
func localVariable(v ssa.Value) *ssa.Alloc {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return x
		case *ssa.FieldAddr:
			v = x.X
		default:
			return nil
		}
	}
}

// A source is what a heap variable was copied from.
type source struct {
	store *ssa.Store
	load  ssa.Value // the copy: a load of the original, or a parameter
	name  string
}

func (s *source) pos() token.Pos { return contract.Position(s.store) }

// sharedWith returns the heap that a variable is a shallow copy of.
func (c *checker) sharedWith(local *ssa.Alloc) *source {
	var found *source
	for _, r := range *local.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != local {
			continue
		}
		if found != nil {
			return nil
		}
		v := unsliced(st.Val)
		if !c.holdsHeap(v.Type(), 0) {
			return nil
		}
		switch x := v.(type) {
		case *ssa.UnOp:
			if localVariable(x.X) != nil && !c.usedLater(x, local) {
				return nil
			}
			place := c.Place(x.X)
			if place == nil {
				return nil
			}
			found = &source{st, x, heapName(place, nil)}
		case *ssa.Parameter:
			if !c.callersKeep(x) {
				return nil
			}
			found = &source{st, x, x.Name()}
		default:
			return nil
		}
	}
	return found
}

// unsliced is the slice that a reslice shares its array with.
func unsliced(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Slice:
			if _, ok := x.X.Type().Underlying().(*types.Slice); !ok {
				return v
			}
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}

// holdsHeap tells whether a value of the type shares a heap when it is copied: it
// is a slice that is a heap, or a struct with a heap (not a pointer to one) inside.
func (c *checker) holdsHeap(t types.Type, depth int) bool {
	if _, ok := types.Unalias(t).(*types.Pointer); ok || depth > 4 {
		return false
	}
	if h := c.Type(t); h != nil && h.Known {
		return valuePath(h.Backing())
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if c.holdsHeap(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// valuePath tells whether no pointer lies on a way of fields.
func valuePath(path []*types.Var) bool {
	for _, f := range path {
		if _, ok := f.Type().Underlying().(*types.Pointer); ok {
			return false
		}
	}
	return true
}

// usedLater tells whether the local variable that x was loaded from is used again
// after the copy, other than to be set.
func (c *checker) usedLater(x *ssa.UnOp, local *ssa.Alloc) bool {
	from := localVariable(x.X)
	if from == local {
		return false
	}
	used := false
	uses.Walk(x, func(instr ssa.Instruction) bool {
		for _, op := range instr.Operands(nil) {
			st, isStore := instr.(*ssa.Store)
			if *op == ssa.Value(from) && !(isStore && st.Addr == ssa.Value(from)) && instr != ssa.Instruction(x) {
				used = true
			}
		}
		return !used
	})
	return used
}

// callersKeep tells whether a parameter that is a heap by value is given a heap
// that its owner keeps: a field or a package variable.
func (c *checker) callersKeep(p *ssa.Parameter) bool {
	fn := p.Parent()
	if fn.Parent() != nil {
		return false
	}
	for i, q := range fn.Params {
		if q != p {
			continue
		}
		for _, call := range c.Callers(fn) {
			args := call.Common().Args
			if call.Common().StaticCallee() == nil || i >= len(args) {
				continue
			}
			load, ok := unsliced(args[i]).(*ssa.UnOp)
			if !ok {
				continue
			}
			if _, field := load.X.(*ssa.FieldAddr); field && localVariable(load.X) == nil {
				return true
			}
			if _, global := load.X.(*ssa.Global); global {
				return true
			}
		}
		return i == 0 && fn.Signature.Recv() != nil && len(c.Callers(fn)) == 0 && exported(fn)
	}
	return false
}

func exported(fn *ssa.Function) bool { return fn.Object() != nil && fn.Object().Exported() }

// originalEnds tells whether the original is replaced in the function, or gets the
// copy back: then there is one heap only.
func (c *checker) originalEnds(local *ssa.Alloc, from *source) bool {
	load, ok := from.load.(*ssa.UnOp)
	if !ok {
		return false
	}
	orig := c.Place(load.X)
	ends := false
	uses.Instrs(local.Parent(), func(instr ssa.Instruction) {
		switch x := instr.(type) {
		case *ssa.Store:
			if x == from.store {
				return
			}
			if addr := c.Place(x.Addr); addr != nil && orig != nil && x.Addr != ssa.Value(local) {
				_, below := addr.From(orig)
				_, above := orig.From(addr)
				_, isLocal := x.Addr.(*ssa.Alloc)
				ends = ends || (addr == orig || below || above) && !isLocal && localVariable(x.Addr) != local
			}
		case *ssa.MapUpdate:
			if u, ok := x.Value.(*ssa.UnOp); ok && localVariable(u.X) == local {
				ends = true
			}
		}
	})
	return ends
}

// sharedSlice returns where a new heap gets the slice of another heap, which keeps
// it, and that heap.
func (c *checker) sharedSlice(local *ssa.Alloc, heap *locks.Place) (*ssa.Store, *locks.Place) {
	if heap == nil || heap.Root != ssa.Value(local) {
		return nil, nil
	}
	var found *ssa.Store
	var from *locks.Place
	uses.Instrs(local.Parent(), func(instr ssa.Instruction) {
		st, ok := instr.(*ssa.Store)
		if !ok || localVariable(st.Addr) != local || found != nil {
			return
		}
		load, ok := unsliced(st.Val).(*ssa.UnOp)
		if !ok {
			return
		}
		to, _ := c.backingStored(st)
		of, _ := c.BackingOf(load)
		if to != heap || of == nil || of == heap || localVariable(load.X) != nil || of.Root == heap.Root || c.replaced(st, of) {
			return
		}
		found, from = st, of
	})
	return found, from
}
