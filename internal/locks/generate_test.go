package locks_test

import (
	"fmt"
	"math/rand/v2"
)

// A status is what the generator knows of a lock at a point of the program.
type status uint8

const (
	free status = iota
	reading
	writing
	// settled locks are left alone: they are deferred, or held on some paths only.
	settled
)

type state [numLocks]status

// A contract is what a function expects and does: the locks at entry, and at a
// return, which for a function with a result depends on that.
type contract struct {
	pre       state
	post      state // of a true result, or of any return
	postFalse state
}

// A generator makes one program. What it makes is right most of the time; programs
// with wrong paths are found by running them.
type generator struct {
	*rand.Rand
	p         *program
	contracts []contract
	nextID    int
	labels    int
	budget    int // statements left for the function
}

// A context is where a statement is generated.
type context struct {
	depth   int
	loops   []loopContext
	post    state // what a return owes
	false_  state // what a false return owes
	result  bool  // the function returns a bool
	literal bool  // in a function literal
	panics  bool  // panics are possible
	calls   bool  // helpers may be called
	cleanup bool  // in deferred code
	breaks  []string
	counts  bool // in a loop that counts
}

type loopContext struct {
	label string
	entry state
}

// generate makes the program of a seed.
func generate(seed uint64) *program {
	g := &generator{Rand: newRand(seed), p: &program{}}
	helpers := g.IntN(4)
	for range helpers {
		g.helper()
	}
	g.function("root", contract{}, false, true)
	g.p.print()
	return g.p
}

// helper makes a function that leaves its caller's locks as they are, takes or
// drops some, or takes one if it returns true.
func (g *generator) helper() {
	var c contract
	result := g.IntN(3) == 0
	for l := range c.pre {
		c.pre[l] = free
		if g.IntN(4) == 0 {
			c.pre[l] = writing
		}
	}
	c.post = c.pre
	if g.IntN(2) == 0 {
		l := g.IntN(int(numLocks))
		c.post[l] = g.other(c.pre[l])
	}
	c.postFalse = c.post
	if result {
		c.postFalse = c.pre
	}
	g.function(fmt.Sprint("h", len(g.p.funcs)), c, result, false)
}

func (g *generator) other(s status) status {
	if s != free {
		return free
	}
	return writing
}

func (g *generator) function(name string, c contract, result, root bool) {
	f := &function{name: name, result: result}
	g.budget = 8 + g.IntN(18)
	if !root {
		g.budget = 3 + g.IntN(8)
	}
	ctx := context{post: c.post, false_: c.postFalse, result: result, panics: !result, calls: root || !result}
	st := c.pre
	f.body = g.list(&ctx, &st, 2+g.IntN(6))
	f.last = &condition{kind: opaque}
	if c.post != c.postFalse {
		f.last.kind = constant
		g.succeed(f, c)
	}
	if !ends(f.body) {
		f.body = append(f.body, g.repair(&st, c.postFalse)...)
	}
	g.p.funcs = append(g.p.funcs, f)
	g.contracts = append(g.contracts, c)
}

// succeed lets a function with two outcomes begin with a path to the better one.
func (g *generator) succeed(f *function, c contract) {
	s, ret := g.new(branch), g.new(returning)
	s.cond = &condition{kind: opaque}
	ret.cond = &condition{kind: constant, negated: true}
	st := c.pre
	s.body = append(g.repair(&st, c.post), ret)
	s.keep, ret.keep = true, true
	f.body = append([]*statement{s}, f.body...)
}

// ends reports whether control never leaves the list at its end.
func ends(list []*statement) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1]; s.kind {
	case returning, panicking, breaking, continuing, jump:
		return true
	}
	return false
}

func (g *generator) new(k statementKind) *statement {
	g.nextID++
	g.budget--
	return &statement{kind: k, id: g.nextID}
}

// repair takes and drops locks to get from one state to another.
func (g *generator) repair(st *state, want state) []*statement {
	var list []*statement
	for l := range st {
		have := st[l]
		if have == want[l] || have == settled || want[l] == settled {
			continue
		}
		if have != free {
			list = append(list, g.release(lock(l), have))
		}
		if want[l] != free {
			list = append(list, g.acquire(lock(l), want[l]))
		}
		st[l] = want[l]
	}
	return list
}

func (g *generator) acquire(l lock, as status) *statement {
	s := g.new(acquire)
	s.lock, s.read = l, as == reading
	return s
}

func (g *generator) release(l lock, as status) *statement {
	s := g.new(release)
	s.lock, s.read = l, as == reading
	s.method = g.IntN(6) == 0
	return s
}

// list makes up to n statements.
func (g *generator) list(ctx *context, st *state, n int) []*statement {
	var list []*statement
	for range n {
		if g.budget <= 0 {
			break
		}
		list = append(list, g.some(ctx, st)...)
		if ends(list) {
			return list
		}
	}
	if len(list) == 0 || g.IntN(3) == 0 {
		list = append(list, g.new(probe))
	}
	return list
}

func (g *generator) nested(ctx *context, st *state, n int) []*statement {
	inner := *ctx
	inner.depth++
	return g.list(&inner, st, n)
}

// some makes a statement, or a few that belong together.
func (g *generator) some(ctx *context, st *state) []*statement {
	if ctx.depth > 3 {
		return g.simple(ctx, st)
	}
	switch g.IntN(24) {
	case 0, 1, 2:
		return g.branch(ctx, st)
	case 3, 4:
		return g.loop(ctx, st)
	case 5:
		return g.switching(ctx, st)
	case 6:
		return g.tryLock(ctx, st)
	case 7:
		return g.correlated(ctx, st)
	case 8:
		return g.flagged(ctx, st)
	case 9:
		return g.forward(ctx, st)
	case 10:
		return g.backward(ctx, st)
	case 11, 12:
		return g.literal(ctx, st)
	case 13:
		return g.deferred(ctx, st)
	case 14, 15:
		return g.call(ctx, st)
	case 16:
		return g.leave(ctx, st)
	}
	return g.simple(ctx, st)
}

// simple makes a probe, a lock operation, or an assignment.
func (g *generator) simple(ctx *context, st *state) []*statement {
	switch g.IntN(9) {
	case 0, 1, 2:
		return []*statement{g.new(probe)}
	case 3:
		s := g.new(assign)
		s.index, s.cond = g.IntN(2), g.plain(ctx)
		return []*statement{s}
	case 4:
		if g.IntN(2) == 0 {
			return []*statement{g.new(wait)}
		}
		s := g.new(assignField)
		s.cond = g.plain(ctx)
		return []*statement{s}
	}
	l := lock(g.IntN(int(numLocks)))
	switch st[l] {
	case free:
		st[l] = writing
		if l == rwLock && g.IntN(2) == 0 {
			st[l] = reading
		}
		return []*statement{g.acquire(l, st[l])}
	case settled:
		return []*statement{g.new(probe)}
	}
	have := st[l]
	st[l] = free
	return []*statement{g.release(l, have)}
}

// plain makes a condition without effect on locks.
func (g *generator) plain(ctx *context) *condition {
	c := &condition{kind: [...]conditionKind{opaque, opaque, param, stable, volatile, variable, and, or}[g.IntN(8)]}
	if ctx.counts && g.IntN(3) == 0 {
		c.kind = isFirst
	}
	c.index = g.IntN(2)
	c.negated = g.IntN(3) == 0
	if c.kind == and || c.kind == or {
		c.x, c.y = g.atom(), g.atom()
	}
	return c
}

func (g *generator) atom() *condition {
	return &condition{
		kind:  [...]conditionKind{opaque, param, stable, variable}[g.IntN(4)],
		index: g.IntN(2), negated: g.IntN(3) == 0,
	}
}

// join makes the state after two branches, and repairs one of them if they differ.
func (g *generator) join(a []*statement, sa state, b []*statement, sb state) ([]*statement, []*statement, state) {
	switch {
	case ends(a):
		return a, b, sb
	case ends(b):
		return a, b, sa
	}
	if g.IntN(4) > 0 {
		b = append(b, g.repair(&sb, sa)...)
	}
	for l := range sa {
		if sa[l] != sb[l] {
			sa[l] = settled
		}
	}
	return a, b, sa
}

func (g *generator) branch(ctx *context, st *state) []*statement {
	s := g.new(branch)
	s.cond = g.plain(ctx)
	yes, no := *st, *st
	s.body = g.nested(ctx, &yes, 1+g.IntN(3))
	if g.IntN(2) == 0 {
		s.other = g.nested(ctx, &no, 1+g.IntN(3))
	}
	s.body, s.other, *st = g.join(s.body, yes, s.other, no)
	return []*statement{s}
}

func (g *generator) loop(ctx *context, st *state) []*statement {
	s := g.new([...]statementKind{loop, loop, ranging, endless, counting, counting}[g.IntN(6)])
	s.cond = g.atom()
	if s.cond.kind == variable { // may be known never to change
		s.cond.kind = volatile
	}
	if g.IntN(3) == 0 {
		g.labels++
		s.label = fmt.Sprint("L", g.labels)
	}
	inner := *ctx
	inner.depth++
	inner.breaks = append(inner.breaks[:len(inner.breaks):len(inner.breaks)], s.label)
	inner.counts = ctx.counts || s.kind == counting
	inner.loops = append(inner.loops[:len(inner.loops):len(inner.loops)], loopContext{s.label, *st})
	body := *st
	s.body = g.list(&inner, &body, 1+g.IntN(4))
	if !ends(s.body) {
		s.body = append(s.body, g.repair(&body, *st)...)
	}
	if s.kind == endless {
		out := g.new(branch)
		out.cond = g.plain(ctx)
		out.body = []*statement{g.new(breaking)}
		s.body = append([]*statement{out}, s.body...)
	}
	for l := range body {
		if body[l] != st[l] {
			st[l] = settled
		}
	}
	return []*statement{s}
}

// leave makes a statement that leaves the list: it pays what is owed first.
func (g *generator) leave(ctx *context, st *state) []*statement {
	var list []*statement
	switch k := g.IntN(8); {
	case k < 4 && len(ctx.loops) > 0:
		lc := ctx.loops[len(ctx.loops)-1]
		s := g.new(breaking)
		if g.IntN(2) == 0 {
			s.kind = continuing
		}
		if n := g.IntN(len(ctx.loops)); ctx.loops[n].label != "" {
			lc = ctx.loops[n]
			s.label = lc.label
		} else if s.kind == breaking && ctx.breaks[len(ctx.breaks)-1] != lc.label {
			s.kind = continuing // a break would leave a switch
		}
		return append(g.repair(st, lc.entry), s)
	case k == 4 && ctx.panics && !ctx.literal:
		return []*statement{g.new(panicking)}
	case ctx.cleanup:
		return []*statement{g.new(probe)}
	}
	s := g.new(returning)
	owed := ctx.post
	if ctx.result {
		s.cond = g.plain(ctx)
		if ctx.post != ctx.false_ {
			s.cond = &condition{kind: constant, negated: g.IntN(2) == 0}
			if !s.cond.negated {
				owed = ctx.false_
			}
		}
	}
	if g.IntN(10) > 0 {
		list = g.repair(st, owed)
	}
	return append(list, s)
}

func (g *generator) switching(ctx *context, st *state) []*statement {
	s := g.new(switching)
	if g.IntN(3) == 0 {
		s.kind = choosing
	}
	inner := *ctx
	inner.breaks = append(inner.breaks[:len(inner.breaks):len(inner.breaks)], "switch")
	n := 1 + g.IntN(3)
	hasDefault := g.IntN(2) == 0
	for i := range n {
		c := caseClause{cond: g.plain(ctx)}
		if hasDefault && i == n-1 {
			c.cond = nil
		}
		body := *st
		c.body = g.nested(&inner, &body, 1+g.IntN(2))
		if !ends(c.body) {
			c.body = append(c.body, g.repair(&body, *st)...)
			c.fallthrough_ = s.kind == switching && i < n-1 && g.IntN(5) == 0
		}
		for l := range body {
			if !ends(c.body) && body[l] != st[l] {
				st[l] = settled
			}
		}
		s.cases = append(s.cases, c)
	}
	return []*statement{s}
}

// freeLock picks a lock that is free.
func (g *generator) freeLock(st *state) (lock, bool) {
	l := lock(g.IntN(int(numLocks)))
	return l, st[l] == free
}

// tryLock makes if l.TryLock() { … unlock }, or if !l.TryLock() { return }.
func (g *generator) tryLock(ctx *context, st *state) []*statement {
	l, ok := g.freeLock(st)
	if !ok {
		return g.simple(ctx, st)
	}
	as := writing
	if l == rwLock && g.IntN(2) == 0 {
		as = reading
	}
	s := g.new(branch)
	s.cond = &condition{kind: try, lock: l, read: as == reading}
	if g.IntN(5) == 0 {
		s.cond = &condition{kind: and, x: g.atom(), y: s.cond}
	}
	yes, no := *st, *st
	yes[l] = as
	if g.IntN(2) == 0 && s.cond.kind == try {
		s.cond.negated = true
		yes, no = no, yes
	}
	s.body = g.nested(ctx, &yes, 1+g.IntN(3))
	s.body, s.other, *st = g.join(s.body, yes, s.other, no)
	return []*statement{s}
}

// correlated makes if p { lock } … if p { unlock }.
func (g *generator) correlated(ctx *context, st *state) []*statement {
	l, ok := g.freeLock(st)
	if !ok {
		return g.simple(ctx, st)
	}
	cond := &condition{kind: [...]conditionKind{param, stable}[g.IntN(2)], negated: g.IntN(2) == 0}
	first, second := g.new(branch), g.new(branch)
	first.cond, second.cond = cond, cond
	first.body = []*statement{g.acquire(l, writing)}
	st[l] = settled
	between := g.nested(ctx, st, 1+g.IntN(3))
	if ends(between) {
		return append([]*statement{first}, between...)
	}
	st[l] = free
	second.body = []*statement{g.new(probe), g.release(l, writing)}
	list := append([]*statement{first}, between...)
	return append(list, second)
}

// flagged makes v = false; if c { lock; v = true } … if v { unlock }.
func (g *generator) flagged(ctx *context, st *state) []*statement {
	l, ok := g.freeLock(st)
	if !ok {
		return g.simple(ctx, st)
	}
	v := g.IntN(2)
	reset, first, setting, second := g.new(assign), g.new(branch), g.new(assign), g.new(branch)
	reset.index, reset.cond = v, &condition{kind: constant}
	setting.index, setting.cond = v, &condition{kind: constant, negated: true}
	first.cond = g.plain(ctx)
	first.body = []*statement{g.acquire(l, writing), setting}
	second.cond = &condition{kind: variable, index: v}
	second.body = []*statement{g.new(probe), g.release(l, writing)}
	list := []*statement{reset, first, g.new(probe)}
	if g.IntN(2) == 0 {
		list = append(list, g.call(ctx, st)...)
	}
	return append(list, second)
}

// forward makes if c { goto L } … L:.
func (g *generator) forward(ctx *context, st *state) []*statement {
	g.labels++
	label := fmt.Sprint("L", g.labels)
	leave, target := g.new(branch), &statement{kind: target, label: label}
	leave.cond = g.plain(ctx)
	j := g.new(jump)
	j.label = label
	at := *st
	leave.body = append(g.nested(ctx, &at, 1), j)
	if ends(leave.body[:len(leave.body)-1]) {
		leave.body = leave.body[:len(leave.body)-1]
		return []*statement{leave}
	}
	list := []*statement{leave}
	between := g.nested(ctx, st, 1+g.IntN(3))
	list = append(list, between...)
	if ends(between) {
		*st = at
	} else {
		list = append(list, g.repair(st, at)...)
		*st = at
	}
	return append(list, target, g.new(probe))
}

// backward makes L: … if c { goto L }.
func (g *generator) backward(ctx *context, st *state) []*statement {
	g.labels++
	label := fmt.Sprint("L", g.labels)
	entry := *st
	list := []*statement{{kind: target, label: label}}
	inner := *ctx
	inner.loops, inner.breaks = ctx.loops, ctx.breaks
	list = append(list, g.nested(&inner, st, 1+g.IntN(3))...)
	if ends(list) {
		return list
	}
	again := g.new(branch)
	again.cond = g.plain(ctx)
	j := g.new(jump)
	j.label = label
	at := *st
	again.body = append(g.repair(&at, entry), j)
	return append(list, again)
}

// literal makes a function literal that is called in place, by way of a variable or
// another function, or by a goroutine.
func (g *generator) literal(ctx *context, st *state) []*statement {
	s := g.new([...]statementKind{closure, variableFunc, callback, spawn}[g.IntN(4)])
	inner := context{depth: ctx.depth + 1, literal: true, calls: ctx.calls, cleanup: ctx.cleanup}
	if s.kind == spawn {
		var own state
		s.body = g.list(&inner, &own, 1+g.IntN(3))
		if !ends(s.body) {
			s.body = append(s.body, g.repair(&own, state{})...)
		}
		return []*statement{s}
	}
	want := *st
	if l := g.IntN(int(numLocks)); g.IntN(3) == 0 && want[l] != settled && s.kind != callback {
		want[l] = g.other(want[l])
	}
	inner.post, inner.false_ = want, want
	s.body = g.list(&inner, st, 1+g.IntN(3))
	if !ends(s.body) {
		s.body = append(s.body, g.repair(st, want)...)
	}
	for l := range st {
		if st[l] != want[l] {
			st[l] = settled
		}
	}
	return []*statement{s}
}

// deferred makes lock; defer unlock, in one of several spellings, or deferred code
// with a probe.
func (g *generator) deferred(ctx *context, st *state) []*statement {
	if len(ctx.loops) > 0 || ctx.cleanup {
		return g.simple(ctx, st)
	}
	l, ok := g.freeLock(st)
	if !ok || ctx.post[l] != free || ctx.false_[l] != free || g.IntN(4) == 0 {
		s := g.new(deferBody)
		s.body = []*statement{g.new(probe)}
		return []*statement{s}
	}
	st[l] = settled
	switch g.IntN(4) {
	case 0:
		if l == muLock {
			return []*statement{g.new(releaser)}
		}
	case 1:
		s := g.new(deferBody)
		s.body = []*statement{g.new(probe), g.release(l, writing)}
		if g.IntN(2) == 0 {
			s.body = append(s.body, g.new(probe))
		}
		return []*statement{g.acquire(l, writing), s}
	}
	s := g.new(deferRelease)
	s.lock = l
	if l == rwLock && g.IntN(2) == 0 {
		s.read = true
		return []*statement{g.acquire(l, reading), s}
	}
	return []*statement{g.acquire(l, writing), s}
}

// call makes a call of a helper whose contract fits.
func (g *generator) call(ctx *context, st *state) []*statement {
	if !ctx.calls || len(g.contracts) == 0 {
		return g.simple(ctx, st)
	}
	i := g.IntN(len(g.contracts))
	c := g.contracts[i]
	list := g.repair(st, c.pre)
	for l := range st {
		if st[l] != c.pre[l] {
			return append(list, g.new(probe))
		}
	}
	arg := g.atom()
	if !g.p.funcs[i].result {
		s := g.new(call)
		s.index, s.arg = i, arg
		*st = c.post
		return append(list, s)
	}
	s := g.new(branch)
	s.cond = &condition{kind: result, index: i, x: arg}
	yes, no := c.post, c.postFalse
	if g.IntN(2) == 0 {
		s.cond.negated = true
		yes, no = no, yes
	}
	s.body = g.nested(ctx, &yes, 1+g.IntN(2))
	s.body, s.other, *st = g.join(s.body, yes, s.other, no)
	return append(list, s)
}
