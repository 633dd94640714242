// Package order decides whether a comparator is a strict weak order.
//
// A heap, a sort and a binary search need a comparator that is irreflexive,
// asymmetric and transitive, and whose incomparability is transitive too. The
// package turns the body of a comparator, through the helpers that it calls,
// into a decision tree whose tests compare keys: terms that depend on one element
// only, such as a field path, the length of a slice, or the result of a method
// without arguments. What the keys are does not matter, only how they compare.
//
// Four facts make the decision finite. Every violation is shown by three
// elements, so a key that is compared with itself only needs three values. A
// comparator that orders by one key first and leaves ties to the rest is right
// exactly if the rest is, so such keys are peeled off. A relation on a finite set
// is a strict weak order exactly if less(a, b) holds when, and only when, a is
// less than more elements than b is. And keys that are treated as independent
// although they are not can only add violations: a comparator that passes is
// right, and one that fails is reported only if its keys are independent.
//
// Whatever cannot be lowered makes the comparator opaque: [Result.Verdict] says
// so and [Result.Why] gives the reason.
package order
