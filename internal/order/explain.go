package order

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// minimize looks for a simpler violation: fewer elements, fewer keys that differ,
// smaller values.
func (d *decider) minimize(v *violation) *violation {
	best := v
	for _, e := range v.elems {
		if p := d.violates([]element{e}, v.world); p != "" {
			best = &violation{property: p, elems: []element{e}, world: v.world}
			break
		}
	}
	if len(best.elems) == 3 {
		for _, p := range [][2]int{{0, 1}, {1, 2}, {0, 2}} {
			e := []element{v.elems[p[0]], v.elems[p[1]]}
			if p := d.violates(e, v.world); p != "" {
				best = &violation{property: p, elems: e, world: v.world}
				break
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for k := range d.nkeys {
			if w := d.simplify(best, k); w != nil {
				best, changed = w, true
			}
		}
		for k := range d.nfree {
			for i := 0; i < best.world[k]; i++ {
				w := append(world(nil), best.world...)
				w[k] = i
				if p := d.violates(best.elems, w); p != "" {
					best, changed = &violation{property: p, elems: best.elems, world: w}, true
					break
				}
			}
		}
	}
	return best
}

// simplify tries to make key k the same in all elements, and then to lower it.
func (d *decider) simplify(v *violation, k int) *violation {
	try := func(change func(e []element)) *violation {
		list := make([]element, len(v.elems))
		for i, e := range v.elems {
			list[i] = append(element(nil), e...)
		}
		change(list)
		if p := d.violates(list, v.world); p != "" {
			return &violation{property: p, elems: list, world: v.world}
		}
		return nil
	}
	same := true
	for _, e := range v.elems {
		same = same && e[k] == v.elems[0][k]
	}
	order := d.simplest(k)
	for _, val := range order {
		if same && d.position(order, v.elems[0][k]) <= d.position(order, val) {
			break
		}
		if w := try(func(list []element) {
			for _, e := range list {
				e[k] = val
			}
		}); w != nil {
			return w
		}
	}
	if same {
		return nil
	}
	for i := range v.elems {
		for _, val := range order {
			if d.position(order, v.elems[i][k]) <= d.position(order, val) {
				break
			}
			if w := try(func(list []element) { list[i][k] = val }); w != nil {
				return w
			}
		}
	}
	return nil
}

// simplest lists the values of key k, the simplest first: from zero upwards, then
// below zero.
func (d *decider) simplest(k int) []int {
	dom := d.byKey[k].domain
	var up, down []int
	for i, v := range dom {
		if v.rank >= 0 {
			up = append(up, i)
		} else {
			down = append(down, i)
		}
	}
	for i := range dom {
		if !(dom[i].rank >= 0) && !(dom[i].rank < 0) { // NaN last
			for j, x := range down {
				if x == i {
					down = append(down[:j], down[j+1:]...)
					break
				}
			}
			up = append(up, i)
		}
	}
	return append(up, down...)
}

func (d *decider) position(order []int, val int) int {
	for i, v := range order {
		if v == val {
			return i
		}
	}
	return len(order)
}

// dependent says why the values of a violation may not occur together, or "": two
// keys that read the same thing cannot be chosen freely.
func (d *decider) dependent(v *violation) string {
	used := d.consulted(v)
	var keys []*term
	for k, c := range d.byKey {
		if used.keys[k] {
			keys = append(keys, c.keys[k-d.keyAt[c]])
		}
	}
	for k, c := range d.byFree {
		if used.free[k] {
			keys = append(keys, c.free[k-d.freeAt[c]])
		}
	}
	for i, a := range keys {
		pa := sources(a)
		for _, b := range keys[:i] {
			for t := range sources(b) {
				for s := range pa {
					if s == t || within(s, t) || within(t, s) {
						return "keys that depend on each other: " + renderArg(b) + " and " + renderArg(a)
					}
				}
			}
		}
	}
	return ""
}

// sources are the places that a key's value comes from. Whether a pointer is nil
// and what it points to are different sources; so are a length and a content, and
// the results of different methods.
func sources(t *term) map[*term]bool {
	out := map[*term]bool{}
	var walk func(*term)
	walk = func(t *term) {
		switch t.op {
		case opConst, opNil, opClosure:
			return
		case opLoad, opField, opLeaf, opIsNil, opCommaOK, opLen, opAssert, opUnknown:
			out[t] = true
			return
		case opIndex, opLookup:
			out[t] = true
			return
		case opCall:
			whole := false
			for _, a := range t.args {
				whole = whole || a.mask != 0 && isWhole(a)
			}
			if whole {
				out[t] = true
				return
			}
		}
		for _, a := range t.args {
			walk(a)
		}
	}
	walk(t)
	return out
}

// isWhole tells whether t, in a shape, is the element or its address.
func isWhole(t *term) bool {
	switch t.op {
	case opLeaf:
		return true
	case opLoad, opAssert, opConv:
		return isWhole(t.args[0])
	case opIndexAt, opIndex:
		return t.args[0].mask == 0 && isWhole(t.args[1])
	}
	return false
}

// within tells whether place s is a part of the value of place t.
func within(s, t *term) bool {
	for {
		switch s.op {
		case opField:
			s = s.args[0]
		case opLoad:
			// The parts of a struct that is loaded as a whole.
			a := s.args[0]
			for a.op == opAddr {
				a = a.args[0]
				if t.op == opLoad && t.args[0] == a {
					return true
				}
			}
			return false
		default:
			return false
		}
		if s == t {
			return true
		}
	}
}

// blame finds the statement at fault.
func (l *lowering) blame(d *decider, v *violation, f *Fault) {
	type end struct {
		leaf  *node
		tests []*node
	}
	var ends []end
	for _, p := range v.pairs() {
		var tests []*node
		o := d.outcome(d.root, v.elems[p[0]], v.elems[p[1]], v.world)
		if len(v.elems) < 3 || o == isLess {
			leaf := d.leaf(d.root, v.elems[p[0]], v.elems[p[1]], v.world, func(n *node, ok bool) {
				tests = append(tests, n)
			})
			ends = append(ends, end{leaf, tests})
		}
	}
	// A function that is called, and is wrong by itself, is the place to mend.
	for _, e := range ends {
		for s := e.leaf.path; s != nil; s = s.prev {
			fn := s.ret.Parent()
			if fn == l.fn {
				continue
			}
			if sub := l.callee(fn, d.nan); sub != nil {
				f.Pos, f.Fn = sub.Pos, sub.Fn
				return
			}
		}
	}
	// A comparison of both elements with a tolerance is at fault rather than what
	// is done then.
	for _, e := range ends {
		for _, n := range e.tests {
			if n.fn == l.fn && n.pos.IsValid() && (noValue(n.x) != "" || noValue(n.y) != "") {
				f.Pos = n.pos
				return
			}
		}
	}
	for _, e := range ends {
		if pos := faultPos(l.fn, e.leaf, e.tests); pos > f.Pos {
			f.Pos = pos
		}
	}
}

// callee analyses a function on the path as a comparator of its own, and returns
// its fault: that which only elements with NaN show, if nan is set.
func (l *lowering) callee(fn *ssa.Function, nan bool) *Fault {
	kind := KindOf(fn.Signature)
	if kind == NoComparator {
		return nil
	}
	if kind == Less && l.kind == IndexLess && isIndexParam(fn) {
		kind = IndexLess
	}
	r := Analyze(fn, kind)
	if nan {
		return r.NaN
	}
	return r.Fault
}

func isIndexParam(fn *ssa.Function) bool {
	n := len(fn.Params)
	return n >= 2 && typeName(fn.Params[n-1].Type()) == "int"
}

// faultPos is the place of the return at the end of a path, or of the condition
// that alone leads to it.
func faultPos(fn *ssa.Function, leaf *node, tests []*node) token.Pos {
	var ret *ssa.Return
	for s := leaf.path; s != nil && ret == nil; s = s.prev {
		if s.ret.Parent() == fn {
			ret = s.ret
		}
	}
	if ret == nil {
		return fn.Pos()
	}
	pos := ret.Pos()
	var last token.Pos
	for _, n := range tests {
		if n.fn == fn && n.pos.IsValid() {
			last = n.pos
		}
	}
	if last > pos {
		return last // within the returned expression
	}
	c, ok := ret.Results[0].(*ssa.Const)
	if ok && last.IsValid() && c.Value != nil && guarded(ret.Block()) &&
		(c.Value.Kind() != constant.Bool || constant.BoolVal(c.Value)) {
		return last
	}
	return pos
}

// guarded tells whether a block is entered only where a condition holds.
func guarded(b *ssa.BasicBlock) bool {
	if len(b.Preds) == 0 {
		return false
	}
	for _, p := range b.Preds {
		if _, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); !ok || p.Succs[0] != b {
			return false
		}
	}
	return true
}
