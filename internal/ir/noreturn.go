package ir

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// noReturn knows functions that never return to their caller. Without it the
// code after log.Fatal would count as a path of the program.
type noReturn struct {
	local map[*types.Func]bool
}

// wellKnown are functions and methods of the standard library and of common
// loggers that never return, by [types.Func.FullName].
var wellKnown = map[string]bool{
	"os.Exit":                   true,
	"syscall.Exit":              true,
	"runtime.Goexit":            true,
	"log.Fatal":                 true,
	"log.Fatalf":                true,
	"log.Fatalln":               true,
	"log.Panic":                 true,
	"log.Panicf":                true,
	"log.Panicln":               true,
	"(*log.Logger).Fatal":       true,
	"(*log.Logger).Fatalf":      true,
	"(*log.Logger).Fatalln":     true,
	"(*log.Logger).Panic":       true,
	"(*log.Logger).Panicf":      true,
	"(*log.Logger).Panicln":     true,
	"(*testing.common).FailNow": true,
	"(*testing.common).Fatal":   true,
	"(*testing.common).Fatalf":  true,
	"(*testing.common).Skip":    true,
	"(*testing.common).Skipf":   true,
	"(*testing.common).SkipNow": true,
	"(testing.TB).FailNow":      true,
	"(testing.TB).Fatal":        true,
	"(testing.TB).Fatalf":       true,
	"(testing.TB).Skip":         true,
	"(testing.TB).Skipf":        true,
	"(testing.TB).SkipNow":      true,

	"k8s.io/klog/v2.Fatal":                    true,
	"k8s.io/klog/v2.Fatalf":                   true,
	"k8s.io/klog/v2.FlushAndExit":             true,
	"(*go.uber.org/zap.Logger).Fatal":         true,
	"(*go.uber.org/zap.Logger).Panic":         true,
	"(*go.uber.org/zap.SugaredLogger).Fatalf": true,
	"(*go.uber.org/zap.SugaredLogger).Fatal":  true,
}

// newNoReturn finds the package's own functions whose body is straight-line code
// that ends in a panic or in another function that does not return.
func newNoReturn(pass *analysis.Pass) *noReturn {
	n := &noReturn{local: map[*types.Func]bool{}}
	for changed := true; changed; {
		changed = false
		for _, f := range pass.Files {
			for _, d := range f.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Body == nil {
					continue
				}
				fn, _ := pass.TypesInfo.Defs[d.Name].(*types.Func)
				if fn != nil && !n.local[fn] && n.ends(pass.TypesInfo, d.Body) {
					n.local[fn] = true
					changed = true
				}
			}
		}
	}
	return n
}

func (n *noReturn) has(fn *types.Func) bool {
	return n.local[fn.Origin()] || wellKnown[fn.FullName()]
}

// ends tells whether body always ends in a call that does not return.
func (n *noReturn) ends(info *types.Info, body *ast.BlockStmt) bool {
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && n.call(info, call) {
				return true
			}
		case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt, *ast.EmptyStmt:
		default:
			return false
		}
	}
	return false
}

func (n *noReturn) call(info *types.Info, call *ast.CallExpr) bool {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return false
	}
	switch obj := info.Uses[id].(type) {
	case *types.Builtin:
		return obj.Name() == "panic"
	case *types.Func:
		return n.has(obj)
	}
	return false
}
