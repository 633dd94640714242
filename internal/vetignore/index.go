package vetignore

import (
	"bytes"
	"go/ast"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"sync/atomic"

	"honnef.co/go/tools/analysis/lint"
)

// CheckName is the name of the check that reports on directives. Only a directive
// that names it covers its findings, lest a useless directive hide that it is one.
const CheckName = "vetignore"

// An Index holds the directives of one package. It may be used by several
// goroutines at once.
type Index struct {
	fset  *token.FileSet
	files []*file
}

// A file is a file that has directives.
type file struct {
	token      *token.File
	syntax     *ast.File
	directives []*Directive
}

// A Directive is a comment that suppresses findings, or was meant to.
type Directive struct {
	*Syntax
	File    *ast.File
	Comment *ast.Comment
	// Trailing says that code stands before the directive on its line.
	Trailing bool
	// Node is what follows one of heapvet's directives on a line of its own: the
	// file, if it stands above the package clause, or nil if nothing follows.
	Node ast.Node
	// Move, if not nil, is how to give a directive at the end of a line a line of
	// its own.
	Move *Move

	scope scope
	usage
}

// usage notes whether something was of use. It may be used by several goroutines.
type usage struct{ used atomic.Bool }

// Used reports whether a finding was suppressed.
func (u *usage) Used() bool { return u.used.Load() }

// CoversNothing reports whether the directive stands where nothing follows it.
func (d *Directive) CoversNothing() bool { return d.scope == scope{} }

// HasEffect reports whether the directive can suppress anything.
func (d *Directive) HasEffect() bool {
	return (d.All || len(d.Names) > 0) && (d.Fault == nil || !d.Fault.Void)
}

// Directives returns all directives in the order of their positions.
func (x *Index) Directives() []*Directive {
	var all []*Directive
	for _, f := range x.files {
		all = append(all, f.directives...)
	}
	return all
}

// Ignored reports whether a directive covers a finding of the rule of the check at
// pos, and notes which directives were of use. end is the end of the finding, or
// NoPos.
func (x *Index) Ignored(check, rule string, pos, end token.Pos) bool {
	f := x.file(pos)
	if f == nil {
		return false
	}
	place := finding{pos: pos, line: f.line(pos)}
	if pos <= end && f.has(end) {
		place.endLine = f.line(end)
	}
	ignored := false
	for _, d := range f.directives {
		if d.ignores(f, check, rule, place) {
			ignored = true
		}
	}
	return ignored
}

// file returns the file of pos if it has directives.
func (x *Index) file(pos token.Pos) *file {
	for _, f := range x.files {
		if f.has(pos) {
			return f
		}
	}
	return nil
}

func (f *file) has(pos token.Pos) bool {
	return pos.IsValid() && f.token.Base() <= int(pos) && int(pos) <= f.token.Base()+f.token.Size()
}

// position is where pos is in the file as it is, whatever //line says.
func (f *file) position(pos token.Pos) token.Position { return f.token.PositionFor(pos, false) }

// line is the line of pos, or 0 for a position outside the file (a broken node).
func (f *file) line(pos token.Pos) int {
	if !f.has(pos) {
		return 0
	}
	return f.position(pos).Line
}

// ignores decides for one directive and notes its use. All names that match are
// noted, for each may be there for another finding as well.
func (d *Directive) ignores(f *file, check, rule string, place finding) bool {
	if !d.HasEffect() {
		return false
	}
	if d.All {
		if check == CheckName || !d.scope.covers(f, place) {
			return false
		}
		d.used.Store(true)
		return true
	}
	var matched []*Name
	for _, n := range d.Names {
		if d.matches(n, check, rule) {
			matched = append(matched, n)
		}
	}
	if len(matched) == 0 || !d.scope.covers(f, place) {
		return false
	}
	for _, n := range matched {
		n.used.Store(true)
	}
	d.used.Store(true)
	return true
}

// matches reports whether the name stands for the rule of the check.
func (d *Directive) matches(n *Name, check, rule string) bool {
	if n.Rule != "" && n.Rule != rule {
		return false
	}
	switch d.Spelling {
	case Lint, LintFile:
		ok, err := path.Match(n.Check, check)
		return ok && err == nil || n.Check == Suite && check != CheckName
	case Nolint:
		return n.Check == check || n.Check == Suite && check != CheckName
	default:
		return n.Check == check
	}
}

// newIndex finds the directives in the files. read returns the source of a file,
// and nolint is as [HonourNolint].
func newIndex(fset *token.FileSet, files []*ast.File, read func(string) ([]byte, error), nolint bool) (*Index, error) {
	x := &Index{fset: fset}
	for _, syntax := range files {
		tok := fset.File(syntax.FileStart)
		if tok == nil {
			continue
		}
		f := &file{token: tok, syntax: syntax}
		own := f.find(nolint)
		if len(f.directives) == 0 {
			continue
		}
		if len(own) > 0 {
			src, err := read(tok.Name())
			if err != nil {
				return nil, err
			}
			f.place(own, src)
		}
		x.files = append(x.files, f)
	}
	return x, nil
}

// find fills f.directives. It gives other tools' directives their scope, and
// returns heapvet's own, which have none yet, with their comment groups.
func (f *file) find(nolint bool) map[*Directive]*ast.CommentGroup {
	own := map[*Directive]*ast.CommentGroup{}
	linted := false
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			s := Parse(c.Text, len(group.List) == 1)
			if s == nil || !nolint && s.Spelling == Nolint && !s.keepChecks() {
				continue
			}
			d := &Directive{Syntax: s, File: f.syntax, Comment: c}
			f.directives = append(f.directives, d)
			switch s.Spelling {
			case Nolint:
				d.scope = f.nolintScope(group)
			case LintFile:
				d.scope = f.whole()
			case Lint:
				linted = true
			default:
				own[d] = group
			}
		}
	}
	if linted {
		f.placeLint()
	}
	return own
}

// keepChecks leaves the names of checks in a //nolint directive, and reports
// whether there are any.
func (s *Syntax) keepChecks() bool {
	s.All = false
	s.Names = slices.DeleteFunc(s.Names, func(n *Name) bool { return n.Check == Suite })
	return len(s.Names) > 0
}

// placeLint gives staticcheck's directives the scope that staticcheck gives them.
func (f *file) placeLint() {
	fset := token.NewFileSet()
	fset.AddExistingFiles(f.token)
	nodes := map[*ast.Comment]ast.Node{}
	for _, d := range lint.ParseDirectives([]*ast.File{f.syntax}, fset) {
		nodes[d.Directive] = d.Node
	}
	for _, d := range f.directives {
		if node := nodes[d.Comment]; d.Spelling == Lint && node != nil {
			d.scope = f.lintScope(node)
		}
	}
}

// place gives heapvet's own directives their scope.
func (f *file) place(own map[*Directive]*ast.CommentGroup, src []byte) {
	tokens := f.tokens(src)
	for d, group := range own {
		// The first token behind the comment, and the one before that.
		i, _ := slices.BinarySearchFunc(tokens, d.Comment.Pos(), func(t span, p token.Pos) int {
			return int(t.from - p)
		})
		line := f.line(d.Comment.Pos())
		switch {
		case i > 0 && f.line(tokens[i-1].to) == line:
			d.Trailing = true
			d.scope = scope{end: line}
			d.Move = f.move(tokens[:i], src)
		case group.Pos() < f.syntax.Package:
			d.Node, d.scope = f.syntax, f.whole()
		case i < len(tokens):
			d.Node, d.scope = f.following(group, tokens[i].from)
		}
	}
}

// A span is the place of a token: where it begins and where its last byte is.
type span struct{ from, to token.Pos }

// tokens returns the tokens of the file that are in its source, in order. It is
// empty if src is not what the file was parsed from.
func (f *file) tokens(src []byte) []span {
	if len(src) != f.token.Size() {
		return nil
	}
	var s scanner.Scanner
	own := token.NewFileSet().AddFile("", f.token.Base(), len(src))
	s.Init(own, src, func(token.Position, string) {}, 0)
	var all []span
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return all
		}
		if tok == token.SEMICOLON && lit == "\n" { // inserted by the scanner
			continue
		}
		size := len(lit)
		switch from := int(pos) - own.Base(); {
		case lit == "":
			size = len(tok.String())
		case lit[0] == '`': // lit lacks the carriage returns
			size = max(1, bytes.IndexByte(src[from+1:], '`')+2)
		}
		all = append(all, span{pos, pos + token.Pos(size-1)})
	}
}
