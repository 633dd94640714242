package expose

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// lateElements finds uses of an element's fields that others make under the lock, by a
// pointer that was found under the lock, after it was unlocked.
func (f *finder) lateElements() {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			if fa, ok := instr.(*ssa.FieldAddr); ok && pointsToData(fa.X.Type()) {
				f.lateElement(fa)
			}
		}
	}
}

func (f *finder) lateElement(fa *ssa.FieldAddr) {
	at := f.a.Canonical(f.a.Places().Of(fa))
	fd, q := f.fs.At(at)
	if fd == nil || q != at || !elementField(at) || !f.foundUnder(fa.X, fd, q, 0) {
		return
	}
	l := leak{field: fd, at: at.Parent, place: at.Parent, value: fa.X}
	if f.handedOver(l) || f.removes(at.Parent.Parent) {
		return
	}
	for _, u := range fieldUses(fa) {
		if f.holds(fd, q, u.instr) {
			continue
		}
		f.report("elem", u.pos, fd, fmt.Sprintf("%s %s after %s is unlocked; it was only the pointer to the element that was found under the lock", u.verb(), fd, fd.Guard))
	}
}

// elementField tells whether a place is a field of an element of a slice or map.
func elementField(p *locks.Place) bool {
	return p.Field != nil && p.Parent != nil && p.Parent.Parent != nil && p.Parent.Field == nil && container(p.Parent.Parent.Type)
}

// foundUnder tells whether a pointer was loaded while the guard of the field at q was
// held, on one of the ways to it.
func (f *finder) foundUnder(v ssa.Value, fd *Field, q *locks.Place, depth int) bool {
	if depth > 4 {
		return false
	}
	if phi, ok := v.(*ssa.Phi); ok {
		for _, e := range phi.Edges {
			if f.foundUnder(e, fd, q, depth+1) {
				return true
			}
		}
		return false
	}
	load := loadOf(v)
	return load != nil && f.holds(fd, q, load)
}

// takesGuard tells whether a method of the element's type takes the guard: then elements
// know the way to it, and may be handed out.
func (f *finder) takesGuard(t types.Type, g *guards.Guard) bool {
	elem, ok := types.Unalias(uses.Behind(t)).(*types.Named)
	if !ok || g.Var() == nil {
		return false
	}
	for _, fn := range f.a.Heaps().IR.Funcs {
		recv := fn.Signature.Recv()
		if recv == nil || len(fn.Params) == 0 {
			continue
		}
		n, ok := types.Unalias(uses.Behind(recv.Type())).(*types.Named)
		if !ok || n.Obj() != elem.Origin().Obj() {
			continue
		}
		for _, list := range f.heldBy(fn) {
			for _, h := range list {
				if h.Place.Root == fn.Params[0] && locks.LockVar(h.Place) == g.Var() {
					return true
				}
			}
		}
	}
	return false
}
