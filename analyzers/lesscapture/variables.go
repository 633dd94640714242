package lesscapture

import (
	"fmt"

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
	for _, st := range stores(cell) {
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
				if g, ok := r.(*ssa.Go); ok && !reaches(made, g, nil) {
					found = true // it runs on meanwhile
				}
			}
		}
	}
	return found
}

// raceNote adds that a write by a goroutine is a data race as well.
func raceNote(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		for _, b := range parent.Blocks {
			for _, in := range b.Instrs {
				if g, ok := in.(*ssa.Go); ok && g.Call.StaticCallee() == fn {
					return " in a goroutine, which is a data race too"
				}
			}
		}
	}
	return ""
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
