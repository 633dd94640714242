package lessorder

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/order"
)

// nan reports a floating-point key without a rule for NaN, where the package
// itself makes or tests for one.
func (c *checker) nan(cmp order.Comparator, r *order.Result) {
	f := r.NaN
	if f == nil || !f.Pos.IsValid() {
		return
	}
	where, what := c.makesNaN(f.Fields)
	key := "an element"
	if len(f.Fields) > 0 {
		key = f.Fields[0].Name()
	} else {
		where, what = c.pushesNaN(cmp.Heap)
	}
	if !where.IsValid() {
		return
	}
	lacks := "has no place for NaN"
	if f.Property == order.Irreflexive || f.Property == order.Asymmetric {
		lacks = "has no rule for two NaN"
	}
	c.pass.Report(analysis.Diagnostic{
		Pos:      f.Pos,
		Category: "nan",
		Message:  fmt.Sprintf("%s %s, and %s can be NaN: %s; compare by cmp.Less, or put NaN at one end", nameOf(cmp.Fn), lacks, key, explain(callName(cmp), f)),
		Related:  []analysis.RelatedInformation{{Pos: where, Message: what}},
	})
}

// makesNaN finds a place where the package stores NaN in one of the fields, or
// asks whether one is NaN.
func (c *checker) makesNaN(fields []*types.Var) (token.Pos, string) {
	is := func(addr ssa.Value) bool {
		fa, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		for _, f := range fields {
			if order.FieldOf(fa).Origin() == f.Origin() {
				return true
			}
		}
		return false
	}
	for _, fn := range c.heaps.IR.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Store:
					if is(in.Addr) && isNaN(in.Val, 0) {
						return in.Pos(), "NaN is stored here"
					}
				case *ssa.Call:
					if callsMath(in, "IsNaN") && !c.filters(in) {
						if load, ok := in.Call.Args[0].(*ssa.UnOp); ok && is(load.X) {
							return in.Pos(), "it is tested for NaN here"
						}
					}
				}
			}
		}
	}
	return token.NoPos, ""
}

// pushesNaN finds a push of NaN into a heap of numbers.
func (c *checker) pushesNaN(t *heaps.Type) (token.Pos, string) {
	for _, op := range c.heaps.Ops {
		if op.Kind == heaps.Push && op.Elem != nil && t != nil && c.heaps.Type(op.Heap.Type()) == t && isNaN(op.Elem, 0) {
			return op.Instr.Pos(), "NaN is pushed here"
		}
	}
	return token.NoPos, ""
}

// filters tells whether a test for NaN keeps it out of a heap: something is pushed
// where the test fails, and nothing where it holds.
func (c *checker) filters(test *ssa.Call) bool {
	for _, r := range *test.Referrers() {
		branch, ok := r.(*ssa.If)
		if !ok {
			continue
		}
		succs := branch.Block().Succs
		if c.pushesFrom(succs[1]) && !c.pushesFrom(succs[0]) {
			return true
		}
	}
	return false
}

// pushesFrom tells whether b, or a block that it dominates, pushes to a heap.
func (c *checker) pushesFrom(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		if call, ok := in.(ssa.CallInstruction); ok {
			if op := c.heaps.Op(call); op != nil && op.Kind == heaps.Push {
				return true
			}
		}
	}
	for _, d := range b.Dominees() {
		if c.pushesFrom(d) {
			return true
		}
	}
	return false
}

func isNaN(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Call:
		return callsMath(v, "NaN")
	case *ssa.Phi:
		for _, e := range v.Edges {
			if depth < 4 && isNaN(e, depth+1) {
				return true
			}
		}
	}
	return false
}

func callsMath(call *ssa.Call, name string) bool {
	callee := call.Call.StaticCallee()
	return callee != nil && callee.Pkg != nil && callee.Pkg.Pkg.Path() == "math" && callee.Name() == name
}
