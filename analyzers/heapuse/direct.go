package heapuse

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/uses"
)

// direct reports calls of a heap type's own Push and Pop where the functions of
// container/heap are meant.
func (c *checker) direct(fn *ssa.Function) {
	if outer := outermost(fn); c.MethodOf(outer) != nil || c.delegates(outer) {
		return
	}
	uses.Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			return
		}
		m := c.heapMethod(call)
		if m == nil {
			m = c.handedOn(call)
		}
		if m == nil || !m.pop && c.emptyBefore(m) || c.inOrderLater(m) || m.pop && c.clears(call) {
			return
		}
		c.reportDirect(m)
	})
}

// handedOn tells whether a call hands the method Push or Pop of a heap on as a
// function value.
func (c *checker) handedOn(call ssa.CallInstruction) *methodCall {
	for _, arg := range call.Common().Args {
		mc, ok := arg.(*ssa.MakeClosure)
		if !ok || len(mc.Bindings) != 1 {
			continue
		}
		callee, ok := c.Locks.Func(mc)
		if !ok || callee.Fn == mc.Fn { // a function literal
			continue
		}
		if m := c.method(call, callee.Fn, mc.Bindings[0]); m != nil {
			return m
		}
	}
	return nil
}

// delegates tells whether fn is a Push or Pop itself, of a type around a heap: its
// callers are then asked what they mean.
func (c *checker) delegates(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil {
		return false
	}
	sig := heaps.Signature(fn.Name())
	return sig != nil && types.Identical(types.NewSignatureType(nil, nil, nil, fn.Signature.Params(), fn.Signature.Results(), false), sig)
}

// A methodCall is a call of the method Push or Pop of a heap.
type methodCall struct {
	instr ssa.CallInstruction
	recv  ssa.Value
	typ   *heaps.Type // nil if the heap is behind an interface
	name  string      // of the type, for messages
	pop   bool
}

// heapMethod tells whether a call is one of Push or Pop on a heap.
func (c *checker) heapMethod(call ssa.CallInstruction) *methodCall {
	common := call.Common()
	if common.IsInvoke() {
		name := common.Method.Name()
		if name != "Push" && name != "Pop" || !heaps.IsInterface(common.Value.Type()) {
			return nil
		}
		return &methodCall{call, common.Value, nil, c.short(common.Value.Type()), name == "Pop"}
	}
	callee := contract.CalleeOf(call)
	if callee == nil || len(common.Args) == 0 {
		return nil
	}
	return c.method(call, callee, common.Args[0])
}

// method tells whether callee is Push or Pop of a heap, which recv is.
func (c *checker) method(call ssa.CallInstruction, callee *ssa.Function, recv ssa.Value) *methodCall {
	if callee.Signature.Recv() == nil || callee.Name() != "Push" && callee.Name() != "Pop" {
		return nil
	}
	t := c.MethodOf(callee)
	if t == nil || !types.Identical(types.NewSignatureType(nil, nil, nil, callee.Signature.Params(), callee.Signature.Results(), false), heaps.Signature(callee.Name())) {
		return nil
	}
	m := &methodCall{call, recv, t, c.short(uses.Behind(callee.Signature.Recv().Type())), callee.Name() == "Pop"}
	if len(callee.Blocks) > 0 && !c.Methods(t).Raw(!m.pop) {
		return nil
	}
	if c.ownMethod(call.Parent(), t) {
		return nil
	}
	return m
}

// ownMethod tells whether fn is a method of the heap type: those may know what
// they do.
func (c *checker) ownMethod(fn *ssa.Function, t *heaps.Type) bool {
	recv := outermost(fn).Signature.Recv()
	return recv != nil && c.Type(recv.Type()) == t && c.sifts(outermost(fn))
}

// sifts tells whether a function exchanges or compares elements by itself.
func (c *checker) sifts(fn *ssa.Function) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			return
		}
		for _, callee := range c.Locks.Callees(call.Common()) {
			name := callee.Fn.Name()
			if c.MethodOf(callee.Fn) != nil && (name == "Swap" || name == "Less") || c.MethodOf(callee.Fn) == nil && callee.Fn != fn && callee.Fn.Signature.Recv() != nil && c.sifts1(callee.Fn) {
				found = true
			}
		}
	})
	return found
}

func (c *checker) sifts1(fn *ssa.Function) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if call, ok := instr.(ssa.CallInstruction); ok {
			if callee := contract.CalleeOf(call); callee != nil && c.MethodOf(callee) != nil && (callee.Name() == "Swap" || callee.Name() == "Less") {
				found = true
			}
		}
	})
	return found
}

// inOrderLater tells whether the heap is put in order after a direct call: the bulk
// of Push calls is followed by Init, the manual removal by Fix, or the heap is
// sorted.
func (c *checker) inOrderLater(m *methodCall) bool {
	walk := uses.Walk
	if m.pop {
		walk = uses.WalkOnce
	}
	fn := m.instr.Parent()
	if c.ordersAfter(m.instr, walk, !m.pop) || c.sortedAnywhere(fn) {
		return true
	}
	for _, call := range c.Callers(outermost(fn)) {
		if call.Parent() != fn && call.Common().StaticCallee() != nil && c.ordersAfter(call, uses.Walk, true) {
			return true
		}
	}
	return false
}

func (c *checker) ordersAfter(from ssa.Instruction, walk func(ssa.Instruction, func(ssa.Instruction) bool) ssa.Instruction, push bool) bool {
	found := false
	walk(from, func(instr ssa.Instruction) bool {
		for _, s := range c.At(instr) {
			switch s.Op.Kind {
			case heaps.Init:
				found = true
			case heaps.Fix:
				found = found || !push || !uses.Dominates(instr, from)
			}
		}
		found = found || c.sorts(instr)
		return !found
	})
	return found
}

// sorts tells whether an instruction sorts something.
func (c *checker) sorts(instr ssa.Instruction) bool {
	_, ok := sortedValue(instr)
	return ok
}

// emptyBefore tells whether the heap has no elements before a Push: a single one is
// in order.
func (c *checker) emptyBefore(m *methodCall) bool {
	heap := c.Place(m.recv)
	for heap != nil && c.TypeAt(heap) == nil {
		heap = heap.Parent
	}
	if heap == nil {
		return false
	}
	for _, g := range uses.Guards(m.instr) {
		if n, ok := c.atLeast(uses.Guard{If: g.If, Holds: !g.Holds}, heap); ok && n == 1 {
			return true
		}
	}
	return false
}

// clears tells whether a Pop only empties the heap: its result is not used, and
// nothing else is in its loop.
func (c *checker) clears(call ssa.CallInstruction) bool {
	if v := call.Value(); v == nil || len(*v.Referrers()) > 0 {
		return false
	}
	for _, l := range uses.Loops(call.Parent()) {
		if l.Blocks[call.Block()] && len(l.Blocks) <= 2 {
			return true
		}
	}
	return false
}

func (c *checker) reportDirect(m *methodCall) {
	name, effect := "Push", "appends the element and leaves it there"
	if m.pop {
		name, effect = "Pop", "takes the last element, not the minimum"
	}
	d := analysis.Diagnostic{
		Pos:      m.instr.Pos(),
		Category: "direct",
		Message:  fmt.Sprintf("the method %s of %s only %s: call heap.%s", name, m.name, effect, name),
	}
	d.SuggestedFixes = c.directFix(m)
	c.emit(d)
}
