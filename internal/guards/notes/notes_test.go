package notes

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// load reads the notes of a package of one file.
func load(t *testing.T, src string) (*types.Package, *Notes) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, ReadFiles(fset, []*ast.File{f}, pkg, info)
}

// show prints a note as its place, its mode and its claim.
func show(n Note) string {
	if !n.Resolved() {
		if n.Read {
			return "?" + n.Lock + " read"
		}
		return "?" + n.Lock
	}
	var parts []string
	switch {
	case n.Owner != nil:
		parts = append(parts, n.Owner.Name())
	case n.Global != nil:
		parts = append(parts, n.Global.Name())
	case n.Param >= 0:
		parts = append(parts, fmt.Sprint("$", n.Param))
	}
	for _, f := range n.Path {
		parts = append(parts, f.Name())
	}
	s := strings.Join(parts, ".")
	if n.Read {
		s += " read"
	}
	return [...]string{"", "not ", "takes ", "drops "}[n.Claim] + s
}

func showAll(notes []Note) string {
	var out []string
	for _, n := range notes {
		out = append(out, show(n))
	}
	return strings.Join(out, ", ")
}
