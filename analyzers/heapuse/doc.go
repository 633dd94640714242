package heapuse

import "github.com/heapvet/heapvet/internal/check"

const text = `TODO`

var rules = []check.Rule{
	{Name: "direct", Title: "the heap's own Push or Pop is called instead of heap.Push or heap.Pop"},
	{Name: "init", Title: "the heap is filled or reordered without heap.Init"},
	{Name: "fix", Title: "an element's key is changed in the heap without heap.Fix"},
	{Name: "index", Title: "a position is not the element's"},
	{Name: "empty", Title: "an element is taken from a heap that can be empty"},
	{Name: "order", Title: "the heap's slice is taken for sorted"},
	{Name: "iterate", Title: "elements are moved while a loop walks over the heap"},
	{Name: "copy", Title: "a shallow copy is used as a heap"},
	{Name: "dup", Title: "an element is pushed that is in the heap already"},
}
