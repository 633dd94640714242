package locks

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A recorder makes the summary of one function from the worlds of its flow.
type recorder struct {
	*flow
	sum    *Summary
	found  map[ssa.Instruction]*site
	order  []ssa.Instruction
	exits  []exit
	spawns map[ssa.Instruction]*Spawn

	accesses, spawned accessSet
}

// A site is an instruction at which heaps are used, with what holds there in all
// worlds.
type site struct {
	instr  ssa.Instruction
	uses   []*use
	groups []*group
}

// A use is an access as the callee, or the instruction itself, makes it.
type use struct {
	access *Access // nil for a call of a parameter
	call   *paramCall
	group  *group
}

// A group is the uses of a site that are private in the same worlds, and the
// caller's state, merged over all worlds in which others can see it. A call can make
// hundreds of uses; their state is the same.
type group struct {
	root   *Place // of the heap, if it can be private at all
	states []*state
}

// A state is what holds at a use, for one assignment of the boolean parameters.
type state struct {
	when    []Condition
	private bool
	w       *world
}

// An exit is a return with the locks held there.
type exit struct {
	ret *ssa.Return
	w   *world
}

func (a *Analysis) summarize(fn *ssa.Function) *Summary {
	r := &recorder{
		flow:   newFlow(a, fn),
		sum:    &Summary{Fn: fn, publishes: make([]bool, len(fn.Params))},
		found:  map[ssa.Instruction]*site{},
		spawns: map[ssa.Instruction]*Spawn{},
	}
	r.visit = r.record
	for _, b := range fn.Blocks {
		if set := r.in[b]; set != nil {
			for _, w := range set.list {
				r.block(b, w.clone())
			}
		}
	}
	r.emit()
	r.net()
	return r.sum
}

// record is told every instruction with every world before it.
func (r *recorder) record(instr ssa.Instruction, w *world) {
	switch instr := instr.(type) {
	case *ssa.Defer:
		if w.running != instr {
			return // the statement: nothing happens yet
		}
	case *ssa.Return:
		r.exits = append(r.exits, exit{instr, w.clone()})
	case *ssa.Go:
		r.notePublished(instr)
	}
	s := r.found[instr]
	if s == nil {
		s = &site{instr: instr, uses: r.a.uses(r, instr)}
		r.found[instr] = s
		if len(s.uses) > 0 {
			r.order = append(r.order, instr)
			s.sort(r.flow)
		}
	}
	if len(s.uses) == 0 {
		return
	}
	when := r.conditions(w)
	for _, g := range s.groups {
		g.merge(when, g.root != nil && r.private(g.root, w), w)
	}
}

// sort puts the uses of the site in groups.
func (s *site) sort(f *flow) {
	for _, u := range s.uses {
		var root *Place
		if p := u.place(); p != nil && u.spawn() == nil && !u.copied() && f.own(p) {
			root = f.a.places.root(p.Root)
		}
		i := slices.IndexFunc(s.groups, func(g *group) bool { return g.root == root })
		if i < 0 {
			i = len(s.groups)
			s.groups = append(s.groups, &group{root: root})
		}
		u.group = s.groups[i]
	}
}

// merge adds a world in which the uses happen.
func (g *group) merge(when []Condition, private bool, w *world) {
	for _, s := range g.states {
		if s.private == private && slices.Equal(s.when, when) {
			s.w = merge(s.w, w)
			return
		}
	}
	g.states = append(g.states, &state{when, private, w.clone()})
}

// conditions are what a world assumes of the function's boolean parameters.
func (r *recorder) conditions(w *world) []Condition {
	var when []Condition
	for _, p := range r.fn.Params {
		if v, ok := w.known(valueKey(p)); ok {
			when = append(when, Condition{p, v})
		}
	}
	return when
}

func (u *use) place() *Place {
	if u.access != nil {
		return u.access.Place
	}
	return nil
}

func (u *use) copied() bool { return u.access != nil && u.access.Copy }

func (u *use) spawn() *Spawn {
	if u.access != nil {
		return u.access.Spawn
	}
	return u.call.spawn
}

// notePublished notes parameters that a goroutine gets hold of.
func (r *recorder) notePublished(g *ssa.Go) {
	share := func(v ssa.Value) {
		p := r.a.places.Of(v)
		if p == nil {
			return
		}
		for i, q := range r.fn.Params {
			if p.Root == q {
				r.sum.publishes[i] = true
			}
		}
	}
	for _, arg := range g.Call.Args {
		share(arg)
	}
	if mc, ok := g.Call.Value.(*ssa.MakeClosure); ok {
		for _, b := range mc.Bindings {
			share(b)
		}
	}
}

// emit turns the uses into accesses with all locks.
func (r *recorder) emit() {
	for _, instr := range r.order {
		for _, u := range r.found[instr].uses {
			for _, s := range u.group.states {
				r.emitState(u, s)
			}
		}
	}
	r.sum.Accesses, r.sum.Spawned = r.accesses.list, r.spawned.list
}

func (r *recorder) emitState(u *use, s *state) {
	if u.call != nil {
		r.sum.calls = addCall(r.sum.calls, u.call.under(s.w))
		return
	}
	set := &r.accesses
	if u.access.Spawn != nil {
		set = &r.spawned
	}
	if set.full(u.access.Data) {
		return
	}
	acc := u.access.under(s.w)
	acc.Private = acc.Private || s.private
	acc.When = conjunction(acc.When, s.when)
	if acc.Private && len(acc.Held) == 0 {
		return // nobody else is there, and nothing can be learnt
	}
	set.add(acc)
}

// conjunction joins two sets of conditions on one function's parameters.
func conjunction(a, b []Condition) []Condition {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// under is the access with the locks of the state it is made in on top. Spawned
// code inherits none.
func (acc *Access) under(w *world) *Access {
	out := *acc
	if acc.Spawn != nil {
		return &out
	}
	out.Held = above(acc.Held, w.must, acc.Dropped)
	out.May = above(acc.May, w.may, acc.Dropped)
	out.Dropped = union(acc.Dropped, w.dropped)
	return &out
}

func (c *paramCall) under(w *world) *paramCall {
	out := *c
	if c.spawn != nil {
		return &out
	}
	out.held = above(c.held, w.must, c.dropped)
	out.may = above(c.may, w.may, c.dropped)
	out.dropped = union(c.dropped, w.dropped)
	return &out
}

// above adds the outer locks to the inner ones, but for those that were dropped. A
// lock that was dropped and taken again is held as it was taken last. The result may
// be one of the two.
func above(inner, outer []Held, dropped []*Place) []Held {
	if len(outer) == 0 {
		return slices.Clip(inner)
	}
	if len(inner) == 0 && len(dropped) == 0 {
		return slices.Clip(outer)
	}
	out := slices.Clone(inner)
	for _, h := range outer {
		_, gone := findPlace(dropped, h.Place)
		i, held := find(out, h.Place)
		if !gone && !(held && out[i].Caller) {
			out = put(out, h)
		}
	}
	return out
}

// net sums up what the function does to its caller's locks, from its returns.
func (r *recorder) net() {
	if len(r.exits) == 0 {
		return
	}
	r.sum.fresh = r.returnsFresh()
	all := r.exits
	yes, no, mixed := r.byOutcome()
	total, agreed := r.netOf(all)
	r.sum.Net = total
	if agreed {
		return
	}
	if len(yes) > 0 && len(no) > 0 {
		// what says neither may be either
		n, ok1 := r.netOf(append(yes, mixed...))
		e, ok2 := r.netOf(append(no, mixed...))
		r.sum.Net, r.sum.Else, r.sum.Conditional = n, e, true
		if ok1 && ok2 {
			return
		}
	}
	r.leaks(total)
}

// byOutcome sorts the returns by what their last result says: true or nil, false or
// an error, or unknown.
func (r *recorder) byOutcome() (yes, no, mixed []exit) {
	for _, e := range r.exits {
		outcome, ok := r.returned(e)
		switch {
		case !ok:
			mixed = append(mixed, e)
		case outcome:
			yes = append(yes, e)
		default:
			no = append(no, e)
		}
	}
	return yes, no, mixed
}

func (r *recorder) returned(e exit) (outcome, ok bool) {
	if len(e.ret.Results) == 0 {
		return false, false
	}
	return r.outcome(Result(e.ret, len(e.ret.Results)-1), e.w)
}

// netOf merges the effects of some returns and tells whether they are all the same.
func (r *recorder) netOf(exits []exit) (n Net, agreed bool) {
	agreed = true
	var may []Held
	var dropped []*Place
	for i, e := range exits {
		own, gone := ownLocks(e.w.must), e.w.dropped
		for _, h := range e.w.must {
			if h.Caller && (h.Mode == Read || r.shared[h.Place]) { // it may have been the other mode
				own, gone = put(own, h), putPlace(slices.Clone(gone), h.Place)
			}
		}
		may, dropped = eitherHeld(may, e.w.may), union(dropped, gone)
		if i == 0 {
			n.Acquired, n.Released = own, gone
		} else {
			agreed = agreed && sameLocks(n.Acquired, own) && slices.Equal(n.Released, gone)
			n.Acquired, n.Released = both(n.Acquired, own), intersection(n.Released, gone)
		}
		agreed = agreed && len(ownLocks(e.w.must)) == len(ownLocks(e.w.may))
	}
	for _, h := range may {
		_, always := find(n.Acquired, h.Place)
		// a lock of the caller's that was dropped may have been taken again
		if _, gone := findPlace(dropped, h.Place); !always && (gone || !h.Caller) {
			n.Maybe = append(n.Maybe, h)
		}
	}
	for _, p := range dropped {
		if _, always := findPlace(n.Released, p); !always {
			n.Dropped = append(n.Dropped, p)
		}
	}
	return n, agreed
}

func ownLocks(list []Held) []Held {
	var own []Held
	for _, h := range list {
		if !h.Caller {
			own = append(own, h)
		}
	}
	return own
}

func sameLocks(a, b []Held) bool {
	return slices.EqualFunc(a, b, func(x, y Held) bool { return x.Place == y.Place && x.Mode == y.Mode })
}

// leaks notes the returns that keep a lock which other returns let go.
func (r *recorder) leaks(total Net) {
	for _, set := range r.in {
		if set.coarse {
			return // what is held is not known well enough
		}
	}
	for _, e := range r.exits {
		for _, h := range ownLocks(e.w.must) {
			if _, everywhere := find(total.Acquired, h.Place); everywhere || !r.surely(e.ret, h.Place) || r.acquires(h.Place) {
				continue
			}
			leak := Leak{Return: e.ret, Lock: h}
			if !slices.Contains(r.sum.Leaks, leak) {
				r.sum.Leaks = append(r.sum.Leaks, leak)
			}
		}
	}
}

// surely tells whether every way to the return holds the lock: loops whose condition
// decides about the lock as well look like a leak on one of the ways.
func (r *recorder) surely(ret *ssa.Return, lock *Place) bool {
	for _, e := range r.exits {
		if _, holds := find(e.w.must, lock); e.ret == ret && !holds {
			return false
		}
	}
	return true
}

// acquires tells whether the function may mean to take the lock for its caller when
// it succeeds: no return that says so is without it, and no other with it.
func (r *recorder) acquires(lock *Place) bool {
	for _, e := range r.exits {
		_, holds := find(e.w.must, lock)
		ok, known := r.success(e)
		if !known || ok != holds {
			return false
		}
	}
	return true
}

// success tells whether a return reports success: true, no error, or something
// instead of nil.
func (r *recorder) success(e exit) (ok, known bool) {
	if len(e.ret.Results) == 0 {
		return false, false
	}
	v := Result(e.ret, len(e.ret.Results)-1)
	outcome, known := r.returned(e)
	if isBoolean(v.Type()) || isError(v.Type()) {
		return outcome, known
	}
	c, isConst := v.(*ssa.Const)
	return !isConst || !c.IsNil(), true
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// returnsFresh tells whether the first result is always an object that the function
// made and gave to nobody else.
func (r *recorder) returnsFresh() bool {
	made := false
	for _, e := range r.exits {
		if len(e.ret.Results) == 0 {
			return false
		}
		v := Result(e.ret, 0)
		if c, ok := v.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		p := r.a.places.Of(v)
		if p == nil || p.Parent != nil || !r.private(p, e.w) {
			return false
		}
		made = true
	}
	return made
}
