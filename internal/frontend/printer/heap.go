package printer

// A Heap is a line of the heap inventory, as the html format shows it.
type Heap struct {
	// Name is the field or variable, Type the heap's type.
	Name, Type string
	// Guard is the lock that guards the heap and why it is taken for that, or why
	// it needs none.
	Guard string
	// Uses says how many places use the heap with the guard, and how many without.
	Uses string
	// Place is where the heap is declared.
	Place string
}
