package heapiface

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
)

// source is an expression as it stands in the file.
func (m *impl) source(e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, m.pass.Fset, e); err != nil {
		return ""
	}
	return b.String()
}

// statement returns the innermost statement of a block that a position is in, and
// the function it is in.
func (m *impl) statement(pos token.Pos) ast.Stmt {
	file := fileAt(m.pass, pos)
	if file == nil || !pos.IsValid() {
		return nil
	}
	path, _ := astutil.PathEnclosingInterval(file, pos, pos)
	for i, n := range path {
		stmt, ok := n.(ast.Stmt)
		if !ok || i+1 >= len(path) {
			continue
		}
		if _, ok := path[i+1].(*ast.BlockStmt); ok {
			return stmt
		}
	}
	return nil
}

// leakFix clears the last slot before the slice is cut.
func (m *impl) leakFix(out contract.Outcome) []analysis.SuggestedFix {
	var load, store ssa.Instruction
	for _, e := range out.Effects {
		switch {
		case e.Kind == contract.LoadSlot && e.At == contract.Last:
			load = e.Instr
		case e.Kind == contract.StoreSlice:
			store = e.Instr
		}
	}
	if load == nil || store == nil || load.Parent() != m.typ.Pop || store.Parent() != m.typ.Pop {
		return nil
	}
	read, cut := m.statement(contract.Position(load)), m.statement(contract.Position(store))
	if read == nil || cut == nil || read.End() >= cut.Pos() {
		return nil
	}
	slot := indexIn(read)
	zero := m.zero(m.typ.Elem)
	if slot == nil || zero == "" {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message: "clear the slot",
		TextEdits: []analysis.TextEdit{{
			Pos: cut.Pos(), End: cut.Pos(), NewText: fmt.Appendf(nil, "%s = %s\n", m.source(slot), zero),
		}},
	}}
}

// indexIn is the one index expression of a statement, nil if it has not just one.
func indexIn(stmt ast.Stmt) *ast.IndexExpr {
	var found *ast.IndexExpr
	n := 0
	ast.Inspect(stmt, func(node ast.Node) bool {
		if x, ok := node.(*ast.IndexExpr); ok {
			found = x
			n++
		}
		return true
	})
	if n != 1 {
		return nil
	}
	return found
}

// zero is the zero value of an element type as it is written, empty if it has no
// simple form.
func (m *impl) zero(t types.Type) string {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return ""
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "nil"
	case *types.Struct:
		n, ok := types.Unalias(t).(*types.Named)
		if ok && n.Obj().Pkg() == m.pass.Pkg {
			return types.TypeString(t, types.RelativeTo(m.pass.Pkg)) + "{}"
		}
	}
	return ""
}

// swapFix adds what Swap forgets: the positions of the exchanged elements.
func (m *impl) swapFix(k contract.Keeper) []analysis.SuggestedFix {
	body := m.body(m.typ.Swap)
	if k.Field == nil || body == nil || len(body.List) == 0 {
		return nil
	}
	last, ok := body.List[len(body.List)-1].(*ast.AssignStmt)
	if !ok || len(last.Lhs) != 2 || last.Tok != token.ASSIGN {
		return nil
	}
	var slots, index [2]string
	for n, lhs := range last.Lhs {
		x, ok := lhs.(*ast.IndexExpr)
		if !ok {
			return nil
		}
		id, ok := x.Index.(*ast.Ident)
		if !ok || !isParam(m.pass.TypesInfo.ObjectOf(id), m.typ.Swap) {
			return nil
		}
		slots[n], index[n] = m.source(x), id.Name
	}
	if b, ok := k.Field.Type().(*types.Basic); !ok {
		return nil
	} else if b.Kind() != types.Int {
		index[0], index[1] = fmt.Sprintf("%s(%s)", b, index[0]), fmt.Sprintf("%s(%s)", b, index[1])
	}
	return []analysis.SuggestedFix{{
		Message: "keep the positions",
		TextEdits: []analysis.TextEdit{{
			Pos: last.End(), End: last.End(),
			NewText: fmt.Appendf(nil, "\n%s.%s, %s.%s = %s, %s\n", slots[0], k, slots[1], k, index[0], index[1]),
		}},
	}}
}

func isParam(obj types.Object, fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if p.Object() == obj && obj != nil {
			return true
		}
	}
	return false
}

// body is the body of a method in the source.
func (m *impl) body(fn *ssa.Function) *ast.BlockStmt {
	if d := declaration(fn); d != nil {
		return d.Body
	}
	return nil
}

func declaration(fn *ssa.Function) *ast.FuncDecl {
	d, _ := fn.Syntax().(*ast.FuncDecl)
	return d
}
