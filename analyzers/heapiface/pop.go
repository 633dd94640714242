package heapiface

import (
	"fmt"

	"github.com/heapvet/heapvet/internal/contract"
)

// pop judges what Pop returns and what it leaves.
func (m *impl) pop() {
	if !m.own(m.typ.Pop) || m.LostPop {
		return
	}
	for _, out := range m.Pop {
		if out.Opaque || out.Empty || len(out.Results) != 1 {
			continue
		}
		if m.clearedFirst(out) {
			return
		}
		elem, ok := contract.ElemOf(out.Results[0])
		if ok && !elem.Pushed && (m.wrongEnd(out, elem) || m.notShrunk(out, elem)) {
			return
		}
	}
}

// clearedFirst reports a Pop that clears the slot before it reads the element.
func (m *impl) clearedFirst(out contract.Outcome) bool {
	cleared := map[contract.SlotKey]bool{}
	if c, ok := out.Results[0].(contract.Const); !ok || !c.Nil {
		return false
	}
	for _, e := range out.Effects {
		key := contract.SlotKey{Base: e.Path, At: e.At}
		switch e.Kind {
		case contract.StoreSlot:
			_, zero := e.Val.(contract.Const)
			cleared[key] = zero
		case contract.LoadSlot:
			if cleared[key] {
				m.report("pop", contract.Position(e.Instr), fmt.Sprintf("%s.Pop reads the element after it has cleared the slot, and returns nothing", name(m.typ.Pop)))
				return true
			}
		}
	}
	return false
}

// wrongEnd reports a Pop that returns another element than the last.
func (m *impl) wrongEnd(out contract.Outcome, elem contract.Elem) bool {
	if elem.At == contract.Last {
		return false
	}
	fn := m.typ.Pop
	pos := fn.Pos()
	for _, e := range out.Effects {
		if e.Kind == contract.LoadSlot && e.Path == elem.Base && e.At == elem.At {
			pos = contract.Position(e.Instr)
		}
	}
	m.report("pop", pos, fmt.Sprintf("%s.Pop returns %s, but heap.Pop has moved the minimum to the end before it calls Pop: return and remove the last element", name(fn), slotWords(elem.At)))
	return true
}

func slotWords(l contract.Lin) string {
	switch {
	case l == contract.Zero:
		return "the first element"
	case l.N == 1 && l.I == 0 && l.J == 0:
		return fmt.Sprintf("the element at length%+d", l.C)
	}
	return "an element that is not the last"
}

// notShrunk reports a Pop that does not make the slice shorter by its last element.
func (m *impl) notShrunk(out contract.Outcome, elem contract.Elem) bool {
	fn := m.typ.Pop
	final, ok := out.Slices[elem.Base]
	if !ok || final.Same() {
		m.report("pop", fn.Pos(), fmt.Sprintf("%s.Pop does not shorten the heap%s: Len stays the same and heap.Pop goes on to return elements that are gone", name(fn), insteadOf(out, elem.Base)))
		return true
	}
	if len(final.Segs) != 1 || final.Segs[0].Single {
		return false
	}
	if run := final.Segs[0]; run.From == contract.Zero && run.To == contract.Last {
		return false
	}
	m.report("pop", stored(fn, out, elem.Base), fmt.Sprintf("%s.Pop returns the last element but does not remove exactly that one", name(fn)))
	return true
}

// insteadOf says what a Pop shortens that does not shorten the slice at base.
func insteadOf(out contract.Outcome, base string) string {
	for _, e := range out.Effects {
		if e.Kind == contract.StoreSlice && e.Path != base && !e.Seq.Same() {
			return fmt.Sprintf(" (it takes the element from %s and shortens %s)", sliceName(base), sliceName(e.Path))
		}
	}
	return ""
}
