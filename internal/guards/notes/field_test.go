package notes

import (
	"go/types"
	"testing"
)

// TestFieldComment puts each sentence on a field of a struct with locks mu and rw.
func TestFieldComment(t *testing.T) {
	const src = `package p

import "sync"

var globalMu sync.Mutex

var registry struct {
	mu sync.Mutex
	n  int
}

type child struct {
	lock sync.Mutex
}

type parent struct {
	sync.Mutex
	childMu sync.Mutex
}

type T struct {
	mu   sync.Mutex
	rw   *sync.RWMutex
	ep   *child
	cond *sync.Cond
	cb   func()

	// SENTENCE
	f int
}
`
	for _, c := range []struct{ text, want string }{
		{"guarded by mu", "T.mu"},
		{"f is guarded by mu.", "T.mu"},
		{"Guarded by t.mu; nil until Start.", "T.mu"},
		{"f counts. Protected by mu.", "T.mu"},
		{"Protected by `mu`.", "T.mu"},
		{"protected by the mutex mu", "T.mu"},
		{"protected by the mu mutex", "T.mu"},
		{"protected by mu.Lock", "T.mu"},
		{"synchronized with mu", "T.mu"},
		{"(guarded by mu)", "T.mu"},
		{"guarded by T.mu", "T.mu"},
		{"guarded by [T.mu]", "T.mu"},
		{"guarded by rw and mu", "T.rw, T.mu"},
		{"protected by both mu and ep.lock", "T.mu, T.ep.lock"},
		{"guarded by ep.lock", "T.ep.lock"},
		{"guarded by the ep lock", "T.ep.lock"},
		{"guarded by the child lock", "child.lock"},
		{"guarded by child.lock", "child.lock"},
		{"protected by parent.childMu", "parent.childMu"},
		{"protected by parent.Mutex", "parent.Mutex"},
		{"protected by globalMu", "globalMu"},
		{"protected by registry.mu", "registry.mu"},
		{"guarded by cond.L", "T.cond.L"},
		{"must hold mu to access", "T.mu"},
		{"mu must be held to access this", "T.mu"},
		{"Must be accessed with mu held.", "T.mu"},
		{"accessed only while holding mu", "T.mu"},
		{"only access under mu", "T.mu"},
		{"under mu", "T.mu"},
		{"Under rw.", "T.rw"},
		{"hold mu when reading", "T.mu"},
		{"Read under the read lock of whatever; protected by mu", "?whatever lock read, T.mu"},
		{"Accesses must be done with the t's lock held.", "T.mu"},
		{"when accessed, must be protected by mu", "T.mu"},
		{"changed in place (with mu held)", "T.mu"},
		{"Changes to f itself require holding mu.", "T.mu"},
		{"built once and only ever written while holding mu", "T.mu"},
		{"written under mu, read without", "T.mu"},
		{"GUARDED_BY(mu)", "T.mu"},
		{"@GuardedBy(\"mu\")", "T.mu"},
		{"guarded_by(ep.lock)", "T.ep.lock"},
		{"+checklocks:mu", "T.mu"},
		{"+checklocksread:rw", "T.rw read"},
		{"+checklocks:ep.lock", "T.ep.lock"},
		{"protected by someOther.mu", "T.mu"}, // as if someOther were a receiver
		{"protected by stateMu", "?stateMu"},
		{"protected by the server lock", "?server lock"},
		{"protected by Server.mu", "?Server.mu"},

		// said of something else, or denied
		{"not guarded by mu", ""},
		{"not protected by mu, set once", ""},
		{"isn't protected by mu", ""},
		{"does not need mu", ""},
		{"can be read without holding mu", ""},
		{"may be accessed without mu", ""},
		{"no longer guarded by mu", ""},
		{"f must not be used with mu held", ""},
		{"protected by once", ""},
		{"guarded by f", ""},
		{"protected by the run goroutine", ""},
		{"serialized by the caller", ""},
		{"protected by design", ""},
		{"guarded by mu or ep.lock", ""},
		{"the number of locks held by the session", ""},
		{"mu protects nothing here", ""},
		{"set while holding the line", ""},
		{"up to 10 locks held by this", ""},
		{"the write lock is taken by sending on ch", ""},
		{"length must be held constant", ""},
		{"if mu is held when this is read, it is exact", ""},
		{"a block holds many of these", ""},
		{"+checklocksignore", ""},
		{"accessed atomically", ""},
		{"immutable", ""},
	} {
		pkg, notes := load(t, replace(src, "SENTENCE", c.text))
		f := field(pkg, "T", "f")
		if got := showAll(notes.Field(f)); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func field(pkg *types.Package, typ, name string) *types.Var {
	obj, _, _ := types.LookupFieldOrMethod(pkg.Scope().Lookup(typ).Type(), true, pkg, name)
	return obj.(*types.Var)
}
