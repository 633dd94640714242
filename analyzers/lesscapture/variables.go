package lesscapture

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/order"
)

// variables reports captured variables that are assigned after the comparator
// was made: the rules reassigned and loopvar.
func (c *checker) variables(cmp order.Comparator, set *order.Set) {
	done := map[ssa.Value]bool{}
	for _, r := range set.From(order.Captured) {
		cell := cellOf(cmp, r.Base)
		if cell == nil || done[cell] {
			continue
		}
		done[cell] = true
		c.variable(cmp, r, cell)
		if a := pointsTo(cell); a != nil && !done[a] {
			done[a] = true
			c.variable(cmp, r, a)
		}
	}
}

// pointsTo is the variable of the function that a captured pointer holds the
// address of all its life.
func pointsTo(cell ssa.Value) *ssa.Alloc {
	list := stores(cell)
	if len(list) != 1 {
		return nil
	}
	a, _ := list[0].Val.(*ssa.Alloc)
	if a == nil || a.Comment == "complit" || a.Comment == "new" {
		return nil
	}
	return a
}

// cellOf is the variable that a free variable of the comparator stands for: what
// the closure was made with.
func cellOf(cmp order.Comparator, v ssa.Value) ssa.Value {
	for i, fv := range cmp.Fn.FreeVars {
		if fv == v && i < len(cmp.Closure.Bindings) {
			return cmp.Closure.Bindings[i]
		}
	}
	return nil
}

func (c *checker) variable(cmp order.Comparator, r *order.Read, cell ssa.Value) {
	made := ssa.Instruction(cmp.Closure)
	name := r.Base.Name()
	fresh := func(in ssa.Instruction) bool { // a new variable each time round
		v, ok := in.(ssa.Value)
		return ok && v == cell
	}
	if c.behind(cmp, r, cell) {
		return
	}
	for _, st := range append(stores(cell), partStores(cell, c.readsOf(cmp, r.Base))...) {
		where := analysis.RelatedInformation{Pos: st.Pos(), Message: name + " is assigned here"}
		switch {
		case st.Parent() == cmp.Fn:
			continue // its own business: see lessorder's impure
		case st.Parent() != made.Parent():
			if !c.runsAfter(st.Parent(), made) || c.after(st)&repairs != 0 {
				continue
			}
			c.report(r.Pos, "reassigned", fmt.Sprintf("%s captures the variable %s, which another function assigns (line %d)%s: elements that are in the heap keep the old order",
				who(cmp.Fn), name, c.line(st.Pos()), raceNote(st.Parent())), where)
			return
		case !reaches(made, st, fresh):
			continue
		case reaches(st, made, fresh) && !c.ownHeap(cmp):
			if escapes(cmp.Closure) {
				c.report(r.Pos, "loopvar", fmt.Sprintf("%s captures %s, one variable for all rounds of the loop: all heaps made there order by its last value (assigned on line %d)",
					who(cmp.Fn), name, c.line(st.Pos())), where)
				return
			}
		case c.alive(cmp, st):
			c.report(r.Pos, "reassigned", fmt.Sprintf("%s captures the variable %s, which is assigned again after the comparator is made (line %d): elements that are in the heap keep the old order",
				who(cmp.Fn), name, c.line(st.Pos())), where)
			return
		}
	}
}

// readsOf are the fields of a captured struct that the comparator reads.
func (c *checker) readsOf(cmp order.Comparator, base ssa.Value) map[*types.Var]bool {
	fields := map[*types.Var]bool{}
	for _, r := range order.SetOf(cmp).From(order.Captured) {
		if r.Base == base && len(r.Path) > 0 {
			fields[r.Path[0].Origin()] = true
		}
	}
	return fields
}

// partStores are the assignments to the given fields of a variable that is a struct.
func partStores(cell ssa.Value, fields map[*types.Var]bool) []*ssa.Store {
	var list []*ssa.Store
	for _, v := range aliases(cell) {
		if v.Referrers() == nil {
			continue
		}
		for _, r := range *v.Referrers() {
			addr, ok := r.(*ssa.FieldAddr)
			if !ok || addr.X != v || !fields[order.FieldOf(addr).Origin()] {
				continue
			}
			for _, u := range *addr.Referrers() {
				if st, ok := u.(*ssa.Store); ok && st.Addr == addr {
					list = append(list, st)
				}
			}
		}
	}
	return list
}

// behind reports what lies behind a captured pointer to a simple value and is changed
// while the heap has elements.
func (c *checker) behind(cmp order.Comparator, r *order.Read, cell ssa.Value) bool {
	made := ssa.Instruction(cmp.Closure)
	for _, st := range behindStores(cell) {
		switch {
		case st.Parent() == cmp.Fn, c.after(st)&repairs != 0:
			continue
		case st.Parent() == made.Parent() && !(reaches(made, st, nil) && c.alive(cmp, st)):
			continue
		case st.Parent() != made.Parent() && !c.runsAfter(st.Parent(), made):
			continue
		}
		c.report(r.Pos, "mutated", fmt.Sprintf("%s reads what %s points to, which is changed (line %d)%s: elements that are in the heap keep the old order",
			who(cmp.Fn), r.Base.Name(), c.line(st.Pos()), raceNote(st.Parent())),
			analysis.RelatedInformation{Pos: st.Pos(), Message: "*" + r.Base.Name() + " is changed here"})
		return true
	}
	return false
}

// behindStores are the assignments through a variable that is a pointer to a simple
// value: *limit = n.
func behindStores(cell ssa.Value) []*ssa.Store {
	var list []*ssa.Store
	for _, v := range aliases(cell) {
		if v.Referrers() == nil {
			continue
		}
		for _, r := range *v.Referrers() {
			load, ok := r.(*ssa.UnOp)
			if !ok || load.Op != token.MUL || !isPointer(load.Type()) {
				continue
			}
			for _, u := range *load.Referrers() {
				if st, ok := u.(*ssa.Store); ok && st.Addr == load {
					list = append(list, st)
				}
			}
		}
	}
	return list
}

// ownHeap tells whether the comparator is put into one heap over and over, which
// then follows the variable.
func (c *checker) ownHeap(cmp order.Comparator) bool {
	for _, r := range *cmp.Closure.Referrers() {
		if st, ok := r.(*ssa.Store); ok {
			if a, ok := rootOf(st.Addr).(*ssa.Alloc); ok && !sameLoop(a, cmp.Closure) {
				return true
			}
		}
	}
	return false
}

// sameLoop tells whether each round that makes the closure makes a new a.
func sameLoop(a *ssa.Alloc, made ssa.Instruction) bool {
	return !reaches(made, made, func(in ssa.Instruction) bool { return in == a })
}

// alive tells whether the heap can have elements when the store runs and is still
// used, unrepaired, after it. An assignment in a constructor, before the heap has
// elements, is part of making the comparator.
func (c *checker) alive(cmp order.Comparator, st ssa.Instruction) bool {
	ops := c.after(st)
	return ops&repairs == 0 && ops&uses != 0 && c.fillsBefore(st)
}

// runsAfter tells whether a function literal can run after the comparator was
// made: it is made or called later, or kept.
func (c *checker) runsAfter(lit *ssa.Function, made ssa.Instruction) bool {
	found := false
	for _, b := range made.Parent().Blocks {
		for _, in := range b.Instrs {
			m, ok := in.(*ssa.MakeClosure)
			if !ok || m.Fn != lit {
				continue
			}
			if escapes(m) || reaches(made, m, nil) {
				found = true
			}
			for _, r := range *m.Referrers() {
				if call, ok := r.(ssa.CallInstruction); ok && reaches(made, call, nil) {
					found = true
				}
				if call, ok := r.(ssa.CallInstruction); ok && startsLater(call, m) {
					found = true // it runs on meanwhile
				}
			}
		}
	}
	return found
}

// startsLater tells whether a call makes a function literal run in a goroutine of its
// own: a go statement, time.AfterFunc, or the method Go of a group.
func startsLater(call ssa.CallInstruction, lit ssa.Value) bool {
	if _, ok := call.(*ssa.Go); ok {
		return true
	}
	callee := call.Common().StaticCallee()
	if callee == nil || !slices.Contains(call.Common().Args, lit) {
		return false
	}
	return callee.String() == "time.AfterFunc" || callee.Name() == "Go" && callee.Signature.Recv() != nil
}

// raceNote adds that a write by a goroutine is a data race as well.
func raceNote(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		for _, b := range parent.Blocks {
			for _, in := range b.Instrs {
				if startsLiteral(in, fn) {
					return " in a goroutine, which is a data race too"
				}
			}
		}
	}
	return ""
}

// startsLiteral tells whether an instruction makes a function literal run in a
// goroutine of its own.
func startsLiteral(in ssa.Instruction, fn *ssa.Function) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	for _, v := range append(slices.Clone(call.Common().Args), call.Common().Value) {
		if m, ok := v.(*ssa.MakeClosure); ok && m.Fn == fn && startsLater(call, v) {
			return true
		}
	}
	return false
}

// stores are the assignments to a variable as a whole, also by closures.
func stores(cell ssa.Value) []*ssa.Store {
	var list []*ssa.Store
	for _, v := range aliases(cell) {
		if v.Referrers() == nil {
			continue
		}
		for _, r := range *v.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == v {
				list = append(list, st)
			}
		}
	}
	return list
}

// aliases are the addresses of a variable: itself, and the free variables of the
// closures that capture it.
func aliases(cell ssa.Value) []ssa.Value {
	list := []ssa.Value{cell}
	for i := 0; i < len(list); i++ {
		if list[i].Referrers() == nil {
			continue
		}
		for _, r := range *list[i].Referrers() {
			m, ok := r.(*ssa.MakeClosure)
			if !ok {
				continue
			}
			for k, b := range m.Bindings {
				if b == list[i] {
					list = append(list, m.Fn.(*ssa.Function).FreeVars[k])
				}
			}
		}
	}
	return list
}
