package locks_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/ir"
	"github.com/heapvet/heapvet/internal/locks"
)

// An analyzed is a package with its lock analysis.
type analyzed struct {
	*locks.Analysis
	fset  *token.FileSet
	files []*ast.File
	ssa   *ssa.Package
}

// imports are shared between the tests: reading them costs more than the rest.
var imports = struct {
	sync.Mutex
	types.Importer
	fset *token.FileSet
}{Importer: importer.Default(), fset: token.NewFileSet()}

// analyze runs the lock analysis on source files. Labels and variables that are
// not used are no errors. It returns nil without t, for a program that does not
// compile.
func analyze(t *testing.T, srcs ...string) *analyzed {
	pass, err := typeCheck(srcs)
	if err != nil && t != nil {
		t.Fatalf("%v\n%s", err, srcs)
	}
	if err != nil {
		return nil
	}
	return runPass(pass)
}

// typeCheck makes a pass of a package of some files.
func typeCheck(srcs []string) (*analysis.Pass, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, src := range srcs {
		f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	var hard error
	conf := types.Config{Importer: imports.Importer, Error: func(err error) {
		if !err.(types.Error).Soft && hard == nil {
			hard = err
		}
	}}
	imports.Lock()
	pkg, _ := conf.Check("p", fset, files, info)
	imports.Unlock()
	return &analysis.Pass{
		Fset: fset, Files: files, Pkg: pkg, TypesInfo: info,
		AllObjectFacts:    func() []analysis.ObjectFact { return nil },
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportObjectFact:  func(types.Object, analysis.Fact) {},
		ExportPackageFact: func(analysis.Fact) {},
	}, hard
}

// runPass runs the lock analysis and all it requires.
func runPass(pass *analysis.Pass) *analyzed {
	pass.ResultOf = map[*analysis.Analyzer]any{}
	var run func(a *analysis.Analyzer)
	run = func(a *analysis.Analyzer) {
		for _, r := range a.Requires {
			if _, ok := pass.ResultOf[r]; !ok {
				run(r)
			}
		}
		pass.Analyzer = a
		result, err := a.Run(pass)
		if err != nil {
			panic(err)
		}
		pass.ResultOf[a] = result
	}
	run(locks.Analyzer)
	return &analyzed{
		Analysis: pass.ResultOf[locks.Analyzer].(*locks.Lazy).Analysis(),
		fset:     pass.Fset, files: pass.Files,
		ssa: pass.ResultOf[ir.Analyzer].(*ir.Lazy).Package().Package,
	}
}

// method returns a method of the type T of the package.
func (a *analyzed) method(name string) *ssa.Function {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(a.ssa.Pkg.Scope().Lookup("T").Type()), true, a.ssa.Pkg, name)
	return a.ssa.Prog.FuncValue(obj.(*types.Func))
}

func (a *analyzed) line(p token.Pos) int { return a.fset.Position(p).Line }
