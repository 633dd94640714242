// Package imports lets suggested fixes use packages that a file may not import yet.
package imports

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"

	"golang.org/x/tools/go/analysis"
)

// Use returns the name by which code at pos in file can refer to the package of the
// standard library at importPath, with the edits that import it if the file does
// not. The name is empty if something else goes by it there, or if the file imports
// the package in a way that gives it no name.
func Use(pkg *types.Package, file *ast.File, pos token.Pos, importPath string) (string, []analysis.TextEdit) {
	name := path.Base(importPath)
	var edits []analysis.TextEdit
	if spec := find(file, importPath); spec == nil {
		edits = add(file, importPath)
	} else if spec.Name != nil {
		name = spec.Name.Name
	}
	if name == "_" || name == "." || taken(pkg, pos, name, importPath) {
		return "", nil
	}
	return name, edits
}

func find(file *ast.File, importPath string) *ast.ImportSpec {
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && p == importPath {
			return spec
		}
	}
	return nil
}

// taken tells whether the name means something else at pos than the package.
func taken(pkg *types.Package, pos token.Pos, name, importPath string) bool {
	scope := pkg.Scope().Innermost(pos)
	if scope == nil {
		return true
	}
	_, obj := scope.LookupParent(name, pos)
	if obj == nil {
		return false
	}
	p, ok := obj.(*types.PkgName)
	return !ok || p.Imported().Path() != importPath
}

// add imports the package at the head of the first group of imports, from where gofmt
// moves it to its place.
func add(file *ast.File, importPath string) []analysis.TextEdit {
	quoted := strconv.Quote(importPath)
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && g.Lparen.IsValid() && len(g.Specs) > 0 {
			at := g.Specs[0].Pos()
			return []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(quoted + "\n\t")}}
		}
	}
	at := file.Name.End()
	return []analysis.TextEdit{{Pos: at, End: at, NewText: []byte("\n\nimport " + quoted)}}
}
