package fieldtag

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// source is a package to measure with: its files and what they import.
type source struct {
	path, dir string
	files     []string
	importer  types.Importer
	fset      *token.FileSet
}

func newSource(b *testing.B, path string) *source {
	b.Helper()
	s := &source{path: path, fset: token.NewFileSet()}
	s.importer = importer.ForCompiler(s.fset, "source", nil)
	p, err := build.Import(path, dirOfModule(b), 0)
	if err != nil {
		b.Fatal(err)
	}
	s.dir, s.files = p.Dir, p.GoFiles
	for _, imp := range p.Imports {
		if imp == "C" || imp == "unsafe" {
			continue
		}
		if _, err := s.importer.(types.ImporterFrom).ImportFrom(imp, p.Dir, 0); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

func dirOfModule(b *testing.B) string {
	b.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		b.Fatal(err)
	}
	return dir
}

// load parses and type-checks the package, whose imports are there already.
func (s *source) load(b *testing.B) *analysis.Pass {
	b.Helper()
	pass := &analysis.Pass{Analyzer: Analyzer, Fset: s.fset, Report: func(analysis.Diagnostic) {}}
	for _, name := range s.files {
		f, err := parser.ParseFile(s.fset, filepath.Join(s.dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			b.Fatal(err)
		}
		pass.Files = append(pass.Files, f)
	}
	pass.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: s.importer, FakeImportC: true, Error: func(error) {}}
	pass.Pkg, _ = conf.Check(s.path, s.fset, pass.Files, pass.TypesInfo)
	return pass
}

// BenchmarkShare compares the check with what comes before it, parsing and type
// checking, for packages with few and with many tags.
func BenchmarkShare(b *testing.B) {
	for _, path := range []string{"net/http", "encoding/json", "cmd/go/internal/work", "go/types"} {
		s := newSource(b, path)
		b.Run(path+"/parse+types", func(b *testing.B) {
			for b.Loop() {
				s.load(b)
			}
		})
		b.Run(path+"/fieldtag", func(b *testing.B) {
			pass := s.load(b)
			for b.Loop() {
				if err := run(pass); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
