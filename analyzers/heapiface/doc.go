package heapiface

import "github.com/heapvet/heapvet/internal/check"

const text = `
container/heap calls five methods and relies on what it cannot check: Push appends
at the end, Pop removes and returns the last element, Swap exchanges two elements
(and whatever is stored by position), Len is the length of what the others work on.
A method that does something else compiles, and the heap returns elements in the
wrong order, twice, or never.

The check looks at every type that is used as a heap: a value of it reaches
container/heap. A stack, or a queue that sifts inside its own Push and Pop, is left
alone. It follows every way through
the methods, also through helpers of the same package, and judges by what happens
to the slice, not by how it is written. A method that it does not understand
(loops, calls of unknown code with the receiver) is not judged.

Types that declare just the five methods in a package that imports container/heap, but
are not used there as heaps, are held to the same contract.

Test files (-heapiface.tests reports there too) and generated files are silent.`

var rules = []check.Rule{
	{
		Name:  "receiver",
		Title: "Push or Pop changes only its own copy of the slice",
		Text: `
With a value receiver on a slice (or on a struct that holds one), append and
reslicing change a copy of the slice header; the heap itself stays as it was. A value
receiver is right if the receiver holds a pointer to the slice.`,
		Wrong: `
func (h IntHeap) Push(x any) { h = append(h, x.(int)) }`,
		Right: `
func (h *IntHeap) Push(x any) { *h = append(*h, x.(int)) }`,
	},
	{
		Name:  "pop",
		Title: "Pop does not remove and return the last element",
		Text: `
heap.Pop swaps the minimum with the last element and sifts before it calls Pop. So
Pop must take the last element, not the first, and must store the shorter slice.`,
		Wrong: `
func (h *IntHeap) Pop() any {
	old := *h
	x := old[0]
	*h = old[1:]
	return x
}`,
		Right: `
func (h *IntHeap) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}`,
	},
	{
		Name:  "push",
		Title: "Push does not append the element, or gets another type than it asserts",
		Text: `
heap.Push calls Push and then sifts up the last element. An element that Push puts in
front, or does not add, is never put in place. Because both methods use any, the
compiler does not see that a caller pushes a value where Push asserts a pointer, or
asserts another type on heap.Pop's result than Pop returns: the program panics.`,
		Wrong: `
func (h *mails) Push(x any) { *h = append(*h, x.(*Mail)) }

func send(h *mails, m Mail) { heap.Push(h, m) } // panics`,
		Right: `
func (h *mails) Push(x any) { *h = append(*h, x.(*Mail)) }

func send(h *mails, m Mail) { heap.Push(h, &m) }`,
	},
	{
		Name:  "swap",
		Title: "Swap does not exchange, or loses the positions that elements keep",
		Text: `
Elements that are changed or removed while they wait keep their position in a field or
in a map beside the slice. Push sets it, and Swap must keep it for both elements; Pop
must end it (-1) where the program asks by it whether the element is in the heap.
Otherwise heap.Fix and heap.Remove work on somebody else's slot. The rule speaks only
where the position is used.`,
		Wrong: `
func (h jobs) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *jobs) Push(x any) {
	j := x.(*Job)
	j.index = len(*h)
	*h = append(*h, j)
}`,
		Right: `
func (h jobs) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *jobs) Push(x any) {
	j := x.(*Job)
	j.index = len(*h)
	*h = append(*h, j)
}`,
	},
	{
		Name:  "len",
		Title: "Len is not the length of what the other methods work on",
		Text: `
container/heap knows the heap's size from Len alone. If it is the length of another
slice, or off by one, elements are never reached, or slots are that do not exist.`,
		Wrong: `
func (h *queue) Len() int { return len(h.done) }
func (h *queue) Swap(i, j int) { h.todo[i], h.todo[j] = h.todo[j], h.todo[i] }`,
		Right: `
func (h *queue) Len() int { return len(h.todo) }
func (h *queue) Swap(i, j int) { h.todo[i], h.todo[j] = h.todo[j], h.todo[i] }`,
		Setup: lenSetup,
	},
	{
		Name:  "leak",
		Title: "Pop keeps the element alive in the backing array",
		Text: `
After a reslice the popped element still stands in the slot behind the new end. In a
heap that lives long this keeps the element, and all that hangs on it, alive until a
later Push overwrites the slot. Most such Pops are harmless, so the rule is strict: it
speaks of heaps that live in a field or a package variable, whose elements hold
references and come one by one by heap.Push, are in no other slice or map of a struct
of the package, and are not followed by another Push in the function that pops.`,
		Wrong: `
func (h *queue) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}`,
		Right: `
func (h *queue) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	old[n-1] = nil
	*h = old[:n-1]
	return x
}`,
	},
	{
		Name:  "index",
		Title: "a position is recorded wrong, or shared by two heaps",
		Text: `
A new element's position is the length before the append. And an element that waits in
two heaps at one time needs two positions: with one field, the heap that moved it last
wins, and heap.Remove on the other takes out somebody else.`,
		Wrong: `
func (h *jobs) Push(x any) {
	j := x.(*Job)
	*h = append(*h, j)
	j.index = len(*h)
}`,
		Right: `
func (h *jobs) Push(x any) {
	j := x.(*Job)
	j.index = len(*h)
	*h = append(*h, j)
}`,
	},
}
