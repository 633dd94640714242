package heapiface

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/contract"
)

// swap judges whether Swap exchanges two elements and keeps their positions.
func (m *impl) swap() {
	fn := m.typ.Swap
	if !m.own(fn) || contract.Opaque(m.Swap) {
		return
	}
	full := m.Exchanges()
	if len(full) == 0 {
		if !m.ExchangesByField() {
			m.report("swap", fn.Pos(), fmt.Sprintf("%s.Swap does not exchange the elements at its two positions", name(fn)))
		}
		return
	}
	m.parallel(full)
	for _, k := range m.Keepers() {
		m.positions(k, full)
		m.recorded(k)
		m.invalidated(k)
	}
}

// parallel reports a Swap that exchanges one of several slices that Push fills.
func (m *impl) parallel(full []contract.Outcome) {
	fn := m.typ.Swap
	if !same(fn, m.typ.Push) || contract.Opaque(m.Push) {
		return
	}
	for _, out := range m.Push {
		for _, e := range out.Effects {
			if e.Kind != contract.StoreSlice || slices.ContainsFunc(full, func(o contract.Outcome) bool { return slices.Contains(o.Exchanged(), e.Path) }) {
				continue
			}
			if base, ok := m.Measured(); ok && base != e.Path {
				m.report("swap", fn.Pos(), fmt.Sprintf("%s.Swap does not exchange the elements of %s, which Push fills as well", name(fn), sliceName(e.Path)))
				return
			}
		}
	}
}

// positions reports a Swap that does not keep the positions that others keep.
func (m *impl) positions(k contract.Keeper, full []contract.Outcome) {
	worst := contract.Kept
	for _, out := range full {
		worst = max(worst, out.Keeping(k))
	}
	fn := m.typ.Swap
	d := analysis.Diagnostic{Pos: fn.Pos(), Category: "swap"}
	switch worst {
	case contract.Kept:
		return
	case contract.Crossed:
		d.Message = fmt.Sprintf("%s.Swap stores the wrong positions in %s: after the exchange, element i is where j was", name(fn), k)
	case contract.Half:
		d.Message = fmt.Sprintf("%s.Swap refreshes %s for one of the two elements only; the other keeps a position that is no longer its own", name(fn), k)
	case contract.Forgotten:
		use := m.use(k)
		if use == nil {
			return
		}
		d.Message = fmt.Sprintf("%s.Swap moves the elements but not their positions in %s, which Push sets and %s uses", name(fn), k, use.Name())
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: use.Instr.Pos(), Message: "the position is used here"})
		d.SuggestedFixes = m.swapFix(k)
	}
	m.emit(d)
}

// recorded reports a Push that records another position than the element's own.
func (m *impl) recorded(k contract.Keeper) {
	instr, pos, ok := m.Recorded(k)
	if !ok || pos == contract.Len || m.use(k) == nil {
		return
	}
	m.report("index", contract.Position(instr), fmt.Sprintf("%s.Push records the length%+d as the position in %s: the new element is at the length before the append", name(m.typ.Push), pos.C, k))
}

// invalidated reports a Pop that leaves a position in the element that it takes,
// where others ask by that field whether the element is in the heap.
func (m *impl) invalidated(k contract.Keeper) {
	fn := m.typ.Pop
	if k.Field == nil || !m.own(fn) || contract.Opaque(m.Pop) || m.Invalidates(k) {
		return
	}
	test := m.membershipTest(k)
	if test == nil || m.invalidatedByCallers(k) {
		return
	}
	d := analysis.Diagnostic{Pos: fn.Pos(), Category: "swap"}
	d.Message = fmt.Sprintf("%s.Pop leaves the old position in %s of the element that it takes, and %s asks by it whether the element is in the heap: set it to -1", name(fn), k, test.Parent().Name())
	d.Related = append(d.Related, analysis.RelatedInformation{Pos: contract.Position(test), Message: "the position is tested here"})
	m.emit(d)
}
