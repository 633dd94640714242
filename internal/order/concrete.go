package order

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"sort"
	"strconv"
	"time"
)

// Some comparators cannot be decided by treating their keys as independent: keys
// that are computed from one field depend on each other, and a comparison of
// |a.x-b.x| with a tolerance has no keys at all. If all that they compute is
// arithmetic, they are tried on numbers instead. What that finds is a violation
// all right; that it finds none is a sample.

// maxParts bounds the terms to compute, counted with repetitions.
const maxParts = 2000

// newConcrete makes a table of the sources of the tree's operands, with numbers
// to try for each, or nil if an operand cannot be computed from its sources.
func newConcrete(x *executor, root *node) *table {
	t := &table{x: x, slots: map[*term]slot{}, opaque: map[*term]string{}, concrete: true}
	var consts []float64
	ok, parts := true, 0
	var visit func(o *term, top bool)
	visit = func(o *term, top bool) {
		if parts++; parts > maxParts {
			ok = false
		}
		switch {
		case !ok:
		case o.op == opConst:
			if o.val.Kind() == constant.String {
				ok = ok && top
				return
			}
			if f, exact := constant.Float64Val(constant.ToFloat(o.val)); o.val.Kind() != constant.Bool && (exact || f != 0) {
				consts = append(consts, f)
			}
		case computed(o):
			for _, a := range o.args {
				visit(a, false)
			}
		default:
			ok = ok && t.source(x.shape(o), o, top)
		}
	}
	root.walk(func(n *node) {
		visit(n.x, true)
		visit(n.y, true)
		if n.x.op == opConst && n.x.val.Kind() == constant.String || n.y.op == opConst && n.y.val.Kind() == constant.String {
			ok = false // strings only as ranks
		}
	})
	if !ok || len(t.classes) > 12 {
		return nil
	}
	for _, c := range t.classes {
		c.domain = samples(c.typ, consts)
	}
	return t
}

// source adds the class of a term that is not computed from others. It returns
// false if its values cannot be numbers.
func (t *table) source(s, o *term, top bool) bool {
	if o.mask&maskA != 0 && o.mask&maskB != 0 || findUnknown(o) != nil {
		return false
	}
	numeric := hasInfo(o.typ, types.IsNumeric) && !hasInfo(o.typ, types.IsComplex) || isBool(o.typ) || isTypeParam(o.typ) || isTime(o.typ)
	if !numeric && !top {
		return false
	}
	if _, ok := t.slots[s]; ok {
		return true
	}
	c := &class{typ: s.typ}
	t.classes = append(t.classes, c)
	if s.mask == 0 {
		t.slots[s] = slot{class: c}
		c.free = append(c.free, s)
	} else {
		t.slots[s] = slot{class: c, elem: maskHole}
		c.keys = append(c.keys, s)
	}
	return true
}

// computed tells whether a term's value follows from those of its parts.
func computed(t *term) bool {
	switch t.op {
	case opNeg, opNot, opIte, opRel:
		return true
	case opThree:
		return true
	case opConv:
		return hasInfo(t.typ, types.IsNumeric) && hasInfo(t.args[0].typ, types.IsNumeric) &&
			!hasInfo(t.typ, types.IsComplex) && !hasInfo(t.args[0].typ, types.IsComplex)
	case opBin:
		switch token.Token(t.num) {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
			return t.sym == saturating || hasInfo(t.typ, types.IsNumeric) && !hasInfo(t.typ, types.IsComplex)
		}
	case opCall:
		return isAbs(t)
	}
	return false
}

// isAbs tells whether a term is math.Abs(x).
func isAbs(t *term) bool {
	f, ok := t.sym.(*types.Func)
	return ok && len(t.args) == 1 && f.FullName() == "math.Abs"
}

// samples are the numbers to try for a type: small ones, and the neighbourhood of
// the constants in the comparator, within and beyond.
func samples(typ types.Type, consts []float64) []value {
	if isBool(typ) {
		return []value{{0, "false"}, {1, "true"}}
	}
	set := map[float64]bool{0: true, 1: true, 2: true}
	floor := math.Inf(-1)
	if isUnsigned(typ) {
		floor = 0
	} else {
		set[-1] = true
	}
	for i, c := range consts {
		if i > 3 || math.IsInf(c, 0) || math.IsNaN(c) {
			break
		}
		if isInteger(typ) || isTime(typ) {
			for _, v := range []float64{c - 1, c, c + 1} {
				set[math.Trunc(v)] = true
			}
		} else {
			for _, v := range []float64{0.6 * c, c, 1.2 * c} {
				set[v] = true
			}
		}
	}
	var list []value
	for v := range set {
		if v >= floor {
			list = append(list, value{v, sampleLabel(v, typ)})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].rank < list[j].rank })
	return list
}

// sampleLabel writes a number: for times, as the time since some other.
func sampleLabel(v float64, typ types.Type) string {
	if isTime(typ) || isDuration(typ) {
		return time.Duration(v).String()
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

func isTime(t types.Type) bool { return typeName(t) == "time.Time" }

// eval computes a term for the pair a, b. It is NaN where the computation has no
// result, as a division by zero.
func (d *decider) eval(t *term, a, b element, w world) float64 {
	arg := func(i int) float64 { return d.eval(t.args[i], a, b, w) }
	truth := func(v bool) float64 {
		if v {
			return 1
		}
		return 0
	}
	if t.op == opConst {
		if t.val.Kind() == constant.Bool {
			return truth(constant.BoolVal(t.val))
		}
		f, _ := constant.Float64Val(constant.ToFloat(t.val))
		return f
	}
	if !computed(t) {
		s := d.table.slots[d.x.shape(t)]
		if s.elem != 0 {
			s.elem = t.mask
		}
		return d.rank(s, a, b, w)
	}
	switch t.op {
	case opNeg:
		return -arg(0)
	case opNot:
		return 1 - arg(0)
	case opIte:
		if arg(0) == 1 {
			return arg(1)
		}
		return arg(2)
	case opRel:
		return truth(holds(t.rel, t.total, arg(0), arg(1)))
	case opThree:
		p, q := arg(0), arg(1)
		return truth(p > q) - truth(p < q)
	case opConv:
		if v := arg(0); !isInteger(t.typ) {
			return v
		} else if isUnsigned(t.typ) && v < 0 {
			return math.NaN()
		} else {
			return math.Trunc(v)
		}
	case opCall:
		return math.Abs(arg(0))
	}
	return arithmetic(t, arg(0), arg(1))
}

func arithmetic(t *term, p, q float64) float64 {
	v := math.NaN()
	switch token.Token(t.num) {
	case token.ADD:
		v = p + q
	case token.SUB:
		v = p - q
	case token.MUL:
		v = p * q
	case token.QUO:
		if q != 0 {
			v = p / q
			if isInteger(t.typ) && t.sym != fraction {
				v = math.Trunc(v)
			}
		}
	case token.REM:
		if q != 0 {
			v = math.Mod(p, q)
		}
	}
	if isUnsigned(t.typ) && v < 0 {
		return math.NaN() // wraps: another rule's business
	}
	return v
}
