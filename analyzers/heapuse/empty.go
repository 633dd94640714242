package heapuse

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// A taking is an instruction that needs a heap with an element in it.
type taking struct {
	instr ssa.Instruction
	heap  *locks.Place
	typ   *heaps.Type
	what  string
	pops  bool
}

// takings finds what needs an element in a function: Pop, Remove of the first, and
// reading the first slot.
func (c *checker) takings(fn *ssa.Function) []taking {
	var list []taking
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if at, ok := instr.(*ssa.IndexAddr); ok && isInt(at.Index, 0) && !stored(at) {
			if heap, t := c.BackingOf(at.X); heap != nil {
				list = append(list, taking{at, heap, t, "the first slot of " + heapName(heap, t) + " is read", false})
			}
		}
		for _, s := range c.At(instr) {
			if s.Own && s.Heap != nil && s.Op.Model == nil && (s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove && isInt(s.Op.Index, 0)) {
				list = append(list, taking{instr, s.Heap, s.Type, s.Op.Name() + " takes an element of " + heapName(s.Heap, s.Type), true})
			}
		}
	})
	return list
}

// empty reports where an element is taken from a heap that is evidently empty at
// times.
func (c *checker) empty(fn *ssa.Function) {
	if c.MethodOf(outermost(fn)) != nil {
		return
	}
	for _, t := range c.takings(fn) {
		if c.secondPop(t) || c.wrongGuard(t) || c.testedAfter(t) || c.callerCounts(t) || c.zeroBound(t) || c.counted(t) || c.endless(t) {
			continue
		}
	}
}

func (c *checker) reportEmpty(t taking, why string, at ...ssa.Instruction) {
	d := fmt.Sprintf("%s, but it can be empty here: %s", t.what, why)
	if len(at) > 0 {
		c.report("empty", t.instr.Pos(), d, related(at[0].Pos(), "see here"))
		return
	}
	c.report("empty", t.instr.Pos(), d)
}

// secondPop reports a taking under a guard that asks for fewer elements than are
// taken by then.
func (c *checker) secondPop(t taking) bool {
	guards := uses.Guards(t.instr)
	if len(guards) == 0 {
		return false
	}
	n, ok := c.atLeast(guards[0], t.heap)
	if !ok || n < 1 {
		return false
	}
	pops := int64(0)
	var first ssa.Instruction
	for _, b := range t.instr.Parent().Blocks {
		for _, instr := range b.Instrs {
			if instr == t.instr || !guarded(guards[0], instr) || !reachesWithout(instr, t.instr, guards[0].If) {
				continue
			}
			sites := c.At(instr)
			if _, isCall := instr.(ssa.CallInstruction); isCall && len(sites) == 0 && c.mayFill(instr, t.heap) {
				return false
			}
			for _, s := range sites {
				if s.Heap != nil && s.Heap != t.heap && s.Heap.Root == t.heap.Root && !s.Own {
					continue
				}
				switch {
				case s.Op.Kind == heaps.Push && (s.Heap == t.heap || s.Heap == nil):
					return false
				case s.Heap == t.heap && s.Own && uses.Dominates(instr, t.instr) && (s.Op.Kind == heaps.Pop || s.Op.Kind == heaps.Remove):
					pops++
					first = instr
				}
			}
		}
	}
	if pops < n {
		return false
	}
	c.reportEmpty(t, fmt.Sprintf("the guard asks for %s, and %s taken before", count(n, "element"), was(pops)), first)
	return true
}

func count(n int64, what string) string {
	if n == 1 {
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func was(n int64) string {
	if n == 1 {
		return "one was"
	}
	return fmt.Sprintf("%d were", n)
}

// guarded tells whether an instruction runs only under the guard.
func guarded(g uses.Guard, instr ssa.Instruction) bool {
	for _, h := range uses.Guards(instr) {
		if h == g {
			return true
		}
	}
	return false
}

// mayFill tells whether a call of unknown code gets hold of the heap.
func (c *checker) mayFill(instr ssa.Instruction, heap *locks.Place) bool {
	call := instr.(ssa.CallInstruction).Common()
	if _, builtin := call.Value.(*ssa.Builtin); builtin {
		return false
	}
	if len(c.Locks.Callees(call)) > 0 {
		for _, callee := range c.Locks.Callees(call) {
			if len(callee.Fn.Blocks) > 0 { // its operations would be known
				return false
			}
		}
	}
	for _, a := range call.Args {
		if p := c.Place(a); p != nil && p.Root == heap.Root {
			if _, below := heap.From(p); below || p == heap {
				return true
			}
		}
	}
	return false
}

// testedAfter reports that the first slot is read and only then the length tested.
func (c *checker) testedAfter(t taking) bool {
	if t.pops || c.lengthBefore(t) {
		return false
	}
	var test ssa.Instruction
	uses.WalkOnce(t.instr, func(instr ssa.Instruction) bool {
		if len(c.At(instr)) > 0 || test != nil {
			return false
		}
		cond, ok := instr.(*ssa.If)
		if !ok {
			return true
		}
		for _, holds := range []bool{true, false} {
			if n, ok := c.atLeast(uses.Guard{If: cond, Holds: holds}, t.heap); ok && n == 1 && uses.Dominates(t.instr, instr) {
				test = instr
			}
		}
		return true
	})
	if test == nil {
		return false
	}
	c.report("empty", t.instr.Pos(), t.what+" before the test whether there is one", related(test.(*ssa.If).Cond.Pos(), "the test comes too late here"))
	return true
}

// lengthBefore tells whether a function knows anything of the heap's length before
// an instruction: it asked for it, or pushed.
func (c *checker) lengthBefore(t taking) bool {
	known := false
	uses.Instrs(t.instr.Parent(), func(instr ssa.Instruction) {
		if known || !uses.Reaches(instr, t.instr) {
			return
		}
		if len(c.At(instr)) > 0 {
			known = true
		}
		if call, ok := instr.(*ssa.Call); ok && c.lengthOf(call) == t.heap && !uses.Dominates(t.instr, call) {
			known = true
		}
	})
	return known
}

// callerCounts reports a taking in a function that asks for no length, when a caller
// calls it as often as its own caller wishes.
func (c *checker) callerCounts(t taking) bool {
	fn := t.instr.Parent()
	if fn.Parent() != nil || c.asksLength(fn, t.heap) || len(uses.Guards(t.instr)) > 0 || c.pushesBefore(t) || !c.emptinessKnown(t) {
		return false
	}
	for _, call := range c.Callers(fn) {
		caller := call.Parent()
		if !exported(caller) || len(c.Sites(caller)) != len(sitesAt(c, call)) || !countedByParameter(call) {
			continue
		}
		c.reportEmpty(t, fmt.Sprintf("%s calls %s as often as it is told, and nobody asks for the length", caller.Name(), fn.Name()), call)
		return true
	}
	return false
}

// sitesAt is the one instruction, if it has operations.
func sitesAt(c *checker, call ssa.Instruction) []int {
	if len(c.At(call)) > 0 {
		return []int{1}
	}
	return nil
}

// pushesBefore tells whether the function pushes before the taking.
func (c *checker) pushesBefore(t taking) bool {
	found := false
	uses.Instrs(t.instr.Parent(), func(instr ssa.Instruction) {
		if len(c.At(instr)) > 0 && uses.Reaches(instr, t.instr) {
			found = true
		}
	})
	return found
}

// emptinessKnown tells whether another function of the package tests whether the
// heap is empty: then that is a state to reckon with.
func (c *checker) emptinessKnown(t taking) bool {
	holder := t.heap.Field
	if holder == nil {
		return false
	}
	for _, fn := range c.IR.Funcs {
		if fn == t.instr.Parent() || c.MethodOf(fn) != nil {
			continue
		}
		found := false
		uses.Instrs(fn, func(instr ssa.Instruction) {
			cond, ok := instr.(*ssa.If)
			if !ok || found {
				return
			}
			cmp, ok := cond.Cond.(*ssa.BinOp)
			if !ok {
				return
			}
			of := c.lengthOf(cmp.X)
			_, constant := intConst(cmp.Y)
			found = of != nil && of.Field == holder && constant
		})
		if found {
			return true
		}
	}
	return false
}

// countedByParameter tells whether a call is repeated as often as a parameter says,
// and depends on nothing else in its function.
func countedByParameter(call ssa.CallInstruction) bool {
	looped := false
	for _, l := range uses.Loops(call.Parent()) {
		looped = looped || l.Blocks[call.Block()]
	}
	for _, b := range call.Parent().Blocks {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := cond.Cond.(*ssa.BinOp)
		if !ok || !isParameter(cmp.X) && !isParameter(cmp.Y) {
			return false
		}
	}
	return looped
}

func isParameter(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}

// zeroBound reports that the first slot is read because the heap has at least as many
// elements as a parameter says, which may be none.
func (c *checker) zeroBound(t taking) bool {
	fn := t.instr.Parent()
	if !exported(fn) || c.pushesBefore(t) && t.pops {
		return false
	}
	for _, g := range uses.Guards(t.instr) {
		if _, ok := c.atLeast(g, t.heap); ok {
			return false
		}
		cmp, ok := g.If.Cond.(*ssa.BinOp)
		if !ok || !c.isLength(cmp.X, t.heap) || !isParameter(cmp.Y) {
			continue
		}
		op := cmp.Op
		if !g.Holds {
			op = negated[op]
		}
		if op.String() != ">=" && op.String() != "==" || c.compared(fn, cmp.Y, cmp) {
			return false
		}
		c.reportEmpty(t, fmt.Sprintf("its length is at least %s, which may be zero", cmp.Y.Name()), g.If.Cond.(*ssa.BinOp))
		return true
	}
	return false
}

// compared tells whether a function compares a value with anything else.
func (c *checker) compared(fn *ssa.Function, v ssa.Value, but *ssa.BinOp) bool {
	for _, r := range *v.Referrers() {
		if r != ssa.Instruction(but) {
			switch r.(type) {
			case *ssa.BinOp, *ssa.Call, *ssa.Phi:
				return true
			}
		}
	}
	return false
}

// bounded tells whether a number is compared with anything but constants, or given
// away: it may be known not to be too great.
func (c *checker) bounded(v ssa.Value, but *ssa.BinOp) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp:
			_, x := r.X.(*ssa.Const)
			_, y := r.Y.(*ssa.Const)
			if r != but && !x && !y {
				return true
			}
		case *ssa.Call, *ssa.Phi:
			return true
		}
	}
	return false
}

// counted reports a Pop in a loop that runs as often as a parameter of an exported
// function says, where nobody asks for the length.
func (c *checker) counted(t taking) bool {
	fn := t.instr.Parent()
	if !t.pops || !exported(fn) || c.asksLength(fn, t.heap) {
		return false
	}
	for _, l := range uses.Loops(fn) {
		if !l.Blocks[t.instr.Block()] {
			continue
		}
		cmp := c.parameterLoop(l)
		if cmp == nil {
			return false
		}
		n := cmp.Y
		if !isParameter(n) {
			n = cmp.X
		}
		if c.bounded(n, cmp) || pushesIn(c, l, t.heap) {
			return false
		}
		c.reportEmpty(t, fmt.Sprintf("it is taken from as often as %s says, and nobody asks for the length", n.Name()), cmp)
		return true
	}
	return false
}

// parameterLoop returns the comparison of a counter with a parameter which is the
// only way out of the loop, nil if there are others.
func (c *checker) parameterLoop(l *uses.Loop) *ssa.BinOp {
	var found *ssa.BinOp
	for b := range l.Blocks {
		for _, s := range b.Succs {
			if l.Blocks[s] {
				continue
			}
			cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok || found != nil {
				return nil
			}
			cmp, ok := cond.Cond.(*ssa.BinOp)
			if !ok || !isParameter(cmp.X) && !isParameter(cmp.Y) {
				return nil
			}
			found = cmp
		}
	}
	return found
}

// pushesIn tells whether every round of a loop pushes to the heap.
func pushesIn(c *checker, l *uses.Loop, heap *locks.Place) bool {
	for b := range l.Blocks {
		for _, instr := range b.Instrs {
			for _, s := range c.At(instr) {
				if s.Op.Kind == heaps.Push && (s.Heap == heap || s.Heap == nil) && everyRound(l, instr) {
					return true
				}
			}
		}
	}
	return false
}

// everyRound tells whether an instruction runs in every round of a loop that comes to
// its end.
func everyRound(l *uses.Loop, instr ssa.Instruction) bool {
	for _, p := range l.Header.Preds {
		if l.Blocks[p] && p != instr.Block() && !instr.Block().Dominates(p) {
			return false
		}
	}
	return true
}

// endless reports a Pop in every round of a loop that nothing bounds, from a heap of
// the function's own that is refilled in some rounds only.
func (c *checker) endless(t taking) bool {
	fn := t.instr.Parent()
	local, ok := t.heap.Root.(*ssa.Alloc)
	if !t.pops || !ok || c.asksLength(fn, t.heap) || leavesFunction(local) {
		return false
	}
	var loop *uses.Loop
	for _, l := range uses.Loops(fn) { // the innermost
		if l.Blocks[t.instr.Block()] && (loop == nil || loop.Blocks[l.Header]) {
			loop = l
		}
	}
	if loop == nil || !everyRound(loop, t.instr) || loop.Header != t.instr.Block() || pushesIn(c, loop, t.heap) {
		return false
	}
	c.reportEmpty(t, "every round of an endless loop takes one, and nobody asks for the length")
	return true
}

// leavesFunction tells whether the address of a variable is stored: others may know
// its length.
func leavesFunction(local *ssa.Alloc) bool {
	for _, r := range *local.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == ssa.Value(local) {
				return true
			}
		case *ssa.MakeClosure, *ssa.Return:
			return true
		}
	}
	return false
}

// wrongGuard reports a taking under a test of the length that holds for an empty
// heap, or for it alone, or that asks for the length of another heap.
func (c *checker) wrongGuard(t taking) bool {
	guards := uses.Guards(t.instr)
	if len(guards) == 0 || c.pushedSince(t, guards[0].If) {
		return false
	}
	cmp, ok := guards[0].If.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	of := c.lengthOf(cmp.X)
	k, isConst := intConst(cmp.Y)
	if of == nil || !isConst {
		return false
	}
	op := cmp.Op
	if !guards[0].Holds {
		op = negated[op]
	}
	switch {
	case of != t.heap:
		other := c.atLeastOne(guards[0], of)
		if !other || !t.pops || of.Root != t.heap.Root || c.asksLength(t.instr.Parent(), t.heap) {
			return false
		}
		c.reportEmpty(t, fmt.Sprintf("the test asks for the length of %s", heapName(of, nil)), cmp)
	case op == token.GEQ && k == 0 || op == token.GTR && k < 0:
		c.reportEmpty(t, "the test holds for every length", cmp)
	case op == token.EQL && k == 0 || op == token.LEQ && k == 0 || op == token.LSS && k == 1:
		c.reportEmpty(t, "the test holds for the empty heap alone", cmp)
	default:
		return false
	}
	return true
}

// pushedSince tells whether something may be pushed to the heap between a guard and
// the taking.
func (c *checker) pushedSince(t taking, guard *ssa.If) bool {
	found := false
	uses.Instrs(t.instr.Parent(), func(instr ssa.Instruction) {
		for _, s := range c.At(instr) {
			if instr != t.instr && s.Op.Kind == heaps.Push && (s.Heap == t.heap || s.Heap == nil) && reachesWithout(instr, t.instr, guard) {
				found = true
			}
		}
	})
	return found
}

func (c *checker) atLeastOne(g uses.Guard, heap *locks.Place) bool {
	n, ok := c.atLeast(g, heap)
	return ok && n >= 1
}
