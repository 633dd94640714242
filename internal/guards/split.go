package guards

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// A splitter looks for decisions that are taken in one critical section and acted
// upon in a later one, in a function: the heap was not empty, the key was not there,
// this was its index. In between the lock is free and anybody may have made it
// wrong. A test in the later section, of whatever it may be, makes it right.
type splitter struct {
	j    *judge
	loc  *Location
	fn   *ssa.Function
	held map[ssa.Instruction][]locks.Held
	lock ssa.Instruction // where the section of the operation starts
	op   *heaps.Op
	obj  *locks.Place
}

// splits finds the operations of guarded heaps that act on an earlier section.
func (j *judge) splits(locations []*Location) []*Violation {
	var found []*Violation
	cache := map[*ssa.Function]map[ssa.Instruction][]locks.Held{}
	for _, l := range locations {
		if l.Guard == nil {
			continue
		}
		for _, c := range l.Contexts {
			must, _ := l.Holds(j.a, l.Guard, c)
			if must == 0 || c.Private || c.exempt || c.Effect != locks.Operates || len(c.Trace) != 1 {
				continue
			}
			fn := c.Trace[0].Fn
			if cache[fn] == nil {
				cache[fn] = j.a.HeldAt(fn)
			}
			s := &splitter{j: j, loc: l, fn: fn, held: cache[fn], obj: c.Object}
			if !s.locate(c) {
				continue
			}
			if why := s.split(); why != token.NoPos {
				found = append(found, &Violation{Rule: "split", Location: l, Guard: l.Guard, Context: c, Pos: c.Trace[0].At, Decided: why})
			}
		}
	}
	return found
}

// locate finds the operation and the instruction that starts its section.
func (s *splitter) locate(c *Context) bool {
	guard := s.guard()
	var at token.Pos
	for _, h := range c.Held {
		if h.Place == guard {
			at = h.At
		}
	}
	for _, b := range s.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if call.Pos() == at {
				s.lock = call
			}
			if op := s.j.a.Heaps().Op(call); op != nil && locks.Pos(call) == c.Trace[0].At {
				s.op = op
			}
		}
	}
	return s.lock != nil && s.op != nil && dominates(s.lock, s.op.Instr)
}

func (s *splitter) guard() *locks.Place {
	if s.loc.Guard.Place != nil {
		return s.loc.Guard.Place
	}
	return s.j.a.Append(s.obj, s.loc.Guard.Path)
}

// split returns the position of the earlier decision, NoPos if there is none.
func (s *splitter) split() token.Pos {
	if s.testedInside() {
		return token.NoPos
	}
	if s.op.Kind == heaps.Fix || s.op.Kind == heaps.Remove {
		if load, ok := s.op.Index.(*ssa.UnOp); ok && s.earlier(load) {
			return load.Pos()
		}
	}
	for _, b := range s.fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !b.Dominates(s.lock.Block()) || b == s.lock.Block() || !s.decides(branch) {
			continue
		}
		if pos := s.readBefore(branch.Cond, 0); pos != token.NoPos {
			return pos
		}
	}
	return token.NoPos
}

// testedInside tells whether a branch between the start of the section and the
// operation tests something that it reads there.
func (s *splitter) testedInside() bool {
	for _, b := range s.fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b == s.op.Instr.Block() || !b.Dominates(s.op.Instr.Block()) {
			continue
		}
		if dominates(s.lock, branch) {
			return true
		}
	}
	return false
}

// decides tells whether the section is reached on one side of the branch only.
func (s *splitter) decides(branch *ssa.If) bool {
	for _, succ := range branch.Block().Succs {
		if !reaches(succ, s.lock.Block(), branch.Block()) {
			return true
		}
	}
	return false
}

// readBefore finds, among what a condition is made of, a read of what the guard
// guards: by a call that locks it, or in an earlier section of this function.
func (s *splitter) readBefore(v ssa.Value, depth int) token.Pos {
	if depth > 8 {
		return token.NoPos
	}
	switch v := v.(type) {
	case *ssa.Call:
		return s.callReads(v)
	case *ssa.UnOp:
		if v.Op == token.MUL && s.earlier(v) {
			return v.Pos()
		}
		return s.readBefore(v.X, depth+1)
	case *ssa.BinOp:
		if p := s.readBefore(v.X, depth+1); p != token.NoPos {
			return p
		}
		return s.readBefore(v.Y, depth+1)
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok && s.earlier(l) && s.readOnly(l) {
			return l.Pos()
		}
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return s.callReads(call)
		}
	case *ssa.Lookup:
		if s.earlier(v) && s.readOnly(v) {
			return v.Pos()
		}
	}
	return token.NoPos
}

// earlier tells whether a read was made under the guard, in a section before that
// of the operation.
func (s *splitter) earlier(read ssa.Instruction) bool {
	if !dominates(read, s.lock) {
		return false
	}
	for _, h := range s.held[read] {
		if h.Place == s.guard() {
			return true
		}
	}
	return false
}

// readOnly tells whether the section of a map lookup leaves the map alone. One that
// puts the key in claims it: what follows is right.
func (s *splitter) readOnly(l *ssa.Lookup) bool {
	m := s.j.a.Places().Of(l.X)
	for _, b := range s.fn.Blocks {
		for _, instr := range b.Instrs {
			if up, ok := instr.(*ssa.MapUpdate); ok && s.j.a.Places().Of(up.Map) == m && dominates(instr, s.lock) {
				return false
			}
		}
	}
	return true
}

// callReads tells whether a call before the section asks for the state of the heap:
// it reads the heap, and nothing else, under the guard that it takes itself, or loads
// a counter of the owner's that changes under the guard.
func (s *splitter) callReads(call *ssa.Call) token.Pos {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
		return s.readBefore(call.Call.Args[0], 1)
	}
	if !dominates(call, s.lock) || s.op.Kind == heaps.Push {
		return token.NoPos
	}
	if s.loadsCounter(call, 0) {
		return call.Pos()
	}
	reads := false
	for _, acc := range s.j.a.AccessesAt(call) {
		obj := s.objectOf(acc.Place)
		if obj != s.obj {
			continue
		}
		if acc.Effect != locks.Reads {
			return token.NoPos
		}
		for _, h := range acc.Held {
			reads = reads || h.Place == s.guard()
		}
	}
	if reads {
		return call.Pos()
	}
	return token.NoPos
}

func (s *splitter) objectOf(p *locks.Place) *locks.Place {
	for _, obj := range p.Ancestors() {
		if obj == s.obj {
			return obj
		}
	}
	return nil
}

// loadsCounter tells whether a call reads an atomic field of the heap's owner,
// itself or in a method that does only that.
func (s *splitter) loadsCounter(call *ssa.Call, depth int) bool {
	callee := call.Call.StaticCallee()
	if callee == nil || depth > 2 || len(call.Call.Args) == 0 {
		return false
	}
	if obj, _ := callee.Object().(*types.Func); obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "sync/atomic" {
		if obj.Name() != "Load" {
			return false
		}
		addr, ok := call.Call.Args[0].(*ssa.FieldAddr)
		return ok && s.counts(locks.Field(addr)) && (depth > 0 || s.ofOwner(addr.X))
	}
	if depth == 0 && !s.ofOwner(call.Call.Args[0]) {
		return false
	}
	if len(callee.Blocks) != 1 {
		return false
	}
	for _, instr := range callee.Blocks[0].Instrs {
		if inner, ok := instr.(*ssa.Call); ok && s.loadsCounter(inner, depth+1) {
			return true
		}
	}
	return false
}

func (s *splitter) ofOwner(v ssa.Value) bool { return s.j.a.Places().Of(v) == s.obj }

// counts tells whether the function changes the field after the operation: then it
// goes with the heap.
func (s *splitter) counts(f *types.Var) bool {
	for _, b := range s.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || len(call.Call.Args) == 0 || !dominates(s.lock, call) {
				continue
			}
			addr, ok := call.Call.Args[0].(*ssa.FieldAddr)
			callee := call.Call.StaticCallee()
			if ok && callee != nil && locks.Field(addr) == f && (callee.Name() == "Add" || callee.Name() == "Store") {
				return true
			}
		}
	}
	return false
}

// dominates tells whether every path to b passes a first.
func dominates(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, instr := range a.Block().Instrs {
		if instr == a {
			return true
		}
		if instr == b {
			return false
		}
	}
	return false
}

// reaches tells whether there is a path between two blocks that does not pass the
// block without.
func reaches(from, to, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{without: true}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}
