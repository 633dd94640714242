package heapiface

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// receivers reports Push and Pop whose effect is lost with the receiver's copy.
func (m *impl) receivers() {
	if m.LostPush {
		m.lostReceiver(m.typ.Push, "appends to")
	}
	if m.LostPop {
		m.lostReceiver(m.typ.Pop, "shortens")
	}
}

func (m *impl) lostReceiver(fn *ssa.Function, does string) {
	if !m.own(fn) {
		return
	}
	m.emit(analysis.Diagnostic{
		Pos:            fn.Pos(),
		Category:       "receiver",
		Message:        fmt.Sprintf("%s.%s has a value receiver and %s its own copy of the slice, so the change is lost: make the receiver *%[1]s", name(fn), fn.Name(), does),
		SuggestedFixes: m.receiverFix(fn),
	})
}
