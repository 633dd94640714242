package heapuse

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/uses"
)

// unassigned reports a Fix of an element that the function has looked up and not
// changed, while it stores its new key elsewhere only: in the element that it makes
// for an unknown key.
func (c *checker) unassigned(fn *ssa.Function) {
	uses.Instrs(fn, func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			if !s.Own || s.Op.Kind != heaps.Fix || s.Op.Model != nil || s.Type == nil {
				continue
			}
			elem := c.indexedElem(s.Op.Index)
			if lookupOf(elem) == nil || c.touched(fn, elem, instr) {
				continue
			}
			st := c.keyStoredElsewhere(fn, s.Type, instr)
			if st == nil {
				continue
			}
			f := contract.StoredField(st)
			c.report("fix", instr.Pos(), fmt.Sprintf("heap.Fix is called but the element has not changed: %s is stored on the other way only, so the element keeps its old %s", st.Val.Name(), f.Name()),
				related(st.Pos(), "it is stored here"))
		}
	})
}

// touched tells whether anything may have changed the element before instr: a store
// through it, or a call that gets it.
func (c *checker) touched(fn *ssa.Function, elem ssa.Value, before ssa.Instruction) bool {
	place := c.Place(elem)
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if found || instr == before || !uses.Reaches(instr, before) {
			return
		}
		switch x := instr.(type) {
		case *ssa.Store:
			if p := c.Place(x.Addr); p != nil && place != nil {
				_, found = p.From(place)
			}
		case ssa.CallInstruction:
			if b, ok := x.Common().Value.(*ssa.Builtin); ok && b.Name() != "copy" {
				return
			}
			for _, a := range x.Common().Args {
				if p := c.Place(a); p != nil && place != nil {
					if _, below := p.From(place); below || p == place {
						found = true
					}
				}
			}
		}
	})
	return found
}

// keyStoredElsewhere returns a store of a parameter to a key of another element,
// which is not on the way to instr.
func (c *checker) keyStoredElsewhere(fn *ssa.Function, t *heaps.Type, fixed ssa.Instruction) *ssa.Store {
	var found *ssa.Store
	uses.Instrs(fn, func(instr ssa.Instruction) {
		st, ok := instr.(*ssa.Store)
		if !ok || !isParameter(st.Val) || uses.Reaches(st, fixed) {
			return
		}
		if f := contract.StoredField(st); f != nil && c.Keys(t).Has(f) && c.fieldOfElem(f, t) {
			found = st
		}
	})
	return found
}
