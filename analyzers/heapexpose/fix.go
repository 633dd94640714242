package heapexpose

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/heapvet/heapvet/internal/expose"
	"github.com/heapvet/heapvet/internal/imports"
)

// fix copies the value where the source hands it on.
func fix(pass *analysis.Pass, c *expose.Copy) []analysis.SuggestedFix {
	if c == nil {
		return nil
	}
	file := fileAt(pass, c.Pos)
	if file == nil || !hasClone(pass, file) {
		return nil
	}
	e := expression(pass, file, c)
	if e == nil || !plain(pass.TypesInfo.TypeOf(e)) {
		return nil
	}
	pkg, fn := path.Split(strings.Replace(c.Func, ".", "/", 1))
	name, edits := imports.Use(pass.Pkg, file, e.Pos(), path.Clean(pkg))
	if name == "" {
		return nil
	}
	edits = append(edits,
		analysis.TextEdit{Pos: e.Pos(), End: e.Pos(), NewText: []byte(name + "." + fn + "(")},
		analysis.TextEdit{Pos: e.End(), End: e.End(), NewText: []byte(")")})
	return []analysis.SuggestedFix{{Message: "Copy it by " + c.Func, TextEdits: edits}}
}

func fileAt(pass *analysis.Pass, pos token.Pos) *ast.File {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// hasClone tells whether the file's version of Go has packages slices and maps.
func hasClone(pass *analysis.Pass, file *ast.File) bool {
	v := pass.TypesInfo.FileVersions[file]
	return v == "" || version.Compare(v, "go1.21") >= 0
}

// plain tells whether a value of the type can be copied as it stands: it is a slice or
// a map and not something that only a type parameter says is one.
func plain(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// expression finds the expression to copy.
func expression(pass *analysis.Pass, file *ast.File, c *expose.Copy) ast.Expr {
	nodes, _ := astutil.PathEnclosingInterval(file, c.Pos, c.Pos)
	for _, n := range nodes {
		if e, known := handedOn(n, c); known {
			return named(pass, e, c.Var)
		}
	}
	return nil
}

// handedOn is the expression that a node hands on. known is false for nodes that say
// nothing of it: then those around it may.
func handedOn(n ast.Node, c *expose.Copy) (e ast.Expr, known bool) {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		return n.Value, true
	case *ast.CompositeLit:
		for _, elt := range n.Elts {
			if elt.Pos() == c.Pos {
				return elt, true
			}
		}
	case *ast.ReturnStmt:
		if c.Result < len(n.Results) {
			return n.Results[c.Result], true
		}
		return nil, true
	case *ast.SendStmt:
		return n.Value, true
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "append" && n.Lparen == c.Pos {
			return appended(n, c.Base), true
		}
	case *ast.AssignStmt:
		return assigned(n, c.Pos), true
	case *ast.ValueSpec:
		if len(n.Values) == 1 {
			return n.Values[0], true
		}
		return nil, true
	case ast.Stmt:
		return nil, true
	}
	return nil, false
}

// appended is the first argument of an append, or the one that it adds if that is one.
func appended(call *ast.CallExpr, base bool) ast.Expr {
	switch {
	case base && len(call.Args) > 0:
		return call.Args[0]
	case !base && len(call.Args) == 2 && !call.Ellipsis.IsValid():
		return call.Args[1]
	}
	return nil
}

// assigned is the expression on the right of an assignment that belongs to pos.
func assigned(n *ast.AssignStmt, pos token.Pos) ast.Expr {
	if n.Tok != token.ASSIGN && n.Tok != token.DEFINE || len(n.Lhs) != len(n.Rhs) {
		return nil
	}
	for i := range n.Lhs {
		for _, e := range []ast.Expr{n.Lhs[i], n.Rhs[i]} {
			if e.Pos() <= pos && pos < e.End() {
				return n.Rhs[i]
			}
		}
	}
	if len(n.Rhs) == 1 {
		return n.Rhs[0]
	}
	return nil
}

// named returns e, or, if the variable v is to be copied, the place in e where it
// stands by itself or as the value of a literal's element: nil if that is not one.
func named(pass *analysis.Pass, e ast.Expr, v types.Object) ast.Expr {
	if v == nil || e == nil {
		return e
	}
	switch x := e.(type) {
	case *ast.Ident:
		if pass.TypesInfo.Uses[x] == v {
			return x
		}
	case *ast.ParenExpr:
		return named(pass, x.X, v)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return named(pass, x.X, v)
		}
	case *ast.CallExpr:
		if len(x.Args) == 1 && pass.TypesInfo.Types[x.Fun].IsType() {
			return named(pass, x.Args[0], v)
		}
	case *ast.CompositeLit:
		var found ast.Expr
		for _, elt := range x.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			if in := named(pass, elt, v); in != nil {
				if found != nil {
					return nil
				}
				found = in
			}
		}
		return found
	}
	return nil
}
