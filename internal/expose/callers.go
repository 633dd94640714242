package expose

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// matters tells whether what the function returns as its i'th result is used in a way
// that goes wrong. Of exported functions and of those whose callers are not in sight
// that has to be assumed; the callers of others show what they do.
func (f *finder) matters(l leak, i int) bool {
	if token.IsExported(f.fn.Name()) || f.fn.Parent() != nil {
		return true
	}
	sites := f.sitesOf(f.fn)
	if len(sites) == 0 {
		return true
	}
	for _, call := range sites {
		if v := result(call, i); v != nil && f.misused(v, l, call, map[ssa.Value]bool{}) {
			return true
		}
	}
	return false
}

// callersReplace tells whether the function is a helper whose callers all set the place
// to something else: one that sends the last batch, say, before they close the queue.
func (f *finder) callersReplace(p *locks.Place) bool {
	if token.IsExported(f.fn.Name()) || f.fn.Parent() != nil {
		return false
	}
	sites := f.sitesOf(f.fn)
	for _, call := range sites {
		replaces := false
		for _, c := range f.a.Callees(&call.Call) {
			if q := f.a.Bind(p, c); q != nil && c.Fn == f.fn {
				replaces = replaces || f.a.Replaced(q, call.Parent())
			}
		}
		if !replaces {
			return false
		}
	}
	return len(sites) > 0
}

// sitesOf are the calls of a function in the package.
func (f *finder) sitesOf(fn *ssa.Function) []*ssa.Call {
	if f.sites == nil {
		f.sites = f.callSites()
	}
	return f.sites[fn]
}

// callSites are the calls of the functions of the package, by function.
func (f *finder) callSites() map[*ssa.Function][]*ssa.Call {
	sites := map[*ssa.Function][]*ssa.Call{}
	for _, fn := range f.a.Heaps().IR.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok {
					for _, callee := range f.a.Targets(&call.Call) {
						sites[callee] = append(sites[callee], call)
					}
				}
			}
		}
	}
	return sites
}

// result is the i'th result of a call, nil if it is not used.
func result(call *ssa.Call, i int) ssa.Value {
	if _, tuple := call.Type().(*types.Tuple); !tuple {
		return call
	}
	for _, r := range referrers(call) {
		if e, ok := r.(*ssa.Extract); ok && e.Index == i {
			return e
		}
	}
	return nil
}

// misused tells whether a caller hands a reference on, or uses what changes behind it
// without the lock.
func (f *finder) misused(v ssa.Value, l leak, call *ssa.Call, seen map[ssa.Value]bool) bool {
	if seen[v] || len(seen) > 30 || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Return, *ssa.Send, *ssa.MapUpdate, *ssa.MakeInterface, *ssa.Go, *ssa.Defer:
			return true
		case *ssa.Store:
			cell, local := r.Addr.(*ssa.Alloc)
			if !local {
				return true
			}
			for _, load := range loads(cell) {
				if f.misused(load, l, call, seen) {
					return true
				}
			}
		case *ssa.FieldAddr:
			if f.misusedField(r, l, call) {
				return true
			}
		case *ssa.Phi, *ssa.Slice, *ssa.ChangeType, *ssa.Extract, *ssa.TypeAssert:
			if f.misused(r.(ssa.Value), l, call, seen) {
				return true
			}
		case *ssa.IndexAddr, *ssa.Range, *ssa.Lookup:
			if (f.overwritten(l) || l.element()) && !f.heldForCaller(r, l, call) {
				return true
			}
		case *ssa.Call:
			if !l.element() && !f.heldForCaller(r, l, call) && !lenOrCap(&r.Call) && (f.overwritten(l) || appends(&r.Call, v)) {
				return true
			}
		}
	}
	return false
}

func lenOrCap(call *ssa.CallCommon) bool {
	b, ok := call.Value.(*ssa.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap")
}

func appends(call *ssa.CallCommon, v ssa.Value) bool {
	b, ok := call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append" && call.Args[0] == v
}

// misusedField tells whether a caller uses a field of an element that others change,
// without the lock.
func (f *finder) misusedField(fa *ssa.FieldAddr, l leak, call *ssa.Call) bool {
	for _, u := range fieldUses(fa) {
		if f.heldForCaller(u.instr, l, call) {
			continue
		}
		for _, w := range f.accesses()[u.field] {
			if (w.write || u.write) && !w.fresh && w.fn != u.instr.Parent() {
				return true
			}
		}
	}
	return false
}

// heldForCaller tells whether a caller of the function holds the guard at an
// instruction of its own.
func (f *finder) heldForCaller(instr ssa.Instruction, l leak, call *ssa.Call) bool {
	g := f.fs.GuardAt(l.field, l.at)
	for _, c := range f.a.Callees(&call.Call) {
		if c.Fn != f.fn {
			continue
		}
		bound := f.a.Bind(g, c)
		for _, h := range f.heldBy(instr.Parent())[instr] {
			if samePlace(h.Place, bound) {
				return true
			}
		}
	}
	return false
}

func samePlace(p, q *locks.Place) bool { return p != nil && p == q }

// shows tells whether those who get a pointer to an element can see what changes there.
// Of a type that other packages use they see exported fields, and what exported methods
// read; what this package's own callers do is in sight.
func (f *finder) shows(l leak) bool {
	n, ok := types.Unalias(l.place.Type).(*types.Named)
	if !ok || !n.Obj().Exported() || !token.IsExported(f.fn.Name()) {
		return true
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for i := range s.NumFields() {
		field := s.Field(i).Origin()
		if !f.fs.WrittenBelow(f.a.Append(l.place, locks.Path{{Field: field}})) && !f.fs.WrittenAt(f.a.Append(l.place, locks.Path{{Field: field}})) && !f.writtenLoose(field) {
			continue
		}
		if field.Exported() || f.readByMethod(n, field) {
			return true
		}
	}
	return f.misusedByCallers(l)
}

// writtenLoose tells whether the field of a heap's element is written in one that may be
// in use.
func (f *finder) writtenLoose(field *types.Var) bool {
	if f.index(field) {
		return false
	}
	for _, w := range f.accesses()[field] {
		if w.write && !w.fresh {
			return true
		}
	}
	return false
}

// readByMethod tells whether an exported method of the type reads the field.
func (f *finder) readByMethod(n *types.Named, field *types.Var) bool {
	for _, r := range f.accesses()[field] {
		recv := r.fn.Signature.Recv()
		if r.write || recv == nil || !token.IsExported(r.fn.Name()) {
			continue
		}
		if m, ok := types.Unalias(uses.Behind(recv.Type())).(*types.Named); ok && m.Origin() == n.Origin() {
			return true
		}
	}
	return false
}

// misusedByCallers tells whether a caller in the package uses what changes without the
// lock.
func (f *finder) misusedByCallers(l leak) bool {
	for _, call := range f.sitesOf(f.fn) {
		for i := range call.Call.Signature().Results().Len() {
			if v := result(call, i); v != nil && types.Identical(uses.Behind(v.Type()), l.place.Type) && f.misused(v, l, call, map[ssa.Value]bool{}) {
				return true
			}
		}
	}
	return false
}
