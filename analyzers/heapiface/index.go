package heapiface

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/uses"
)

// A holder is where a heap is kept, regardless of the instance: a field, a package
// variable, or a local one.
type holder any

// holderOf tells where the heap of an operation is kept.
func holderOf(op *heaps.Op) holder {
	path, root := heaps.FieldPath(op.Heap)
	if n := len(path); n > 0 {
		return path[n-1].Origin()
	}
	return root
}

// sharedIndex reports operations that take their index from a field which two
// heaps maintain that hold the same elements at one time: the heap that moved the
// element last has overwritten the position in the other.
func sharedIndex(pass *analysis.Pass, pkg *heaps.Package) {
	shared := map[*types.Var]map[holder]*heaps.Op{}
	for _, a := range pkg.Ops {
		for _, b := range pkg.Ops {
			field := bothKeep(pkg, a, b)
			if field == nil || !pushedToBoth(a, b) {
				continue
			}
			if shared[field] == nil {
				shared[field] = map[holder]*heaps.Op{}
			}
			shared[field][holderOf(a)] = b
		}
	}
	for _, op := range pkg.Ops {
		if op.Index == nil {
			continue
		}
		field, _ := contract.IndexSource(op.Index)
		other := shared[field][holderOf(op)]
		if field == nil || other == nil {
			continue
		}
		emit(pass, analysis.Diagnostic{
			Pos:      op.Instr.Pos(),
			Category: "index",
			Message:  fmt.Sprintf("%s takes its index from %s, but the element is in another heap as well which keeps its own positions in the same field: give each heap a field", op.Name(), field.Name()),
			Related:  []analysis.RelatedInformation{{Pos: other.Instr.Pos(), Message: "the element is pushed to the other heap here"}},
		})
	}
}

// bothKeep returns the field in which the heaps of two different holders keep their
// elements' positions, nil if there is none.
func bothKeep(pkg *heaps.Package, a, b *heaps.Op) *types.Var {
	if a.Kind != heaps.Push || b.Kind != heaps.Push || a == b || holderOf(a) == holderOf(b) {
		return nil
	}
	ta, tb := pkg.Type(a.Heap.Type()), pkg.Type(b.Heap.Type())
	if ta == nil || tb == nil || ta.Index == nil || tb.Index == nil || ta.Index.Origin() != tb.Index.Origin() {
		return nil
	}
	return ta.Index.Origin()
}

// pushedToBoth tells whether one run of a function pushes the same element to both
// heaps and does not take it out of either in between.
func pushedToBoth(a, b *heaps.Op) bool {
	if a.Elem == nil || a.Elem != b.Elem || a.Instr.Parent() != b.Instr.Parent() {
		return false
	}
	if !reaches(a.Instr, b.Instr) && !reaches(b.Instr, a.Instr) {
		return false
	}
	_, taken := a.Elem.(*ssa.TypeAssert) // the result of a Pop or Remove
	return !taken
}

// reaches tells whether b can run after a in the same round of a loop.
func reaches(a, b ssa.Instruction) bool {
	found := false
	uses.WalkOnce(a, func(instr ssa.Instruction) bool {
		found = found || instr == b
		return !found
	})
	return found
}
