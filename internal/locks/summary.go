package locks

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// Effect says what an access does to a heap.
type Effect int

// A read looks at the slice or its length; a write replaces it or its elements; an
// operation is a call into container/heap or a modelled library that changes it.
const (
	Reads Effect = iota
	Writes
	Operates
)

// An Access is a use of a heap that a function makes, itself or through what it
// calls, as seen from that function.
type Access struct {
	// Place is the heap.
	Place *Place
	// Effect and What say what is done: heap.Push, len, range.
	Effect Effect
	What   string
	// Instr is the instruction that makes the access, in the last frame's function.
	Instr ssa.Instruction
	// Copy says that the heap is a copy of the slice at Place: only its elements
	// are shared.
	Copy bool
	// Data says that the access is to a field of an object with a lock, heap or
	// not; InPlace that a write changes what the field refers to, or its array,
	// and not the field alone.
	// Deep says that it changes an element of that which is a slice or map itself.
	// Grows says that the change, of the element if it is Deep, is of nothing that
	// an older copy of the slice shows: elements are appended, or cut from its head.
	Data    bool
	InPlace bool
	Deep    bool
	Grows   bool
	// Held are the locks that the function and its callees hold by then on all
	// paths, May those on some. Locks that the function's caller holds come on
	// top, except those of Dropped, which may have been released meanwhile.
	Held    []Held
	May     []Held
	Dropped []*Place
	// Opaque says that locks of which nothing is known may be held: a call on the
	// way leaves the package by a path that cannot be followed.
	Opaque bool
	// Once says that the access is made by a function that sync.Once runs: before
	// anybody else goes on.
	Once bool
	// Private says that nobody else can reach the heap then. Such an access needs
	// no lock; that it holds one all the same tells something.
	Private bool
	// Again is a lock that the way to the access takes although it holds it
	// already, by a callback that a function calls under the lock; nil if none.
	Again *Place
	// When are the boolean parameters by which the access, or its locks, depend
	// on the caller: it happens so only if they have these values.
	When []Condition
	// Trace leads from the function to the access: the call in the function, the
	// call in the callee, and so on; the last frame is the access itself.
	Trace []Frame
	// Spawn is set if the access does not happen in the call but later or beside
	// it: then the caller's locks do not count.
	Spawn *Spawn
}

// A Condition is a value of a boolean parameter.
type Condition struct {
	Param *ssa.Parameter
	Value bool
}

// A Frame is one step on the way to an access.
type Frame struct {
	Fn  *ssa.Function
	At  token.Pos
	End token.Pos
	// Place is the heap as the function of the frame knows it; nil if it cannot
	// be named there.
	Place *Place
}

// A Spawn is where code is handed over to run by another goroutine or at another time.
type Spawn struct {
	Fn    *ssa.Function // the function that does so
	Instr ssa.Instruction
	Kind  SpawnKind
	// Many says that the same function call may spawn it several times on the
	// same objects: the statement is in a loop.
	Many bool
}

// SpawnKind says who runs a function value.
type SpawnKind int

// A go statement runs it at once, beside the caller; a timer or callback later, on
// another goroutine; an escaping value whoever gets hold of it.
const (
	Goroutine SpawnKind = iota
	Callback
	Escaping
)

// String is how messages call it.
func (k SpawnKind) String() string {
	return [...]string{"goroutine", "callback", "function value"}[k]
}

// A paramCall says that a function calls one of its function-typed parameters.
type paramCall struct {
	param   *ssa.Parameter // of the function, or of one around it
	held    []Held
	may     []Held
	dropped []*Place
	spawn   *Spawn
	trace   []Frame
	// opaque says that a function which cannot be seen gets the parameter: it may call
	// it, now or later, or never.
	opaque bool
}

// A Net is what a function does to the locks of its caller by the time it returns.
type Net struct {
	Acquired []Held   // on all returns
	Maybe    []Held   // on some
	Released []*Place // on all
	Dropped  []*Place // on some
}

func (n *Net) empty() bool {
	return len(n.Acquired) == 0 && len(n.Maybe) == 0 && len(n.Released) == 0 && len(n.Dropped) == 0
}

// releasedAs tells in which mode a lock was let go that the function has let go, or
// holds again: to come back with the write lock is to have come with the read lock,
// for else nothing would have changed.
func (n *Net) releasedAs(p *Place) Mode {
	if i, ok := find(n.Acquired, p); ok && n.Acquired[i].Mode == Write {
		return Read
	}
	return Write
}

// A Summary is what callers need to know of a function.
type Summary struct {
	Fn *ssa.Function
	// Net is the effect on the caller's locks on all returns. If Conditional, it
	// is that of returns with a true, or nil, last result, and Else that of the
	// others.
	Net         Net
	Else        Net
	Conditional bool
	// Accesses happen within the call.
	Accesses []*Access
	// Spawned happen outside of the call: they belong to nobody's locks.
	Spawned []*Access
	calls   []*paramCall
	// fresh says that the first result is an object that only the caller has.
	fresh bool
	// publishes has the parameters whose objects the function makes reachable for
	// others.
	publishes []bool
	// Leaks are the returns that leave a lock held which other returns let go.
	Leaks []Leak
}

// Balanced tells whether the function leaves its caller's locks as they were.
func (s *Summary) Balanced() bool {
	return s.Net.empty() && s.Else.empty() && len(s.Leaks) == 0
}

// A Leak is a return on which a lock stays held.
type Leak struct {
	Return *ssa.Return
	Lock   Held
}

// maxAccesses bounds the accesses of a summary, to heaps and to other data. Those past it are dropped, which
// can only silence findings.
const maxAccesses = 256

// maxTrace bounds the length of the way to an access.
const maxTrace = 12

// maxCalls bounds the ways by which a summary says that parameters are called.
const maxCalls = 64

// An accessSet collects the accesses of a summary.
type accessSet struct {
	list []*Access
	at   map[*Place][]int // where in the list a place is
	data int              // how many are accesses to data
}

// full tells whether the set takes no further accesses to heaps, or to other data.
func (s *accessSet) full(data bool) bool {
	if data {
		return s.data >= maxAccesses
	}
	return len(s.list)-s.data >= maxAccesses
}

// add puts an access into the set unless an equal one is there already; of two
// equal ones the shorter trace stays.
func (s *accessSet) add(a *Access) {
	for _, i := range s.at[a.Place] {
		if b := s.list[i]; b.same(a) {
			if len(a.Trace) < len(b.Trace) {
				s.list[i] = a
			}
			return
		}
	}
	if s.full(a.Data) || len(a.Trace) > maxTrace {
		return
	}
	if s.at == nil {
		s.at = map[*Place][]int{}
	}
	s.at[a.Place] = append(s.at[a.Place], len(s.list))
	s.list = append(s.list, a)
	if a.Data {
		s.data++
	}
}

// addCall puts a call of a parameter into the list unless an equal one is there.
func addCall(list []*paramCall, c *paramCall) []*paramCall {
	if len(list) >= maxCalls || len(c.trace) > maxTrace || slices.ContainsFunc(list, c.same) {
		return list
	}
	return append(list, c)
}

func (c *paramCall) same(d *paramCall) bool {
	return c.param == d.param && c.spawn == d.spawn && sameWay(c.trace, d.trace) &&
		slices.Equal(c.held, d.held) && slices.Equal(c.may, d.may) && slices.Equal(c.dropped, d.dropped)
}

// same tells whether two accesses differ in nothing that matters to callers. The
// first step of the trace matters: it is where a finding would be.
func (a *Access) same(b *Access) bool {
	return a.Place == b.Place && a.Effect == b.Effect && a.Data == b.Data && a.InPlace == b.InPlace && a.Deep == b.Deep && a.Grows == b.Grows && a.Again == b.Again && a.Copy == b.Copy && a.Opaque == b.Opaque && a.Once == b.Once && a.Private == b.Private && slices.Equal(a.When, b.When) &&
		sameWay(a.Trace, b.Trace) &&
		slices.Equal(a.Held, b.Held) && slices.Equal(a.May, b.May) && slices.Equal(a.Dropped, b.Dropped)
}

// sameWay tells whether two traces are one as far as they stay within the function
// and its literals, where a finding may be placed, and end in one function.
func sameWay(a, b []Frame) bool {
	for i := range a {
		if i >= len(b) || a[i].Fn != b[i].Fn {
			break
		}
		if !within(a[i].Fn, a[0].Fn) {
			break
		}
		if a[i].At != b[i].At {
			return false
		}
	}
	return a[len(a)-1].Fn == b[len(b)-1].Fn
}

func within(fn, outer *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == outer {
			return true
		}
	}
	return false
}

// direct makes the access of an instruction.
func direct(fn *ssa.Function, at, end token.Pos, p *Place, e Effect, what string) *Access {
	return &Access{Place: p, Effect: e, What: what, Trace: []Frame{{Fn: fn, At: at, End: end, Place: p}}}
}

// effectOf is the effect of a heap operation.
func effectOf(k heaps.Kind) Effect {
	if k.Mutates() {
		return Operates
	}
	return Reads
}
