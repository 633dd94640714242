package order

import (
	"go/constant"
	"go/token"
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"
)

var relOf = map[token.Token]rel{
	token.LSS: relLT, token.LEQ: relLT | relEQ, token.GTR: relGT, token.GEQ: relGT | relEQ,
	token.EQL: relEQ, token.NEQ: relLT | relGT | relUN,
}

// A DifferenceKind says what is wrong with taking the sign of a difference.
type DifferenceKind int

const (
	// Overflows: the difference of two signed integers that are far apart has the
	// wrong sign.
	Overflows DifferenceKind = iota
	// Unsigned: the difference of two unsigned integers is never negative.
	Unsigned
	// Truncates: the difference is converted to a narrower type, or from floating
	// point to an integer, which loses its sign.
	Truncates
	// Narrows: no difference, but keys that are converted to a narrower type before
	// they are compared, so that values far apart change places.
	Narrows
)

// A Difference is an ordering by the sign of x - y.
type Difference struct {
	Kind DifferenceKind
	Pos  token.Pos
	Fn   *ssa.Function
	// Type is the type of the difference, and To the type it is converted to (nil
	// if it is not).
	Type, To types.Type
	// Key is what is subtracted, as the reader would write it, and Field the
	// struct field that it is, nil if it is something else.
	Key   string
	Field *types.Var
}

func (x *executor) binary(f *frame, in *ssa.BinOp, a, b *term) *term {
	if r, ok := relOf[in.Op]; ok {
		return x.compare(f.fn, r, a, b, in.Pos())
	}
	if a.op == opConst && b.op == opConst && in.Op != token.SHL && in.Op != token.SHR {
		if v := foldInts(in.Op, a.val, b.val); v != nil {
			return x.constant(v, in.Type())
		}
	}
	if isBool(in.Type()) { // &, |, ^ do not apply to booleans in Go; kept for safety
		return x.unknown("boolean arithmetic", in.Type(), a, b)
	}
	if in.Op == token.MUL {
		if t := x.scaleThree(a, b); t != nil {
			return t
		}
	}
	if (in.Op == token.ADD && hasInfo(in.Type(), types.IsNumeric) || in.Op == token.MUL || in.Op == token.AND ||
		in.Op == token.OR || in.Op == token.XOR) && a.id > b.id && a.mask == b.mask {
		a, b = b, a // commutative
	}
	t := x.node(opBin, int(in.Op), nil, in.Type(), a, b)
	if in.Op == token.SUB {
		x.subs[t] = in.Pos()
	}
	return t
}

// scaleThree is a three-way result times a negative or positive constant.
func (x *executor) scaleThree(a, b *term) *term {
	if b.op == opThree {
		a, b = b, a
	}
	if a.op != opThree || b.op != opConst {
		return nil
	}
	switch constant.Sign(b.val) {
	case 1:
		return a
	case -1:
		return x.node(opThree, a.num, nil, a.typ, a.args[1], a.args[0])
	}
	return nil
}

func foldInts(op token.Token, a, b constant.Value) constant.Value {
	if a.Kind() != constant.Int || b.Kind() != constant.Int {
		return nil
	}
	switch op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR:
		return constant.BinaryOp(a, op, b)
	}
	return nil
}

// compare is the boolean term "a r b", in the simplest form.
func (x *executor) compare(fn *ssa.Function, r rel, a, b *term, pos token.Pos) *term {
	if a.op == opNil && b.op != opNil {
		a, b, r = b, a, r.flip()
	}
	if b.op == opNil {
		return x.compareNil(r, a, b)
	}
	if a.op == opConst && b.op != opConst {
		a, b, r = b, a, r.flip()
	}
	if b.op == opConst && b.val.Kind() == constant.Bool {
		switch {
		case r == relEQ && constant.BoolVal(b.val), r&relEQ == 0 && !constant.BoolVal(b.val):
			return a
		case r == relEQ, r&relEQ == 0:
			return x.not(a)
		}
	}
	if a.op == opThree && b.op == opConst {
		return x.threeVersus(r, a, b.val)
	}
	if both := maskA | maskB; a.mask == both || b.mask == both {
		if t := x.difference(fn, r, a, b, pos); t != nil {
			return t
		}
	}
	if a == b && !hasInfo(a.typ, types.IsInteger|types.IsString|types.IsBoolean) && (r == relEQ || r == relLT|relGT|relUN) {
		x.nans[x.shape(a)] = true // the test for NaN, of arrays and structs too
	} else if a == b && a.mask.single() && a.op != opUnknown {
		x.self = append(x.self, SelfComparison{Pos: pos, Fn: fn, Key: render(a)})
	}
	if b.op == opConst && a.mask.single() && isInteger(a.typ) && constant.Sign(b.val) == 0 && r != relLT && r != relGT|relEQ {
		x.zeros[x.shape(a)] = true // the test tells zero from positive numbers
	}
	x.noteNarrow(fn, r, a, b, pos)
	return x.relation(r, false, a, b)
}

// noteNarrow notes an ordering by a field of 64 bits of which only the lower ones
// are compared.
func (x *executor) noteNarrow(fn *ssa.Function, r rel, a, b *term, pos token.Pos) {
	if a.op != opConv || b.op != opConv || a.mask == b.mask || x.shape(a) != x.shape(b) || r&relLT != 0 == (r&relGT != 0) {
		return
	}
	from := a.args[0]
	field := fieldOfKey(from)
	if field == nil || !isInteger(from.typ) || !isInteger(a.typ) || size(from.typ) < 8 || size(a.typ) >= size(from.typ) {
		return
	}
	x.diffs = append(x.diffs, &Difference{Kind: Narrows, Pos: pos, Fn: fn, Type: from.typ, To: a.typ, Key: render(from), Field: field})
}

func (x *executor) compareNil(r rel, a, b *term) *term {
	var t *term
	switch {
	case a.op == opNil:
		t = x.boolean(true)
	case a.op == opClosure || a.op == opAddr || a.op == opIndexAt || isAlloc(a):
		t = x.boolean(false)
	default:
		switch a.typ.Underlying().(type) {
		case *types.Struct, *types.Array: // a zero value, not nil
			return x.relation(r, false, a, b)
		}
		t = x.node(opIsNil, 0, nil, types.Typ[types.Bool], a)
		x.nils[x.shape(a)] = true
	}
	if r&relEQ == 0 {
		return x.not(t)
	}
	return t
}

// threeVersus is "t r c" for a three-way result t, which is -1, 0 or 1.
func (x *executor) threeVersus(r rel, t *term, c constant.Value) *term {
	var out rel
	for _, o := range []struct {
		value int64
		rel   rel
	}{{-1, relLT}, {0, relEQ}, {1, relGT}} {
		if got, ok := compareConst(constant.MakeInt64(o.value), c); ok && r&got != 0 {
			out |= o.rel
		}
	}
	if t.num == 0 { // a partial three-way comparison calls the unordered greater
		if out&relGT != 0 {
			out |= relUN
		}
	}
	return x.relation(out, t.num == threeTotal, t.args[0], t.args[1])
}

const threeTotal = 1

// three is the three-way comparison of a and b.
func (x *executor) three(total bool, a, b *term) *term {
	n := 0
	if total {
		n = threeTotal
	}
	return x.node(opThree, n, nil, types.Typ[types.Int], a, b)
}

// difference compares by the sign of a linear combination of terms of both
// elements: it brings the terms of one element to each side. It returns nil if
// that is not possible.
func (x *executor) difference(fn *ssa.Function, r rel, a, b *term, pos token.Pos) *term {
	sum := linear{}
	if !sum.add(x, a, 1) || !sum.add(x, b, -1) {
		return x.crossProduct(r, a, b)
	}
	if b.op == opConst && constant.Sign(b.val) == 0 {
		r = x.signRules(fn, r, a, pos)
	}
	left, right := linear{}, linear{}
	for _, t := range sum.terms() {
		switch t.mask {
		case maskA:
			left[t] = sum[t]
		case maskB:
			right[t] = -sum[t]
		default:
			return nil // an offset: the difference is compared with something else than zero
		}
	}
	if sum[nil] != 0 {
		return nil
	}
	// Both sides times -1 reads better when the leading factor is negative.
	if ts := left.terms(); len(ts) > 0 && left[ts[0]] < 0 {
		left.negate()
		right.negate()
		r = r.flip()
	}
	l, rt := x.combine(left), x.combine(right)
	return x.relation(r, false, l, rt)
}

// crossProduct recognises a.n*b.d < b.n*a.d, the comparison of two fractions; the
// denominators are taken for positive.
func (x *executor) crossProduct(r rel, a, b *term) *term {
	split := func(t *term) (*term, *term) {
		if t.op != opBin || token.Token(t.num) != token.MUL {
			return nil, nil
		}
		p, q := t.args[0], t.args[1]
		if p.mask == maskB && q.mask == maskA {
			p, q = q, p
		}
		if p.mask != maskA || q.mask != maskB {
			return nil, nil
		}
		return p, q
	}
	an, bd := split(a)
	ad, bn := split(b)
	if an == nil || bn == nil || x.shape(an) != x.shape(bn) || x.shape(ad) != x.shape(bd) {
		return nil
	}
	quo := func(n, d *term) *term { return x.node(opBin, int(token.QUO), fraction, n.typ, n, d) }
	return x.relation(r, false, quo(an, ad), quo(bn, bd))
}

// fraction marks the quotient that stands for a comparison by cross multiplication: it
// is not rounded.
const fraction = "fraction"

// linear is a sum of terms with factors; the nil term is the constant.
type linear map[*term]int64

func (l linear) add(x *executor, t *term, factor int64) bool {
	const both = maskA | maskB
	if t.op == opConst {
		v, ok := constant.Int64Val(constant.ToInt(t.val))
		if !ok {
			return false
		}
		l[nil] += factor * v
		return true
	}
	if t.mask != both {
		if l[t] += factor; l[t] == 0 {
			delete(l, t)
		}
		return true
	}
	switch {
	case t.op == opBin && token.Token(t.num) == token.ADD:
		return l.add(x, t.args[0], factor) && l.add(x, t.args[1], factor)
	case t.op == opBin && token.Token(t.num) == token.SUB:
		return l.add(x, t.args[0], factor) && l.add(x, t.args[1], -factor)
	case t.op == opNeg:
		return l.add(x, t.args[0], -factor)
	case t.op == opConv && (isInteger(t.typ) || isFloat(t.typ)):
		return l.add(x, t.args[0], factor)
	}
	return false
}

func (l linear) terms() []*term {
	var ts []*term
	for t := range l {
		if t != nil {
			ts = append(ts, t)
		}
	}
	// The order must be the same for both elements; that of the text is.
	sort.Slice(ts, func(i, j int) bool {
		if a, b := render(ts[i]), render(ts[j]); a != b {
			return a < b
		}
		return ts[i].id < ts[j].id
	})
	return ts
}

func (l linear) negate() {
	for t := range l {
		l[t] = -l[t]
	}
}

// combine is the sum as one term.
func (x *executor) combine(l linear) *term {
	var sum *term
	for _, t := range l.terms() {
		m := t
		switch c := l[t]; c {
		case 1:
		case -1:
			m = x.node(opNeg, 0, nil, t.typ, t)
		default:
			m = x.node(opBin, int(token.MUL), nil, t.typ, x.constant(constant.MakeInt64(c), t.typ), t)
		}
		if sum == nil {
			sum = m
		} else {
			sum = x.node(opBin, int(token.ADD), nil, t.typ, sum, m)
		}
	}
	if sum == nil {
		return x.integer(0)
	}
	return sum
}

// signRules notes what the type of the difference t does to its sign, and
// returns the outcomes that "t r 0" really selects.
func (x *executor) signRules(fn *ssa.Function, r rel, t *term, pos token.Pos) rel {
	core, convs := unconverted(t)
	if core.op != opBin || token.Token(core.num) != token.SUB {
		return r
	}
	if p, ok := x.subs[core]; ok && p.IsValid() {
		pos = p
	}
	d := &Difference{Pos: pos, Fn: fn, Type: core.typ, Key: render(core.args[0]), Field: fieldOfKey(core.args[0])}
	if from, to := cut(core, convs); to != nil { // a float, perhaps the seconds of a duration
		d.Kind, d.Type, d.To = Truncates, from, to
		x.diffs = append(x.diffs, d)
		return r
	}
	if core.sym == saturating || isDuration(core.typ) || !isInteger(core.typ) {
		return r
	}
	narrowest := core.typ
	for _, to := range convs {
		if isInteger(to) && size(to) < size(narrowest) {
			narrowest = to
		}
	}
	switch {
	case isUnsigned(core.typ):
		if len(convs) > 0 && !isUnsigned(convs[0]) && size(convs[0]) <= size(core.typ) && size(narrowest) == size(convs[0]) {
			return r // serial number arithmetic
		}
		if r&relLT != 0 == (r&relGT != 0) {
			return r // a test for equality
		}
		d.Kind = Unsigned
		r = unsignedRel(r)
	case size(narrowest) < size(core.typ):
		d.Kind, d.To = Truncates, narrowest
	case narrowOperands(core):
		return r
	default:
		if r&relLT != 0 == (r&relGT != 0) {
			return r // a test for equality
		}
		d.Kind = Overflows
	}
	x.diffs = append(x.diffs, d)
	return r
}

// unconverted is what t converts, and the types that it is converted to, innermost
// first.
func unconverted(t *term) (core *term, convs []types.Type) {
	for t.op == opConv {
		convs = append([]types.Type{t.typ}, convs...)
		t = t.args[0]
	}
	return t, convs
}

// cut is the first conversion of a floating-point number to an integer.
func cut(core *term, convs []types.Type) (from, to types.Type) {
	from = core.typ
	for _, to := range convs {
		if isFloat(from) && isInteger(to) {
			return from, to
		}
		from = to
	}
	return nil, nil
}

// unsignedRel is what "d r 0" selects when d is unsigned: it cannot be negative.
func unsignedRel(r rel) rel {
	var out rel
	if r&relEQ != 0 {
		out |= relEQ
	}
	if r&relGT != 0 {
		out |= relLT | relGT
	}
	return out
}

// narrowOperands tells whether the difference cannot leave its type: both
// operands were widened, or are lengths.
func narrowOperands(t *term) bool {
	for _, a := range t.args {
		switch {
		case a.op == opLen, a.op == opConst:
		case a.op == opConv && size(a.args[0].typ) < size(t.typ):
		case a.op == opConv && (isBool(a.args[0].typ)):
		default:
			return false
		}
	}
	return true
}

// saturating marks the difference of two time.Time, which stops at the ends of
// the range of time.Duration.
const saturating = "saturating"

// isDuration: durations are hardly ever centuries apart.
func isDuration(t types.Type) bool { return typeName(t) == "time.Duration" }

var sizes = types.SizesFor("gc", "amd64")

func size(t types.Type) int64 {
	if t == nil || isTypeParam(t) {
		return 8
	}
	if _, ok := t.Underlying().(*types.Basic); !ok {
		return 8
	}
	return sizes.Sizeof(t)
}

// fieldsOf lists the struct fields of elements that a term reads.
func fieldsOf(t *term) []*types.Var {
	var out []*types.Var
	seen := map[*types.Var]bool{}
	var walk func(*term)
	walk = func(t *term) {
		if v := fieldVar(t); v != nil && t.mask != 0 && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
		for _, a := range t.args {
			walk(a)
		}
	}
	walk(t)
	return out
}

// fieldOfKey is the struct field that a key reads, nil if it is something else.
func fieldOfKey(t *term) *types.Var {
	if t.op == opLoad {
		t = t.args[0]
	}
	return fieldVar(t)
}

// fieldVar is the field that an opAddr or opField term selects.
func fieldVar(t *term) *types.Var {
	if t.op != opAddr && t.op != opField {
		return nil
	}
	base := t.args[0].typ
	if base == nil {
		return nil
	}
	if p, ok := base.Underlying().(*types.Pointer); ok {
		base = p.Elem()
	}
	if s, ok := base.Underlying().(*types.Struct); ok && t.num < s.NumFields() {
		return s.Field(t.num)
	}
	if tp, ok := types.Unalias(base).(*types.TypeParam); ok {
		if s, ok := tp.Constraint().Underlying().(*types.Struct); ok && t.num < s.NumFields() {
			return s.Field(t.num)
		}
	}
	return nil
}
