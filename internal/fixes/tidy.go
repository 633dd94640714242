package fixes

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// tidy returns the content of an edited Go file without the imports that the
// edits made useless, and formatted if the file was formatted before.
func tidy(name string, before, after []byte) []byte {
	if !isGo(name) || bytes.Equal(before, after) {
		return after
	}
	after = dropImports(before, after)
	if was, err := format.Source(before); err == nil && bytes.Equal(was, before) {
		if is, err := format.Source(after); err == nil {
			return is
		}
	}
	return after
}

// dropImports removes the imports whose names were used before the edits and are
// not used after. Imports that were unused before are not ours to judge.
func dropImports(before, after []byte) []byte {
	fset := token.NewFileSet()
	old, err := parser.ParseFile(fset, "", before, 0)
	if err != nil {
		return after
	}
	f, err := parser.ParseFile(fset, "", after, parser.ParseComments)
	if err != nil {
		return after
	}
	gone := unresolved(old)
	for name := range unresolved(f) {
		delete(gone, name)
	}
	var edits []udiff.Edit
	for _, decl := range f.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.IMPORT {
			edits = append(edits, dropSpecs(fset, after, decl, gone)...)
		}
	}
	if res, err := udiff.ApplyBytes(after, edits); err == nil {
		return res
	}
	return after
}

// unresolved returns the names in a file that no declaration in it explains:
// names of imports, of other files' declarations, and universal ones.
func unresolved(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, id := range f.Unresolved {
		names[id.Name] = true
	}
	return names
}

func dropSpecs(fset *token.FileSet, src []byte, decl *ast.GenDecl, gone map[string]bool) []udiff.Edit {
	var edits []udiff.Edit
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ImportSpec)
		if !gone[importName(spec)] {
			continue
		}
		from, to := spec.Pos(), spec.End()
		if spec.Doc != nil {
			from = spec.Doc.Pos()
		}
		if spec.Comment != nil {
			to = spec.Comment.End()
		}
		edits = append(edits, wholeLines(fset, src, from, to))
	}
	if len(edits) == len(decl.Specs) {
		return []udiff.Edit{wholeLines(fset, src, decl.Pos(), decl.End())}
	}
	return edits
}

// wholeLines is the deletion of the text with the rest of its lines, where there
// is nothing but space.
func wholeLines(fset *token.FileSet, src []byte, from, to token.Pos) udiff.Edit {
	start, end := fset.Position(from).Offset, fset.Position(to).Offset
	for start > 0 && (src[start-1] == ' ' || src[start-1] == '\t') {
		start--
	}
	if start == 0 || src[start-1] == '\n' {
		if n := bytes.IndexByte(src[end:], '\n'); n >= 0 && len(bytes.TrimSpace(src[end:end+n])) == 0 {
			end += n + 1
		}
	}
	return udiff.Edit{Start: start, End: end}
}

var majorVersion = lazyregexp.New(`^v[0-9]+$`)

// importName is the name by which a file knows an import; without types it is a
// guess where the source gives none, by the customs of naming repositories.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	base := path.Base(p)
	if majorVersion.MatchString(base) {
		base = path.Base(path.Dir(p))
	}
	base, _, _ = strings.Cut(base, ".") // gopkg.in/yaml.v3
	return strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
}
