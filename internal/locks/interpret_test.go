package locks_test

// A machine runs a program on one path after another. A path is the sequence of
// outcomes of all choices that the program leaves open.
type machine struct {
	// forgetful says that what is known of variables and fields does not reach from
	// one function into another, nor into a function literal. So does the analysis
	// see it: it cannot be expected to claim what depends on that.
	forgetful bool

	p       *program
	choices []choice
	next    int // of the choices
	steps   int

	held    [numLocks]mode
	spawned int // goroutines that run now
	flag    int // the stable field: 0 or 1, or -1 if it was not looked at yet
	dirty   int // the volatile field, the same
	// misused says that the path unlocked what was not locked, or would block for
	// ever: then it shows nothing about right code.
	misused bool
	// endless says that the path was cut off.
	endless bool

	// outcomes are the results of the helpers that were called: 1 for false, or for
	// a return without result, 2 for true, 3 for both.
	outcomes map[int]int

	seen map[key]*observation
	log  []event // of the current path
}

type choice struct{ taken, of int }

// A key identifies a probe by where the root does what leads to it, and the probe,
// or the group of probes.
type key struct{ first, probe int }

// group returns what the analysis keeps apart: the probes of the root one by one,
// those of a helper together.
func (p *program) group(probe int) int {
	if fn := p.owners[probe]; fn < len(p.funcs)-1 {
		return -1 - fn
	}
	return probe
}

type event struct {
	key  key
	held [numLocks]mode
}

// An observation is what paths hold at a probe.
type observation struct {
	must, may [numLocks]mode
}

// A frame is a call of a function.
type frame struct {
	p       int // the parameter: 0 or 1, or -1 if it was not looked at yet
	vars    [2]int
	shared  [2]bool // variables that function literals set
	initial int     // whether the innermost loop that counts is in its first round
	defers  []func()
	// first is the root's statement that runs now, 0 in the root itself.
	first int
	root  bool
}

type signalKind int

const (
	goOn signalKind = iota
	breaks
	continues
	jumps
	returns
	panics
)

type signal struct {
	kind  signalKind
	label string
	value bool
}

const (
	maxPaths     = 4000
	maxSteps     = 400
	maxIteration = 3
)

// run runs all paths of the program. It reports what they hold at the probes,
// whether some path misuses locks, and whether all paths were run and show all that
// the program's text leaves open: a helper that never returns, or always with the
// same result, is not known for one.
func (p *program) run(forgetful bool) (seen map[key]*observation, misused, complete bool) {
	m := &machine{p: p, forgetful: forgetful, seen: map[key]*observation{}, outcomes: map[int]int{}}
	for n := 0; n < maxPaths; n++ {
		m.path()
		if m.misused {
			return nil, true, false
		}
		for len(m.choices) > 0 && m.choices[len(m.choices)-1].taken+1 == m.choices[len(m.choices)-1].of {
			m.choices = m.choices[:len(m.choices)-1]
		}
		if len(m.choices) == 0 {
			return m.seen, false, m.open()
		}
		m.choices[len(m.choices)-1].taken++
	}
	return m.seen, false, false
}

// open reports whether every helper that was called returned with all results.
func (m *machine) open() bool {
	for i, seen := range m.outcomes {
		if seen == 0 || m.p.funcs[i].result && seen != 3 {
			return false
		}
	}
	return true
}

// path runs one path from the start.
func (m *machine) path() {
	m.next, m.steps = 0, 0
	m.held = [numLocks]mode{}
	m.flag, m.dirty = -1, -1
	m.misused, m.endless = false, false
	m.log = m.log[:0]
	f := &frame{root: true, p: -1}
	m.function(m.p.root(), f)
	for _, e := range m.log {
		m.observe(e)
	}
}

func (m *machine) observe(e event) {
	o := m.seen[e.key]
	if o == nil {
		m.seen[e.key] = &observation{must: e.held, may: e.held}
		return
	}
	for l := range e.held {
		o.must[l] = min(o.must[l], e.held[l])
		o.may[l] = max(o.may[l], e.held[l])
	}
}

// choose returns one of n outcomes, another one on another path.
func (m *machine) choose(n int) int {
	if m.next == len(m.choices) {
		m.choices = append(m.choices, choice{0, n})
	}
	c := m.choices[m.next]
	m.next++
	return c.taken
}

// function runs a function's body and its deferred calls.
func (m *machine) function(fn *function, f *frame) signal {
	f.shared = fn.shared()
	s := m.body(fn.body, f)
	if fn.result && s.kind == goOn {
		s = signal{kind: returns, value: m.test(fn.last, f)}
	}
	m.runDefers(f)
	return s
}

func (m *machine) runDefers(f *frame) {
	for len(f.defers) > 0 && !m.stopped() {
		d := f.defers[len(f.defers)-1]
		f.defers = f.defers[:len(f.defers)-1]
		d()
	}
}

func (m *machine) stopped() bool { return m.misused || m.endless }

// body runs a function's statements: jumps end there.
func (m *machine) body(list []*statement, f *frame) signal {
	return m.list(list, f)
}

// list runs statements one after another. A goto to a label in the list goes on
// there.
func (m *machine) list(list []*statement, f *frame) signal {
	for i := 0; i < len(list); i++ {
		if m.stopped() {
			return signal{kind: panics}
		}
		sig := m.exec(list[i], f)
		if sig.kind == jumps {
			if at := labelIn(list, sig.label); at >= 0 {
				i = at
				continue
			}
		}
		if sig.kind != goOn {
			return sig
		}
	}
	return signal{}
}

func labelIn(list []*statement, label string) int {
	for i, s := range list {
		if s.kind == target && s.label == label {
			return i
		}
	}
	return -1
}

func (m *machine) exec(s *statement, f *frame) signal {
	m.steps++
	if m.steps > maxSteps {
		m.endless = true
		return signal{kind: panics}
	}
	if f.root {
		f.first = s.id
	}
	switch s.kind {
	case probe:
		k := key{f.first, m.p.group(s.id)}
		if k.probe > 0 || m.spawned == 0 { // what helpers spawn is no part of their calls
			m.log = append(m.log, event{k, m.held})
		}
	case acquire:
		m.acquire(s.lock, s.read)
	case release:
		m.release(s.lock, s.read)
	case branch:
		if m.test(s.cond, f) {
			return m.list(s.body, f)
		}
		return m.list(s.other, f)
	case loop, endless, ranging, counting:
		return m.loop(s, f)
	case block:
		return m.list(s.body, f)
	case switching, choosing:
		return m.cases(s, f)
	case breaking:
		return signal{kind: breaks, label: s.label}
	case continuing:
		return signal{kind: continues, label: s.label}
	case jump:
		return signal{kind: jumps, label: s.label}
	case target:
	case returning:
		return signal{kind: returns, value: s.cond != nil && m.test(s.cond, f)}
	case panicking:
		return signal{kind: panics}
	case deferRelease:
		f.defers = append(f.defers, func() { m.release(s.lock, s.read) })
	case releaser:
		m.acquire(muLock, false)
		f.defers = append(f.defers, func() { m.release(muLock, false) })
	case deferBody:
		f.defers = append(f.defers, func() { m.literal(s, f) })
	case closure, variableFunc, callback:
		if m.literal(s, f).kind == panics {
			return signal{kind: panics}
		}
	case spawn:
		m.spawn(s, f)
	case call:
		if m.callHelper(s.index, s.arg, f).kind == panics {
			return signal{kind: panics}
		}
	case assign:
		f.vars[s.index] = number(m.test(s.cond, f))
	case assignField:
		m.dirty = number(m.test(s.cond, f))
	case wait:
		m.called(f)
	}
	if m.stopped() {
		return signal{kind: panics}
	}
	return signal{}
}

// literal runs the body of a function literal of f. It shares f's variables and
// has its own deferred calls.
func (m *machine) literal(s *statement, f *frame) signal {
	outer, root, first := f.defers, f.root, f.first
	f.defers, f.root = nil, false
	if root {
		f.first = s.id
	}
	flag, param, vars := m.flag, f.p, f.vars
	if m.forgetful {
		m.flag, m.dirty, f.p, f.vars = -1, -1, -1, [2]int{-1, -1}
	}
	sig := m.body(s.body, f)
	m.runDefers(f)
	if m.forgetful {
		m.flag, f.p, f.vars = flag, param, vars
	}
	f.defers, f.root, f.first = outer, root, first
	m.called(f)
	return sig
}

// spawn runs the body of a goroutine, which holds nothing, at once: what it does to
// its own locks must not depend on when it runs.
func (m *machine) spawn(s *statement, f *frame) {
	held := m.held
	m.held = [numLocks]mode{}
	vars := f.vars
	m.spawned++
	m.literal(s, f)
	m.spawned--
	f.vars = vars
	m.held = held
}

func (m *machine) callHelper(i int, arg *condition, f *frame) signal {
	callee := &frame{first: f.first, p: number(m.test(arg, f))}
	flag := m.flag
	if m.forgetful {
		m.flag, m.dirty, callee.p = -1, -1, -1
	}
	m.outcomes[i] |= 0
	sig := m.function(m.p.funcs[i], callee)
	if !m.stopped() && sig.kind != panics {
		m.outcomes[i] |= 1 << number(sig.value)
	}
	if m.forgetful {
		m.flag = flag
	}
	m.called(f)
	return sig
}

// called forgets what a call may have changed: the volatile field, and variables
// that a function literal sets, which the call may have run.
func (m *machine) called(f *frame) {
	m.dirty = -1
	for i, shared := range f.shared {
		if m.forgetful && shared {
			f.vars[i] = -1
		}
	}
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// look returns a value that is open until it is looked at.
func (m *machine) look(v *int) bool {
	if *v < 0 {
		*v = m.choose(2)
	}
	return *v == 1
}

func (m *machine) loop(s *statement, f *frame) signal {
	outer := f.initial
	defer func() { f.initial = outer }()
	for i := 0; ; i++ {
		if s.kind == counting {
			f.initial = number(i == 0)
			if m.forgetful { // nobody counts
				f.initial = -1
			}
		}
		switch {
		case m.stopped():
			return signal{kind: panics}
		case i == maxIteration && m.forgetful && s.kind != endless:
			return signal{} // a loop that does not end is not known for one
		case i == maxIteration:
			m.endless = true
			return signal{kind: panics}
		case (s.kind == loop || s.kind == counting) && !m.test(s.cond, f), s.kind == ranging && m.choose(2) == 0:
			return signal{}
		}
		sig := m.list(s.body, f)
		switch {
		case sig.kind == goOn:
		case sig.kind == breaks && (sig.label == "" || sig.label == s.label):
			return signal{}
		case sig.kind == continues && (sig.label == "" || sig.label == s.label):
		default:
			return sig
		}
		if f.root {
			f.first = s.id
		}
	}
}

func (m *machine) cases(s *statement, f *frame) signal {
	at := m.pick(s, f)
	if at < 0 {
		return signal{}
	}
	sig := m.list(s.cases[at].body, f)
	for sig.kind == goOn && s.cases[at].fallthrough_ {
		at++
		sig = m.list(s.cases[at].body, f)
	}
	if sig.kind == breaks && (sig.label == "" || sig.label == s.label) {
		return signal{}
	}
	return sig
}

// pick returns the case that runs, -1 if none does.
func (m *machine) pick(s *statement, f *frame) int {
	if s.kind == choosing {
		return m.choose(len(s.cases))
	}
	other := -1
	for i, c := range s.cases {
		if c.cond == nil {
			other = i
		} else if m.test(c.cond, f) {
			return i
		}
	}
	return other
}

// test evaluates a condition.
func (m *machine) test(c *condition, f *frame) bool {
	v := false
	switch c.kind {
	case opaque:
		v = m.choose(2) == 1
		m.called(f)
	case param:
		v = m.look(&f.p)
	case stable:
		v = m.look(&m.flag)
	case volatile:
		v = m.look(&m.dirty)
	case variable:
		v = m.look(&f.vars[c.index])
	case try:
		if m.held[c.lock] == unheld && m.choose(2) == 1 {
			m.acquire(c.lock, c.read)
			v = true
		}
	case result:
		v = m.callHelper(c.index, c.x, f).value
	case isFirst:
		v = m.look(&f.initial)
	case and:
		v = m.test(c.x, f) && m.test(c.y, f)
	case or:
		v = m.test(c.x, f) || m.test(c.y, f)
	}
	return v != c.negated
}

func (m *machine) acquire(l lock, read bool) {
	if m.held[l] != unheld {
		m.misused = true
		return
	}
	m.held[l] = writeHeld
	if read {
		m.held[l] = readHeld
	}
}

func (m *machine) release(l lock, read bool) {
	want := writeHeld
	if read {
		want = readHeld
	}
	if m.held[l] != want {
		m.misused = true
		return
	}
	m.held[l] = unheld
}
