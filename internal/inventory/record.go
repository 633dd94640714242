// Package inventory lists the heaps of a package with what the analysis believes of
// each: who owns it, which lock guards it and by what evidence, or why none does.
//
// It is how people come to trust the findings, and how a wrong one is traced to the
// belief behind it, so it is made of the same locations that the checks judge.
package inventory

// A Record describes one heap. It travels as the message of a diagnostic, as JSON;
// positions are those of the diagnostic and of its related information, which hold
// a [Use] each.
type Record struct {
	// Heap names the heap as one would in the source: Queue.items.
	Heap string `json:"heap"`
	// Type is the heap's type.
	Type string `json:"type"`
	// Owner is the type that the heap is part of, or says which variable it is.
	Owner string `json:"owner"`
	// State is "guarded", or why there is no guard.
	State State `json:"state"`
	// Guard is the lock, as one would name it in the owner's code; "" if none.
	Guard string `json:"guard,omitempty"`
	// Because says in half a sentence what the state rests on.
	Because string `json:"because"`
	// With and Without count the places in the source that use the heap: those that
	// hold the guard always, and those that do not. If the state is unknown, it is the
	// lock that came next to being the guard. Places that need none (see Use.Held)
	// are in neither.
	With    int `json:"with"`
	Without int `json:"without"`
	// Entries are the ways into the package that lead to the heap, exported functions
	// and goroutines; EntriesWith those of them that hold the guard all along.
	Entries     int `json:"entries"`
	EntriesWith int `json:"entriesWith"`
}

// State says what is known of a heap's guard.
type State string

// The states. All but Guarded say why there is no guard.
const (
	Guarded State = "guarded"
	// Local: a variable of one function, or an object that it made and gave to nobody.
	Local State = "local"
	// Construction: used only while its owner is being built.
	Construction State = "construction"
	// Confined: one goroutine, or one function of the package, has it for itself.
	Confined State = "confined"
	// Documented: a comment says that the type is not for several goroutines.
	Documented State = "documented"
	// Caller: the function uses a heap that it is given; its callers are to lock.
	Caller State = "caller"
	// SelfLocked: the heap's library locks.
	SelfLocked State = "self-locked"
	// Unlocked: several ways lead to it, and none holds a lock.
	Unlocked State = "unlocked"
	// Unknown: locks are held at too few uses to tell, or the uses cannot be followed.
	Unknown State = "unknown"
)

// A Use is one place in the source that uses a heap.
type Use struct {
	// What is done: heap.Push, read, written.
	What string `json:"what"`
	// Func is the function that does it.
	Func string `json:"func"`
	// Held says how the guard is held there: "yes", "read" (only for reading),
	// "sometimes", "no", "unshared" (nobody else can reach the heap then), or "exempt"
	// (the code says that its caller sees to it, or owns the heap for the time).
	Held string `json:"held"`
}
