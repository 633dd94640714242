package heapiface

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
)

// dynamicTypes compares the dynamic types that go through any: what callers of
// heap.Push pass with what Push asserts, and what Pop returns with what callers
// of heap.Pop assert.
func dynamicTypes(pass *analysis.Pass, pkg *heaps.Package) {
	for _, op := range pkg.Ops {
		typ := pkg.Type(op.Heap.Type())
		if typ == nil || op.Model != nil {
			continue
		}
		switch op.Kind {
		case heaps.Push:
			pushed(pass, typ, op)
		case heaps.Pop, heaps.Remove:
			popped(pass, typ, op)
		}
	}
}

func pushed(pass *analysis.Pass, typ *heaps.Type, op *heaps.Op) {
	want := contract.PushedType(typ.Push)
	if want == nil || op.Elem == nil {
		return
	}
	got := op.Elem.Type()
	if c, ok := op.Elem.(*ssa.Const); ok && c.Value == nil && types.IsInterface(got) {
		emit(pass, analysis.Diagnostic{Pos: op.Instr.Pos(), Category: "push", Message: fmt.Sprintf("heap.Push gets nil, but %s.Push asserts %s and panics", typ.Obj.Name(), short(pass, want))})
		return
	}
	if contract.MayBe(got, want) {
		return
	}
	emit(pass, analysis.Diagnostic{
		Pos:      op.Instr.Pos(),
		Category: "push",
		Message:  fmt.Sprintf("heap.Push gets a %s, but %s.Push asserts %s and panics on anything else", short(pass, got), typ.Obj.Name(), short(pass, want)),
		Related:  []analysis.RelatedInformation{{Pos: typ.Push.Pos(), Message: "the type is asserted in this method"}},
	})
}

func popped(pass *analysis.Pass, typ *heaps.Type, op *heaps.Op) {
	given := contract.PoppedTypes(typ.Pop)
	call, ok := op.Instr.(*ssa.Call)
	if !ok || len(given) == 0 {
		return
	}
	for _, r := range *call.Referrers() {
		as, ok := r.(*ssa.TypeAssert)
		if !ok {
			continue
		}
		fits := false
		for _, t := range given {
			fits = fits || contract.MayBe(t, as.AssertedType)
		}
		if !fits {
			emit(pass, analysis.Diagnostic{
				Pos:      as.Pos(),
				Category: "push",
				Message:  fmt.Sprintf("the result of %s is asserted to be %s, but %s.Pop returns %s", op.Name(), short(pass, as.AssertedType), typ.Obj.Name(), short(pass, given[0])),
				Related:  []analysis.RelatedInformation{{Pos: typ.Pop.Pos(), Message: "the element is returned by this method"}},
			})
		}
	}
}

// short is a type as the package under analysis writes it.
func short(pass *analysis.Pass, t types.Type) string {
	return types.TypeString(t, types.RelativeTo(pass.Pkg))
}
