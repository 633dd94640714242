package heapuse

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// atLeast tells which least length of the heap a guard establishes; ok is false if
// the guard does not compare its length with a constant.
func (c *checker) atLeast(g uses.Guard, heap *locks.Place) (n int64, ok bool) {
	cmp, isCmp := g.If.Cond.(*ssa.BinOp)
	if !isCmp {
		return 0, false
	}
	op, k, isConst := cmp.Op, int64(0), false
	length := cmp.X
	if k, isConst = intConst(cmp.Y); !isConst {
		if k, isConst = intConst(cmp.X); !isConst {
			return 0, false
		}
		op, length = mirrored[op], cmp.Y
	}
	if !c.isLength(length, heap) {
		return 0, false
	}
	if !g.Holds {
		op = negated[op]
	}
	switch op {
	case token.GTR:
		return k + 1, true
	case token.GEQ, token.EQL:
		return k, true
	case token.NEQ:
		if k == 0 {
			return 1, true
		}
	}
	return 0, true
}

func intConst(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR, token.GEQ: token.LEQ, token.GTR: token.LSS, token.LEQ: token.GEQ,
}

// asksLength tells whether a function takes the length of the heap anywhere, itself
// or through a method of the heap's owner.
func (c *checker) asksLength(fn *ssa.Function, heap *locks.Place) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		call, ok := instr.(*ssa.Call)
		if !ok || found {
			return
		}
		if c.lengthOf(call) == heap {
			found = true
			return
		}
		// Whatever else is told of the heap, or of its owner, may answer.
		for _, callee := range c.Locks.Callees(call.Common()) {
			for _, v := range callee.Vals {
				p := c.Place(v)
				if p == nil || callee.Fn.Signature.Results().Len() == 0 {
					continue
				}
				if _, below := heap.From(p); (p == heap || below) && c.takesLength(callee.Fn) {
					found = true
				}
			}
		}
	})
	return found
}

// takesLength tells whether a function asks for any heap's length.
func (c *checker) takesLength(fn *ssa.Function) bool {
	found := false
	uses.Instrs(fn, func(instr ssa.Instruction) {
		if call, ok := instr.(*ssa.Call); ok {
			found = found || c.lengthOf(call) != nil
		}
	})
	return found
}
