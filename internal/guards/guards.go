// Package guards decides which lock guards which heap, from the way the heap is
// used, and finds the uses that go without it.
//
// A heap's location is a matter of types, not of objects: the field active.items of
// type T, say, or a package variable. Every use of it is a context: a root (an
// entry into the package: an exported function, or code that another goroutine
// runs), and the locks held on the way from there. The lock that most roots hold is
// the guard. A mutex beside the heap is no evidence by itself.
package guards

import (
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards/notes"
	"github.com/heapvet/heapvet/internal/locks"
)

// A Location is where a heap lives: a field of a type, a package variable, or a
// local variable that closures share.
type Location struct {
	// Owner is the named type that the heap is part of, nil for a variable.
	Owner *types.TypeName
	// Var is the variable, nil for a type.
	Var ssa.Value
	// Path leads from the owner or variable to the heap.
	Path locks.Path

	// Contexts are the uses that count, in source order.
	Contexts []*Context
	// Guard is the lock that guards the heap, nil if none could be found.
	Guard *Guard
	// Candidates are the locks that were considered, best first.
	Candidates []*Guard

	// parts remembers which types are parts of the owner.
	parts map[*types.TypeName]bool
}

// String is the location as one would name it: Queue.items, or the variable.
func (l *Location) String() string {
	name := ""
	if l.Owner != nil {
		name = l.Owner.Name()
	} else {
		name = l.Var.Name()
		if a, ok := l.Var.(*ssa.Alloc); ok {
			name = VarName(a)
		}
	}
	if len(l.Path) == 0 {
		return name
	}
	if l.Path[0].Field == nil {
		return name + l.Path.String()
	}
	return name + "." + l.Path.String()
}

// unnamed are go/ssa's comments of allocations that are no variables.
var unnamed = map[string]bool{"": true, "new": true, "complit": true, "slicelit": true, "makeslice": true, "varargs": true}

// VarName is the name of a local variable; for an object that is none, what it is: new
// queue.
func VarName(a *ssa.Alloc) string {
	if !unnamed[a.Comment] {
		return a.Comment
	}
	t := a.Type().Underlying().(*types.Pointer).Elem()
	return "new " + types.TypeString(t, func(*types.Package) string { return "" })
}

// A Context is one way to use a heap.
type Context struct {
	// Root is the function by which the package is entered. If the access is
	// spawned, it is the function that spawns it.
	Root *ssa.Function
	*locks.Access
	// Object is the owner that the access is to.
	Object *locks.Place
	exempt bool
}

// Exempt tells whether the use is outside the rule by what is written or by the way
// the code hands the heap over.
func (c *Context) Exempt() bool { return c.exempt }

// Entry identifies the root: accesses with the same entry are one vote.
func (c *Context) Entry() any {
	if c.Spawn != nil {
		return c.Spawn
	}
	return c.Root
}

// A Guard is a lock that may guard a heap.
type Guard struct {
	// Path leads to the lock from the owner. For a variable, or a lock in a
	// package variable, Place is the lock.
	Path  locks.Path
	Place *locks.Place
	// Held, Mixed and Total count roots: those that hold the lock at all their
	// uses of the heap, those that hold it at some, and all.
	Held, Mixed, Total int
	// Reasons for the lock besides the count, as half sentences.
	Reasons []string
	// Evidence are positions where the lock is held, a few at most.
	Evidence []token.Pos
	// Noted is where a comment names the lock, if one does.
	Noted  token.Pos
	weight int
}

// String is the lock as one would name it in the owner's code.
func (g *Guard) String() string {
	if g.Place != nil {
		return Name(g.Place)
	}
	if len(g.Path) == 0 {
		return "its lock" // the owner is handed on as a sync.Locker
	}
	return g.Path.String()
}

// Var is the field or package variable that the lock is, nil if it is neither.
func (g *Guard) Var() *types.Var {
	if g.Place != nil {
		return locks.LockVar(g.Place)
	}
	for _, s := range slices.Backward(g.Path) {
		if s.Field != nil {
			return s.Field
		}
	}
	return nil
}

// Name writes a place as the source does: q.mu, shards[].mu.
func Name(p *locks.Place) string {
	switch {
	case p.Parent == nil:
		switch r := p.Root.(type) {
		case *ssa.Alloc:
			return r.Comment
		case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
			return r.Name()
		}
		if n := p.Named(); n != nil {
			return "(" + n.Name() + ")"
		}
		return "it"
	case p.Field != nil:
		return Name(p.Parent) + "." + p.Field.Name()
	}
	return Name(p.Parent) + "[]"
}

// Options say which code counts.
type Options struct {
	// Skip tells whether a function does not count at all: test code.
	Skip func(*ssa.Function) bool
	// Data asks for the fields of objects with a lock instead of the heaps.
	Data bool
	// Notes are what people wrote about the package's locks.
	Notes *notes.Notes
}

// ForPass returns the options for the package of a pass: test code does not count.
func ForPass(pass *analysis.Pass) Options {
	return Options{Notes: notes.Read(pass), Skip: func(fn *ssa.Function) bool {
		return strings.HasSuffix(pass.Fset.Position(fn.Pos()).Filename, "_test.go")
	}}
}

// Find collects the locations of a package's heaps with their contexts, and decides
// which lock guards each.
func Find(a *locks.Analysis, opts Options) []*Location {
	f := &finder{a: a, opts: opts, byKey: map[string]*Location{}}
	for _, fn := range a.Heaps().IR.Funcs {
		if !opts.Skip(fn) {
			f.collect(fn)
		}
	}
	for _, l := range f.locations {
		l.decide(a, opts.Notes)
	}
	f.reinforce()
	for _, l := range f.locations {
		if l.Guard != nil {
			f.exemptOwners(l)
			f.exemptBeforeStart(l)
		}
	}
	return f.locations
}

type finder struct {
	a         *locks.Analysis
	opts      Options
	byKey     map[string]*Location
	locations []*Location
}

// collect notes the contexts that start at fn.
func (f *finder) collect(fn *ssa.Function) {
	sum := f.a.Summary(fn)
	if sum == nil {
		return
	}
	if f.root(fn) {
		for _, acc := range sum.Accesses {
			f.add(fn, acc)
		}
	}
	for _, acc := range sum.Spawned {
		f.add(fn, acc)
	}
}

// root tells whether fn can be entered from outside the package with no lock of
// the package held. Methods of heap.Interface are called by container/heap in the
// name of its caller, and an unexported function in that of its own callers.
func (f *finder) root(fn *ssa.Function) bool {
	if fn.Parent() != nil || f.a.Heaps().Method(fn) || fn.Synthetic != "" {
		return false
	}
	if fn.Name() == "main" && fn.Pkg.Pkg.Name() == "main" {
		return true
	}
	if !token.IsExported(fn.Name()) {
		return false
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return true
	}
	name := typeName(recv.Type())
	return name == nil || name.Exported() || !f.a.Called(fn)
}

func typeName(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// add files an access under all locations that it is an access to: the heap as a
// part of each of the objects around it.
func (f *finder) add(fn *ssa.Function, acc *locks.Access) {
	if acc.Data != f.opts.Data {
		return
	}
	for _, obj := range acc.Place.Ancestors() {
		path, ok := acc.Place.From(obj)
		if !ok && obj != acc.Place {
			continue
		}
		ctx := &Context{Root: fn, Access: acc, Object: obj, exempt: f.exempt(fn, acc)}
		if name := obj.Named(); name != nil && locks.IsStruct(obj.Type) {
			f.file(&Location{Owner: name, Path: path}, name.Pkg().Path()+"."+name.Name(), ctx)
		}
		if obj.Parent != nil {
			continue
		}
		switch root := obj.Root.(type) {
		case *ssa.Global:
			f.file(&Location{Var: root, Path: path}, root.String(), ctx)
		case *ssa.Alloc:
			f.file(&Location{Var: root, Path: path}, root.Parent().String()+"."+root.Name(), ctx)
		}
	}
}

// exempt tells whether an access is outside the rule by what is written: the root
// says that its caller holds the lock, or that it is not for several goroutines.
func (f *finder) exempt(fn *ssa.Function, acc *locks.Access) bool {
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || acc.Spawn != nil {
		return false
	}
	if len(acc.May) == 0 && setsUp(fn) {
		return true
	}
	if _, ok := f.opts.Notes.Func(obj); ok {
		return true
	}
	_, unsafe := f.opts.Notes.Unsafe(obj)
	return unsafe || f.opts.Notes.Ignored(obj)
}

// setsUp tells whether a method is by its name the second stage of a constructor: it
// runs before anybody else has the object.
func setsUp(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil {
		return false
	}
	for _, word := range []string{"Init", "Setup", "SetUp", "Bootstrap", "Open"} {
		if rest, ok := strings.CutPrefix(fn.Name(), word); ok && (rest == "" || rest == "ialize" || rest[0] >= 'A' && rest[0] <= 'Z') {
			return true
		}
	}
	return false
}

func (f *finder) file(l *Location, base string, c *Context) {
	key := base + ":" + l.Path.String()
	if old := f.byKey[key]; old != nil {
		l = old
	} else {
		f.byKey[key] = l
		f.locations = append(f.locations, l)
	}
	l.Contexts = append(l.Contexts, c)
}

// Holds tells how the guard is held in a context: on all paths, and on some.
func (l *Location) Holds(a *locks.Analysis, g *Guard, c *Context) (must, may locks.Mode) {
	p := g.Place
	if p == nil {
		p = a.Append(c.Object, g.Path)
	}
	must, may = held(c.Held, p), held(c.May, p)
	if may == 0 && g.Place == nil && l.byBackPointer(c.Object) {
		return l.heldByOwner(c.Held, g), l.heldByOwner(c.May, g)
	}
	return must, may
}

func held(list []locks.Held, p *locks.Place) locks.Mode {
	for _, h := range list {
		if h.Place == p {
			return h.Mode
		}
	}
	return 0
}

// decide counts, for every lock that is held in some context, the roots that hold
// it, and takes the best as the guard if that is evidence enough.
func (l *Location) decide(a *locks.Analysis, n *notes.Notes) {
	if l.Owner != nil {
		if _, unsafe := n.Unsafe(l.Owner); unsafe {
			return
		}
	}
	byKey := map[string]*Guard{}
	for _, c := range l.Contexts {
		for _, h := range c.May {
			g := l.candidate(c, h)
			if g != nil && byKey[g.key()] == nil {
				byKey[g.key()] = g
				l.Candidates = append(l.Candidates, g)
			}
		}
	}
	for _, g := range l.Candidates {
		l.count(a, g)
		l.hints(g, n)
	}
	sort.SliceStable(l.Candidates, func(i, j int) bool { return l.Candidates[i].better(l.Candidates[j]) })
	if len(l.Candidates) > 0 && l.Candidates[0].enough() {
		l.Guard = l.Candidates[0]
	}
}

func (g *Guard) key() string {
	if g.Place != nil {
		return "=" + Name(g.Place)
	}
	return g.Path.String()
}

// candidate is the lock h as a guard of the location: a part of the same object, a
// package variable, or, for a local variable, another local variable.
func (l *Location) candidate(c *Context, h locks.Held) *Guard {
	if l.Owner != nil && local(h.Place, c) {
		return nil
	}
	if path, ok := h.Place.From(c.Object); ok {
		return &Guard{Path: path}
	}
	if h.Place == c.Object {
		return &Guard{Path: locks.Path{}}
	}
	if l.byBackPointer(c.Object) {
		if path, ok := l.inOwner(h.Place); ok {
			return &Guard{Path: path}
		}
	}
	switch h.Place.Root.(type) {
	case *ssa.Global:
		return &Guard{Place: h.Place}
	case *ssa.Alloc:
		if l.Owner == nil {
			return &Guard{Place: h.Place}
		}
	}
	return nil
}

// count takes the votes of the roots.
func (l *Location) count(a *locks.Analysis, g *Guard) {
	type vote struct{ with, without int }
	votes := map[any]*vote{}
	for _, c := range l.Contexts {
		if c.exempt || c.Copy || c.Once {
			continue
		}
		v := votes[c.Entry()]
		if v == nil {
			v = &vote{}
			votes[c.Entry()] = v
		}
		must, may := l.Holds(a, g, c)
		switch {
		case c.Private && must == 0:
			continue // it may, but need not, hold the lock
		case must > 0:
			v.with++
			if len(g.Evidence) < 3 {
				g.Evidence = append(g.Evidence, c.Trace[0].At)
			}
		case may > 0:
			v.with++
			v.without++
		default:
			v.without++
		}
	}
	for _, v := range votes {
		if v.with+v.without == 0 {
			continue
		}
		g.Total++
		switch {
		case v.without == 0:
			g.Held++
		case v.with > 0:
			g.Mixed++
		}
	}
}

// noteWeight is how many roots a note about the heap's field counts for.
const noteWeight = 3

// hints adds the weight of what the declaration says: a comment that names the
// lock, or a lock that is named for the heap or stands at the head of its fields.
func (l *Location) hints(g *Guard, n *notes.Notes) {
	if g.Place != nil || len(g.Path) == 0 {
		return
	}
	lock := g.Path[len(g.Path)-1].Field
	for i, s := range l.Path {
		if s.Field == nil {
			continue
		}
		for _, note := range n.Field(s.Field) {
			if note.Resolved() && note.Owner == l.Owner && samePath(note.Path, g.Path) || i == 0 && note.Resolved() && note.Owner == nil && samePath(note.Path, g.Path) {
				g.weight += noteWeight
				g.Reasons = append(g.Reasons, "the comment of "+s.Field.Name()+" says so")
				g.Noted = note.Pos
				return
			}
		}
		if lock != nil && (slices.Contains(n.Hat(s.Field), lock) || commonStem(lock.Name(), s.Field.Name())) {
			g.weight++
			g.Reasons = append(g.Reasons, "it is declared for "+s.Field.Name())
			return
		}
	}
}

// commonStem tells whether two names begin with the same word of three letters or
// more: inFlightMutex and inFlightPQ.
func commonStem(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && !(boundary(a, n) && boundary(b, n)) {
		n--
	}
	return n >= 3
}

func boundary(s string, n int) bool {
	return n == len(s) || s[n] == '_' || s[n] >= 'A' && s[n] <= 'Z'
}

func samePath(fields []*types.Var, p locks.Path) bool {
	return slices.EqualFunc(fields, p, func(f *types.Var, s locks.Step) bool { return s.Field == f.Origin() })
}

func (g *Guard) support() int { return g.Held + g.Mixed + g.weight }

func (g *Guard) better(h *Guard) bool {
	if g.support() != h.support() {
		return g.support() > h.support()
	}
	if g.Held != h.Held {
		return g.Held > h.Held
	}
	return len(g.Path) < len(h.Path)
}

// enough tells whether the evidence decides: at least two roots know the lock, and
// at least half of all do.
func (g *Guard) enough() bool {
	return g.Held+g.Mixed > 0 && g.support() >= 2 && 2*g.support() >= g.Total
}

// reinforce decides for heaps that are used in too few places by themselves, if
// another heap of the same type has the same guard.
func (f *finder) reinforce() {
	decided := map[string]bool{}
	key := func(l *Location, g *Guard) string {
		return l.Owner.Pkg().Path() + "." + l.Owner.Name() + ":" + g.key()
	}
	for _, l := range f.locations {
		if l.Owner != nil && l.Guard != nil {
			decided[key(l, l.Guard)] = true
		}
	}
	for _, l := range f.locations {
		if l.Owner == nil || l.Guard != nil || len(l.Candidates) == 0 {
			continue
		}
		if g := l.Candidates[0]; decided[key(l, g)] && 2*(g.support()+1) >= g.Total {
			l.Guard = g
			g.Reasons = append(g.Reasons, "it guards the other heap of "+l.Owner.Name())
		}
	}
}
