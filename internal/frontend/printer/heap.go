package printer

// A Heap is a line of the heap inventory, as the html format shows it.
type Heap struct {
	// Name is the field or variable, Element the type of its elements.
	Name, Element string
	// Guard is the lock that guards the heap and why it is taken for that, or why
	// it needs none.
	Guard string
	// Operations says how often which operation is used.
	Operations string
	// Place is where the heap is declared.
	Place string
}
