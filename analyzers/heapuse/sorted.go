package heapuse

import (
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/contract"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// sortedValue returns what a call of package sort or slices sorts.
func sortedValue(instr ssa.Instruction) (ssa.Value, bool) {
	call, ok := instr.(*ssa.Call)
	if !ok || len(call.Call.Args) == 0 {
		return nil, false
	}
	pkg, name := library(call)
	switch pkg {
	case "sort":
		switch name {
		case "Sort", "Stable", "Slice", "SliceStable", "Ints", "Strings", "Float64s":
			return heaps.Peel(call.Call.Args[0]), true
		}
	case "slices":
		switch name {
		case "Sort", "SortFunc", "SortStableFunc":
			return heaps.Peel(call.Call.Args[0]), true
		}
	}
	return nil, false
}

// library returns the package path and name of the function of another package
// that a call runs.
func library(call ssa.CallInstruction) (pkg, name string) {
	callee := contract.CalleeOf(call)
	if callee == nil || callee.Object() == nil || callee.Object().Pkg() == nil {
		return "", ""
	}
	return callee.Object().Pkg().Path(), callee.Name()
}

// sortedBefore tells whether the slice at a place is sorted on some way to instr.
func (c *checker) sortedBefore(place *locks.Place, instr ssa.Instruction) bool {
	found := false
	uses.Instrs(instr.Parent(), func(in ssa.Instruction) {
		if v, ok := sortedValue(in); ok && c.sameSlice(v, place) && uses.Reaches(in, instr) {
			found = true
		}
	})
	return found
}

// sameSlice tells whether v is the slice at a place, or a heap whose slice that is.
func (c *checker) sameSlice(v ssa.Value, place *locks.Place) bool {
	p := c.Place(v)
	if p == nil || place == nil {
		return false
	}
	if p == place {
		return true
	}
	_, below := place.From(p)
	return below
}
