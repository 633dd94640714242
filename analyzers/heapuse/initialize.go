package heapuse

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// initialize reports heaps that are filled, cut or reordered other than by heap
// operations and not put in order by heap.Init.
func (c *checker) initialize(fn *ssa.Function) {
	if c.MethodOf(outermost(fn)) != nil {
		return
	}
	uses.Instrs(fn, func(instr ssa.Instruction) {
		switch x := instr.(type) {
		case *ssa.Store:
			c.filled(x)
			c.slotSet(x)
			c.comparatorSet(x)
		case *ssa.Call:
			c.sortedOtherwise(x)
			c.filledByCall(x)
		}
	})
}

// filled reports the store of a slice that is not in heap order to a heap.
func (c *checker) filled(st *ssa.Store) {
	heap, t := c.backingStored(st)
	if heap == nil {
		return
	}
	why, pos := c.disorder(st, heap, t)
	if why == "" || c.initialized(st, heap, t) || !c.usedAsHeap(st, heap, t) {
		return
	}
	name := heapName(heap, t)
	if a, ok := st.Addr.(*ssa.Alloc); ok && variable(a) != "" {
		name = variable(a)
	}
	c.report("init", pos, fmt.Sprintf("%s %s, and no heap.Init puts it in order before it is used as a heap", name, why))
}

// backingStored returns the heap to whose slice a store is.
func (c *checker) backingStored(st *ssa.Store) (*locks.Place, *heaps.Type) {
	if _, ok := st.Val.Type().Underlying().(*types.Slice); !ok {
		return nil, nil
	}
	if a, ok := st.Addr.(*ssa.Alloc); ok { // a variable that is the heap
		t := c.Type(a.Type().Underlying().(*types.Pointer).Elem())
		if t == nil || len(t.Backing()) > 0 || !t.Known {
			return nil, nil
		}
		return c.Place(a), t
	}
	return c.Backing(c.Place(st.Addr))
}

// disorder says why a slice is not in heap order, and where that came about; it
// returns an empty string for slices that may be.
func (c *checker) disorder(st *ssa.Store, heap *locks.Place, t *heaps.Type) (why string, pos token.Pos) {
	v := st.Val
	for {
		ct, ok := v.(*ssa.ChangeType)
		if !ok {
			break
		}
		v = ct.X
	}
	if ap := c.appended(v, heap, map[ssa.Value]bool{}); ap != nil {
		return c.appendedWhat(ap, heap), ap.Pos()
	}
	pos = st.Pos()
	switch x := v.(type) {
	case *ssa.Slice:
		if lit, ok := x.X.(*ssa.Alloc); ok {
			if arr, ok := lit.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array); ok && arr.Len() > 1 && lit.Comment == "slicelit" && !ascending(lit) {
				return "is filled by a literal", pos
			}
			return "", pos
		}
		of, _ := c.BackingOf(x.X)
		if of == heap && x.Low != nil && !isInt(x.Low, 0) {
			return "loses its first elements", pos
		}
	case *ssa.UnOp:
		if cell, ok := x.X.(*ssa.Alloc); ok && c.Type(x.Type()) == nil && decoded(cell) {
			return "gets decoded elements", pos
		}
	case *ssa.Parameter:
		if c.Type(x.Type()) == nil {
			return "gets elements from outside", pos
		}
	case *ssa.MakeSlice:
		if slot := c.storesSlots(x, heap); !isInt(x.Len, 0) && slot != nil && !c.copiesSlots(slot) {
			return "is filled slot by slot", slot.Pos()
		}
	case *ssa.Call:
		pkg, name := library(x)
		if pkg == "slices" && (name == "Delete" || name == "DeleteFunc" || name == "Insert") {
			if of, _ := c.BackingOf(x.Call.Args[0]); of == heap && !c.cutsEnd(x, heap) {
				return "is changed in the middle", x.Pos()
			}
		}
	}
	return "", pos
}

// appendedWhat says what an append does to a heap.
func (c *checker) appendedWhat(ap *ssa.Call, heap *locks.Place) string {
	if s, ok := ap.Call.Args[0].(*ssa.Slice); ok {
		if of, _ := c.BackingOf(s.X); of == heap {
			return "loses an element in the middle"
		}
	}
	return "is filled by append"
}

// appended returns an append by which elements come into a slice in no order, nil
// if there is none: appending a whole heap to nothing copies it.
func (c *checker) appended(v ssa.Value, heap *locks.Place, seen map[ssa.Value]bool) *ssa.Call {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			if ap := c.appended(e, heap, seen); ap != nil {
				return ap
			}
		}
	case *ssa.ChangeType:
		return c.appended(x.X, heap, seen)
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "append" || c.copiesHeap(x) || c.restoresEnd(x, heap) {
			return nil
		}
		if len(x.Call.Args) > 1 && (!emptySlice(x.Call.Args[0]) || manyElements(x.Call.Args[1])) {
			return x
		}
	}
	return nil
}

// copiesHeap tells whether an append copies a heap's slice: all of it to an empty
// one.
func (c *checker) copiesHeap(ap *ssa.Call) bool {
	if len(ap.Call.Args) < 2 {
		return true
	}
	from, _ := c.BackingOf(ap.Call.Args[1])
	return from != nil && emptySlice(ap.Call.Args[0])
}

// restoresEnd tells whether an append only cuts the end: append(h[:i], h[i+1:]...)
// is a cut in the middle, append(h[:0], h[:n]...) is not.
func (c *checker) restoresEnd(ap *ssa.Call, heap *locks.Place) bool {
	s, ok := ap.Call.Args[0].(*ssa.Slice)
	if !ok || s.High == nil || !isInt(s.High, 0) {
		return false
	}
	from, _ := c.BackingOf(ap.Call.Args[1])
	return from == heap
}

// emptySlice tells whether a slice has no elements: nil, a literal or make without
// any, or cut to none.
func emptySlice(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeSlice:
		return isInt(x.Len, 0)
	case *ssa.ChangeType:
		return emptySlice(x.X)
	case *ssa.Slice:
		if x.High != nil && isInt(x.High, 0) {
			return true
		}
		if a, ok := x.X.(*ssa.Alloc); ok {
			arr, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
			return ok && arr.Len() == 0
		}
	}
	return false
}

// manyElements tells whether what is appended may be more than one element.
func manyElements(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return true
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return true
	}
	arr, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	return !ok || arr.Len() > 1
}

// ascending tells whether a literal's elements are constants in ascending order.
func ascending(lit *ssa.Alloc) bool {
	last, n := int64(-1<<63), 0
	for _, r := range *lit.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, rr := range *at.Referrers() {
			st, ok := rr.(*ssa.Store)
			if !ok {
				return false
			}
			k, ok := intConst(st.Val)
			if !ok || k < last {
				return false
			}
			last = k
			n++
		}
	}
	return n > 0
}

// decoded tells whether the address of a variable is given to a decoder, which
// fills it.
func decoded(cell *ssa.Alloc) bool {
	for _, r := range *cell.Referrers() {
		mi, ok := r.(*ssa.MakeInterface)
		if !ok {
			continue
		}
		for _, rr := range *mi.Referrers() {
			if call, ok := rr.(ssa.CallInstruction); ok && isDecoder(call) {
				return true
			}
		}
	}
	return false
}

// storesSlots returns where the slots of a new slice, or of the heap that it becomes,
// are set one by one; nil if they are not.
func (c *checker) storesSlots(m *ssa.MakeSlice, heap *locks.Place) *ssa.Store {
	var found *ssa.Store
	uses.Instrs(m.Parent(), func(instr ssa.Instruction) {
		st, ok := instr.(*ssa.Store)
		if !ok || found != nil {
			return
		}
		at, ok := st.Addr.(*ssa.IndexAddr)
		if !ok {
			return
		}
		if k, ok := st.Val.(*ssa.Const); ok && k.Value == nil {
			return
		}
		if of, _ := c.BackingOf(at.X); at.X == ssa.Value(m) || of != nil && of == heap {
			found = st
		}
	})
	return found
}

// copiesSlots tells whether slots are set in a loop over another heap's slots: the
// copy is in the order of the original.
func (c *checker) copiesSlots(slot *ssa.Store) bool {
	own, _ := c.BackingOf(slot.Addr.(*ssa.IndexAddr).X)
	for _, l := range uses.Loops(slot.Parent()) {
		if !l.Blocks[slot.Block()] {
			continue
		}
		for _, w := range c.walks(l) {
			if w.heap != own {
				return true
			}
		}
	}
	return false
}

// filledByCall reports calls that fill or reorder a heap's slice in place: decoders
// that get its address, copy, slices.Reverse.
func (c *checker) filledByCall(call *ssa.Call) {
	heap, t, what := c.scrambled(call)
	if heap == nil || c.initialized(call, heap, t) || !c.usedAsHeap(call, heap, t) {
		return
	}
	c.report("init", call.Pos(), fmt.Sprintf("%s %s, and no heap.Init puts it in order before it is used as a heap", heapName(heap, t), what))
}

func (c *checker) scrambled(call *ssa.Call) (heap *locks.Place, t *heaps.Type, what string) {
	args := call.Call.Args
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() != "copy" {
			return nil, nil, ""
		}
		heap, t = c.BackingOf(args[0])
		_, whole := args[0].(*ssa.Slice) // a part is shifted
		if from, _ := c.BackingOf(args[1]); heap == nil || from != nil || whole || c.Type(args[1].Type()) != nil {
			return nil, nil, ""
		}
		return heap, t, "is filled by copy"
	}
	if pkg, name := library(call); pkg == "slices" && name == "Reverse" {
		heap, t = c.BackingOf(args[0])
		return heap, t, "is reversed"
	}
	if !isDecoder(call) {
		return nil, nil, ""
	}
	for _, a := range args {
		v := heaps.Peel(a)
		if _, isPtr := v.Type().Underlying().(*types.Pointer); !isPtr {
			continue
		}
		if p := c.Place(v); p != nil {
			if heap, t = c.Backing(p); heap != nil {
				return heap, t, "gets decoded elements"
			}
		}
	}
	return nil, nil, ""
}

// isDecoder tells whether a call fills what it gets the address of.
func isDecoder(call ssa.CallInstruction) bool {
	name := ""
	if m := call.Common().Method; m != nil {
		name = m.Name()
	} else if callee := contract.CalleeOf(call); callee != nil {
		name = callee.Name()
	}
	switch name {
	case "Decode", "Unmarshal", "DecodeValue", "UnmarshalFromString":
		return true
	}
	return false
}

// cutsEnd tells whether slices.Delete deletes up to the end.
func (c *checker) cutsEnd(call *ssa.Call, heap *locks.Place) bool {
	return len(call.Call.Args) > 2 && c.isLength(call.Call.Args[2], heap)
}

// initialized tells whether the heap is put in order: heap.Init runs later on a way
// from the instruction, or the slice is sorted before or after, or a caller does so.
func (c *checker) initialized(instr ssa.Instruction, heap *locks.Place, t *heaps.Type) bool {
	if c.putInOrder(instr, t) || c.sortedAnywhere(instr.Parent()) {
		return true
	}
	for fn := instr.Parent().Parent(); fn != nil; fn = fn.Parent() { // of a closure
		if c.inits(fn, t) {
			return true
		}
	}
	for _, call := range c.Callers(outermost(instr.Parent())) {
		if call.Common().StaticCallee() != nil && call.Parent() != instr.Parent() && (c.putInOrder(call, t) || c.sortedAnywhere(call.Parent())) {
			return true
		}
	}
	return false
}

// inits tells whether a function runs heap.Init on a heap of the type.
func (c *checker) inits(fn *ssa.Function, t *heaps.Type) bool {
	for _, sites := range c.Sites(fn) {
		for _, s := range sites {
			if s.Op.Kind == heaps.Init && (s.Type == nil || s.Type == t) {
				return true
			}
		}
	}
	return false
}

func (c *checker) putInOrder(from ssa.Instruction, t *heaps.Type) bool {
	found := false
	uses.Walk(from, func(instr ssa.Instruction) bool {
		for _, s := range c.At(instr) {
			if s.Op.Kind == heaps.Init && (s.Type == nil || s.Type == t) {
				found = true
			}
			if s.Op.Kind == heaps.Fix && (s.Type == nil || s.Type == t) && s.Op.Instr.Block() != from.Block() {
				found = true // every element is fixed, or the moved one is
			}
			if s.Op.Kind == heaps.Fix && s.Op.Instr.Block() == from.Block() {
				found = true
			}
		}
		return !found
	})
	return found
}

// sortedAnywhere tells whether a function sorts something: what it puts into a heap
// then is in order.
func (c *checker) sortedAnywhere(fn *ssa.Function) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) { found = found || c.sorts(instr) })
	return found
}

// usedAsHeap tells whether the order of the heap matters after an instruction: it
// is kept beyond the function, or an operation on it follows.
func (c *checker) usedAsHeap(from ssa.Instruction, heap *locks.Place, t *heaps.Type) bool {
	if _, local := heap.Root.(*ssa.Alloc); !local {
		return c.popped(t)
	}
	used, escapes := false, false
	uses.Walk(from, func(instr ssa.Instruction) bool {
		for _, s := range c.At(instr) {
			used = used || s.Heap == heap && s.Op.Kind != heaps.Init
		}
		switch x := instr.(type) {
		case *ssa.Return:
			for _, r := range x.Results {
				escapes = escapes || c.within(r, heap)
			}
		case *ssa.Store:
			escapes = escapes || localVariable(x.Addr) != heap.Root && c.within(x.Val, heap)
		}
		return true
	})
	return used || escapes && c.popped(t)
}

// within tells whether a value is the heap or the object that it is a part of.
func (c *checker) within(v ssa.Value, heap *locks.Place) bool {
	p := c.Place(v)
	return p != nil && p.Root == heap.Root
}

// popped tells whether the package takes elements from heaps of the type by their
// order, or through an interface that may hold one.
func (c *checker) popped(t *heaps.Type) bool {
	for _, op := range c.Ops {
		if op.Kind != heaps.Init && !c.skipped(op.Instr.Pos()) {
			if ot := c.Type(op.Heap.Type()); ot == t || ot == nil {
				return true
			}
		}
	}
	return false
}

// sortedOtherwise reports that a heap's slice is sorted in place by another order
// than its own.
func (c *checker) sortedOtherwise(call *ssa.Call) {
	v, ok := sortedValue(call)
	if !ok || len(call.Call.Args) < 2 {
		return
	}
	heap, t := c.BackingOf(v)
	if heap == nil {
		return
	}
	less, ok := c.Locks.Func(call.Call.Args[1])
	if !ok || !c.foreignKey(less.Fn, t) || c.putInOrder(call, t) || !c.usedAsHeap(call, heap, t) || c.replaced(call, heap) {
		return
	}
	c.report("init", call.Pos(), fmt.Sprintf("the slice of %s is sorted in place by another key than the heap's own, and no heap.Init restores its order: sort a copy", heapName(heap, t)))
}

// foreignKey tells whether a comparison reads a field that the heap is not ordered
// by, and none that it is.
func (c *checker) foreignKey(fn *ssa.Function, t *heaps.Type) bool {
	keys := c.Keys(t)
	if !keys.Complete {
		return false
	}
	own, foreign := false, false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		var f *types.Var
		switch x := instr.(type) {
		case *ssa.FieldAddr:
			f = uses.FieldOf(x.X.Type(), x.Field)
		case *ssa.Field:
			f = uses.FieldOf(x.X.Type(), x.Field)
		default:
			return
		}
		if f == nil || len(t.Slice) > 0 && t.Slice[len(t.Slice)-1].Origin() == f {
			return
		}
		if keys.Has(f) {
			own = true
		} else if c.fieldOfElem(f, t) {
			foreign = true
		}
	})
	return foreign && !own
}

// replaced tells whether the function replaces the heap's slice, so that what was
// sorted is no longer one.
func (c *checker) replaced(call ssa.Instruction, heap *locks.Place) bool {
	found := false
	uses.Instrs(call.Parent(), func(instr ssa.Instruction) {
		if st, ok := instr.(*ssa.Store); ok {
			if of, _ := c.backingStored(st); of == heap {
				found = true
			}
		}
	})
	return found
}

// comparatorSet reports that a heap in use gets another comparator.
func (c *checker) comparatorSet(st *ssa.Store) {
	if _, ok := st.Val.Type().Underlying().(*types.Signature); !ok {
		return
	}
	heap, t := c.ownKey(st)
	if heap == nil || c.putInOrder(st, t) || c.lazySet(st) {
		return
	}
	c.report("init", st.Pos(), fmt.Sprintf("%s gets another comparator while elements may be in it, and no heap.Init puts them in the new order", heapName(heap, t)))
}

// ownKey returns the heap of which a store sets a field that Less reads: of the
// heap itself, not of an element, and not while the heap is made.
func (c *checker) ownKey(st *ssa.Store) (*locks.Place, *heaps.Type) {
	a, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	heap := c.Place(a.X)
	t := c.TypeAt(heap)
	if t == nil || !t.Known || len(t.Backing()) == 0 || !c.Keys(t).Has(uses.FieldOf(a.X.Type(), a.Field)) || c.made(heap, st) || c.emptied(st, heap) {
		return nil, nil
	}
	return heap, t
}

// made tells whether a heap is made in the function itself and has no elements yet.
func (c *checker) made(heap *locks.Place, before ssa.Instruction) bool {
	switch heap.Root.(type) {
	case *ssa.Alloc, *ssa.Call, *ssa.MakeInterface:
		return true
	}
	return false
}

// emptied tells whether the function also gives the heap a new slice.
func (c *checker) emptied(st ssa.Instruction, heap *locks.Place) bool {
	found := false
	uses.Instrs(st.Parent(), func(instr ssa.Instruction) {
		if other, ok := instr.(*ssa.Store); ok {
			if of, _ := c.backingStored(other); of == heap {
				found = true
			}
		}
	})
	return found
}

// lazySet tells whether a store only happens while the field is not set.
func (c *checker) lazySet(st *ssa.Store) bool {
	field := contract.StoredField(st)
	for _, g := range uses.Guards(st) {
		cmp, ok := g.If.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		for _, v := range []ssa.Value{cmp.X, cmp.Y} {
			if f, _ := contract.IndexSource(v); f == field {
				return true
			}
		}
		if c.lengthOf(cmp.X) != nil {
			return true
		}
	}
	return false
}

// slotSet reports that another element is put into a slot of a heap in use.
func (c *checker) slotSet(st *ssa.Store) {
	at, ok := st.Addr.(*ssa.IndexAddr)
	if !ok {
		return
	}
	if k, ok := st.Val.(*ssa.Const); ok && k.Value == nil {
		return
	}
	heap, t := c.BackingOf(at.X)
	if heap == nil || !kept(heap) || c.exchanges(st, heap) || c.initialized(st, heap, t) || !c.popped(t) || c.handWritten(st.Parent()) {
		return
	}
	c.report("init", st.Pos(), fmt.Sprintf("another element is put into a slot of %s, and neither heap.Fix nor heap.Init puts it in its place", heapName(heap, t)))
}

// kept tells whether a heap is not the function's own.
func kept(heap *locks.Place) bool {
	switch heap.Root.(type) {
	case *ssa.Parameter, *ssa.Global, *ssa.FreeVar:
		return true
	}
	return false
}

// exchanges tells whether a function sets several slots of the heap: it moves
// elements by hand.
func (c *checker) exchanges(st *ssa.Store, heap *locks.Place) bool {
	n := 0
	uses.Instrs(st.Parent(), func(instr ssa.Instruction) {
		other, ok := instr.(*ssa.Store)
		if !ok {
			return
		}
		at, ok := other.Addr.(*ssa.IndexAddr)
		if !ok {
			return
		}
		if k, ok := other.Val.(*ssa.Const); ok && k.Value == nil {
			return
		}
		if of, _ := c.BackingOf(at.X); of == heap {
			n++
		}
	})
	return n > 1
}

// handWritten tells whether a function sifts by itself, or calls one that does.
func (c *checker) handWritten(fn *ssa.Function) bool { return c.sifts(fn) || c.sifts1(fn) }
