package heapiface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// receiverFix makes the receiver of a method a pointer: in the method, and where
// heaps of the type are given to container/heap by value. There is no fix if a
// place is found where that cannot be done by an ampersand.
func (m *impl) receiverFix(fn *ssa.Function) []analysis.SuggestedFix {
	decl := declaration(fn)
	if decl == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return nil
	}
	recv := decl.Recv.List[0]
	edits := []analysis.TextEdit{{Pos: recv.Type.Pos(), End: recv.Type.Pos(), NewText: []byte("*")}}
	more, ok := m.dereferences(decl, m.pass.TypesInfo.Defs[recv.Names[0]])
	if !ok {
		return nil
	}
	calls, ok := m.byValue()
	if !ok {
		return nil
	}
	edits = append(append(edits, more...), calls...)
	return []analysis.SuggestedFix{{Message: "make the receiver a pointer", TextEdits: edits}}
}

// dereferences edits the uses of a receiver that becomes a pointer.
func (m *impl) dereferences(decl *ast.FuncDecl, recv types.Object) (edits []analysis.TextEdit, ok bool) {
	ok = true
	astutil.Apply(decl.Body, func(c *astutil.Cursor) bool {
		id, isIdent := c.Node().(*ast.Ident)
		if !isIdent || m.pass.TypesInfo.ObjectOf(id) != recv {
			return true
		}
		before, after := "*", ""
		switch p := c.Parent().(type) {
		case *ast.SelectorExpr: // fields are selected through pointers as well
			return true
		case *ast.IndexExpr, *ast.SliceExpr:
			if c.Name() == "X" {
				before, after = "(*", ")"
			}
		case *ast.UnaryExpr:
			ok = false // its address is taken
		case *ast.AssignStmt:
			ok = ok && p.Tok.String() != ":="
		}
		edits = append(edits, analysis.TextEdit{Pos: id.Pos(), End: id.Pos(), NewText: []byte(before)})
		if after != "" {
			edits = append(edits, analysis.TextEdit{Pos: id.End(), End: id.End(), NewText: []byte(after)})
		}
		return true
	}, nil)
	return edits, ok
}

// byValue edits the calls that give a heap of the type, not a pointer to it, to an
// interface.
func (m *impl) byValue() (edits []analysis.TextEdit, ok bool) {
	seen := 0
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, isCall := n.(*ast.CallExpr)
			if !isCall {
				return true
			}
			sig, isFunc := m.pass.TypesInfo.TypeOf(call.Fun).(*types.Signature)
			if !isFunc {
				return true
			}
			for i, arg := range call.Args {
				if i >= sig.Params().Len() || !heaps.IsInterface(sig.Params().At(i).Type()) || m.pass.TypesInfo.TypeOf(arg) == nil || m.pkg.Type(m.pass.TypesInfo.TypeOf(arg)) != m.typ || isPointer(m.pass.TypesInfo.TypeOf(arg)) {
					continue
				}
				seen++
				if addressable(arg) {
					edits = append(edits, analysis.TextEdit{Pos: arg.Pos(), End: arg.Pos(), NewText: []byte("&")})
				}
			}
			return true
		})
	}
	return edits, len(edits) == seen && seen == m.conversions()
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// addressable tells whether an ampersand can stand before an expression.
func addressable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.CompositeLit:
		return true
	case *ast.SelectorExpr:
		return addressable(e.X)
	}
	return false
}

// conversions counts the conversions of values of the type to an interface with the
// methods of a heap.
func (m *impl) conversions() int {
	n := 0
	for _, fn := range m.pkg.IR.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				mi, ok := instr.(*ssa.MakeInterface)
				if ok && heaps.IsInterface(mi.Type()) && m.pkg.Type(mi.X.Type()) == m.typ && !isPointer(mi.X.Type()) {
					n++
				}
			}
		}
	}
	return n
}
