package locks_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The property tests generate small programs as trees of statements. A tree can be
// printed as Go source, for the analysis, and run, for the truth.

// A lock is one of the locks of the generated programs.
type lock int

const (
	muLock     lock = iota // t.mu, a sync.Mutex
	rwLock                 // t.rw, a sync.RWMutex
	innerLock              // t.in.mu, behind a pointer
	globalLock             // gmu, a package variable
	numLocks
)

var lockNames = [numLocks]string{"t.mu", "t.rw", "t.in.mu", "gmu"}

// A mode is how a lock is held: not at all, for reading, for writing.
type mode uint8

const (
	unheld mode = iota
	readHeld
	writeHeld
)

// A condition is what a branch tests.
type condition struct {
	kind    conditionKind
	lock    lock // for try
	read    bool
	index   int // of a variable or function
	negated bool
	x, y    *condition // for and, or
}

type conditionKind int

const (
	opaque   conditionKind = iota // c(): anything, anew each time
	param                         // p: the function's parameter
	stable                        // t.flag: a field that is never written
	volatile                      // t.dirty: a field that is written
	variable                      // v0, v1: a local variable
	try                           // TryLock
	result                        // a helper's result
	and
	or
	constant // false
	isFirst  // i == 0, in a loop that counts
)

// A statement is one statement of a generated program.
type statement struct {
	kind  statementKind
	id    int // unique; the probe's number
	lock  lock
	read  bool
	cond  *condition
	index int // of a variable or function
	arg   *condition
	label string
	// method says that an unlock goes through a method value.
	method bool
	// keep says that the statement is there for a reason that must not be lost
	// when the program is made smaller.
	keep  bool
	body  []*statement
	other []*statement
	cases []caseClause
}

type caseClause struct {
	cond         *condition // nil for default
	body         []*statement
	fallthrough_ bool
}

type statementKind int

const (
	probe        statementKind = iota // heap.Push(&t.h, id)
	acquire                           // l.Lock()
	release                           // l.Unlock()
	branch                            // if cond { body } else { other }
	loop                              // for cond { body }
	endless                           // for { body }
	ranging                           // for range xs { body }
	counting                          // for i := 0; cond; i++ { body }
	block                             // { body }
	switching                         // switch { cases }
	choosing                          // select { cases }
	breaking                          // break label
	continuing                        // continue label
	jump                              // goto label
	target                            // label:
	returning                         // return
	panicking                         // panic("")
	deferRelease                      // defer l.Unlock()
	deferBody                         // defer func() { body }()
	closure                           // func() { body }()
	variableFunc                      // f = func() { body }; f()
	callback                          // do(func() { body })
	spawn                             // go func() { body }()
	call                              // t.h0(arg)
	assign                            // v = cond
	assignField                       // t.dirty = cond
	releaser                          // defer t.lockMu()()
	wait                              // t.cond.Wait()
)

// A function is a generated method of T.
type function struct {
	name string
	// result is set for functions that return a bool.
	result bool
	body   []*statement
	// last is what it returns at its end.
	last *condition
}

// shared are the variables that function literals of the function set.
func (f *function) shared() [2]bool {
	var set [2]bool
	var visit func(list []*statement, inside bool)
	visit = func(list []*statement, inside bool) {
		for _, s := range list {
			if s.kind == assign && inside {
				set[s.index] = true
			}
			switch s.kind {
			case deferBody, closure, variableFunc, callback, spawn:
				visit(s.body, true)
			default:
				visit(s.body, inside)
			}
			visit(s.other, inside)
			for _, c := range s.cases {
				visit(c.body, inside)
			}
		}
	}
	visit(f.body, false)
	return set
}

// A program is helpers, of which later ones may call earlier ones, and the root,
// which comes last.
type program struct {
	funcs []*function
	// lines has the statement, by its id, that stands on a line.
	lines map[int]int
	// owners has the number of the function of a statement, by its id.
	owners map[int]int
	source string
}

func (p *program) root() *function { return p.funcs[len(p.funcs)-1] }

const prologue = `package p

import (
	"container/heap"
	"sync"
)

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

type inner struct{ mu sync.Mutex }

type T struct {
	mu    sync.Mutex
	rw    sync.RWMutex
	in    *inner
	cond  sync.Cond
	h     ints
	flag  bool
	dirty bool
}

var (
	gmu    sync.Mutex
	c      func() bool
	xs     []int
	ch     chan int
)

func do(f func()) { f() }

// The field is one that changes.
func (t *T) touch() { t.dirty = !t.dirty }

func (t *T) lockMu() func() {
	t.mu.Lock()
	return t.mu.Unlock
}
`

// A printer prints a program and notes which statement stands on which line.
type printer struct {
	b      strings.Builder
	line   int
	indent int
	p      *program
	fn     int // the number of the function
}

func (p *program) print() {
	pr := &printer{p: p, line: 1}
	p.lines, p.owners = map[int]int{}, map[int]int{}
	for l := range strings.SplitSeq(strings.TrimSuffix(prologue, "\n"), "\n") {
		pr.put("%s", l)
	}
	for i, f := range p.funcs {
		pr.fn = i
		pr.put("")
		res := ""
		if f.result {
			res = " bool"
		}
		pr.put("func (t *T) %s(p bool)%s {", f.name, res)
		pr.indent++
		pr.put("var v0, v1 bool")
		pr.put("var f func()")
		pr.put("_, _, _ = v0, v1, f")
		pr.list(f.body)
		if f.result {
			pr.put("return %s", f.last)
		}
		pr.indent--
		pr.put("}")
	}
	p.source = pr.b.String()
}

func (pr *printer) put(format string, args ...any) {
	pr.b.WriteString(strings.Repeat("\t", pr.indent))
	fmt.Fprintf(&pr.b, format, args...)
	pr.b.WriteByte('\n')
	pr.line++
}

func (pr *printer) list(list []*statement) {
	for _, s := range list {
		pr.statement(s)
	}
}

// stmt prints one line of a statement and notes it.
func (pr *printer) stmt(s *statement, format string, args ...any) {
	pr.p.lines[pr.line] = s.id
	pr.p.owners[s.id] = pr.fn
	pr.put(format, args...)
}

func (pr *printer) nested(list []*statement) {
	pr.indent++
	pr.list(list)
	pr.indent--
}

func (pr *printer) statement(s *statement) {
	label := ""
	if s.label != "" && s.kind != breaking && s.kind != continuing && s.kind != jump && s.kind != target {
		label = s.label + ": "
	}
	switch s.kind {
	case probe:
		pr.stmt(s, "heap.Push(&t.h, %d)", s.id)
	case acquire:
		pr.stmt(s, "%s.%sLock()", lockNames[s.lock], r(s.read))
	case release:
		if s.method {
			pr.stmt(s, "f = %s.%sUnlock", lockNames[s.lock], r(s.read))
			pr.stmt(s, "f()")
			return
		}
		pr.stmt(s, "%s.%sUnlock()", lockNames[s.lock], r(s.read))
	case branch:
		pr.stmt(s, "if %s {", s.cond)
		pr.nested(s.body)
		if s.other != nil {
			pr.put("} else {")
			pr.nested(s.other)
		}
		pr.put("}")
	case loop:
		pr.stmt(s, "%sfor %s {", label, s.cond)
		pr.nested(s.body)
		pr.put("}")
	case endless:
		pr.stmt(s, "%sfor {", label)
		pr.nested(s.body)
		pr.put("}")
	case ranging:
		pr.stmt(s, "%sfor range xs {", label)
		pr.nested(s.body)
		pr.put("}")
	case counting:
		pr.stmt(s, "%sfor i := 0; %s; i++ {", label, s.cond)
		pr.put("\t_ = i")
		pr.nested(s.body)
		pr.put("}")
	case block:
		pr.put("{")
		pr.nested(s.body)
		pr.put("}")
	case switching, choosing:
		pr.cases(s, label)
	case breaking:
		pr.stmt(s, "break %s", s.label)
	case continuing:
		pr.stmt(s, "continue %s", s.label)
	case jump:
		pr.stmt(s, "goto %s", s.label)
	case target:
		pr.put("%s:", s.label)
	case returning:
		if s.cond != nil {
			pr.stmt(s, "return %s", s.cond)
		} else {
			pr.stmt(s, "return")
		}
	case panicking:
		pr.stmt(s, `panic("")`)
	case deferRelease:
		pr.stmt(s, "defer %s.%sUnlock()", lockNames[s.lock], r(s.read))
	case deferBody, closure, variableFunc, callback, spawn:
		pr.literal(s)
	case call:
		pr.stmt(s, "t.h%d(%s)", s.index, s.arg)
	case assign:
		pr.stmt(s, "v%d = %s", s.index, s.cond)
	case assignField:
		pr.stmt(s, "t.dirty = %s", s.cond)
	case releaser:
		pr.stmt(s, "defer t.lockMu()()")
	case wait:
		pr.stmt(s, "t.cond.Wait()")
	default:
		panic("unknown statement")
	}
}

func r(read bool) string {
	if read {
		return "R"
	}
	return ""
}

// literal prints the statements that run a function literal.
func (pr *printer) literal(s *statement) {
	around := map[statementKind][2]string{
		deferBody:    {"defer func() {", "}()"},
		closure:      {"func() {", "}()"},
		variableFunc: {"f = func() {", "}"},
		callback:     {"do(func() {", "})"},
		spawn:        {"go func() {", "}()"},
	}[s.kind]
	pr.stmt(s, "%s", around[0])
	pr.put("\tvar f func()")
	pr.put("\t_ = f")
	pr.nested(s.body)
	pr.stmt(s, "%s", around[1])
	if s.kind == variableFunc {
		pr.stmt(s, "f()")
	}
}

func (pr *printer) cases(s *statement, label string) {
	if s.kind == switching {
		pr.stmt(s, "%sswitch {", label)
	} else {
		pr.stmt(s, "%sselect {", label)
	}
	for i, c := range s.cases {
		switch {
		case c.cond == nil:
			pr.put("default:")
		case s.kind == switching:
			pr.put("case %s:", c.cond)
		case i%2 == 0:
			pr.put("case <-ch:")
		default:
			pr.put("case ch <- %d:", i)
		}
		pr.nested(c.body)
		if c.fallthrough_ {
			pr.put("\tfallthrough")
		}
	}
	pr.put("}")
}

// String is the condition in Go.
func (c *condition) String() string {
	s := ""
	switch c.kind {
	case opaque:
		s = "c()"
	case param:
		s = "p"
	case stable:
		s = "t.flag"
	case volatile:
		s = "t.dirty"
	case variable:
		s = fmt.Sprint("v", c.index)
	case try:
		s = lockNames[c.lock] + ".Try" + r(c.read) + "Lock()"
	case result:
		s = fmt.Sprintf("t.h%d(%s)", c.index, c.x)
	case isFirst:
		s = "(i == 0)"
	case and:
		s = fmt.Sprintf("(%s && %s)", c.x, c.y)
	case or:
		s = fmt.Sprintf("(%s || %s)", c.x, c.y)
	}
	if c.kind == constant {
		return fmt.Sprint(c.negated)
	}
	if c.negated {
		return "!" + s
	}
	return s
}

// newRand returns the source of randomness of a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
