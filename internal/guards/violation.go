package guards

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
)

// A Violation is a use of a heap without its guard.
type Violation struct {
	Rule     string
	Location *Location
	Guard    *Guard
	Context  *Context
	// Pos is where the fix belongs, Frame the step of the context's trace there.
	Pos   token.Pos
	Frame int
	// Field is the element's field that is written, for elem.
	Field *types.Var
	// Decided is where the decision was taken, for split.
	Decided token.Pos
	// Other is the lock that is held instead, if Rule says so.
	Other *locks.Place
	// Home is a use in the goroutine that the heap belongs to, for confined.
	Home *Context
	// Locked is where the guard was taken, if it is held in the wrong mode.
	Locked token.Pos

	// lock is the guard as the function names it that the finding is in.
	lock string
	// uses is how often the heap is used with the guard and at all.
	uses *tally
}

// Owner is the object that the heap is part of, as the function knows it in which the
// finding is; nil if it cannot be named there.
func (v *Violation) Owner() *locks.Place {
	return v.Location.objectIn(v.Context.Trace[v.Frame].Place)
}

// Violations finds the uses that go without their guard, in source order.
func Violations(a *locks.Analysis, locations []*Location) []*Violation {
	j := &judge{a: a, decided: map[*locks.Access][]*view{}, under: map[*Location]map[*ssa.Function]bool{}, uses: map[*Location]*tally{}, goes: map[ssa.Instruction]map[*ssa.Function]bool{}}
	for _, l := range locations {
		for _, c := range l.Contexts {
			v := &view{l, c}
			if j.decided[c.Access] == nil {
				j.order = append(j.order, c.Access)
			}
			j.decided[c.Access] = append(j.decided[c.Access], v)
		}
		if l.Guard != nil {
			j.under[l] = j.calledUnder(l)
		}
	}
	for _, acc := range j.order {
		if !acc.Private && !acc.Once && len(acc.When) == 0 {
			j.judge(j.decided[acc])
		}
	}
	j.found = append(j.found, j.leaks(locations)...)
	j.found = append(j.found, j.splits(locations)...)
	j.found = append(j.found, j.unguarded(locations)...)
	j.found = append(j.found, j.crowded(locations)...)
	j.found = append(j.found, j.confined(locations)...)
	j.dedupe()
	j.complete()
	sort.SliceStable(j.found, func(x, y int) bool { return j.found[x].Pos < j.found[y].Pos })
	return j.found
}

// dedupe keeps one finding a place, heap and rule: the gravest.
func (j *judge) dedupe() {
	type key struct {
		pos token.Pos
		loc *Location
	}
	best := map[key]int{}
	var kept []*Violation
	for _, v := range j.found {
		k := key{v.Pos, v.Location}
		i, ok := best[k]
		if !ok {
			best[k] = len(kept)
			kept = append(kept, v)
			continue
		}
		if v.weight() > kept[i].weight() {
			kept[i] = v
		}
	}
	j.found = j.withoutLesser(kept)
}

// withoutLesser drops reads of a heap that stand in one line with a change of it: who
// changes an element reads the slice first.
func (j *judge) withoutLesser(found []*Violation) []*Violation {
	type line struct {
		file string
		line int
		rule string
		loc  *Location
	}
	at := func(v *Violation) line {
		p := j.a.Heaps().IR.Prog.Fset.Position(v.Pos)
		return line{p.Filename, p.Line, v.Rule, v.Location}
	}
	changes := map[line]bool{}
	for _, v := range found {
		if v.Context != nil && v.Context.Effect != locks.Reads {
			changes[at(v)] = true
		}
	}
	return slices.DeleteFunc(found, func(v *Violation) bool {
		return v.Context != nil && v.Context.Effect == locks.Reads && changes[at(v)]
	})
}

// weight orders findings about one place: a change is worse than a read, and code
// that anybody may call tells more than code that runs elsewhere.
func (v *Violation) weight() int {
	if v.Context == nil {
		return 9
	}
	w := int(v.Context.Effect) * 2
	if v.Context.Spawn == nil {
		w++
	}
	return w
}

// leaks finds the returns that leave a guard locked which other returns of the
// function let go.
func (j *judge) leaks(locations []*Location) []*Violation {
	var found []*Violation
	seen := map[token.Pos]bool{}
	for _, fn := range j.a.Heaps().IR.Funcs {
		sum := j.a.Summary(fn)
		if sum == nil {
			continue
		}
		for _, leak := range sum.Leaks {
			l := guarded(leak.Lock.Place, locations)
			if l == nil || seen[leak.Return.Pos()] {
				continue
			}
			seen[leak.Return.Pos()] = true
			found = append(found, &Violation{Rule: "leak", Location: l, Guard: l.Guard, Pos: leak.Return.Pos(), Other: leak.Lock.Place})
		}
	}
	return found
}

// guarded returns a location that the lock guards.
func guarded(lock *locks.Place, locations []*Location) *Location {
	for _, l := range locations {
		if l.Guard == nil {
			continue
		}
		if l.Guard.Place == lock {
			return l
		}
		for _, obj := range lock.Ancestors() {
			if path, ok := lock.From(obj); ok && l.Owner != nil && obj.Named() == l.Owner && path.String() == l.Guard.Path.String() {
				return l
			}
		}
	}
	return nil
}

// A view is an access as a use of one location.
type view struct {
	loc *Location
	ctx *Context
}

type judge struct {
	a       *locks.Analysis
	decided map[*locks.Access][]*view
	order   []*locks.Access
	under   map[*Location]map[*ssa.Function]bool
	uses    map[*Location]*tally
	goes    map[ssa.Instruction]map[*ssa.Function]bool // what goroutines run
	found   []*Violation
}

// judge looks at one access in all its views. If it holds the guard of one of them
// it is right; otherwise the innermost one with a guard is broken.
func (j *judge) judge(views []*view) {
	var broken *view
	for _, v := range views {
		if v.loc.Guard == nil {
			continue
		}
		if v.ctx.exempt || j.right(v) {
			return
		}
		if broken == nil {
			broken = v
		}
	}
	if broken == nil {
		j.useless(views)
		return
	}
	if v := j.violation(broken); v != nil {
		j.found = append(j.found, v)
	}
}

func (j *judge) right(v *view) bool {
	must, _ := v.loc.Holds(j.a, v.loc.Guard, v.ctx)
	if v.ctx.Effect == locks.Reads {
		return must > 0
	}
	return must == locks.Write || must > 0 && !j.excludesReaders(v)
}

// excludesReaders tells whether the guard has a read lock that others use: under a
// plain mutex there is one mode.
func (j *judge) excludesReaders(v *view) bool {
	must, _ := v.loc.Holds(j.a, v.loc.Guard, v.ctx)
	return must == locks.Read
}

func (j *judge) violation(v *view) *Violation {
	c, g := v.ctx, v.loc.Guard
	must, may := v.loc.Holds(j.a, g, c)
	out := &Violation{Location: v.loc, Guard: g, Context: c}
	switch {
	case c.Opaque && len(c.May) > 0:
		return nil // whether the callback runs under the lock cannot be seen
	case must == locks.Read:
		out.Rule = "rlock"
		out.Frame = j.lockFrame(v, g)
		out.Locked = j.lockedAt(v, g)
	case may > 0:
		out.Rule = "path"
		out.Frame = j.lockFrame(v, g)
	case c.Spawn != nil:
		if len(c.May) > 0 && j.mayBeGuard(v) {
			return nil
		}
		out.Rule = "escape"
		out.Frame = j.ownerFrame(v)
	case len(c.May) > 0:
		other := j.other(v)
		if other == nil {
			return nil
		}
		out.Rule, out.Other = "wrong", other.Place
		out.Frame = j.frameOf(c, other.At)
	default:
		out.Rule = "unheld"
		out.Frame = j.ownerFrame(v)
	}
	if c.Copy && out.Rule != "unheld" {
		return nil
	}
	out.Pos = c.Trace[out.Frame].At
	return out
}

// other returns a lock that is held instead of the guard; nil if one of those held
// may be the guard under another name.
func (j *judge) other(v *view) *locks.Held {
	if j.mayBeGuard(v) {
		return nil
	}
	return &v.ctx.May[0]
}

func (j *judge) mayBeGuard(v *view) bool {
	guard := v.loc.Guard.Place
	if guard == nil {
		guard = j.a.Append(v.ctx.Object, v.loc.Guard.Path)
	}
	for _, h := range v.ctx.May {
		if mayAlias(h.Place, guard) {
			return true
		}
	}
	return false
}

// mayAlias tells whether two places can be one lock. A mutex that is a field by
// value is part of its object: it is another field's mutex never, and the same
// field's only in the same object.
func mayAlias(p, q *locks.Place) bool {
	if p == q {
		return true
	}
	if p.Field == nil || q.Field == nil || pointerLike(p.Field.Type()) || pointerLike(q.Field.Type()) {
		return true
	}
	if p.Field != q.Field {
		return false
	}
	return !distinct(p.Parent, q.Parent)
}

// distinct tells whether two places of one type are different objects, as far as names
// can tell: two parameters, or the elements of one collection at two indices.
func distinct(p, q *locks.Place) bool {
	switch {
	case p == q:
		return false
	case p.Parent == nil && q.Parent == nil:
		return distinctValues(p.Root, q.Root)
	case p.Parent == q.Parent && p.Field == nil && q.Field == nil:
		v, w := p.IndexValue(), q.IndexValue()
		return v != nil && w != nil && distinctValues(v, w)
	}
	return false
}

// distinctValues tells whether two values are different, as far as names can tell: two
// parameters, one value with and without a number added, or what one function makes of
// such values.
func distinctValues(v, w ssa.Value) bool {
	v, w = inRange(v), inRange(w)
	p, ok1 := v.(*ssa.Parameter)
	q, ok2 := w.(*ssa.Parameter)
	if ok1 && ok2 {
		return p != q
	}
	x, m := offset(v)
	y, n := offset(w)
	if x == y && m != n {
		return true
	}
	c, ok1 := v.(*ssa.Call)
	d, ok2 := w.(*ssa.Call)
	if !ok1 || !ok2 || c.Call.StaticCallee() == nil || c.Call.StaticCallee() != d.Call.StaticCallee() {
		return false
	}
	for i, arg := range c.Call.Args {
		if distinctValues(arg, d.Call.Args[i]) {
			return true
		}
	}
	return false
}

// inRange strips what keeps an index within its bounds: i % n, i & mask, a conversion.
func inRange(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.BinOp:
			if x.Op != token.REM && x.Op != token.AND {
				return v
			}
			v = x.X
		default:
			return v
		}
	}
}

// offset splits a value into another one and a constant that is added to it.
func offset(v ssa.Value) (ssa.Value, int64) {
	b, ok := v.(*ssa.BinOp)
	if !ok || b.Op != token.ADD && b.Op != token.SUB {
		return v, 0
	}
	c, ok := b.Y.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return v, 0
	}
	if b.Op == token.SUB {
		return b.X, -c.Int64()
	}
	return b.X, c.Int64()
}

func pointerLike(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// frameOf returns the step of the trace whose function holds the position.
func (j *judge) frameOf(c *Context, at token.Pos) int {
	for i, fr := range c.Trace {
		if syn := fr.Fn.Syntax(); syn != nil && syn.Pos() <= at && at < syn.End() {
			// A literal is within the function around it: the innermost counts.
			inner := i
			for k := i + 1; k < len(c.Trace); k++ {
				if s := c.Trace[k].Fn.Syntax(); s != nil && s.Pos() <= at && at < s.End() {
					inner = k
				}
			}
			return inner
		}
	}
	return 0
}

// lockFrame finds the step whose function took the guard.
func (j *judge) lockFrame(v *view, g *Guard) int {
	if at := j.lockedAt(v, g); at.IsValid() {
		return j.frameOf(v.ctx, at)
	}
	return 0
}

// lockedAt is where the guard was taken that is held on some paths at least.
func (j *judge) lockedAt(v *view, g *Guard) token.Pos {
	p := g.Place
	if p == nil {
		p = j.a.Append(v.ctx.Object, g.Path)
	}
	for _, h := range v.ctx.May {
		if h.Place == p {
			return h.At
		}
	}
	return token.NoPos
}

// ownerFrame finds the step at which the lock should have been taken: the last one
// where the owner can be named, or an earlier one if the function there is called
// with the lock held elsewhere.
func (j *judge) ownerFrame(v *view) int {
	frame := 0
	for i, fr := range v.ctx.Trace {
		if fr.Place != nil && names(v.loc, fr.Place) {
			frame = i
		}
	}
	under := j.under[v.loc]
	for frame > 0 && under[v.ctx.Trace[frame].Fn] {
		frame--
	}
	return frame
}

func names(l *Location, p *locks.Place) bool {
	for _, obj := range p.Ancestors() {
		if l.Owner != nil && obj.Named() != l.Owner {
			continue
		}
		if l.Owner == nil && obj.Root != l.Var {
			continue
		}
		if path, ok := p.From(obj); (ok || p == obj) && path.String() == l.Path.String() {
			return true
		}
	}
	return false
}

// calledUnder finds the functions that some context calls with the guard held.
func (j *judge) calledUnder(l *Location) map[*ssa.Function]bool {
	fns := map[*ssa.Function]bool{}
	for _, c := range l.Contexts {
		if must, _ := l.Holds(j.a, l.Guard, c); must == 0 {
			continue
		}
		lock := j.lockFrame(&view{l, c}, l.Guard)
		for _, fr := range c.Trace[lock+1:] {
			fns[fr.Fn] = true
		}
	}
	return fns
}

// useless finds uses of a shared heap under a mutex that is made anew for each call.
func (j *judge) useless(views []*view) {
	for _, v := range views {
		if v.loc.Owner == nil || !shared(v.ctx.Object) {
			continue
		}
		for _, h := range v.ctx.Held {
			if local(h.Place, v.ctx) {
				frame := j.frameOf(v.ctx, h.At)
				j.found = append(j.found, &Violation{Rule: "wrong", Location: v.loc, Context: v.ctx, Other: h.Place, Frame: frame, Pos: v.ctx.Trace[frame].At})
				return
			}
		}
	}
}

func shared(p *locks.Place) bool {
	switch p.Root.(type) {
	case *ssa.Parameter, *ssa.Global:
		return true
	}
	return false
}

// local tells whether the lock exists only in one call: a variable that no closure
// shares, or a part of a parameter that was copied.
func local(lock *locks.Place, c *Context) bool {
	switch root := lock.Root.(type) {
	case *ssa.Alloc:
		return lock.Parent == nil && !captured(root)
	case *ssa.Parameter:
		return lock.Parent != nil && byValue(lock) && !byValue(c.Place)
	}
	return false
}

func captured(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		switch r.(type) {
		case *ssa.MakeClosure, *ssa.Store:
			return true
		}
	}
	return false
}

// byValue tells whether the way from the root to the place passes no pointer: the
// place is in the root variable itself.
func byValue(p *locks.Place) bool {
	for ; p.Parent != nil; p = p.Parent {
		if p.Field == nil || pointerLike(p.Field.Type()) {
			return false
		}
	}
	_, ptr := p.Root.Type().Underlying().(*types.Pointer)
	return !ptr
}
