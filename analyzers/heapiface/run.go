package heapiface

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
)

// An impl is one heap type with what its methods do.
type impl struct {
	pass *analysis.Pass
	pkg  *heaps.Package
	typ  *heaps.Type
	*contract.Methods
}

func run(pass *analysis.Pass) error {
	pkg := pass.ResultOf[heaps.Analyzer].(*heaps.Lazy).Package()
	if pkg == nil {
		return nil
	}
	var impls []*impl
	for _, typ := range pkg.Types {
		if typ.Obj.Pkg() == pass.Pkg {
			impls = append(impls, &impl{pass, pkg, typ, contract.Of(typ)})
		}
	}
	for _, m := range impls {
		// What two types repeat that embed one implementation is reported once.
		m.receivers()
		m.pop()
		m.push()
		m.swap()
		m.length()
		m.leak()
	}
	for _, typ := range pkg.Meant() {
		m := &impl{pass, pkg, typ, contract.Of(typ)}
		m.receivers()
		m.pop()
		m.push()
		m.swap()
		m.length()
	}
	dynamicTypes(pass, pkg)
	sharedIndex(pass, pkg)
	return nil
}

// name is how messages call a method's type: the one that declares it.
func name(fn *ssa.Function) string { return receiver(fn).Name() }

func (m *impl) report(rule string, pos token.Pos, msg string) {
	m.emit(analysis.Diagnostic{Pos: pos, Category: rule, Message: msg})
}

func (m *impl) emit(d analysis.Diagnostic) { emit(m.pass, d) }

func emit(pass *analysis.Pass, d analysis.Diagnostic) {
	if d.Pos.IsValid() && !skipped(pass, d.Pos) {
		pass.Report(d)
	}
}

// own tells whether a method is written in the package under analysis.
func (m *impl) own(fn *ssa.Function) bool {
	return fn != nil && fn.Pkg == m.pkg.IR.Package && receiver(fn) != nil
}

// receiver is the named type that a method is declared on.
func receiver(fn *ssa.Function) *types.TypeName {
	t := fn.Signature.Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// same tells whether two methods are written on one type, so that paths from
// their receivers can be compared.
func same(a, b *ssa.Function) bool { return a != nil && b != nil && receiver(a) == receiver(b) }

// sliceName is how messages call the slice at a path from the receiver.
func sliceName(path string) string {
	if path == "" {
		return "the receiver"
	}
	return path
}

// stored is where a way through a method stores the slice at path, or otherwise
// the method itself.
func stored(fn *ssa.Function, out contract.Outcome, path string) token.Pos {
	pos := fn.Pos()
	for _, e := range out.Effects {
		if e.Kind == contract.StoreSlice && e.Path == path {
			pos = contract.Position(e.Instr)
		}
	}
	return pos
}
