// Package expose finds the ways on which data that a lock guards gets out of its
// critical sections: by a reference to it that somebody can follow when the lock is
// no longer held.
//
// What is guarded is a matter of use: a field is, if it is written under a lock of
// its own object once that object is shared. What is dangerous to hand out is what
// is changed in place under that lock; a slice that is only ever replaced whole is a
// value to whoever has it.
package expose

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/guards/notes"
	"github.com/heapvet/heapvet/internal/locks"
)

// A Field is data that a lock guards: a field of a type, or a package variable.
type Field struct {
	Loc   *guards.Location
	Guard *guards.Guard
	// InPlace tells that what the field refers to is changed under the lock, and
	// not only the field itself.
	InPlace bool
	// Deep tells that slices or maps which are elements of it are changed so.
	Deep bool
	// Over and DeepOver tell that what an older copy of the slice shows is changed
	// as well, not only what is appended to it.
	Over, DeepOver bool
	// Held and Unheld count the entries that use the field with and without the lock.
	Held, Unheld int
}

// String is the field as one would name it.
func (f *Field) String() string { return f.Loc.String() }

// Fields are the guarded data of one package.
type Fields struct {
	a     *locks.Analysis
	byKey map[string]*Field
	list  []*Field
	// found is what At found, by place.
	found map[*locks.Place]placedField
	// written has the locations that are written after construction, by key.
	written map[string]bool
}

type placedField struct {
	field *Field
	place *locks.Place
}

// FindFields collects the guarded data of a package.
func FindFields(a *locks.Analysis, opts guards.Options) *Fields {
	opts.Data = true
	fs := &Fields{a: a, byKey: map[string]*Field{}, found: map[*locks.Place]placedField{}, written: map[string]bool{}}
	for _, l := range guards.Find(a, opts) {
		if f := fs.judge(l); f != nil {
			fs.byKey[key(l.Owner, l.Var, l.Path)] = f
			fs.list = append(fs.list, f)
		}
	}
	return fs
}

func key(owner *types.TypeName, v ssa.Value, path locks.Path) string {
	if owner != nil {
		return owner.Pkg().Path() + "." + owner.Name() + ":" + path.String()
	}
	return "var " + v.Name() + ":" + path.String()
}

// judge decides whether a location is guarded, and by which lock: the one that most
// writes hold. It is not if more entries write without it than with it.
func (fs *Fields) judge(l *guards.Location) *Field {
	for _, c := range l.Contexts {
		if c.Effect != locks.Reads && !c.Private && !lockedWithin(c) {
			fs.written[key(l.Owner, l.Var, l.Path)] = true
		}
	}
	var best *Field
	bestWrites := 0
	for _, g := range l.Candidates {
		if ofAnotherPart(g, l) {
			continue
		}
		f := &Field{Loc: l, Guard: g}
		writes, bare := 0, 0
		for _, c := range l.Contexts {
			must, _ := l.Holds(fs.a, g, c)
			write := c.Effect != locks.Reads
			if c.Private && must == 0 {
				continue
			}
			f.InPlace = f.InPlace || write && c.InPlace
			f.Deep = f.Deep || write && c.Deep
			f.Over = f.Over || write && c.InPlace && (c.Deep || !c.Grows)
			f.DeepOver = f.DeepOver || write && c.Deep && !c.Grows
			switch {
			case c.Once || len(c.When) > 0:
			case must > 0 && write:
				writes++
			case write:
				bare++
			}
		}
		if writes > bestWrites && writes >= bare {
			best, bestWrites = f, writes
		}
	}
	if best != nil {
		best.Held, best.Unheld = best.Guard.Held+best.Guard.Mixed, best.Guard.Total-best.Guard.Held-best.Guard.Mixed
	}
	return best
}

// ofAnotherPart tells whether a lock belongs to a part of the owner which the location is
// not in, and which has data for the lock to guard: that both are often used together
// does not make it the lock of the whole.
func ofAnotherPart(g *guards.Guard, l *guards.Location) bool {
	for i, s := range g.Path[:max(len(g.Path)-1, 0)] {
		if s.Field == nil || s.Field.Embedded() {
			continue
		}
		if i < len(l.Path) && l.Path[i] == s {
			continue
		}
		part, ok := s.Field.Type().Underlying().(*types.Struct)
		return ok && hasContainers(part)
	}
	return false
}

func hasContainers(s *types.Struct) bool {
	for f := range s.Fields() {
		if container(f.Type()) {
			return true
		}
	}
	return false
}

// lockedWithin tells whether what is written is part of an object that locks itself,
// within the owner of the location.
func lockedWithin(c *guards.Context) bool {
	for p := c.Place.Parent; p != nil && p != c.Object; p = p.Parent {
		if locks.IsStruct(p.Type) && selfGuarded(p.Type) {
			return true
		}
	}
	return false
}

// At returns the guarded field that a place is, or is a part of, and the place of
// the field itself; nil if it is none.
func (fs *Fields) At(p *locks.Place) (*Field, *locks.Place) {
	if p == nil || len(fs.list) == 0 {
		return nil, nil
	}
	found, ok := fs.found[p]
	if !ok {
		found.field, found.place = fs.find(p)
		fs.found[p] = found
	}
	return found.field, found.place
}

func (fs *Fields) find(p *locks.Place) (*Field, *locks.Place) {
	for _, q := range p.Ancestors() {
		for _, obj := range q.Ancestors() {
			path, ok := q.From(obj)
			if !ok && q != obj {
				continue
			}
			if n := obj.Named(); n != nil && n.Pkg() != nil && len(path) > 0 {
				if f := fs.byKey[key(n, nil, path)]; f != nil {
					return f, q
				}
			}
			if g, ok := obj.Root.(*ssa.Global); ok && obj.Parent == nil {
				if f := fs.byKey[key(nil, g, path)]; f != nil {
					return f, q
				}
			}
		}
	}
	return nil, nil
}

// Within returns a guarded field of the struct at a place, with its place, nil if it has
// none.
func (fs *Fields) Within(p *locks.Place) (*Field, *locks.Place) {
	for _, obj := range p.Ancestors() {
		path, ok := p.From(obj)
		if !ok || obj.Named() == nil {
			continue
		}
		for _, f := range fs.list {
			if f.Loc.Owner == obj.Named() && len(f.Loc.Path) == len(path)+1 && f.Loc.Path[:len(path)].String() == path.String() && f.Loc.Path[len(path)].Field != nil {
				return f, fs.a.Append(p, f.Loc.Path[len(path):])
			}
		}
	}
	return nil, nil
}

// WrittenAt tells whether the field at a place is written after its object was made.
func (fs *Fields) WrittenAt(p *locks.Place) bool {
	for _, obj := range p.Ancestors() {
		path, ok := p.From(obj)
		if !ok {
			continue
		}
		if n := obj.Named(); n != nil && n.Pkg() != nil && len(path) > 0 && fs.written[key(n, nil, path)] {
			return true
		}
		if g, ok := obj.Root.(*ssa.Global); ok && obj.Parent == nil && fs.written[key(nil, g, path)] {
			return true
		}
	}
	return false
}

// WrittenBelow tells whether something at or below a place is written after its
// object was made.
func (fs *Fields) WrittenBelow(p *locks.Place) bool {
	for _, obj := range p.Ancestors() {
		path, ok := p.From(obj)
		if !ok && p != obj {
			continue
		}
		var prefix string
		if n := obj.Named(); n != nil && n.Pkg() != nil && len(path) > 0 {
			prefix = key(n, nil, path)
		} else if g, ok := obj.Root.(*ssa.Global); ok && obj.Parent == nil {
			prefix = key(nil, g, path)
		} else {
			continue
		}
		for k := range fs.written {
			if len(k) > len(prefix) && k[:len(prefix)] == prefix && (k[len(prefix)] == '.' || k[len(prefix)] == '[') {
				return true
			}
		}
	}
	return false
}

// GuardAt returns the place of the lock that guards the field at q.
func (fs *Fields) GuardAt(f *Field, q *locks.Place) *locks.Place {
	if f.Guard.Place != nil {
		return f.Guard.Place
	}
	for _, obj := range q.Ancestors() {
		if path, ok := q.From(obj); ok && obj.Named() == f.Loc.Owner && path.String() == f.Loc.Path.String() {
			return fs.a.Append(obj, f.Guard.Path)
		}
	}
	return nil
}

// References tells whether a value of the type refers to memory that others may
// change: a slice, a map, a pointer to plain data, or something that contains one.
// Functions, channels, and types that lock themselves do not count.
func References(t types.Type) bool { return references(t, 0) }

func references(t types.Type, depth int) bool {
	if depth > 4 || selfGuarded(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Struct)
		return ok && !selfGuarded(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if references(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Array:
		return references(u.Elem(), depth+1)
	}
	return false
}

// selfGuarded tells whether objects of the type may be shared: they have a lock or
// atomics of their own, or are interfaces, of which nothing is known.
func selfGuarded(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return types.IsInterface(t)
	}
	for f := range s.Fields() {
		ft := f.Type()
		if locks.IsLock(ft) {
			return true
		}
		if n, ok := types.Unalias(ft).(*types.Named); ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync/atomic" || n.Obj().Pkg().Path() == "sync") {
			return true
		}
	}
	return false
}

// A Finding is a way out.
type Finding struct {
	Rule    string
	Pos     token.Pos
	Message string
	Field   *Field
	// Copy says how to mend it, nil if a copy would not.
	Copy *Copy
}

// A finder looks at the functions of a package one by one.
type finder struct {
	a        *locks.Analysis
	fs       *Fields
	notes    *notes.Notes
	opts     guards.Options
	fn       *ssa.Function
	findings []*Finding

	// What has been worked out so far, by function and by field.
	inserts map[*ssa.Function][]insertion
	heldAt  map[*ssa.Function]map[ssa.Instruction][]locks.Held
	waiters map[*ssa.Function]bool
	byField map[*types.Var][]fieldAccess
	changed map[*types.Var]bool
	inPools map[*types.Var]bool // fields that go into a pool
	sites   map[*ssa.Function][]*ssa.Call
}

// Find returns all ways out of a package's critical sections, in source order.
func Find(a *locks.Analysis, opts guards.Options) []*Finding {
	f := &finder{
		a: a, fs: FindFields(a, opts), notes: opts.Notes, opts: opts,
		inserts: map[*ssa.Function][]insertion{},
		heldAt:  map[*ssa.Function]map[ssa.Instruction][]locks.Held{},
		waiters: map[*ssa.Function]bool{},
	}
	for _, fn := range a.Heaps().IR.Funcs {
		if opts.Skip(fn) || a.Heaps().Method(fn) || fn.Synthetic != "" || forTests(fn) {
			continue
		}
		f.fn = fn
		f.function()
	}
	f.contexts()
	f.exportedFields()
	slices.SortStableFunc(f.findings, func(x, y *Finding) int { return int(x.Pos - y.Pos) })
	return slices.CompactFunc(f.findings, func(x, y *Finding) bool { return x.Pos == y.Pos && x.Rule == y.Rule })
}

// forTests tells whether a function is there for tests by its name.
func forTests(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if strings.HasSuffix(fn.Name(), "ForTest") || strings.HasSuffix(fn.Name(), "ForTesting") || strings.HasSuffix(fn.Name(), "ForTests") {
			return true
		}
	}
	return false
}

// holds tells whether the guard of the field at q is held at an instruction of the
// function, by what the function itself took.
func (f *finder) holds(fd *Field, q *locks.Place, instr ssa.Instruction) bool {
	return f.heldIn(f.fn, fd, q, instr)
}

// heldIn is [finder.holds] for any function.
func (f *finder) heldIn(fn *ssa.Function, fd *Field, q *locks.Place, instr ssa.Instruction) bool {
	g := f.fs.GuardAt(fd, q)
	for _, h := range f.heldBy(fn)[instr] {
		if h.Place == g {
			return true
		}
	}
	return false
}

// heldBy returns the locks held at the instructions of a function.
func (f *finder) heldBy(fn *ssa.Function) map[ssa.Instruction][]locks.Held {
	held, ok := f.heldAt[fn]
	if !ok {
		held = f.a.HeldAt(fn)
		f.heldAt[fn] = held
	}
	return held
}

// locks tells whether the function takes the guard of the field at q itself.
func (f *finder) locks(fd *Field, q *locks.Place) bool {
	g := f.fs.GuardAt(fd, q)
	for _, list := range f.heldBy(f.fn) {
		for _, h := range list {
			if h.Place == g {
				return true
			}
		}
	}
	return false
}

// entered tells whether the function can be called from outside with nothing held.
func (f *finder) entered() bool { return f.enteredBy(f.fn) }

func (f *finder) enteredBy(fn *ssa.Function) bool {
	if fn.Parent() != nil || !token.IsExported(fn.Name()) {
		return false
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		if _, held := f.notes.Func(obj); held {
			return false
		}
	}
	return true
}

// leaves tells whether a reference that the function hands out leaves the critical
// section there: the function is entered from outside, or takes the lock itself.
func (f *finder) leaves(fd *Field, q *locks.Place) bool { return f.entered() || f.locks(fd, q) }

func (f *finder) report(rule string, pos token.Pos, fd *Field, message string) *Finding {
	if !pos.IsValid() {
		pos = f.fn.Pos()
	}
	out := &Finding{Rule: rule, Pos: pos, Field: fd, Message: message}
	f.findings = append(f.findings, out)
	return out
}
