package printer

import "github.com/heapvet/heapvet/internal/frontend/finding"

// A Heap is a line of the heap inventory, as the html format shows it.
type Heap struct {
	// Package is the import path of the package that has the heap.
	Package string
	// Name is the field or variable, Type the heap's type.
	Name, Type string
	// Guard is the lock that guards the heap; "" if there is none.
	Guard string
	// State is "guarded", or why there is no guard; Because says what that rests on.
	State, Because string
	// With and Without count the places that use the heap with the guard and without.
	With, Without int
	// Place is where the heap is declared.
	Place finding.Position
}
