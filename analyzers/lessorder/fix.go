package lessorder

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/heapvet/heapvet/internal/imports"
	"github.com/heapvet/heapvet/internal/order"
)

// fixOrder proposes the strict operator for <= and >=, and the tie-break for
// a.x < b.x || a.y < b.y, if the expression at the fault has that form.
func (c *checker) fixOrder(f *order.Fault) []analysis.SuggestedFix {
	expr := c.binary(f.Pos)
	if expr == nil {
		return nil
	}
	switch expr.Op {
	case token.LEQ, token.GEQ:
		if f.Property != order.Irreflexive {
			return nil
		}
		strict := token.LSS
		if expr.Op == token.GEQ {
			strict = token.GTR
		}
		return []analysis.SuggestedFix{{
			Message:   "Compare strictly",
			TextEdits: []analysis.TextEdit{{Pos: expr.OpPos, End: expr.OpPos + 2, NewText: []byte(strict.String())}},
		}}
	case token.LOR:
		if f.Property == order.Asymmetric {
			return c.fixChain(expr)
		}
	}
	return nil
}

// fixChain inserts the missing equalities: x || y || z becomes
// x || eqx && y || eqx && eqy && z, where x orders by a key and eqx says that the key
// is the same in both. All of them must be plain comparisons.
func (c *checker) fixChain(or *ast.BinaryExpr) []analysis.SuggestedFix {
	var edits []analysis.TextEdit
	equal := ""
	terms := disjuncts(or)
	for i, t := range terms {
		eq := c.equality(t)
		if eq == "" {
			return nil
		}
		if i > 0 {
			edits = append(edits, analysis.TextEdit{Pos: t.Pos(), End: t.Pos(), NewText: []byte(equal)})
		}
		equal += eq + " && "
	}
	message := "Decide ties only by the second key"
	if len(terms) > 2 {
		message = "Decide ties only by the next key"
	}
	return []analysis.SuggestedFix{{Message: message, TextEdits: edits}}
}

// disjuncts are the operands of a chain of ||.
func disjuncts(e ast.Expr) []ast.Expr {
	if or, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && or.Op == token.LOR {
		return append(disjuncts(or.X), disjuncts(or.Y)...)
	}
	return []ast.Expr{e}
}

// equality writes that the keys are equal that a strict comparison orders by: of
// x < y, x == y, and of x.Before(y) for times, x.Equal(y). It is empty for other
// expressions.
func (c *checker) equality(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.LSS || e.Op == token.GTR {
			return c.source(e.X) + " == " + c.source(e.Y)
		}
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		if fn, ok := c.pass.TypesInfo.Uses[sel.Sel].(*types.Func); ok && len(e.Args) == 1 {
			switch fn.FullName() {
			case "(time.Time).Before", "(time.Time).After":
				return c.source(sel.X) + ".Equal(" + c.source(e.Args[0]) + ")"
			}
		}
	}
	return ""
}

// binary finds the binary expression to mend at pos: the expression whose
// operator stands there, the one that is returned by the statement there, or the
// disjunction that the expression there belongs to.
func (c *checker) binary(pos token.Pos) *ast.BinaryExpr {
	file := c.file(pos)
	if file == nil {
		return nil
	}
	path, _ := astutil.PathEnclosingInterval(file, pos, pos+1)
	var found *ast.BinaryExpr
	for _, n := range path {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if found == nil || n.Op == token.LOR {
				found = n
			}
		case *ast.ReturnStmt:
			if found == nil && len(n.Results) == 1 {
				found, _ = ast.Unparen(n.Results[0]).(*ast.BinaryExpr)
			}
			return found
		case ast.Stmt, ast.Decl:
			return found
		}
	}
	return found
}

func (c *checker) file(pos token.Pos) *ast.File {
	for _, f := range c.pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

func (c *checker) source(e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, c.pass.Fset, e); err != nil {
		return ""
	}
	return b.String()
}

// fixDifference replaces "x-y < 0" by "x < y", and a returned "x - y" or
// "int(x - y)" by cmp.Compare(x, y).
func (c *checker) fixDifference(d *order.Difference) []analysis.SuggestedFix {
	file := c.file(d.Pos)
	if file == nil {
		return nil
	}
	path, _ := astutil.PathEnclosingInterval(file, d.Pos, d.Pos+1)
	var diff *ast.BinaryExpr
	var whole ast.Expr // the difference with the conversions around it
	for _, n := range path {
		switch n := n.(type) {
		case *ast.ParenExpr:
			if diff != nil {
				whole = n
			}
		case *ast.CallExpr:
			if diff == nil || len(n.Args) != 1 || !c.pass.TypesInfo.Types[n.Fun].IsType() {
				return nil
			}
			whole = n
		case *ast.BinaryExpr:
			if n.Op == token.SUB && diff == nil {
				diff, whole = n, n
				continue
			}
			if diff == nil || n.X != whole {
				return nil
			}
			return c.fixComparison(n, diff)
		case *ast.ReturnStmt:
			if diff == nil || len(n.Results) != 1 || n.Results[0] != whole {
				return nil
			}
			return c.fixReturn(file, whole, diff)
		case ast.Stmt:
			return nil
		}
	}
	return nil
}

func (c *checker) fixComparison(cmp, diff *ast.BinaryExpr) []analysis.SuggestedFix {
	zero, ok := cmp.Y.(*ast.BasicLit)
	if !ok || zero.Value != "0" {
		return nil
	}
	text := c.source(diff.X) + " " + cmp.Op.String() + " " + c.source(diff.Y)
	return []analysis.SuggestedFix{{
		Message:   "Compare the values",
		TextEdits: []analysis.TextEdit{{Pos: cmp.Pos(), End: cmp.End(), NewText: []byte(text)}},
	}}
}

func (c *checker) fixReturn(file *ast.File, whole ast.Expr, diff *ast.BinaryExpr) []analysis.SuggestedFix {
	name, edits := imports.Use(c.pass.Pkg, file, whole.Pos(), "cmp")
	if name == "" {
		return nil
	}
	text := name + ".Compare(" + c.source(diff.X) + ", " + c.source(diff.Y) + ")"
	return []analysis.SuggestedFix{{
		Message:   "Use cmp.Compare",
		TextEdits: append(edits, analysis.TextEdit{Pos: whole.Pos(), End: whole.End(), NewText: []byte(text)}),
	}}
}
