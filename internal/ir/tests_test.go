package ir_test

import (
	"flag"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/ir"
)

const code = `package p

type T struct{}

func (T) Plain() string { return "" }

var made any = T{}

func use() any { return T{} }
`

const testCode = `package p

var inTest = func() any { return made }()

func (T) String() string { return "only in tests" }

func helper() { _ = inTest }
`

// funcs returns the functions of the SSA form of a package with a test file.
func funcs(t *testing.T) []string {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for name, src := range map[string]string{"p.go": code, "p_test.go": testCode} {
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	res, err := ir.Analyzer.Run(&analysis.Pass{Analyzer: ir.Analyzer, Fset: fset, Files: files, Pkg: pkg, TypesInfo: info})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range res.(*ir.Lazy).Package().Funcs {
		names = append(names, f.Name())
	}
	slices.Sort(names)
	return names
}

// Test files are left out unless a check looks at tests, also where the package's
// types have methods that only they declare.
func TestTestFiles(t *testing.T) {
	if got, want := funcs(t), []string{"Plain", "init", "use"}; !slices.Equal(got, want) {
		t.Errorf("without a check that looks at tests: %v, want %v", got, want)
	}
	var inTests bool
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	ir.TestsFlag(fs, &inTests, "look at tests")
	if err := fs.Parse([]string{"-tests"}); err != nil {
		t.Fatal(err)
	}
	if got, want := funcs(t), []string{"Plain", "String", "helper", "init", "init$1", "use"}; !slices.Equal(got, want) {
		t.Errorf("with one: %v, want %v", got, want)
	}
}
