package fixes

// No fix where the package has no name.
func unnamed(q *base) any {
	return q.Pop() // want `call heap.Pop`
}
