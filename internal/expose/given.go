package expose

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// handsIn finds uses of an element by the function that put it into guarded data, or by
// a closure that it leaves behind, when the lock is free again: whoever takes the
// element out may use it at the same time.
func (f *finder) handsIn() {
	for _, in := range f.insertions(f.fn, 0) {
		if !in.locked || f.takesOut(in) {
			continue
		}
		for _, u := range f.elementUses(in) {
			if !u.late(f, in) || f.heldIn(u.instr.Parent(), in.field, in.at, u.instr) || !f.contested(in, u) || f.announces(in, u) {
				continue
			}
			f.report("elem", u.pos, in.field, fmt.Sprintf("%s %s of an element that is in %s by now, without %s: whoever takes it out of there uses it at the same time", u.verb(), u.field.Name(), in.field, in.field.Guard))
		}
	}
}

// announces tells whether the function says by a channel of the element that the use is
// done: who waits for that comes after it.
func (f *finder) announces(in insertion, u elementUse) bool {
	for _, v := range f.names(in.elem) {
		for _, r := range referrers(v) {
			fa, ok := r.(*ssa.FieldAddr)
			if !ok || fa.X != v {
				continue
			}
			for _, load := range referrers(fa) {
				if ch, ok := load.(*ssa.UnOp); ok && announcedBy(ch, u.instr) {
					return true
				}
			}
		}
	}
	return false
}

// announcedBy tells whether a channel is closed, or sent on, after an instruction.
func announcedBy(ch ssa.Value, after ssa.Instruction) bool {
	for _, r := range referrers(ch) {
		switch r := r.(type) {
		case *ssa.Send:
			if r.Chan == ch && uses.Reaches(after, r) {
				return true
			}
		case *ssa.Call:
			if isBuiltin(&r.Call, "close") && uses.Reaches(after, r) {
				return true
			}
		}
	}
	return false
}

// takesOut tells whether the function also removes something of what it inserts into.
func (f *finder) takesOut(in insertion) bool {
	return f.removes(in.at)
}

// An elementUse is a read or write of a field of an element.
type elementUse struct {
	instr ssa.Instruction
	pos   token.Pos
	field *types.Var
	write bool
}

func (u elementUse) verb() string {
	if u.write {
		return "writes"
	}
	return "reads"
}

// elementUses are the uses that the function and its closures make of the inserted
// element's fields.
func (f *finder) elementUses(in insertion) []elementUse {
	var list []elementUse
	for _, v := range f.names(in.elem) {
		for _, r := range referrers(v) {
			if fa, ok := r.(*ssa.FieldAddr); ok && fa.X == v {
				list = append(list, fieldUses(fa)...)
			}
		}
	}
	return list
}

func fieldUses(fa *ssa.FieldAddr) []elementUse {
	field := locks.Field(fa)
	if field == nil || selfGuarded(field.Type()) && !types.IsInterface(field.Type()) {
		return nil
	}
	var list []elementUse
	for _, r := range referrers(fa) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == fa {
				list = append(list, elementUse{r, fa.Pos(), field, true})
			}
		case *ssa.UnOp:
			list = append(list, elementUse{r, fa.Pos(), field, false})
		case *ssa.FieldAddr:
			list = append(list, fieldUses(r)...)
		}
	}
	return list
}

// names are the values by which the function and its closures know a pointer: itself,
// and loads of a variable that only ever holds it.
func (f *finder) names(v ssa.Value) []ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok {
		if cell, ok := load.X.(*ssa.Alloc); ok {
			if val := onlyStored(cell); val != nil {
				v = val
			}
		}
	}
	list := []ssa.Value{v}
	for _, r := range referrers(v) {
		if st, ok := r.(*ssa.Store); ok && st.Val == v {
			if cell, ok := st.Addr.(*ssa.Alloc); ok && onlyStored(cell) == v {
				list = append(list, loads(cell)...)
			}
		}
	}
	return list
}

// onlyStored is the value that a variable is set to if that happens once. (A return
// statement that names a result stores it to itself.)
func onlyStored(cell *ssa.Alloc) ssa.Value {
	var val ssa.Value
	for _, addr := range captures(cell) {
		for _, r := range referrers(addr) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == addr {
				if load, ok := st.Val.(*ssa.UnOp); ok && load.X == addr {
					continue
				}
				if val != nil {
					return nil
				}
				val = st.Val
			}
		}
	}
	return val
}

// captures are the addresses of a variable in its function and in the closures that
// capture it.
func captures(cell ssa.Value) []ssa.Value {
	list := []ssa.Value{cell}
	for _, r := range referrers(cell) {
		mc, ok := r.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		fn := mc.Fn.(*ssa.Function)
		for i, b := range mc.Bindings {
			if b == cell && i < len(fn.FreeVars) {
				list = append(list, captures(fn.FreeVars[i])...)
			}
		}
	}
	return list
}

func loads(cell *ssa.Alloc) []ssa.Value {
	var list []ssa.Value
	for _, addr := range captures(cell) {
		for _, r := range referrers(addr) {
			if load, ok := r.(*ssa.UnOp); ok {
				list = append(list, load)
			}
		}
	}
	return list
}

// late tells whether the use may come after the insertion, with nothing in between by
// which the function may have waited for the other side.
func (u elementUse) late(f *finder, in insertion) bool {
	fn := u.instr.Parent()
	if fn == f.fn {
		made, _ := in.elem.(ssa.Instruction)
		return after(in.instr, u.instr, made) && !f.waits(in.instr, u.instr)
	}
	return outlives(fn) && !f.waits(fn.Blocks[0].Instrs[0], u.instr)
}

// after tells whether b may run after a without the element being made anew.
func after(a, b, made ssa.Instruction) bool {
	found := false
	uses.Walk(a, func(instr ssa.Instruction) bool {
		found = found || instr == b
		return !found && instr != made
	})
	return found
}

// waits tells whether something that may wait for another goroutine can run between
// two instructions: a receive, a select, a method Wait, or a call that does so.
func (f *finder) waits(from, to ssa.Instruction) bool {
	found := false
	uses.Walk(from, func(instr ssa.Instruction) bool {
		if instr == to {
			return false
		}
		found = found || f.waitsAt(instr)
		return !found
	})
	return found
}

func (f *finder) waitsAt(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Select:
		return true
	case *ssa.Next:
		_, isChan := instr.Iter.Type().Underlying().(*types.Chan)
		return isChan
	case *ssa.Call:
		if instr.Call.IsInvoke() {
			return instr.Call.Method.Name() == "Wait"
		}
		fn := instr.Call.StaticCallee()
		return fn != nil && (fn.Name() == "Wait" || f.waiting(fn))
	}
	return false
}

// waiting tells whether a function may wait for another goroutine. One that calls
// itself on the way does not do so for that.
func (f *finder) waiting(fn *ssa.Function) bool {
	if w, ok := f.waiters[fn]; ok {
		return w
	}
	f.waiters[fn] = false
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if f.waitsAt(instr) {
				f.waiters[fn] = true
				return true
			}
		}
	}
	return false
}

// outlives tells whether a function literal may run when the function around it, and
// its locks, are gone: it is returned, stored, sent, or started.
func outlives(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return false
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			mc, ok := instr.(*ssa.MakeClosure)
			if !ok || mc.Fn != fn {
				continue
			}
			for _, r := range referrers(mc) {
				switch r := r.(type) {
				case *ssa.Return, *ssa.Send, *ssa.MapUpdate:
					return true
				case *ssa.Go:
					return true
				case *ssa.Store:
					if _, local := r.Addr.(*ssa.Alloc); !local || returned(r.Addr) {
						return true
					}
				}
			}
		}
	}
	return false
}

// returned tells whether a variable is one of the results.
func returned(addr ssa.Value) bool {
	for _, r := range referrers(addr) {
		load, ok := r.(*ssa.UnOp)
		if !ok {
			continue
		}
		for _, u := range referrers(load) {
			if _, ok := u.(*ssa.Return); ok {
				return true
			}
		}
	}
	return false
}

// contested tells whether another goroutine may use the field meanwhile. What is in a
// heap is there for whoever pops it, so that any write is one too many; what is in
// another container may be there for a few of its fields only.
func (f *finder) contested(in insertion, u elementUse) bool {
	if u.write && in.queue {
		return true
	}
	for _, w := range f.accesses()[u.field] {
		if within(w.fn, f.fn) || !w.write && !u.write {
			continue
		}
		if !w.fresh {
			return true
		}
	}
	return false
}

func within(fn, outer *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == outer {
			return true
		}
	}
	return false
}

// A fieldAccess is a read or write of a field somewhere in the package.
type fieldAccess struct {
	fn    *ssa.Function
	write bool
	// fresh says that the object is one that the function or its callers just made.
	fresh bool
}

// accesses are all accesses of the fields of structs in the package, computed once.
func (f *finder) accesses() map[*types.Var][]fieldAccess {
	if f.byField != nil {
		return f.byField
	}
	f.byField = map[*types.Var][]fieldAccess{}
	callers := f.staticCallers()
	for _, fn := range f.a.Heaps().IR.Funcs {
		if f.opts.Skip(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				fa, ok := instr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				for _, u := range fieldUses(fa) {
					f.byField[u.field] = append(f.byField[u.field], fieldAccess{fn, u.write, fresh(fa.X, callers, 0)})
				}
			}
		}
	}
	return f.byField
}

func (f *finder) staticCallers() map[*ssa.Function][]*ssa.CallCommon {
	callers := map[*ssa.Function][]*ssa.CallCommon{}
	for _, fn := range f.a.Heaps().IR.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					if callee := call.Common().StaticCallee(); callee != nil {
						if o := callee.Origin(); o != nil {
							callee = o
						}
						callers[callee] = append(callers[callee], call.Common())
					}
				}
			}
		}
	}
	return callers
}

// maxFreshDepth bounds the variables and callers through which the origin of a pointer is
// followed; two variables may hold each other's value.
const maxFreshDepth = 4

// fresh tells whether a pointer is to an object that the function made, or that all its
// callers did.
func fresh(v ssa.Value, callers map[*ssa.Function][]*ssa.CallCommon, depth int) bool {
	if depth > maxFreshDepth {
		return false
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		return true
	case *ssa.FieldAddr: // a struct in it
		return fresh(v.X, callers, depth+1)
	case *ssa.UnOp:
		if cell, ok := v.X.(*ssa.Alloc); ok {
			if val := onlyStored(cell); val != nil {
				return fresh(val, callers, depth+1)
			}
		}
	case *ssa.Parameter:
		fn := v.Parent()
		if len(callers[fn]) == 0 {
			return false
		}
		for i, p := range fn.Params {
			if p != v {
				continue
			}
			for _, c := range callers[fn] {
				if i >= len(c.Args) || !fresh(c.Args[i], callers, depth+1) {
					return false
				}
			}
		}
		return true
	}
	return false
}
