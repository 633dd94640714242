package heapiface

import (
	"fmt"
	"slices"

	"github.com/heapvet/heapvet/internal/contract"
)

// length judges whether Len is the length of what the other methods work on.
func (m *impl) length() {
	fn := m.typ.Len
	if !m.own(fn) || !same(fn, m.typ.Swap) || !same(fn, m.typ.Push) || contract.Opaque(m.Swap) || contract.Opaque(m.Push) {
		return
	}
	full := m.Exchanges()
	if len(full) == 0 || len(m.Len) != 1 || m.Len[0].Opaque || len(m.Len[0].Results) != 1 {
		return
	}
	n, ok := m.Len[0].Results[0].(contract.Lin)
	if !ok {
		return
	}
	worked := full[0].Exchanged()
	base, measured := m.Measured()
	switch {
	case !measured && n.N == 0:
		m.report("len", fn.Pos(), fmt.Sprintf("%s.Len returns the constant %d, not the number of elements", name(fn), n.C))
	case measured && n.N == 1 && n.C != 0 && m.Grows(base):
		m.report("len", fn.Pos(), fmt.Sprintf("%s.Len returns the length of %s %+d, but Push and Pop work on all of it", name(fn), sliceName(base), n.C))
	case measured && !slices.Contains(worked, base) && !m.Grows(base):
		m.report("len", fn.Pos(), fmt.Sprintf("%s.Len is the length of %s, but Swap exchanges the elements of %s", name(fn), sliceName(base), sliceName(worked[0])))
	}
}
