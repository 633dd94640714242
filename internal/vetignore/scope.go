package vetignore

import (
	"go/ast"
	"go/token"
)

// A finding is what a directive may cover. All of it is physical: line directives
// (//line) do not matter, for the reader of a directive sees the file as it is.
type finding struct {
	pos token.Pos
	// line and endLine are the lines of the finding's position and end.
	line, endLine int
}

// A scope is the part of a file that a directive covers: what lies in any of its
// fields, each of which may be absent (zero).
type scope struct {
	// from and to are a stretch of source, both included.
	from, to token.Pos
	// firstLine and lastLine are whole lines.
	firstLine, lastLine int
	// end is the line that the directive stands at the end of.
	end int
}

// covers reports whether the finding lies in the scope.
func (s scope) covers(f *file, x finding) bool {
	if s.from.IsValid() && s.from <= x.pos && x.pos <= s.to {
		return true
	}
	if s.firstLine <= x.line && x.line <= s.lastLine {
		return true
	}
	return s.end != 0 && s.atEnd(f, x)
}

// atEnd decides for a directive at the end of a line. It covers the findings of
// that line. It also covers those on the other lines of a statement, field or list
// element that begins or ends on the line, without those of other statements,
// fields and elements within it: at the end of a call of several lines it covers
// the call, and at the opening brace of a function it does not cover the body.
func (s scope) atEnd(f *file, x finding) bool {
	if x.line == s.end || x.endLine == s.end {
		return true
	}
	around := f.elements(x.pos)
	if len(around) == 0 {
		return false
	}
	n := around[len(around)-1]
	return f.line(n.Pos()) == s.end || f.line(n.End()) == s.end
}

// elements returns the statements, declarations, fields and list elements around
// pos, outermost first.
func (f *file) elements(pos token.Pos) []ast.Node {
	var found []ast.Node
	listed := map[ast.Node]bool{}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || !contains(n, pos) {
			return false
		}
		element := listed[n]
		switch n := n.(type) {
		case *ast.BlockStmt: // a part of its statement
		case ast.Stmt, ast.Decl, ast.Spec, *ast.Field:
			element = true
		case *ast.CompositeLit:
			markAll(listed, n.Elts)
		case *ast.CallExpr:
			markAll(listed, n.Args)
		}
		if element {
			found = append(found, n)
		}
		return true
	})
	return found
}

func markAll(set map[ast.Node]bool, list []ast.Expr) {
	for _, x := range list {
		set[x] = true
	}
}

// contains is for nodes of one file; the file itself begins at its package clause.
func contains(n ast.Node, pos token.Pos) bool {
	return n.Pos() <= pos && pos < n.End()
}

// nodeFrom returns the largest node that begins at pos, where a token begins, or
// nil. In a chain of calls broken after the dots, a name that follows a dot stands
// for its call: `end` is then the end of the call.
func (f *file) nodeFrom(pos token.Pos) (n ast.Node, end token.Pos) {
	var calls []*ast.CallExpr // around the node
	ast.Inspect(f.syntax, func(m ast.Node) bool {
		if m == nil || n != nil || !contains(m, pos) {
			return false
		}
		if m.Pos() == pos {
			n, end = m, m.End()
			return false
		}
		if call, ok := m.(*ast.CallExpr); ok {
			calls = append(calls, call)
		}
		return true
	})
	if id, ok := n.(*ast.Ident); ok {
		for _, call := range calls {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel == id {
				end = call.End()
			}
		}
	}
	return n, end
}

// following returns the node that begins at next, where the first token after a
// directive begins, and the scope of the directive: that node and the comments
// above it from the directive's group on. It returns nothing if no node begins
// there but, say, a block ends.
func (f *file) following(group *ast.CommentGroup, next token.Pos) (ast.Node, scope) {
	n, end := f.nodeFrom(next)
	if n == nil {
		return nil, scope{}
	}
	return n, scope{from: group.Pos(), to: end}
}

// whole is the scope of the file.
func (f *file) whole() scope {
	return scope{from: f.syntax.FileStart, to: f.syntax.FileEnd}
}

// nolintScope is golangci-lint's scope: the lines of the comment group, and those
// of any node that begins on the next line in the column where the group begins.
func (f *file) nolintScope(group *ast.CommentGroup) scope {
	first := f.position(group.Pos())
	s := scope{firstLine: first.Line, lastLine: f.line(group.End())}
	next := s.lastLine + 1
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if p := f.position(n.Pos()); p.Line == next && p.Column == first.Column {
			s.lastLine = max(s.lastLine, f.line(n.End()))
		}
		return true
	})
	return s
}

// lintScope is staticcheck's scope: the line on which the node begins that the comment
// belongs to.
func (f *file) lintScope(node ast.Node) scope {
	line := f.line(node.Pos())
	return scope{firstLine: line, lastLine: line}
}
