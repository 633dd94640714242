package heapuse

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// order reports code that takes a heap's slice for sorted.
func (c *checker) order(fn *ssa.Function) {
	if c.MethodOf(outermost(fn)) != nil {
		return
	}
	uses.Instrs(fn, func(instr ssa.Instruction) {
		switch x := instr.(type) {
		case *ssa.IndexAddr:
			c.lastSlot(x)
			c.secondSlot(x)
		case *ssa.Call:
			c.lastRemoved(x)
			c.binarySearch(x)
		case *ssa.Slice:
			c.firstFew(x)
		}
	})
	for _, l := range uses.Loops(fn) {
		c.stopsEarly(l)
		c.boundedWalk(l)
	}
}

// lastSlot reports that the last slot is read as if the greatest element were there.
func (c *checker) lastSlot(x *ssa.IndexAddr) {
	heap, t := c.BackingOf(x.X)
	if heap != nil && c.isMiddle(x.Index, heap) && !stored(x) && !c.rearranges(x.Parent(), heap) && !c.sortedBefore(heap, x) && !c.handWritten(x.Parent()) {
		c.report("order", x.Pos(), fmt.Sprintf("the middle slot of %s is not the middle element in its order: a heap's slice is not sorted", heapName(heap, t)))
		return
	}
	if heap == nil || !c.isLast(x.Index, heap) || stored(x) || c.rearranges(x.Parent(), heap) || c.sortedBefore(heap, x) || c.trims(x, heap) {
		return
	}
	c.report("order", x.Pos(), fmt.Sprintf("the last slot of %s is not the last element in its order: a heap's slice is not sorted, only its first element is known to be the minimum", heapName(heap, t)))
}

// trims tells whether something is done because the heap is longer than some bound:
// it then drops any leaf, which is cheap and right enough.
func (c *checker) trims(instr ssa.Instruction, heap *locks.Place) bool {
	for _, g := range uses.Guards(instr) {
		cmp, ok := g.If.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		_, constX := cmp.X.(*ssa.Const)
		_, constY := cmp.Y.(*ssa.Const)
		if !constX && !constY && (c.isLength(cmp.X, heap) || c.isLength(cmp.Y, heap)) {
			return true
		}
	}
	return false
}

// stored tells whether an address is only stored to.
func stored(x *ssa.IndexAddr) bool {
	for _, r := range *x.Referrers() {
		if st, ok := r.(*ssa.Store); !ok || st.Addr != ssa.Value(x) {
			return false
		}
	}
	return true
}

// isLast tells whether an index is the length of the heap less one.
func (c *checker) isLast(v ssa.Value, heap *locks.Place) bool {
	b, ok := v.(*ssa.BinOp)
	if !ok || b.Op != token.SUB || !isInt(b.Y, 1) {
		return false
	}
	return c.isLength(b.X, heap)
}

// isMiddle tells whether an index is half the length of the heap.
func (c *checker) isMiddle(v ssa.Value, heap *locks.Place) bool {
	b, ok := v.(*ssa.BinOp)
	return ok && b.Op == token.QUO && isInt(b.Y, 2) && c.isLength(b.X, heap)
}

func isInt(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.ExactString() == fmt.Sprint(n)
}

// isLength tells whether a value is the length of the heap.
func (c *checker) isLength(v ssa.Value, heap *locks.Place) bool {
	of := c.lengthOf(v)
	return of != nil && of == heap
}

// lengthOf returns the heap whose length a value is: len of its slice, or its Len.
func (c *checker) lengthOf(v ssa.Value) *locks.Place {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() != "len" {
			return nil
		}
		heap, _ := c.BackingOf(common.Args[0])
		return heap
	}
	if common.IsInvoke() && common.Method.Name() == "Len" && heaps.IsInterface(common.Value.Type()) {
		return c.Place(common.Value)
	}
	for _, callee := range c.Locks.Callees(common) {
		if callee.Fn.Name() == "Len" && len(callee.Vals) == 1 && c.MethodOf(callee.Fn) != nil {
			place := c.Place(callee.Vals[0])
			for place != nil && c.TypeAt(place) == nil {
				place = place.Parent // of an embedded implementation
			}
			return place
		}
	}
	return nil
}

// rearranges tells whether a function moves the elements of the heap by hand, or
// takes one from its end: what it reads there is no claim about order.
func (c *checker) rearranges(fn *ssa.Function, heap *locks.Place) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		switch x := instr.(type) {
		case *ssa.Store:
			if slot, _, _ := c.Slot(x.Addr); slot == heap {
				found = true
			}
			if of, _ := c.Backing(c.Place(x.Addr)); of == heap {
				if _, reslice := x.Val.(*ssa.Slice); reslice {
					found = true
				}
			}
		}
	})
	return found
}

// lastRemoved reports that the last slot is removed as if the greatest element were
// there.
func (c *checker) lastRemoved(call *ssa.Call) {
	op := c.Op(call)
	if op == nil || op.Kind != heaps.Remove || op.Model != nil {
		return
	}
	heap := c.Place(op.Heap)
	if heap == nil || !c.isLast(op.Index, heap) || c.trims(call, heap) {
		return
	}
	c.report("order", call.Pos(), fmt.Sprintf("the last slot of %s is not the last element in its order: heap.Remove takes out an arbitrary one of the leaves", heapName(heap, c.TypeAt(heap))))
}

// binarySearch reports a binary search in the heap's slice.
func (c *checker) binarySearch(call *ssa.Call) {
	pkg, name := library(call)
	var heap *locks.Place
	switch {
	case pkg == "sort" && (name == "Search" || name == "Find"):
		heap = c.searched(call)
	case pkg == "sort" && (name == "SearchInts" || name == "SearchStrings" || name == "SearchFloat64s"),
		pkg == "slices" && (name == "BinarySearch" || name == "BinarySearchFunc"):
		heap, _ = c.BackingOf(call.Call.Args[0])
	}
	if heap == nil || c.sortedBefore(heap, call) {
		return
	}
	c.report("order", call.Pos(), fmt.Sprintf("%s.%s needs a sorted slice, but the slice of %s is in heap order", pkg, name, heapName(heap, c.TypeAt(heap))))
}

// searched returns the heap in whose slice the function given to sort.Search looks.
func (c *checker) searched(call *ssa.Call) *locks.Place {
	heap := c.lengthOf(call.Call.Args[0])
	if heap == nil {
		return nil
	}
	f, ok := c.Locks.Func(call.Call.Args[1])
	if !ok {
		return nil
	}
	looks := false
	uses.Instrs(f.Fn, func(instr ssa.Instruction) {
		if at, ok := instr.(*ssa.IndexAddr); ok {
			of, _ := c.BackingOf(at.X)
			looks = looks || of == heap
		}
	})
	if !looks {
		return nil
	}
	return heap
}

// firstFew reports that the first few slots are taken for the smallest elements.
func (c *checker) firstFew(x *ssa.Slice) {
	if x.Low != nil && !isInt(x.Low, 0) || x.High == nil {
		return
	}
	if k, ok := x.High.(*ssa.Const); ok && (isInt(k, 0) || isInt(k, 1)) {
		return
	}
	heap, what := c.heapOrder(x.X)
	if heap == nil || c.boundIsLength(x.High, x.X, heap) || !c.leaves(x) || c.sortedBefore(c.Place(x.X), x) || c.sortedBefore(heap, x) {
		return
	}
	c.report("order", x.Pos(), fmt.Sprintf("the first elements of %s are not the smallest ones: it is in heap order, not sorted", what))
}

// heapOrder tells whether a slice has its elements in the order of a heap's slots:
// it is the heap's slice, or a function made it by walking over that.
func (c *checker) heapOrder(v ssa.Value) (heap *locks.Place, what string) {
	if heap, t := c.BackingOf(v); heap != nil {
		return heap, heapName(heap, t)
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil, ""
	}
	for _, callee := range c.Locks.Callees(call.Common()) {
		if of := c.listsSlots(callee.Fn); of != nil {
			return of, "what " + callee.Fn.Name() + " returns"
		}
	}
	return nil, ""
}

// listsSlots returns the heap of which a function returns all elements slot by
// slot, in terms of that function.
func (c *checker) listsSlots(fn *ssa.Function) *locks.Place {
	if len(fn.Blocks) == 0 {
		return nil
	}
	var heap *locks.Place
	for _, l := range uses.Loops(fn) {
		for _, w := range c.walks(l) {
			heap = w.heap
		}
	}
	if heap == nil {
		return nil
	}
	sorts := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		sorts = sorts || c.sorts(instr) || len(c.At(instr)) > 0
		if ret, ok := instr.(*ssa.Return); ok {
			sorts = sorts || len(ret.Results) != 1 || !c.collected(ret.Results[0], heap)
		}
	})
	if sorts {
		return nil
	}
	return heap
}

// collected tells whether a slice is filled in the function that returns it, from
// slots of the heap alone.
func (c *checker) collected(v ssa.Value, heap *locks.Place) bool {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.MakeSlice, *ssa.Const:
			return true
		case *ssa.Alloc:
			return true
		case *ssa.Slice:
			return visit(x.X)
		case *ssa.Phi:
			for _, e := range x.Edges {
				if !visit(e) {
					return false
				}
			}
			return true
		case *ssa.Call:
			b, ok := x.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "append" && visit(x.Call.Args[0])
		}
		return false
	}
	return visit(v)
}

// boundIsLength tells whether a slice bound is made from the length alone: the
// heap is cut, not its order used.
func (c *checker) boundIsLength(v, slice ssa.Value, heap *locks.Place) bool {
	switch x := v.(type) {
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			return x.Call.Args[0] == slice || c.lengthOf(x) == heap
		}
		return c.lengthOf(x) == heap
	case *ssa.BinOp:
		if _, ok := x.Y.(*ssa.Const); ok {
			return c.boundIsLength(x.X, slice, heap)
		}
	}
	return false
}

// leaves tells whether a slice is returned or walked over: its order matters.
func (c *checker) leaves(x *ssa.Slice) bool {
	for _, r := range *x.Referrers() {
		switch r := r.(type) {
		case *ssa.Return:
			return true
		case *ssa.ChangeType:
			for _, rr := range *r.Referrers() {
				if _, ok := rr.(*ssa.Return); ok {
					return true
				}
			}
		}
	}
	return false
}

// stopsEarly reports a loop over the slots that does something for each element and
// stops at the first that is out of bounds, as if all later ones were too.
func (c *checker) stopsEarly(l *uses.Loop) {
	for _, w := range c.walks(l) {
		if c.sortedBefore(w.heap, w.at) {
			continue
		}
		for _, b := range l.Header.Parent().Blocks {
			if !l.Blocks[b] || b == l.Header {
				continue
			}
			cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok || !c.boundTest(cond.Cond, w) {
				continue
			}
			stay := b.Succs[0]
			leave := b.Succs[1]
			if !l.Blocks[stay] {
				stay, leave = leave, stay
			}
			if l.Blocks[leave] || !l.Blocks[stay] || !c.acts(stay, l) || c.reads(leave, w) {
				continue
			}
			c.report("order", cond.Cond.Pos(), fmt.Sprintf("the loop stops at the first element of %s beyond a bound, but its slice is not sorted: later slots may hold elements within it", heapName(w.heap, w.typ)),
				related(w.at.Pos(), "the loop reads the slice here"))
		}
	}
}

// secondSlot reports that the second slot is read as if the second element in order
// were there; it may as well be the third.
func (c *checker) secondSlot(x *ssa.IndexAddr) {
	if !isInt(x.Index, 1) || stored(x) {
		return
	}
	heap, t := c.BackingOf(x.X)
	if heap == nil || c.rearranges(x.Parent(), heap) || c.sortedBefore(heap, x) || c.handWritten(x.Parent()) {
		return
	}
	both := false
	uses.Instrs(x.Parent(), func(instr ssa.Instruction) {
		at, ok := instr.(*ssa.IndexAddr)
		if !ok || at == x {
			return
		}
		if of, _ := c.BackingOf(at.X); of == heap && !isInt(at.Index, 0) && !isInt(at.Index, 1) {
			both = true
		}
	})
	if both {
		return
	}
	c.report("order", x.Pos(), fmt.Sprintf("the second slot of %s need not hold the second element in its order: that is in the second or the third", heapName(heap, t)))
}

// boundedWalk reports a loop that takes the first slots up to a number for the
// smallest elements.
func (c *checker) boundedWalk(l *uses.Loop) {
	for _, w := range c.walks(l) {
		if c.sortedBefore(w.heap, w.at) || c.rearranges(w.at.Parent(), w.heap) || !c.collects(w.at) {
			continue
		}
		for _, b := range l.Header.Parent().Blocks {
			cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok || !l.Blocks[b] || l.Blocks[b.Succs[0]] == l.Blocks[b.Succs[1]] {
				continue
			}
			cmp, ok := cond.Cond.(*ssa.BinOp)
			if !ok || cmp.Op != token.LSS || !counts(cmp.X, w.at.Index) || !isLimit(cmp.Y) {
				continue
			}
			c.report("order", w.at.Pos(), fmt.Sprintf("the first slots of %s do not hold its smallest elements: it is in heap order, not sorted", heapName(w.heap, w.typ)),
				related(cmp.Pos(), "the loop takes the first few slots"))
			return
		}
	}
}

// counts tells whether a value is the loop's counter that indexes the slots.
func counts(v, index ssa.Value) bool {
	if v == index {
		return true
	}
	b, ok := index.(*ssa.BinOp)
	return ok && v == ssa.Value(b)
}

// isLimit tells whether a loop's bound is a number that somebody gives: a parameter,
// or the lesser of one and something else.
func isLimit(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "min" {
			return false
		}
		for _, a := range x.Call.Args {
			if isParameter(a) {
				return true
			}
		}
	}
	return false
}

// collects tells whether what is read from a slot is put into a slice.
func (c *checker) collects(at *ssa.IndexAddr) bool {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if seen[v] || v.Referrers() == nil {
			return false
		}
		seen[v] = true
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if a, ok := r.Addr.(*ssa.IndexAddr); ok && r.Val == v && a != at {
					return true
				}
			case *ssa.UnOp, *ssa.FieldAddr, *ssa.Field:
				if visit(r.(ssa.Value)) {
					return true
				}
			}
		}
		return false
	}
	return visit(at)
}
