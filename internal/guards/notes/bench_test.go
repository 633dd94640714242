package notes

import "testing"

// BenchmarkFunction parses a doc comment of usual length.
func BenchmarkFunction(b *testing.B) {
	ls := textLines(` popLocked removes and returns the next item of the queue, or nil if the
 queue is empty. It does not block; use pop to wait until an item arrives.
 The item stays in the index until done is called for it.

 The returned item is owned by the caller, which must not keep it longer than
 the queue exists. q.mu must be held.`)
	for b.Loop() {
		functionStatements(ls, "popLocked")
	}
}
