package expose

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
)

// stores finds guarded data that becomes a part of something else which outlives the
// critical section: of an object that the function was given, or a package variable.
func (f *finder) stores(instr ssa.Instruction, to *locks.Place, val ssa.Value) {
	if to == nil || !f.foreign(to) {
		return
	}
	for _, l := range f.leaks(val) {
		if l.element() || !f.changes(l) || !f.leaves(l.field, l.at) || f.handedOver(l) || f.callersOwn(l) || root(l.at) == root(f.a.Canonical(to)) {
			continue
		}
		if other, _ := f.fs.At(f.a.Canonical(to)); other != nil && l.field.Loc.Var != nil {
			continue // said of the field that keeps it
		}
		pos := locks.Pos(instr)
		if l.pos.IsValid() {
			pos = l.pos
		}
		out := f.report("store", pos, l.field, fmt.Sprintf("makes %s itself a part of %s, where it is used without %s, under which it is changed in place", l.field, guards.Name(to), l.field.Guard))
		out.Copy = f.mend(l, pos, instr)
	}
}

// callersOwn tells whether the data is of an object that the function is given beside its
// receiver and does not lock: it may be its caller's alone, made to be taken over.
func (f *finder) callersOwn(l leak) bool {
	p, ok := l.at.Root.(*ssa.Parameter)
	if !ok || f.locks(l.field, l.at) {
		return false
	}
	return f.fn.Signature.Recv() == nil || p != f.fn.Params[0]
}

// foreign tells whether a place is one that others than the function have: a part of a
// parameter, or a package variable.
func (f *finder) foreign(p *locks.Place) bool {
	switch r := p.Root.(type) {
	case *ssa.Parameter:
		_, pointer := r.Type().Underlying().(*types.Pointer)
		return p.Parent != nil || pointer
	case *ssa.Global:
		return true
	}
	return false
}

// keepers keep one of their arguments, the one of that number counted from one,
// receivers included.
var keepers = map[string]int{
	"context.WithValue": 3, "(*sync.Map).Store": 3, "(*sync.Map).LoadOrStore": 3, "(*sync.Map).Swap": 3,
	"(*sync/atomic.Value).Store": 2, "(*sync/atomic.Value).Swap": 2, "(*sync/atomic.Pointer).Store": 2,
	"(*container/list.List).PushBack": 2, "(*container/list.List).PushFront": 2,
}

// keptBy finds guarded data that is given to a function which keeps it.
func (f *finder) keptBy(call *ssa.Call) {
	name := fullName(&call.Call)
	i := keepers[name]
	if i == 0 || len(call.Call.Args) < i {
		return
	}
	for _, l := range f.leaks(call.Call.Args[i-1]) {
		if l.element() || !f.changes(l) || !f.leaves(l.field, l.at) || f.handedOver(l) {
			continue
		}
		out := f.report("store", locks.Pos(call), l.field, fmt.Sprintf("%s keeps %s itself: whoever finds it there uses it without %s, under which it is changed in place", call.Call.StaticCallee().Name(), l.field, l.field.Guard))
		out.Copy = f.mend(l, call.Pos(), call)
	}
}
