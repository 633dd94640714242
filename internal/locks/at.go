package locks

import "golang.org/x/tools/go/ssa"

// HeldAt returns the locks that are held on all paths at each instruction of fn that
// can be reached, as far as fn and what it calls took them. It is computed anew at
// each call.
func (a *Analysis) HeldAt(fn *ssa.Function) map[ssa.Instruction][]Held {
	held := map[ssa.Instruction][]Held{}
	for instr, w := range a.worldsAt(fn) {
		held[instr] = w.must
	}
	return held
}

// MayHoldAt is HeldAt for the locks that are held on some paths.
func (a *Analysis) MayHoldAt(fn *ssa.Function) map[ssa.Instruction][]Held {
	held := map[ssa.Instruction][]Held{}
	for instr, w := range a.worldsAt(fn) {
		held[instr] = w.may
	}
	return held
}

// worldsAt merges the worlds at each instruction.
func (a *Analysis) worldsAt(fn *ssa.Function) map[ssa.Instruction]*world {
	merged := map[ssa.Instruction]*world{}
	f := newFlow(a, fn)
	f.visit = func(instr ssa.Instruction, w *world) {
		if old := merged[instr]; old != nil {
			w = merge(old, w)
		} else {
			w = w.clone()
		}
		merged[instr] = w
	}
	for _, b := range fn.Blocks {
		if set := f.in[b]; set != nil {
			for _, w := range set.list {
				f.block(b, w.clone())
			}
		}
	}
	return merged
}

// Targets returns the functions that a call may run, as far as they are known.
func (a *Analysis) Targets(call *ssa.CallCommon) []*ssa.Function {
	var fns []*ssa.Function
	for _, t := range a.targets(call) {
		fns = append(fns, t.fn)
	}
	return fns
}

// AccessesAt returns the uses of heaps that a call makes, as the caller sees them,
// without the caller's locks.
func (a *Analysis) AccessesAt(call ssa.CallInstruction) []*Access {
	var list []*Access
	for _, t := range a.targets(call.Common()) {
		if t.sum == nil {
			continue
		}
		for _, acc := range t.sum.Accesses {
			if acc.Data {
				continue
			}
			if b := a.substAccess(acc, t); b != nil {
				list = append(list, b)
			}
		}
	}
	return list
}

// ForeignUse returns the first use of a heap that a call makes in a function of another
// package, nil if there is none that is known.
func (a *Analysis) ForeignUse(call ssa.CallInstruction) *Access {
	for _, acc := range a.AccessesAt(call) {
		if len(acc.Trace) == 0 {
			return acc
		}
	}
	return nil
}

// Replaced tells whether fn sets the place to something that is not made from what
// it reads there: what was there is then whoever's that took it.
func (a *Analysis) Replaced(p *Place, fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok || a.places.cell(st.Addr) != nil || a.places.Of(st.Addr) != p {
				continue
			}
			if !a.derived(st.Val, p, 0) {
				return true
			}
		}
	}
	return false
}

// derived tells whether a value is what was just read at p, or shares its array. A
// value that comes round a loop does not count: two slices that take turns
// (spare, q.items = q.items, spare[:0]) are never in use together.
func (a *Analysis) derived(v ssa.Value, p *Place, depth int) bool {
	if depth > 8 {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp, *ssa.Lookup, *ssa.Extract:
		return a.places.Of(v) == p
	case *ssa.Slice:
		return a.derived(v.X, p, depth+1)
	case *ssa.ChangeType:
		return a.derived(v.X, p, depth+1)
	case *ssa.MakeInterface:
		return a.derived(v.X, p, depth+1)
	case *ssa.Call:
		return worksInPlace(&v.Call) && len(v.Call.Args) > 0 && a.derived(v.Call.Args[0], p, depth+1)
	}
	return false
}

// Sorts tells whether fn puts the slice at the place in order.
func (a *Analysis) Sorts(p *Place, fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			v, _ := sortedValue(call)
			if v == nil {
				continue
			}
			for _, part := range append(partsOf(v), v) {
				if a.alias.canonical(a.places.Of(part)) == p {
					return true
				}
			}
		}
	}
	return false
}

// partsOf returns what the fields of a struct are set to where it is written as a
// literal: a sorter may have the slice and what it needs to compare.
func partsOf(v ssa.Value) []ssa.Value {
	cell, _ := v.(*ssa.Alloc)
	if load, ok := v.(*ssa.UnOp); ok {
		cell, _ = load.X.(*ssa.Alloc)
	}
	if cell == nil {
		return nil
	}
	var parts []ssa.Value
	for _, r := range *cell.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, u := range *fa.Referrers() {
			if st, ok := u.(*ssa.Store); ok && st.Addr == fa {
				parts = append(parts, st.Val)
			}
		}
	}
	return parts
}
