package expose

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
)

// twice finds two slices that are made by append to one stored base and are both kept:
// if the base has room, the second overwrites what the first got. No lock need be
// involved.
func (f *finder) twice() {
	byBase := map[*locks.Place][]*ssa.Call{}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || !appendsTo(call) {
				continue
			}
			p := f.a.Canonical(f.a.Places().Of(call.Call.Args[0]))
			if p == nil || p.Field == nil || !oneObject(p) || f.storedBack(call, p, 0) || f.a.Replaced(p, f.fn) || !kept(call, 0) {
				continue
			}
			if fd, q := f.fs.At(p); fd != nil && q == p {
				continue // said already
			}
			byBase[p] = append(byBase[p], call)
			if again(call, p, byBase[p]) {
				f.report("append", call.Pos(), nil, fmt.Sprintf("appends to %s twice and keeps both results: the second overwrites what the first one got, if the array has room", p.Field.Name()))
			}
		}
	}
}

// appendsTo tells whether a call appends to a slice as it is, with all its spare room.
func appendsTo(call *ssa.Call) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "append" {
		return false
	}
	_, load := call.Call.Args[0].(*ssa.UnOp)
	return load
}

// oneObject tells whether the place is not one of the elements of something, of which
// there is another one each time.
func oneObject(p *locks.Place) bool {
	for ; p.Parent != nil; p = p.Parent {
		if p.Field == nil && !p.Transparent() {
			return false
		}
	}
	return true
}

// again tells whether the call runs twice, or after one of the earlier ones, with the
// same object.
func again(call *ssa.Call, p *locks.Place, all []*ssa.Call) bool {
	made, _ := p.Root.(ssa.Instruction)
	for _, c := range all {
		if after(c, call, made) {
			return true
		}
	}
	return false
}

// kept tells whether a slice is returned, or becomes a part of an object.
func kept(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Return, *ssa.MapUpdate, *ssa.Send:
			return true
		case *ssa.Store:
			if r.Val != v {
				continue
			}
			switch addr := r.Addr.(type) {
			case *ssa.FieldAddr:
				return true
			case *ssa.Alloc:
				if returned(addr) {
					return true
				}
			case *ssa.IndexAddr:
				if _, variadic := addr.X.(*ssa.Alloc); !variadic || keptElement(addr) {
					return true
				}
			}
		case *ssa.Phi, *ssa.ChangeType:
			if kept(r.(ssa.Value), depth+1) {
				return true
			}
		}
	}
	return false
}

// keptElement tells whether the array of which addr is a slot is appended to another
// slice.
func keptElement(addr *ssa.IndexAddr) bool {
	for _, r := range referrers(addr.X) {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, u := range referrers(s) {
			if call, ok := u.(*ssa.Call); ok {
				if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
					return true
				}
			}
		}
	}
	return false
}
