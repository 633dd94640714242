package heapuse

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/uses"
)

// boundTest tells whether a condition compares a key of the element at hand with
// something that does not change in the loop.
func (c *checker) boundTest(cond ssa.Value, w walked) bool {
	switch x := cond.(type) {
	case *ssa.UnOp:
		return x.Op == token.NOT && c.boundTest(x.X, w)
	case *ssa.BinOp:
		switch x.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			return c.keyOf(x.X, w) != c.keyOf(x.Y, w)
		}
	case *ssa.Call:
		if pkg, name := library(x); pkg == "time" && (name == "Before" || name == "After") && len(x.Call.Args) == 2 {
			return c.keyOf(x.Call.Args[0], w) != c.keyOf(x.Call.Args[1], w)
		}
	}
	return false
}

// keyOf tells whether a value is the element at hand or a field of it that the
// heap is ordered by.
func (c *checker) keyOf(v ssa.Value, w walked) bool {
	for {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			v = x.X
		case *ssa.FieldAddr:
			if !c.Keys(w.typ).Has(uses.FieldOf(x.X.Type(), x.Field)) {
				return false
			}
			v = x.X
		case *ssa.Field:
			if !c.Keys(w.typ).Has(uses.FieldOf(x.X.Type(), x.Field)) {
				return false
			}
			v = x.X
		case *ssa.IndexAddr:
			heap, _ := c.BackingOf(x.X)
			return heap == w.heap && x.Index == w.at.Index
		case *ssa.Alloc: // the loop's copy of the element
			var val ssa.Value
			for _, r := range *x.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(x) {
					val = st.Val
				}
			}
			if val == nil {
				return false
			}
			v = val
		default:
			return false
		}
	}
}

// acts tells whether the rest of a round does something that is seen outside: it
// stores, sends or calls, or collects by append.
func (c *checker) acts(from *ssa.BasicBlock, l *uses.Loop) bool {
	seen := map[*ssa.BasicBlock]bool{}
	found := false
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if seen[b] || b == l.Header || !l.Blocks[b] {
			return
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Go:
				found = true
			case *ssa.Call:
				if b, ok := x.Call.Value.(*ssa.Builtin); !ok || b.Name() == "append" {
					found = true
				}
			case *ssa.BinOp:
				// A counter that lives on over the rounds.
				for _, r := range *x.Referrers() {
					if phi, ok := r.(*ssa.Phi); ok && phi.Block() == l.Header && !ascends(phi, l) {
						found = true
					}
				}
			}
		}
		for _, s := range b.Succs {
			visit(s)
		}
	}
	visit(from)
	return found
}

// reads tells whether what follows the loop's exit uses the element at hand: the
// loop looked for it.
func (c *checker) reads(exit *ssa.BasicBlock, w walked) bool {
	for _, instr := range exit.Instrs {
		for _, op := range instr.Operands(nil) {
			if *op == w.at.Index || *op == ssa.Value(w.at) {
				return true
			}
			if u, ok := (*op).(*ssa.UnOp); ok && u.X == ssa.Value(w.at) {
				return true
			}
		}
	}
	return false
}
