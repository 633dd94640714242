package notes

import (
	"go/types"
	"strings"
	"testing"
)

func replace(src, old, text string) string { return strings.Replace(src, old, text, 1) }

// TestFuncDoc puts each sentence on a method of a type with the lock mu, which has
// a parent with a lock of its own.
func TestFuncDoc(t *testing.T) {
	const src = `package p

import "sync"

var globalMu sync.Mutex

type server struct {
	mu    sync.RWMutex
	otherMu sync.Mutex
}

type Queue struct {
	mu  sync.RWMutex
	srv *server
	fn  func()
}

type other struct{ sync.Mutex }

// SENTENCE
func (q *Queue) pop(s *server, o *other, l sync.Locker, fn func()) {}
`
	for _, c := range []struct{ text, want string }{
		{"caller must hold q.mu", "$0.mu"},
		{"pop pops. The caller must hold q.mu.", "$0.mu"},
		{"Callers must hold mu.", "$0.mu"},
		{"mu must be held", "$0.mu"},
		{"q.mu must be held.", "$0.mu"},
		{"q.mu MUST be held when this is called.", "$0.mu"},
		{"must be called with q.mu held", "$0.mu"},
		{"Must be called with mu locked.", "$0.mu"},
		{"It must be called while holding mu.", "$0.mu"},
		{"must be called under mu", "$0.mu"},
		{"called with q.mu held", "$0.mu"},
		{"pop is called with q.mu held.", "$0.mu"},
		{"This function MUST be called with the queue's lock held (for writes).", "$0.mu"},
		{"Must be called with the lock held.", "$0.mu"},
		{"The mutex must be held by the caller.", "$0.mu"},
		{"assumes lock is held", "$0.mu"},
		{"Lock must be held", "$0.mu"},
		{"Lock should be held.", "$0.mu"},
		{"Lock held on entry.", "$0.mu"},
		{"It is called from the run loop with q.mu held.", "$0.mu"},
		{"deletes; should be called if the caller is holding mu", "$0.mu"},
		{"requires the queue's lock to already be held", "$0.mu"},
		{"Need to hold the lock on q.mu when calling this", "$0.mu"},
		{"expects to be executed with the lock held", "$0.mu"},
		{"must be called with the chain state lock held", "?chain state lock"},
		{"Server lock is held on entry", "$1.mu"},
		{"requires lock", "$0.mu"},
		{"requires q.mu", "$0.mu"},
		{"REQUIRES: q.mu is held.", "$0.mu"},
		{"Requires q.mu to be held.", "$0.mu"},
		{"requires that q.mu is held", "$0.mu"},
		{"Precondition: mu must be held.", "$0.mu"},
		{"Preconditions: q.mu must be locked.", "$0.mu"},
		{"expects the caller to hold mu", "$0.mu"},
		{"assuming the caller already holds the lock", "$0.mu"},
		{"you must already hold the mutex", "$0.mu"},
		{"Caller holds q.mu.", "$0.mu"},
		{"the caller has locked mu", "$0.mu"},
		{"The caller is responsible for locking mu.", "$0.mu"},
		{"It is up to the caller to ensure the lock is held.", "$0.mu"},
		{"hold mu before calling", "$0.mu"},
		{"Read lock must be held.", "$0.mu read"},
		{"q.mu must be held for reading.", "$0.mu read"},
		{"q.mu must be held for writing.", "$0.mu"},
		{"at least the read lock must be held", "$0.mu read"},
		{"q.mu.RLock must be held", "$0.mu read"},
		{"must not be called without holding mu", "$0.mu"},
		{"pop must not be called unless mu is held", "$0.mu"},
		{"s.mu must be held", "$1.mu"},
		{"server.mu must be held", "$1.mu"},
		{"both q.mu and s.otherMu must be held", "$0.mu, $1.otherMu"},
		{"o must be locked", "$2.Mutex"},
		{"o.Mutex must be held", "$2.Mutex"},
		{"l must be held", "$3"},
		{"q.srv.otherMu must be held", "$0.srv.otherMu"},
		{"globalMu must be held", "globalMu"},
		{"x.mu must be held", "$0.mu"}, // a receiver's old name
		{"stateLock must be held", "?stateLock"},
		{"the tree lock must be held", "?tree lock"},
		{"+checklocks:q.mu", "$0.mu"},
		{"+checklocksread:q.mu", "$0.mu read"},
		{"+checklocks:q.srv.otherMu", "$0.srv.otherMu"},
		{"REQUIRES(mu)", "$0.mu"},
		{"EXCLUSIVE_LOCKS_REQUIRED(q.mu)", "$0.mu"},
		{"Lock is held on entry\nbut may be dropped.", "$0.mu"},
		{"Pops without\nchecks.\n\nq.mu must be held.", "$0.mu"},

		{"caller must not hold q.mu", ""},
		{"mu must not be held", ""},
		{"q.mu MUST NOT be held on entry", ""},
		{"must be called without holding q.mu", ""},
		{"Must be called without the lock held.", ""},
		{"does not need mu", ""},
		{"No lock held on entry.", ""},
		{"No lock is required.", ""},
		{"the caller need not hold mu", ""},
		{"the caller doesn't have to hold mu", ""},
		{"should never be called with mu held", ""},
		{"pop acquires q.mu.", ""},
		{"pop locks mu and returns the head", ""},
		{"pop holds mu while it works", ""},
		{"fn is called with q.mu held", ""},
		{"The process function is called under mu.", ""},
		{"fn is called while holding mu", ""},
		{"if the lock is held, pop returns false", ""},
		{"pop waits until mu is held", ""},
		{"The mutex is held until pop returns.", ""},
		{"A read lock is held for the entire duration.", ""},
		{"q.mu must be held until the result is used", ""},
		{"q.mu must be held or the world stopped", ""},
		{"The caller must be the run goroutine, or q.mu must be held.", ""},
		{"the caller must hold a reference", ""},
		{"you must have permission to pop", ""},
		{"the invariant must hold", ""},
		{"returns the lock held by the session", ""},
		{"reports whether the lock is held", ""},
		{"with the lock, callers are serialized", ""},
		{"safe to call without the lock", ""},
		{"requires(x) is a call", ""},
		{"+checklocksacquire:q.mu", ""},
		{"+checklocksignore", ""},
	} {
		_, got := funcNotes(t, src, c.text, false)
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"q.mu must not be held", "not $0.mu"},
		{"must be called without holding q.mu", "not $0.mu"},
		{"+checklocksexclude:q.mu", "not $0.mu"},
		{"+checklocksexcludewrite:q.mu", "not $0.mu"},
		{"+checklocksacquire:q.mu", "takes $0.mu"},
		{"+checklocksacquireread:q.mu", "takes $0.mu read"},
		{"+checklocksrelease:q.mu", "drops $0.mu"},
		{"+checklocksreleaseread:q.mu", "drops $0.mu read"},
		{"q.mu must be held", ""},
	} {
		if _, got := funcNotes(t, src, c.text, true); got != c.want {
			t.Errorf("effects of %q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func funcNotes(t *testing.T, src, text string, effects bool) (*Notes, string) {
	pkg, notes := load(t, replace(src, "SENTENCE", strings.ReplaceAll(text, "\n", "\n// ")))
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup("Queue").Type()), true, pkg, "pop")
	fn := obj.(*types.Func)
	if effects {
		return notes, showAll(notes.Effects(fn))
	}
	got, ok := notes.Func(fn)
	if ok != (len(got) > 0) {
		t.Errorf("%q: ok is %v with %d notes", text, ok, len(got))
	}
	return notes, showAll(got)
}
