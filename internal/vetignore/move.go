package vetignore

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
)

// A Move says how to give a directive at the end of a line a line of its own.
type Move struct {
	// At is where the directive belongs, followed by a newline and Indent.
	At     token.Pos
	Indent string
	// Cut is where the text to remove begins: the blanks before the directive.
	Cut token.Pos
}

// move returns how to move a directive that stands behind the tokens, above what
// the last of them belongs to, or nil if that does not begin its line.
func (f *file) move(tokens []span, src []byte) *Move {
	last := len(tokens) - 1
	belongs := last
	if c := src[f.token.Offset(tokens[last].from)]; belongs > 0 && (c == ',' || c == ';') {
		belongs-- // separators belong to what is around
	}
	around := f.elements(tokens[belongs].from)
	for i, n := range slices.Backward(around) {
		if indent, ok := f.indent(n, src); ok {
			return &Move{At: n.Pos(), Indent: indent, Cut: tokens[last].to + 1}
		}
		if i > 0 && f.line(around[i-1].Pos()) != f.line(n.Pos()) {
			return nil
		}
	}
	return nil
}

// indent returns the blanks before n on its line, if there is nothing else.
func (f *file) indent(n ast.Node, src []byte) (string, bool) {
	before := src[:f.token.Offset(n.Pos())]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	return string(before), len(bytes.TrimSpace(before)) == 0
}
