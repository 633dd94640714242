package inventory

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
)

// A heapEntry is one line of the inventory.
type heapEntry struct {
	record Record
	pos    token.Pos
	uses   []use
	id     any
}

type use struct {
	Use
	pos   token.Pos
	reads bool // for which the read lock is enough
}

// list makes the inventory from the locations of a package, and from the operations
// that belong to none of them: those on heaps that nobody else can reach.
func list(a *locks.Analysis, locations []*guards.Location, opts guards.Options) []*heapEntry {
	l := &lister{a: a, pkg: a.Heaps().IR.Pkg, opts: opts, seen: map[token.Pos]bool{}}
	for _, loc := range telling(locations) {
		l.location(loc)
	}
	for _, fn := range a.Heaps().IR.Funcs {
		if !opts.Skip(fn) {
			l.alone(fn)
		}
	}
	l.leaveToOwners()
	for _, h := range l.heaps {
		slices.SortStableFunc(h.uses, func(x, y use) int { return cmp.Compare(x.pos, y.pos) })
	}
	slices.SortStableFunc(l.heaps, func(x, y *heapEntry) int {
		return cmp.Or(cmp.Compare(x.pos, y.pos), cmp.Compare(x.record.Heap, y.record.Heap))
	})
	return l.heaps
}

// leaveToOwners marks the entries of heaps that are guarded, or confined to a goroutine,
// as a part of a larger object: the type's own methods, seen by themselves, leave the
// lock to it.
func (l *lister) leaveToOwners() {
	guarded := map[any]string{}
	confined := map[any]string{}
	for _, h := range l.heaps {
		switch {
		case h.record.State == Guarded && guarded[h.id] == "":
			guarded[h.id] = h.record.Heap
		case h.record.State == Confined && confined[h.id] == "":
			confined[h.id] = h.record.Heap
		}
	}
	for _, h := range l.heaps {
		switch {
		case guarded[h.id] != "" && h.record.State != Guarded:
			h.record.State, h.record.Because = Caller, "it is guarded as "+guarded[h.id]
		case confined[h.id] != "" && h.record.State == Unlocked:
			h.record.State, h.record.Because = Caller, "it is confined as "+confined[h.id]
		default:
			continue
		}
		h.record.With, h.record.Without = 0, 0
	}
}

type lister struct {
	a     *locks.Analysis
	pkg   *types.Package
	opts  guards.Options
	heaps []*heapEntry
	// seen has the uses that a location accounts for.
	seen map[token.Pos]bool
}

// telling chooses among the locations. A heap is filed under every object around it,
// queue.active.items also as active.items; the one that tells most is that where a
// guard was found, with the fewest exceptions, then that which one goroutine has for
// itself, and then that with most uses. Each use is told of once.
func telling(locations []*guards.Location) []*guards.Location {
	order := slices.Clone(locations)
	slices.SortStableFunc(order, func(x, y *guards.Location) int {
		return cmp.Or(
			compareBool(x.Guard != nil, y.Guard != nil),
			compareBool(ownedByGoroutine(x), ownedByGoroutine(y)),
			cmp.Compare(exceptions(x), exceptions(y)),
			cmp.Compare(guardedUses(y), guardedUses(x)),
			compareBool(len(x.Path) > 0 || x.Var != nil, len(y.Path) > 0 || y.Var != nil),
			cmp.Compare(len(y.Contexts), len(x.Contexts)),
			cmp.Compare(len(x.Path), len(y.Path)),
		)
	})
	covered := map[*locks.Access]bool{}
	var chosen []*guards.Location
	for _, loc := range order {
		if !slices.ContainsFunc(loc.Contexts, func(c *guards.Context) bool { return !covered[c.Access] }) {
			continue
		}
		chosen = append(chosen, loc)
		for _, c := range loc.Contexts {
			covered[c.Access] = true
		}
	}
	return chosen
}

// ownedByGoroutine tells whether the only way to a heap without a guard is a goroutine.
func ownedByGoroutine(loc *guards.Location) bool {
	if loc.Guard != nil {
		return false
	}
	in := entries(loc)
	return len(in) == 1 && in[0].Spawn != nil && in[0].Spawn.Kind == locks.Goroutine
}

// exceptions are the ways to a guarded heap that do not hold the guard.
func exceptions(loc *guards.Location) int {
	if loc.Guard == nil {
		return 0
	}
	return loc.Guard.Total - loc.Guard.Held
}

// guardedUses is how often a guarded heap is used.
func guardedUses(loc *guards.Location) int {
	if loc.Guard == nil {
		return 0
	}
	return len(loc.Contexts)
}

// compareBool puts what is true first.
func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// location adds the entry of a location.
func (l *lister) location(loc *guards.Location) {
	h := &heapEntry{pos: declared(loc), id: identity(loc)}
	h.record = Record{Heap: loc.String(), Owner: l.owner(loc), Type: l.typeName(loc.Contexts[0].Place.Type)}
	h.record.State, h.record.Because = l.state(loc)
	if loc.Guard != nil {
		h.record.Guard = loc.Guard.String()
	}
	if g := likely(loc); g != nil {
		h.record.Entries, h.record.EntriesWith = g.Total, g.Held
	} else {
		h.record.Entries = len(entries(loc))
	}
	l.uses(h, loc)
	l.heaps = append(l.heaps, h)
}

// identity is what two names of one heap have in common: the field that holds it.
func identity(loc *guards.Location) any {
	for _, s := range slices.Backward(loc.Path) {
		if s.Field != nil {
			return s.Field
		}
	}
	if loc.Owner != nil {
		return loc.Owner
	}
	return loc.Var
}

func declared(loc *guards.Location) token.Pos {
	switch id := identity(loc).(type) {
	case types.Object:
		return id.Pos()
	case ssa.Value:
		return id.Pos()
	}
	return token.NoPos
}

func (l *lister) owner(loc *guards.Location) string {
	switch v := loc.Var.(type) {
	case *ssa.Global:
		return "package variable"
	case *ssa.Alloc:
		return "variable of " + l.funcName(v.Parent())
	}
	return l.typeName(loc.Owner.Type())
}

func (l *lister) typeName(t types.Type) string { return types.TypeString(t, types.RelativeTo(l.pkg)) }

// funcName is the function as its package calls it: (*Queue).Push, or Push$1 for the
// first function literal in it.
func (l *lister) funcName(fn *ssa.Function) string { return fn.RelString(l.pkg) }

// state decides why a location has a guard or none.
func (l *lister) state(loc *guards.Location) (State, string) {
	if loc.Guard != nil {
		return Guarded, because(loc.Guard)
	}
	if loc.Owner != nil {
		if _, unsafe := l.opts.Notes.Unsafe(loc.Owner); unsafe {
			return Documented, "the comment of " + loc.Owner.Name() + " says that it is not for several goroutines"
		}
	}
	in := entries(loc)
	switch {
	case len(in) == 0:
		return Construction, "all uses are before anybody else can reach it, or by code that says its caller sees to it"
	case likely(loc) != nil:
		g := loc.Candidates[0]
		return Unknown, fmt.Sprintf("%s is held in only %d of %d ways to it", g, g.Held+g.Mixed, g.Total)
	case len(in) == 1:
		return Confined, "only " + l.entryName(in[0]) + " uses it"
	}
	if v, ok := loc.Var.(*ssa.Alloc); ok {
		return Local, "it is a variable of " + l.funcName(v.Parent())
	}
	return Unlocked, "no lock is held at any use"
}

// because is the evidence for a guard.
func because(g *guards.Guard) string {
	text := fmt.Sprintf("held in %d of %d ways to it", g.Held, g.Total)
	for _, r := range g.Reasons {
		text += "; " + r
	}
	return text
}

// entries are the ways to a location that count, each once: the first context of each.
func entries(loc *guards.Location) []*guards.Context {
	var in []*guards.Context
	seen := map[any]bool{}
	for _, c := range loc.Contexts {
		if key := c.Entry(); !seen[key] && !unshared(c) && !c.Exempt() {
			seen[key] = true
			in = append(in, c)
		}
	}
	return in
}

func unshared(c *guards.Context) bool { return c.Private || c.Copy || c.Once }

func (l *lister) entryName(c *guards.Context) string {
	if c.Spawn != nil {
		verb := [...]string{locks.Goroutine: "starts", locks.Callback: "hands over", locks.Escaping: "gives away"}[c.Spawn.Kind]
		return fmt.Sprintf("the %s that %s %s", c.Spawn.Kind, l.funcName(c.Spawn.Fn), verb)
	}
	return l.funcName(c.Root)
}

// uses fills in the places that use the heap, with how the guard is held in all
// contexts of each.
func (l *lister) uses(h *heapEntry, loc *guards.Location) {
	byPos := map[token.Pos]int{}
	for _, c := range loc.Contexts {
		last := c.Trace[len(c.Trace)-1]
		l.seen[last.At] = true
		held := l.held(loc, c)
		i, known := byPos[last.At]
		if !known {
			byPos[last.At] = len(h.uses)
			h.uses = append(h.uses, use{Use{What: c.What, Func: l.funcName(last.Fn), Held: held}, last.At, c.Effect == locks.Reads})
			continue
		}
		h.uses[i].Held = joined(h.uses[i].Held, held)
	}
	for _, u := range h.uses {
		h.count(u)
	}
}

// count adds a use to those with the guard or to those without.
func (h *heapEntry) count(u use) {
	switch u.Held {
	case "yes":
		h.record.With++
	case "read":
		if u.reads {
			h.record.With++
		} else {
			h.record.Without++
		}
	case "sometimes", "no":
		h.record.Without++
	}
}

// likely is the guard, or else the lock that comes next to being it; nil if there is
// none at all.
func likely(loc *guards.Location) *guards.Guard {
	if loc.Guard != nil || len(loc.Candidates) == 0 {
		return loc.Guard
	}
	if g := loc.Candidates[0]; g.Held+g.Mixed > 0 {
		return g
	}
	return nil // some of its uses may be under it, for all that is known
}

func (l *lister) held(loc *guards.Location, c *guards.Context) string {
	var must, may locks.Mode
	if g := likely(loc); g != nil {
		must, may = loc.Holds(l.a, g, c)
	}
	switch {
	case must == locks.Write:
		return "yes"
	case must == locks.Read:
		return "read"
	case c.Exempt():
		return "exempt"
	case unshared(c):
		return "unshared"
	case may > 0:
		return "sometimes"
	}
	return "no"
}

// joined is how the guard is held in two contexts of one place. Those that need no
// guard say nothing beside one that does.
func joined(x, y string) string {
	needless := func(s string) bool { return s == "exempt" || s == "unshared" }
	switch {
	case x == y || needless(y):
		return x
	case needless(x):
		return y
	case x != "no" && y != "no" && x != "sometimes" && y != "sometimes":
		return "read"
	}
	return "sometimes"
}

// An operation is a use of a heap by a call: of container/heap, of a modelled library,
// or of a function of another package that is known to use heaps.
type operation struct {
	fn     *ssa.Function
	pos    token.Pos
	what   string
	heap   *locks.Place // nil if it is at no place
	value  ssa.Value    // the heap as it is given
	reads  bool
	locked bool // the heap's library locks
	model  string
}

// alone adds the operations of a function that no location accounts for: those on heaps
// that nobody else can reach.
func (l *lister) alone(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || l.seen[locks.Pos(call)] {
				continue
			}
			if op := l.operation(call); op != nil {
				l.unshared(op)
			}
		}
	}
}

func (l *lister) operation(call ssa.CallInstruction) *operation {
	o := &operation{fn: call.Parent(), pos: locks.Pos(call)}
	if op := l.a.Heaps().Op(call); op != nil {
		o.what, o.value, o.heap = op.Name(), op.Heap, l.a.Canonical(l.a.Places().Of(op.Heap))
		o.reads = !op.Kind.Mutates()
		if op.Model != nil {
			o.locked, o.model = op.Model.Locked, op.Model.Type
		}
		return o
	}
	acc := l.a.ForeignUse(call)
	if acc == nil || acc.Effect == locks.Reads || len(call.Common().Args) == 0 || !made(acc.Place) {
		return nil
	}
	o.what, o.value, o.heap, o.reads = acc.What, call.Common().Args[0], acc.Place, acc.Effect == locks.Reads
	return o
}

// made tells whether a place is a whole object that a function makes, or gets from one
// that does. Whether a parameter has to do with heaps, its type's package knows best.
func made(p *locks.Place) bool {
	if p.Parent != nil || types.IsInterface(p.Type) {
		return false
	}
	switch p.Root.(type) {
	case *ssa.Alloc, *ssa.Call:
		return true
	}
	return false
}

// unshared adds an operation to the entry of its heap.
func (l *lister) unshared(op *operation) {
	fn, p := op.fn, op.heap
	u := use{Use{What: op.what, Func: l.funcName(fn), Held: "unshared"}, op.pos, op.reads}
	id := any(op.value)
	if p != nil {
		id = placeIdentity(p)
	}
	helper := p != nil && p.Parent == nil && isParam(p.Root) && l.a.Called(fn)
	for _, h := range l.heaps {
		if h.id == id || p != nil && p.Named() != nil && h.id == any(p.Named()) || helper && h.record.Type == l.typeName(p.Type) {
			u.Held = h.heldIn(u.Func)
			h.count(u)
			h.uses = append(h.uses, u)
			return
		}
	}
	h := &heapEntry{id: id, uses: []use{u}, record: Record{Heap: l.nameOf(op, p), Type: l.heapType(op, p), Owner: l.ownerOf(fn, p)}}
	if obj, ok := id.(types.Object); ok {
		h.pos = obj.Pos()
	} else if v, ok := id.(ssa.Value); ok {
		h.pos = v.Pos()
	}
	h.record.State, h.record.Because = l.unsharedState(op, p)
	l.heaps = append(l.heaps, h)
}

// heldIn is how the guard is held at an operation that has no context of its own: of
// several in one function, under the same locks, callers know one.
func (h *heapEntry) heldIn(fn string) string {
	held := "unshared"
	for _, u := range h.uses {
		if u.Func == fn && u.What != "read" && u.What != "written" {
			held = joined(held, u.Held)
		}
	}
	return held
}

func isParam(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}

func placeIdentity(p *locks.Place) any {
	for _, q := range p.Ancestors() {
		if q.Field != nil {
			return q.Field
		}
	}
	return p.Root
}

func (l *lister) nameOf(op *operation, p *locks.Place) string {
	if p == nil {
		return "the heap of " + op.what
	}
	for _, q := range p.Ancestors() {
		if q.Field != nil && q.Parent.Named() != nil {
			return q.Parent.Named().Name() + "." + q.Field.Name()
		}
	}
	switch root := p.Root.(type) {
	case *ssa.Alloc:
		if name := guards.VarName(root); !strings.HasPrefix(name, "new ") {
			return name
		}
		return "new " + l.heapType(op, p)
	case *ssa.Call:
		return "result of " + l.calleeName(&root.Call)
	}
	return guards.Name(p)
}

func (l *lister) calleeName(call *ssa.CallCommon) string {
	if fn := call.StaticCallee(); fn != nil {
		return l.funcName(fn)
	}
	if call.IsInvoke() {
		return call.Method.Name()
	}
	return "a call"
}

// heapType is the type that has the heap's methods. The place may be that of an array
// which make made for it.
func (l *lister) heapType(op *operation, p *locks.Place) string {
	if p == nil || p.Named() == nil {
		t := op.value.Type()
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		return l.typeName(t)
	}
	return l.typeName(p.Type)
}

func (l *lister) ownerOf(fn *ssa.Function, p *locks.Place) string {
	if p == nil {
		return l.funcName(fn)
	}
	for _, q := range p.Ancestors() {
		if q.Field != nil && q.Parent.Named() != nil {
			return l.typeName(q.Parent.Named().Type())
		}
	}
	switch r := p.Root.(type) {
	case *ssa.Parameter:
		return "parameter of " + l.funcName(r.Parent())
	case *ssa.Global:
		return "package variable"
	}
	return "variable of " + l.funcName(fn)
}

func (l *lister) unsharedState(op *operation, p *locks.Place) (State, string) {
	fn := l.funcName(op.fn)
	if op.locked {
		return SelfLocked, op.model + " locks by itself"
	}
	if p == nil {
		return Unknown, "the heap is the result of what cannot be followed"
	}
	switch p.Root.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		switch {
		case p.Parent == nil && isParam(p.Root):
			return Caller, fn + " is given it, and its callers see to the lock"
		case l.a.Called(op.fn):
			return Local, "whoever calls " + fn + " has the object for itself"
		}
		return Unknown, "nothing that can be entered from outside leads to " + fn
	}
	if p.Parent == nil && !leaves(p.Root, map[ssa.Value]bool{}) {
		return Local, fn + " makes it and gives it to nobody"
	}
	return Construction, fn + " uses it before anybody else can reach it"
}

// leaves tells whether a value gets out of the function that made it: it is returned,
// sent, or stored in an object. What a call is given it may keep, but seldom does.
func leaves(v ssa.Value, seen map[ssa.Value]bool) bool {
	if v.Referrers() == nil || seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Return, *ssa.Send, *ssa.MapUpdate:
			return true
		case *ssa.Store:
			if r.Val == v && (!isVariable(r.Addr) || leaves(r.Addr, seen)) {
				return true
			}
		case *ssa.UnOp, *ssa.Slice, *ssa.ChangeType, *ssa.MakeInterface, *ssa.Phi, *ssa.Extract:
			if leaves(r.(ssa.Value), seen) {
				return true
			}
		}
	}
	return false
}

func isVariable(addr ssa.Value) bool {
	_, ok := addr.(*ssa.Alloc)
	return ok
}
