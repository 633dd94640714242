package heapiface

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/uses"
)

// leak reports a Pop that keeps the popped element in the backing array of a heap
// that lives on.
func (m *impl) leak() {
	fn := m.typ.Pop
	if !m.own(fn) || m.typ.Elem == nil || !heaps.HoldsReferences(m.typ.Elem) || !m.longLived() || !m.runs(heaps.Push) || !m.runs(heaps.Pop) && !m.runs(heaps.Remove) || m.keptElsewhere() || m.comesBack() {
		return
	}
	for _, out := range m.Pop {
		if out.Opaque || len(out.Results) != 1 {
			continue
		}
		elem, ok := contract.ElemOf(out.Results[0])
		final := out.Slices[elem.Base]
		if !ok || elem.At != contract.Last || len(final.Segs) != 1 || final.Segs[0].Single || final.Segs[0].To != contract.Last {
			continue
		}
		if _, cleared := out.Slots[contract.SlotKey{Base: elem.Base, At: contract.Last}]; cleared || clearsFields(out) {
			continue
		}
		m.emit(analysis.Diagnostic{
			Pos:            stored(fn, out, elem.Base),
			Category:       "leak",
			Message:        fmt.Sprintf("%s.Pop leaves the element in the slot behind the new end, so the backing array keeps it alive until a Push overwrites it: clear the slot first", name(fn)),
			SuggestedFixes: m.leakFix(out),
		})
		return
	}
}

// clearsFields tells whether the references of the last slot are cleared one by one.
func clearsFields(out contract.Outcome) bool {
	for _, e := range out.Effects {
		if e.Kind == contract.StoreField {
			if c, ok := e.Val.(contract.Const); ok && c.Nil {
				return true
			}
		}
	}
	return false
}

// longLived tells whether a heap of the type is kept in something that outlives
// the functions that work on it.
func (m *impl) longLived() bool {
	for _, op := range m.pkg.Ops {
		if m.pkg.Type(op.Heap.Type()) != m.typ {
			continue
		}
		path, root := heaps.FieldPath(op.Heap)
		switch root.(type) {
		case *ssa.Global, *ssa.Lookup:
			return true
		case *ssa.Parameter, *ssa.FreeVar:
			if len(path) > 0 {
				return true
			}
		}
	}
	return false
}

// keptElsewhere tells whether a struct of the package has another slice, map or
// channel of the same elements: then the heap is not what keeps them alive.
func (m *impl) keptElsewhere() bool {
	scope := m.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || m.pkg.Type(obj.Type()) != nil {
			continue
		}
		s, ok := obj.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if m.pkg.Type(f.Type()) == nil && holdsElem(f.Type(), m.typ.Elem) {
				return true
			}
		}
	}
	return false
}

func holdsElem(t, elem types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return contract.Alike(u.Elem(), elem)
	case *types.Map:
		return contract.Alike(u.Elem(), elem) || contract.Alike(u.Key(), elem)
	}
	return false
}

// runs tells whether the package runs an operation on heaps of the type. Elements that
// are not pushed one by one are those of a heap that is filled once and drained, such
// as a merge's, which does not live on.
func (m *impl) runs(kind heaps.Kind) bool {
	for _, op := range m.pkg.Ops {
		if op.Kind == kind && m.pkg.Type(op.Heap.Type()) == m.typ && !skipped(m.pass, op.Instr.Pos()) {
			return true
		}
	}
	return false
}

// comesBack tells whether a function that pops goes on to push, itself or through what
// it calls, as iterators over several sources do: then the slot is overwritten at once.
func (m *impl) comesBack() bool {
	all := uses.New(m.pkg)
	for _, fn := range m.pkg.IR.Funcs {
		if skipped(m.pass, fn.Pos()) {
			continue
		}
		var pops, pushes []ssa.Instruction
		uses.Instrs(fn, func(instr ssa.Instruction) {
			for _, s := range all.At(instr) {
				switch {
				case s.Type != m.typ:
				case s.Op.Kind == heaps.Pop:
					pops = append(pops, instr)
				case s.Op.Kind == heaps.Push:
					pushes = append(pushes, instr)
				}
			}
		})
		for _, pop := range pops {
			for _, push := range pushes {
				if pop != push && reaches(pop, push) {
					return true
				}
			}
		}
	}
	return false
}
