package heapuse

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/heapvet/heapvet/internal/heaps"
)

// directFix replaces h.Push(x) by heap.Push(h, x) and h.Pop() by heap.Pop(h).
func (c *checker) directFix(m *methodCall) []analysis.SuggestedFix {
	file := c.file(m.instr.Pos())
	if file == nil {
		return nil
	}
	call := callAt(file, m)
	if call == nil {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || call.Fun != ast.Expr(sel) {
		return nil
	}
	pkg := c.heapPackage(file, call)
	amp, ok := c.addressing(sel.X)
	if pkg == "" || !ok {
		return nil
	}
	name, rest := "Push", ", "
	end := call.Lparen + 1
	if m.pop {
		name, rest, end = "Pop", "", call.Rparen
	}
	return []analysis.SuggestedFix{{
		Message: fmt.Sprintf("call %s.%s", pkg, name),
		TextEdits: []analysis.TextEdit{
			{Pos: sel.X.Pos(), End: sel.X.Pos(), NewText: fmt.Appendf(nil, "%s.%s(%s", pkg, name, amp)},
			{Pos: sel.X.End(), End: end, NewText: []byte(rest)},
		},
	}}
}

// callAt is the call in the source that an instruction was made from.
func callAt(file *ast.File, m *methodCall) *ast.CallExpr {
	path, _ := astutil.PathEnclosingInterval(file, m.instr.Pos(), m.instr.Pos())
	for _, n := range path {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == m.instr.Pos() {
			return call
		}
	}
	return nil
}

// heapPackage is the name by which a file knows container/heap at a node, empty if
// it does not.
func (c *checker) heapPackage(file *ast.File, at ast.Node) string {
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || path != "container/heap" {
			continue
		}
		name := "heap"
		if spec.Name != nil {
			name = spec.Name.Name
		}
		scope := c.pass.Pkg.Scope().Innermost(at.Pos())
		if scope == nil {
			return ""
		}
		_, obj := scope.LookupParent(name, at.Pos())
		if p, ok := obj.(*types.PkgName); ok && p.Imported().Path() == path {
			return name
		}
	}
	return ""
}

// addressing is what stands before an expression to make it a heap.Interface: an
// ampersand, or nothing; ok is false if it is none either way.
func (c *checker) addressing(x ast.Expr) (prefix string, ok bool) {
	t := c.pass.TypesInfo.TypeOf(x)
	if t == nil {
		return "", false
	}
	if implements(t) {
		return "", true
	}
	return "&", implements(types.NewPointer(t)) && !types.IsInterface(t)
}

// implements tells whether a type has the methods of heap.Interface.
func implements(t types.Type) bool {
	set := types.NewMethodSet(t)
	for _, name := range []string{"Len", "Less", "Swap", "Push", "Pop"} {
		m := set.Lookup(nil, name)
		if m == nil {
			return false
		}
		fn, ok := m.Obj().(*types.Func)
		if !ok {
			return false
		}
		sig := fn.Signature()
		if !types.Identical(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), false), heaps.Signature(name)) {
			return false
		}
	}
	return true
}
