// Package notes reads what people already write about locks: which lock guards a
// field, which locks a function expects its caller to hold, which types and
// functions are not made for several goroutines.
//
// It reads the wording that real code uses ("guarded by mu", "mu protects the
// fields below", "caller must hold q.mu", a name that ends in Locked) and the
// annotations of other tools (gVisor's +checklocks, GUARDED_BY, @GuardedBy). A
// note is evidence, never proof: comments go stale, so the guards that are
// inferred from notes are weighed against use.
package notes

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Source tells how a note is written, the most trustworthy first.
type Source uint8

const (
	// Annotation is the syntax of a checker, such as +checklocks:mu.
	Annotation Source = iota
	// Sentence is prose in a comment.
	Sentence
	// Name is the name of a function, such as popLocked.
	Name
)

// Claim tells what a function's note says of a lock.
type Claim uint8

const (
	// Held locks are held by the caller at entry and exit.
	Held Claim = iota
	// Excluded locks must not be held by the caller.
	Excluded
	// Acquired locks are not held at entry and are held at exit.
	Acquired
	// Released locks are held at entry and are not held at exit.
	Released
)

// A Note is one statement about one lock.
type Note struct {
	// Lock is the lock as it is written: "mu", "ep.mu", "server lock"; empty if the
	// note names none ("must hold the lock").
	Lock string
	// Path is the lock as the fields that lead to it, embedded ones spelled out.
	// It starts from Owner if that is set, else from Global if that is set, else from
	// the struct that declares the field, or from parameter Param of the function.
	// It is nil if the lock was not resolved, and empty but not nil if the start
	// itself is the lock.
	Path []*types.Var
	// Param is the parameter of a function that Path starts from, numbered as in
	// SSA form: a method's receiver is 0. It is -1 if Path does not start there.
	Param int
	// Owner is the named type that Path starts from: the type of the annotated
	// field's struct, or another one that the note names ("TaskSet.mu").
	Owner *types.TypeName
	// Global is the package variable that Path starts from: a mutex, or a struct
	// with one.
	Global *types.Var
	// Claim is what a function's note says of the lock; a field's is Held.
	Claim Claim
	// Read is set if the read lock is enough.
	Read   bool
	Source Source
	// Pos is where the note stands, and Text is its line, or the function's name.
	Pos  token.Pos
	Text string
}

// Resolved reports whether the note's lock was found.
func (n Note) Resolved() bool { return n.Path != nil }

// Notes holds the notes of one package. It does not change after Read and may be
// used by several goroutines.
type Notes struct {
	fields  map[*types.Var][]Note
	hats    map[*types.Var][]*types.Var
	funcs   map[*types.Func][]Note
	unsafe  map[types.Object]token.Pos
	ignored map[types.Object]bool
}

// Read collects the notes of the package that is analysed.
func Read(pass *analysis.Pass) *Notes {
	return ReadFiles(pass.Fset, pass.Files, pass.Pkg, pass.TypesInfo)
}

// ReadFiles is [Read] for a package that is given by its parts. The files must have
// been parsed with their comments.
func ReadFiles(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) *Notes {
	r := &reader{
		fset: fset,
		pkg:  pkg,
		info: info,
		Notes: &Notes{
			fields:  map[*types.Var][]Note{},
			hats:    map[*types.Var][]*types.Var{},
			funcs:   map[*types.Func][]Note{},
			unsafe:  map[types.Object]token.Pos{},
			ignored: map[types.Object]bool{},
		},
	}
	for _, f := range files {
		r.file(f)
	}
	return r.Notes
}

// Field returns what is written about the locks that guard the field: in its own
// comment, in the comment of a mutex that says what it guards, or in the doc of
// the struct. Several notes mean several locks, or the same one said twice.
func (n *Notes) Field(f *types.Var) []Note { return n.fields[f.Origin()] }

// Hat returns the locks that may guard the field by convention, nearest first:
// the mutexes named after it (heapMu for heap), then the mutexes at the head of
// its group of fields, with no blank line between. They are candidates only.
func (n *Notes) Hat(f *types.Var) []*types.Var { return n.hats[f.Origin()] }

// Func returns the locks that the function expects its caller to hold, by its doc
// or by its name, and whether there are any. A note without a lock ("the lock must
// be held") is resolved if the receiver has a single lock.
func (n *Notes) Func(fn *types.Func) (notes []Note, ok bool) {
	for _, note := range n.funcs[fn.Origin()] {
		if note.Claim == Held {
			notes = append(notes, note)
		}
	}
	return notes, len(notes) > 0
}

// Effects returns what else the function says of its caller's locks: those that
// it acquires or releases for the caller, and those that must not be held.
func (n *Notes) Effects(fn *types.Func) []Note {
	return slices.DeleteFunc(slices.Clone(n.funcs[fn.Origin()]), func(note Note) bool {
		return note.Claim == Held
	})
}

// Unsafe returns where the doc of a type, function or field says that it is not
// meant for several goroutines: "not safe for concurrent use", "only used by the
// run goroutine".
func (n *Notes) Unsafe(obj types.Object) (token.Pos, bool) {
	pos, ok := n.unsafe[origin(obj)]
	return pos, ok
}

// Ignored reports whether a field or function is exempt from lock checks by
// +checklocksignore.
func (n *Notes) Ignored(obj types.Object) bool { return n.ignored[origin(obj)] }

func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Var:
		return obj.Origin()
	case *types.Func:
		return obj.Origin()
	}
	return obj
}
