// Package ir gives the checks the SSA form of a package, built at most once and
// only if one of them asks for it.
//
// x/tools' own buildssa pass always builds, and since v0.40 it requires ctrlflow,
// whose facts about functions that do not return would have to be computed for
// every dependency. Most packages touch no heap, so here the form is lazy, and
// the functions that do not return are a short table ([noReturn]).
package ir

import (
	"go/ast"
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer provides the SSA form of a package. Its result is a [*Lazy].
var Analyzer = &analysis.Analyzer{
	Name: "heapvetir",
	Doc:  "provide the SSA form of a package on demand",
	Run: func(pass *analysis.Pass) (any, error) {
		return &Lazy{build: sync.OnceValue(func() *Package { return build(pass) })}, nil
	},
	ResultType: reflect.TypeFor[*Lazy](),
}

// Lazy is the promise of a package's SSA form.
type Lazy struct{ build func() *Package }

// Package builds the form on the first call, and returns the same one ever after.
// It may be called by several goroutines.
func (l *Lazy) Package() *Package { return l.build() }

// Package is the SSA form of one package.
type Package struct {
	*ssa.Package
	// Funcs are all source functions in source order: declared functions and
	// methods, each followed by the function literals within it, and the
	// package's initialiser with the literals of package variables. Those of test
	// files are left out unless a check looks at tests (see [TestsFlag]).
	Funcs []*ssa.Function
	// Files are the files that the form is made of.
	Files []*ast.File
}

func build(pass *analysis.Pass) *Package {
	// Instances of generic functions are not built: analysis of the generic
	// body holds for all of them.
	prog := ssa.NewProgram(pass.Fset, 0)
	prog.SetNoReturn(newNoReturn(pass).has)
	for _, imp := range pass.Pkg.Imports() {
		prog.CreatePackage(imp, nil, nil, true)
	}
	files, info := sources(pass)
	pkg := prog.CreatePackage(pass.Pkg, files, info, false)
	pkg.Build()
	p := &Package{Package: pkg, Files: files}
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				p.add(prog.FuncValue(pass.TypesInfo.Defs[d.Name].(*types.Func)))
			}
		}
	}
	if init := pkg.Func("init"); init != nil {
		p.add(init)
	}
	return p
}

func (p *Package) add(f *ssa.Function) {
	if f == nil { // a method of a blank type
		return
	}
	p.Funcs = append(p.Funcs, f)
	for _, lit := range f.AnonFuncs {
		p.add(lit)
	}
}
