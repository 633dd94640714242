package order

import (
	"go/constant"
	"go/types"
	"math"
	"sort"
	"strconv"
	"strings"
)

// A class is a set of keys that are compared with each other, with what else
// they are compared with, and the values that are enough to try for them.
type class struct {
	keys   []*term // shapes
	free   []*term // terms of the environment
	consts []constant.Value
	typ    types.Type
	domain []value
}

// A value stands for a key's value: only its rank matters.
type value struct {
	rank  float64
	label string
}

// A slot says where the operand of a test has its value.
type slot struct {
	class *class
	elem  mask // maskA, maskB, or 0 for free terms and constants
	index int  // of the key, of the free term, or of the constant's value in the domain
	fixed bool // constant
}

// A table knows the classes of a decision tree.
type table struct {
	x       *executor
	classes []*class
	slots   map[*term]slot
	opaque  map[*term]string // operands that have no value, and why
	nan     bool
	// concrete says that the slots are the sources of the operands, which are
	// computed from them.
	concrete bool
}

// newTable groups the operands of the tree's tests into classes. With nan,
// floating-point keys may be not a number.
func newTable(x *executor, root *node, nan bool) *table {
	t := &table{x: x, slots: map[*term]slot{}, opaque: map[*term]string{}, nan: nan}
	parent := map[*term]*term{}
	var order []*term
	var find func(*term) *term
	find = func(s *term) *term {
		if parent[s] == nil {
			parent[s] = s
			order = append(order, s)
		}
		if parent[s] != s {
			parent[s] = find(parent[s])
		}
		return parent[s]
	}
	root.walk(func(n *node) {
		for _, o := range []*term{n.x, n.y} {
			if why := noValue(o); why != "" {
				t.opaque[o] = why
			}
		}
		if t.opaque[n.x] != "" || t.opaque[n.y] != "" {
			return
		}
		// A constant joins no two classes.
		a, b := x.shape(n.x), x.shape(n.y)
		switch {
		case a.op == opConst && b.op == opConst:
		case a.op == opConst:
			find(b)
		case b.op == opConst:
			find(a)
		default:
			if ra, rb := find(a), find(b); ra != rb {
				parent[rb] = ra
			}
		}
	})
	byRoot := map[*term]*class{}
	for _, s := range order {
		r := find(s)
		c := byRoot[r]
		if c == nil {
			c = &class{typ: s.typ}
			byRoot[r] = c
			t.classes = append(t.classes, c)
		}
		if s.mask == 0 {
			t.slots[s] = slot{class: c, index: len(c.free)}
			c.free = append(c.free, s)
		} else {
			t.slots[s] = slot{class: c, index: len(c.keys), elem: maskHole}
			c.keys = append(c.keys, s)
		}
	}
	root.walk(func(n *node) {
		if t.opaque[n.x] != "" || t.opaque[n.y] != "" {
			return
		}
		a, b := n.x, n.y
		if a.op == opConst {
			a, b = b, a
		}
		if b.op == opConst && a.op != opConst {
			t.slots[x.shape(a)].class.addConst(b.val)
		}
	})
	for _, c := range t.classes {
		c.fill(nan)
	}
	return t
}

// noValue says why a term cannot be an operand of a test, or "".
func noValue(o *term) string {
	if o.mask&maskA != 0 && o.mask&maskB != 0 {
		return describeMixed(o)
	}
	if u := findUnknown(o); u != nil {
		return "depends on " + strings.TrimSpace(u.sym.(string))
	}
	if o.op == opConst && o.val.Kind() == constant.Complex {
		return "complex numbers"
	}
	return ""
}

func describeMixed(o *term) string {
	switch o.op {
	case opBin, opNeg, opConv:
		return "arithmetic on both elements"
	case opCall:
		return "a call with both elements: " + render(o)
	case opThree:
		return "arithmetic on a three-way result"
	}
	return "a term of both elements: " + render(o)
}

func findUnknown(t *term) *term {
	if t.op == opUnknown {
		return t
	}
	for _, a := range t.args {
		if u := findUnknown(a); u != nil {
			return u
		}
	}
	return nil
}

func (c *class) addConst(v constant.Value) {
	for _, o := range c.consts {
		if r, ok := compareConst(o, v); ok && r == relEQ {
			return
		}
	}
	c.consts = append(c.consts, v)
}

// fill makes the domain: every constant, and between them as many values as the
// terms of three elements can take.
func (c *class) fill(nan bool) {
	if isBool(c.typ) {
		c.domain = []value{{0, "false"}, {1, "true"}}
		return
	}
	n := 3*len(c.keys) + len(c.free)
	if n > 9 {
		n = 9
	}
	sort.SliceStable(c.consts, func(i, j int) bool {
		r, _ := compareConst(c.consts[i], c.consts[j])
		return r == relLT
	})
	switch {
	case len(c.consts) == 0:
		for i := range n {
			c.domain = append(c.domain, value{float64(i), c.freeLabel(i)})
		}
	case c.consts[0].Kind() == constant.String:
		c.fillStrings(n)
	default:
		c.fillNumbers(n)
	}
	if nan && isFloat(c.typ) {
		c.domain = append(c.domain, value{math.NaN(), "NaN"})
	}
}

// freeLabel names the i-th value of a class without constants.
func (c *class) freeLabel(i int) string {
	switch {
	case hasInfo(c.typ, types.IsNumeric) || isDuration(c.typ):
		return strconv.Itoa(i)
	case hasInfo(c.typ, types.IsString):
		return strconv.Quote(string(rune('a' + i)))
	}
	return strconv.Itoa(i)
}

func (c *class) fillStrings(n int) {
	rank := 0.0
	for _, k := range c.consts {
		s := constant.StringVal(k)
		c.domain = append(c.domain, value{rank, strconv.Quote(s)})
		rank++
		for i := range n {
			c.domain = append(c.domain, value{rank, strconv.Quote(s + string(rune('a'+i)))})
			rank++
		}
	}
}

func (c *class) fillNumbers(n int) {
	integer := isInteger(c.typ)
	step := 1.0
	if !integer {
		step = 0.5
	}
	add := func(f float64) {
		c.domain = append(c.domain, value{f, strconv.FormatFloat(f, 'g', -1, 64)})
	}
	floor := math.Inf(-1)
	if isUnsigned(c.typ) || c.lengths() {
		floor = 0
	}
	for i, k := range c.consts {
		f, _ := constant.Float64Val(constant.ToFloat(k))
		if i == 0 {
			for j := n; j > 0; j-- {
				if v := f - float64(j)*step; v >= floor {
					add(v)
				}
			}
		}
		add(f)
		next := math.Inf(1)
		if i+1 < len(c.consts) {
			next, _ = constant.Float64Val(constant.ToFloat(c.consts[i+1]))
		}
		for j := 1; j <= n; j++ {
			if v := f + float64(j)*step; v < next {
				add(v)
			}
		}
	}
}

func (c *class) lengths() bool {
	for _, k := range append(append([]*term{}, c.keys...), c.free...) {
		if k.op != opLen {
			return false
		}
	}
	return true
}

// slot finds the value of operand o.
func (t *table) slot(o, other *term) slot {
	if o.op == opConst {
		c := t.slots[t.x.shape(other)].class
		for i, v := range c.domain {
			if c.isConst(v, o.val) {
				return slot{class: c, index: i, fixed: true}
			}
		}
		return slot{class: c, index: 0, fixed: true}
	}
	s := t.slots[t.x.shape(o)]
	if s.elem != 0 {
		s.elem = o.mask
	}
	return s
}

func (c *class) isConst(v value, k constant.Value) bool {
	switch k.Kind() {
	case constant.Bool:
		return v.rank == 1 == constant.BoolVal(k)
	case constant.String:
		return v.label == strconv.Quote(constant.StringVal(k))
	}
	f, _ := constant.Float64Val(constant.ToFloat(k))
	return v.rank == f
}

func (n *node) walk(fn func(*node)) {
	if n.isLeaf() {
		return
	}
	fn(n)
	n.yes.walk(fn)
	n.no.walk(fn)
}
