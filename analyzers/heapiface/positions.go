package heapiface

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
)

// use returns an operation that takes its index from k, nil if there is none in
// sight.
func (m *impl) use(k contract.Keeper) *heaps.Op {
	mapField := contract.MapField(m.typ.Swap, k.Map)
	for _, op := range m.pkg.Ops {
		if op.Index == nil || skipped(m.pass, op.Instr.Pos()) && !skipped(m.pass, m.typ.Obj.Pos()) {
			continue
		}
		field, table := contract.IndexSource(op.Index)
		if k.Field != nil && field == k.Field || k.Field == nil && table != nil && table == mapField {
			return op
		}
	}
	return nil
}

// membershipTest returns a comparison of the field with -1 or 0 outside the methods
// of the heap types, by which a function asks whether an element is in the heap.
func (m *impl) membershipTest(k contract.Keeper) ssa.Instruction {
	for _, fn := range m.pkg.IR.Funcs {
		if m.pkg.Method(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				cmp, ok := instr.(*ssa.BinOp)
				if !ok || !isComparison(cmp.Op) || skipped(m.pass, contract.Position(cmp)) {
					continue
				}
				field, _ := contract.IndexSource(cmp.X)
				if c, ok := cmp.Y.(*ssa.Const); ok && field == k.Field && asksAbsence(cmp.Op, c) {
					return cmp
				}
			}
		}
	}
	return nil
}

func isComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// asksAbsence tells whether a position is compared with -1, in one of its forms.
func asksAbsence(op token.Token, c *ssa.Const) bool {
	if c.Value == nil || c.Value.Kind() != constant.Int {
		return false
	}
	n, _ := constant.Int64Val(c.Value)
	switch op {
	case token.EQL, token.NEQ, token.GTR, token.LEQ:
		return n == -1
	}
	return n == 0
}

// invalidatedByCallers tells whether a function that pops or removes stores to the
// field itself.
func (m *impl) invalidatedByCallers(k contract.Keeper) bool {
	for _, op := range m.pkg.Ops {
		if (op.Kind == heaps.Pop || op.Kind == heaps.Remove) && storesTo(op.Instr.Parent(), k.Field) {
			return true
		}
	}
	return false
}

// storesTo tells whether fn stores to a field.
func storesTo(fn *ssa.Function, f *types.Var) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if st, ok := instr.(*ssa.Store); ok && contract.StoredField(st) == f {
				return true
			}
		}
	}
	return false
}
