package lessorder

import "github.com/heapvet/heapvet/internal/check"

const text = `
A heap, a sort and a binary search are only as right as their comparator. It must
be a strict weak order: no element comes before itself, no two come each before
the other, "before" is transitive, and so is "neither comes first". With a
comparator that breaks one of these laws nothing fails at once; elements come out
in the wrong order, or never.

The check takes every comparator of a heap: Less methods, functions that a heap
keeps in a field, and functions given to a heap of another package. It follows the
helpers that the comparator calls, and turns it into a function over keys: fields,
lengths, results of methods without arguments, and so on. What the keys are does
not matter, only how they compare, so a few values for each are enough to decide
about all elements. A comparator with parts that cannot be seen through is left
alone. A comparator for a heap with the greatest first is right.
`

var rules = []check.Rule{
	{
		Name:  "order",
		Title: "the comparator is no strict weak order",
		Text: `The message gives the smallest counterexample in the names of the source. A key
that is compared with itself, by the same index twice, is reported as well.`,
		Wrong: `func (h jobs) Less(i, j int) bool {
	return h[i].priority < h[j].priority || h[i].at < h[j].at
}`,
		Right: `func (h jobs) Less(i, j int) bool {
	return h[i].priority < h[j].priority || h[i].priority == h[j].priority && h[i].at < h[j].at
}`,
	},
	{
		Name:  "overflow",
		Title: "the comparator orders by a difference that can overflow or is cut",
		Text: `The difference of two unsigned integers is never negative, that of two signed
ones can overflow, and a conversion to a narrower type or from floating point to
an integer loses the sign. Serial number arithmetic (int16(a-b) < 0 over an
unsigned counter), time.Duration, and differences of lengths or of integers that
were widened first are right, and so are fields that the package only ever sets to
small values. Fields of 64 bits of which only the lower ones are compared are reported
too.`,
		Wrong: `func compare(a, b job) int { return int(a.score - b.score) }`,
		Right: `func compare(a, b job) int { return cmp.Compare(a.score, b.score) }`,
	},
	{
		Name:  "nan",
		Title: "the comparator has no place for NaN, which the package itself makes",
		Text: `NaN is neither less nor greater than any number, nor equal to itself, so that
elements with it end up anywhere and disturb others. Reported only if the package
stores NaN in the key, pushes it, or tests the key for it; not if the test keeps such
elements out of the heap.`,
		Wrong: `func (h samples) Less(i, j int) bool { return h[i].value < h[j].value }

func missing(name string) sample { return sample{name, math.NaN()} }`,
		Right: `func (h samples) Less(i, j int) bool { return cmp.Less(h[i].value, h[j].value) }

func missing(name string) sample { return sample{name, math.NaN()} }`,
	},
	{
		Name:  "impure",
		Title: "the comparator depends on, or changes, more than its elements",
		Text: `A clock, a random number, a package variable that is changed elsewhere, the
environment: when they change, the elements that are in the heap are out of order.
A comparator that waits for a lock or a channel can block in the middle of a heap
operation, and deadlock with its caller. Counters that the comparator does not
read, and values computed once from a field, are right.`,
		Wrong: `func (h waiting) Less(i, j int) bool {
	return time.Since(h[i].since) > patience && time.Since(h[j].since) <= patience
}`,
		Right: `func (h waiting) Less(i, j int) bool { return h[i].since.Before(h[j].since) }`,
	},
	{
		Name:  "panic",
		Title: "the comparator can panic on elements that the program pushes",
		Text: `A pointer that the comparator tests for nil, or a divisor that it tests for zero,
on other paths only; a pointer, function or interface that it uses, a slice that it
looks into or an integer that it divides by, of which an element is pushed without it;
nil that is pushed; a type assertion that does not hold for an element that is pushed.
A panic unwinds through the heap operation and leaves the heap half changed; in a
goroutine without recover it ends the program.`,
		Wrong: `func (h jobs) Less(i, j int) bool {
	if h[j].start == nil {
		return h[i].start != nil
	}
	return h[i].start.Before(*h[j].start)
}`,
		Right: `func (h jobs) Less(i, j int) bool {
	if h[i].start == nil || h[j].start == nil {
		return h[i].start != nil && h[j].start == nil
	}
	return h[i].start.Before(*h[j].start)
}`,
	},
}
