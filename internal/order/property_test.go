package order_test

import (
	"flag"
	"fmt"
	"go/types"
	"math/rand"
	"strings"
	"testing"

	"github.com/heapvet/heapvet/internal/order"
)

var comparators = flag.Int("comparators", 2000, "how many random comparators to decide")

// elem is an element of the random comparators: two numbers and a flag.
type elem struct {
	x, y int
	ok   bool
}

// A prog is a random comparator: Go source, and the same as a function.
type prog struct {
	text string
	eval func(a, b elem) bool
}

// A generator makes comparators of a small grammar.
type generator struct {
	*rand.Rand
	consts bool // comparisons with constants too
}

// number is a random number: a field of an element, a constant, or a sum.
func (g *generator) number(side bool) (string, func(a, b elem) int) {
	name := "a"
	if side {
		name = "b"
	}
	pick := func(a, b elem) elem {
		if side {
			return b
		}
		return a
	}
	switch n := g.Intn(10); {
	case n < 5:
		return name + ".x", func(a, b elem) int { return pick(a, b).x }
	case n < 9 || !g.consts:
		return name + ".y", func(a, b elem) int { return pick(a, b).y }
	}
	k := g.Intn(3)
	return fmt.Sprint(k), func(a, b elem) int { return k }
}

// test is a random comparison.
func (g *generator) test() prog {
	if g.Intn(6) == 0 {
		return []prog{
			{"a.ok", func(a, b elem) bool { return a.ok }},
			{"b.ok", func(a, b elem) bool { return b.ok }},
			{"a.ok != b.ok", func(a, b elem) bool { return a.ok != b.ok }},
			{"a.ok && !b.ok", func(a, b elem) bool { return a.ok && !b.ok }},
		}[g.Intn(4)]
	}
	var lt, rt string
	var l, r func(a, b elem) int
	if g.Intn(5) > 0 { // mostly one field on both sides
		f := "xy"[g.Intn(2) : g.Intn(2)+1]
		if f == "" || len(f) > 1 {
			f = "x"
		}
		if g.Intn(2) == 0 {
			f = "y"
		}
		get := func(e elem) int {
			if f == "x" {
				return e.x
			}
			return e.y
		}
		lt, rt = "a."+f, "b."+f
		l, r = func(a, b elem) int { return get(a) }, func(a, b elem) int { return get(b) }
		if g.Intn(8) == 0 {
			lt, rt, l, r = rt, lt, r, l
		}
	} else {
		lt, l = g.number(g.Intn(4) == 0)
		rt, r = g.number(g.Intn(4) > 0)
	}
	switch op := []string{"<", "<", "<", ">", "<=", ">=", "==", "!="}[g.Intn(8)]; op {
	case "<":
		return prog{lt + " < " + rt, func(a, b elem) bool { return l(a, b) < r(a, b) }}
	case ">":
		return prog{lt + " > " + rt, func(a, b elem) bool { return l(a, b) > r(a, b) }}
	case "<=":
		return prog{lt + " <= " + rt, func(a, b elem) bool { return l(a, b) <= r(a, b) }}
	case ">=":
		return prog{lt + " >= " + rt, func(a, b elem) bool { return l(a, b) >= r(a, b) }}
	case "==":
		return prog{lt + " == " + rt, func(a, b elem) bool { return l(a, b) == r(a, b) }}
	default:
		return prog{lt + " != " + rt, func(a, b elem) bool { return l(a, b) != r(a, b) }}
	}
}

// expr is a random condition.
func (g *generator) expr(depth int) prog {
	if depth == 0 || g.Intn(3) == 0 {
		return g.test()
	}
	p, q := g.expr(depth-1), g.expr(depth-1)
	switch g.Intn(5) {
	case 0:
		return prog{"!(" + p.text + ")", func(a, b elem) bool { return !p.eval(a, b) }}
	case 1, 2:
		return prog{"(" + p.text + ") && (" + q.text + ")", func(a, b elem) bool { return p.eval(a, b) && q.eval(a, b) }}
	}
	return prog{"(" + p.text + ") || (" + q.text + ")", func(a, b elem) bool { return p.eval(a, b) || q.eval(a, b) }}
}

// body is a random function body.
func (g *generator) body(depth int) prog {
	if depth == 0 || g.Intn(3) == 0 {
		p := g.expr(2)
		if g.Intn(3) > 0 {
			p = g.test()
		}
		return prog{"return " + p.text + "\n", p.eval}
	}
	cond, then, rest := g.test(), g.body(depth-1), g.body(depth-1)
	switch g.Intn(3) {
	case 0: // the usual chain: if the key differs, it decides
		cond = []prog{
			{"a.x != b.x", func(a, b elem) bool { return a.x != b.x }},
			{"a.y != b.y", func(a, b elem) bool { return a.y != b.y }},
			{"a.ok != b.ok", func(a, b elem) bool { return a.ok != b.ok }},
		}[g.Intn(3)]
	case 1: // through a helper
		cond = prog{"greater(a.x, b.x)", func(a, b elem) bool { return a.x > b.x }}
	}
	return prog{"if " + cond.text + " {\n" + then.text + "}\n" + rest.text, func(a, b elem) bool {
		if cond.eval(a, b) {
			return then.eval(a, b)
		}
		return rest.eval(a, b)
	}}
}

// strictWeak decides by the definition, over all elements with the given numbers.
func strictWeak(less func(a, b elem) bool, low, high int) bool {
	var all []elem
	for x := low; x <= high; x++ {
		for y := low; y <= high; y++ {
			all = append(all, elem{x, y, false}, elem{x, y, true})
		}
	}
	n := len(all)
	m := make([][]bool, n)
	for i, a := range all {
		m[i] = make([]bool, n)
		for j, b := range all {
			m[i][j] = less(a, b)
		}
	}
	for i := range all {
		for j := range all {
			if m[i][j] && m[j][i] {
				return false
			}
			for k := range all {
				if m[i][j] && m[j][k] && !m[i][k] {
					return false
				}
				if !m[i][j] && !m[j][i] && !m[j][k] && !m[k][j] && (m[i][k] || m[k][i]) {
					return false
				}
			}
		}
	}
	return true
}

// TestAgainstBruteForce compares the decision on random comparators with that by
// the definition over a larger domain: six values, for the two numbers of three
// elements that may all be compared with each other, or all values around the
// constants.
func TestAgainstBruteForce(t *testing.T) {
	const batch = 1000
	seed := int64(1)
	count := map[order.Verdict]int{}
	for done := 0; done < *comparators; done += batch {
		var src strings.Builder
		src.WriteString("package p\n\ntype elem struct {\n\tx, y int\n\tok bool\n}\n\nfunc greater(p, q int) bool { return p > q }\n\n")
		var progs []prog
		for i := range batch {
			seed++
			g := &generator{Rand: rand.New(rand.NewSource(seed)), consts: i%4 == 0}
			p := g.body(3)
			progs = append(progs, p)
			fmt.Fprintf(&src, "func less%d(a, b elem) bool {\n%s}\n\n", i, p.text)
		}
		pkg, _ := build(t, src.String())
		for i, p := range progs {
			low, high := 0, 5
			if i%4 == 0 {
				low, high = -3, 5
			}
			fn := pkg.Prog.FuncValue(pkg.Pkg.Scope().Lookup(fmt.Sprintf("less%d", i)).(*types.Func))
			r := order.Analyze(fn, order.Less)
			count[r.Verdict]++
			want := strictWeak(p.eval, low, high)
			switch {
			case r.Verdict == order.StrictWeak && !want:
				t.Errorf("taken for a strict weak order, which it is not:\n%s", p.text)
			case r.Verdict == order.Broken && want:
				t.Errorf("taken for no strict weak order (%s %s), which it is:\n%s", r.Fault.Property, r.Fault, p.text)
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("strict weak orders %d, broken %d, undecided %d", count[order.StrictWeak], count[order.Broken], count[order.Opaque])
	if n := count[order.Opaque]; n*20 > *comparators {
		t.Errorf("%d of %d comparators undecided", n, *comparators)
	}
	if n := count[order.StrictWeak]; n*20 < *comparators {
		t.Errorf("only %d of %d comparators are strict weak orders: the grammar is no test", n, *comparators)
	}
}
