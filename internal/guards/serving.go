package guards

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// servesFor tells whether the goroutine serves the object for good (an event loop),
// and the use is where anybody may get to meanwhile, with nothing that tells when.
//
// An object whose constructor starts the loop has it running at any use. If a method
// such as Start does, only exported methods of the object count; those that fill the
// heap may come before, those that look at it or take from it come after, if others
// reach the loop by a channel.
func (j *judge) servesFor(l *Location, home, c *Context) bool {
	if home.Object.Parent != nil || c.Spawn == home.Spawn || c.Spawn != nil && l.Owner != nil && !elsewhere(c.Spawn) || !loops(home) {
		return false
	}
	running := j.running(home.Spawn.Instr)
	if running[c.Root] || c.Root == home.Spawn.Fn && l.Owner != nil || j.settled(l, c, 0) {
		return false
	}
	if j.bornRunning(home, l) {
		return j.fromOutside(c)
	}
	return c.Spawn == nil && methodOf(l, c) && !fills(c) && j.reachedByChannel(l, running)
}

// fromOutside tells whether the use is of an object that is not the function's own.
func (j *judge) fromOutside(c *Context) bool {
	switch c.Object.Root.(type) {
	case *ssa.Parameter, *ssa.Global:
		return true
	}
	return c.Spawn != nil
}

// methodOf tells whether the use is entered by an exported method of the heap's owner,
// on its receiver.
func methodOf(l *Location, c *Context) bool {
	recv := c.Root.Signature.Recv()
	return recv != nil && token.IsExported(c.Root.Name()) && typeName(recv.Type()) == l.Owner &&
		c.Object.Parent == nil && c.Object.Root == c.Root.Params[0]
}

// delegates tells whether the use is in code that the goroutine starts, or has called
// later by a timer, and that nothing waits for.
func (j *judge) delegates(l *Location, home, c *Context) bool {
	if c.Spawn == nil || c.Spawn == home.Spawn || !elsewhere(c.Spawn) || home.Object.Parent != nil || c.Object.Parent != nil || !loops(home) {
		return false
	}
	call, ok := c.Spawn.Instr.(ssa.CallInstruction)
	if !ok || !j.running(home.Spawn.Instr)[c.Spawn.Fn] || j.settled(l, c, 1) {
		return false
	}
	signals := j.signals(call)
	waited := false
	uses.Walk(call, func(instr ssa.Instruction) bool {
		waited = waited || j.joins(instr, signals)
		return !waited
	})
	return !waited
}

// loops tells whether the goroutine uses the heap in a loop that waits for events: it
// receives, or sleeps.
func loops(c *Context) bool {
	for _, fr := range c.Trace[1:] {
		use := instrAt(fr.Fn, fr.At)
		if use == nil {
			continue
		}
		for _, loop := range uses.Loops(fr.Fn) {
			if loop.Blocks[use.Block()] && waitsForEvents(loop) {
				return true
			}
		}
	}
	return false
}

func waitsForEvents(loop *uses.Loop) bool {
	for b := range loop.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					return true
				}
			case *ssa.Select:
				if slices.ContainsFunc(instr.States, func(st *ssa.SelectState) bool { return st.Dir == types.RecvOnly }) {
					return true
				}
			case *ssa.Call:
				if fn := instr.Call.StaticCallee(); fn != nil && fn.String() == "time.Sleep" {
					return true
				}
			}
		}
	}
	return false
}

// settled tells whether something before the use, in a step of its trace or further on,
// may say that the goroutine does not run, or does not use the heap: a channel, a wait,
// a lock, or a test of the owner's state.
func (j *judge) settled(l *Location, c *Context, step int) bool {
	for _, fr := range c.Trace[step:] {
		use := instrAt(fr.Fn, fr.At)
		if use == nil {
			return true
		}
		settled := false
		uses.Instrs(fr.Fn, func(instr ssa.Instruction) {
			settled = settled || instr != use && j.synchronizes(instr) && uses.Reaches(instr, use)
		})
		if settled || slices.ContainsFunc(uses.Guards(use), func(g uses.Guard) bool { return j.testsState(l, g.If.Cond, 0) }) {
			return true
		}
	}
	return false
}

func (j *judge) synchronizes(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Select, *ssa.Send:
		return true
	case *ssa.Call:
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "close"
		}
		if named(&instr.Call, "Wait", "Join", "Stop", "Close", "Shutdown") {
			return true
		}
		for _, fn := range j.a.Targets(&instr.Call) {
			if r := j.a.Reach(fn); r.Waits || len(r.Takes) > 0 || r.Unknown {
				return true
			}
		}
	}
	return false
}

// testsState tells whether a condition depends on a field other than the heap, or on
// an answer that a call gives.
func (j *judge) testsState(l *Location, v ssa.Value, depth int) bool {
	if depth > 6 {
		return true
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return j.testsState(l, v.X, depth+1) || j.testsState(l, v.Y, depth+1)
	case *ssa.UnOp:
		if addr, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			p := j.a.Places().Of(addr)
			return p == nil || !partOfHeap(l, p)
		}
		return j.testsState(l, v.X, depth+1)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			return j.testsState(l, v.Call.Args[0], depth+1)
		}
		return !slices.ContainsFunc(v.Call.Args, func(arg ssa.Value) bool {
			p := j.a.Places().Of(arg)
			return p != nil && partOfHeap(l, p)
		})
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return j.testsState(l, e, depth+1) })
	}
	return false
}

// partOfHeap tells whether a place is the heap, or in it.
func partOfHeap(l *Location, p *locks.Place) bool {
	return slices.ContainsFunc(p.Ancestors(), func(q *locks.Place) bool { return l.objectIn(q) != nil })
}

// bornRunning tells whether the goroutine is started while the object is made: by a
// function that made it, or by one that such a function calls with it.
func (j *judge) bornRunning(home *Context, l *Location) bool {
	if l.Owner == nil {
		_, global := l.Var.(*ssa.Global)
		return !global || strings.HasPrefix(home.Spawn.Fn.Name(), "init")
	}
	if _, param := home.Object.Root.(*ssa.Parameter); !param {
		return true
	}
	for _, fn := range j.a.Heaps().IR.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				for _, callee := range j.a.Callees(&call.Call) {
					if callee.Fn == home.Spawn.Fn && newObject(j.a.Bind(home.Object, callee), l) {
						return true
					}
				}
			}
		}
	}
	return false
}

// newObject tells whether a place is a new object of the owner's type.
func newObject(p *locks.Place, l *Location) bool {
	if p == nil || p.Parent != nil || p.Named() != l.Owner {
		return false
	}
	_, ok := p.Root.(*ssa.Alloc)
	return ok
}

// fills tells whether the use puts an element into the heap, or sets it up.
func fills(c *Context) bool {
	return c.Effect == locks.Writes || c.What == "heap.Push" || c.What == "heap.Init"
}

// reachedByChannel tells whether an exported method of the owner sends on a channel in
// a field of it from which the goroutine receives.
func (j *judge) reachedByChannel(l *Location, running map[*ssa.Function]bool) bool {
	received := map[*types.Var]bool{}
	for fn := range running {
		uses.Instrs(fn, func(instr ssa.Instruction) {
			for _, ch := range channels(instr, types.RecvOnly) {
				if f := j.field(ch); f != nil {
					received[f] = true
				}
			}
		})
	}
	for _, fn := range j.a.Heaps().IR.Funcs {
		recv := fn.Signature.Recv()
		if recv == nil || !token.IsExported(fn.Name()) || typeName(recv.Type()) != l.Owner || running[fn] {
			continue
		}
		sends := false
		uses.Instrs(fn, func(instr ssa.Instruction) {
			for _, ch := range channels(instr, types.SendOnly) {
				sends = sends || received[j.field(ch)]
			}
		})
		if sends {
			return true
		}
	}
	return false
}

// channels are the channels that an instruction sends on or receives from.
func channels(instr ssa.Instruction, dir types.ChanDir) []ssa.Value {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op == token.ARROW && dir == types.RecvOnly {
			return []ssa.Value{instr.X}
		}
	case *ssa.Send:
		if dir == types.SendOnly {
			return []ssa.Value{instr.Chan}
		}
	case *ssa.Select:
		var list []ssa.Value
		for _, st := range instr.States {
			if st.Dir == dir {
				list = append(list, st.Chan)
			}
		}
		return list
	}
	return nil
}

// field is the field that a value is loaded from, nil if it is none.
func (j *judge) field(v ssa.Value) *types.Var {
	if p := j.a.Places().Of(v); p != nil {
		return p.Field
	}
	return nil
}
