package order

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// A mask tells which of the two elements a term depends on.
type mask uint8

const (
	maskA    mask = 1 << iota // the first element
	maskB                     // the second element
	maskHole                  // the element of a shape, see [pool.shape]
)

// single tells whether the term depends on exactly one element.
func (m mask) single() bool { return m == maskA || m == maskB }

type op uint8

const (
	opConst   op = iota
	opNil        // the nil or zero value
	opLeaf       // a parameter, free variable, or anything else that has no parts
	opAddr       // address of field num of *args[0]
	opIndexAt    // address of args[0][args[1]]
	opField      // field num of struct args[0]
	opIndex      // args[0][args[1]], of a value
	opLoad       // *args[0]
	opLookup     // args[0][args[1]] of a map
	opCommaOK    // the second result of args[0]
	opResult     // result num of args[0]
	opConv       // conversion
	opAssert     // type assertion
	opBin        // arithmetic
	opNeg        // arithmetic negation
	opLen        // len(args[0])
	opCall       // an uninterpreted function
	opStruct     // a struct value with these fields
	opClosure    // a function (sym) with bindings
	opIte        // args[0] ? args[1] : args[2]
	opRel        // args[0] rel args[1], a boolean
	opNot        // boolean negation
	opThree      // three-way comparison of args[0] and args[1]
	opIsNil      // args[0] == nil
	opTuple      // several results
	opUnknown    // never equal to another term
)

// rel is a set of outcomes of a comparison.
type rel uint8

const (
	relLT rel = 1 << iota
	relEQ
	relGT
	relUN  // unordered: one of the two is not a number
	relAll = relLT | relEQ | relGT | relUN
)

// flip is the set for exchanged operands.
func (r rel) flip() rel {
	f := r & (relEQ | relUN)
	if r&relLT != 0 {
		f |= relGT
	}
	if r&relGT != 0 {
		f |= relLT
	}
	return f
}

// A term is an expression over the two elements and the comparator's
// environment. Terms of one pool are equal exactly if they are the same pointer.
type term struct {
	id   int
	op   op
	args []*term
	num  int            // field index, result index, or operator token
	sym  any            // function, variable, type, name
	val  constant.Value // of opConst
	rel  rel            // of opRel
	// total says that a comparison has an answer for NaN too, as cmp.Compare.
	total bool
	typ   types.Type
	mask  mask
	// label is the way a reader would write the term, where that is not the way
	// it is built (the call of a helper that was seen through).
	label string
}

// A pool makes terms and keeps them unique.
type pool struct {
	terms map[string]*term
	syms  map[any]int
	next  int
	// shapes caches shape.
	shapes map[*term]*term
	hole   *term
}

func newPool() *pool {
	p := &pool{terms: map[string]*term{}, syms: map[any]int{}, shapes: map[*term]*term{}}
	p.hole = p.leaf("hole", "", maskHole, nil)
	return p
}

func (p *pool) symID(s any) int {
	if t, ok := s.(types.Type); ok {
		s = "type " + types.TypeString(t, nil)
	}
	id, ok := p.syms[s]
	if !ok {
		id = len(p.syms) + 1
		p.syms[s] = id
	}
	return id
}

// intern returns the one term that equals t.
func (p *pool) intern(t term) *term {
	var b strings.Builder
	fmt.Fprintf(&b, "%d|%d|%d|%t|", t.op, t.num, t.rel, t.total)
	if t.sym != nil {
		fmt.Fprintf(&b, "%d", p.symID(t.sym))
	}
	if t.val != nil {
		fmt.Fprintf(&b, "=%d:%s", t.val.Kind(), t.val.ExactString())
	}
	for _, a := range t.args {
		fmt.Fprintf(&b, "|%d", a.id)
		t.mask |= a.mask
	}
	if t.op == opUnknown {
		fmt.Fprintf(&b, "?%d", p.next)
	}
	key := b.String()
	if old := p.terms[key]; old != nil {
		return old
	}
	p.next++
	t.id = p.next
	p.terms[key] = &t
	return &t
}

func (p *pool) leaf(sym any, name string, m mask, typ types.Type) *term {
	return p.intern(term{op: opLeaf, sym: sym, label: name, mask: m, typ: typ})
}

func (p *pool) constant(v constant.Value, typ types.Type) *term {
	return p.intern(term{op: opConst, val: v, typ: typ})
}

func (p *pool) boolean(b bool) *term { return p.constant(constant.MakeBool(b), types.Typ[types.Bool]) }

func (p *pool) integer(n int64) *term {
	return p.constant(constant.MakeInt64(n), types.Typ[types.Int])
}

// unknown returns a new term about which nothing is known. It depends on what
// the args depend on.
func (p *pool) unknown(why string, typ types.Type, args ...*term) *term {
	return p.intern(term{op: opUnknown, sym: why, typ: typ, args: args})
}

func (p *pool) node(o op, num int, sym any, typ types.Type, args ...*term) *term {
	return p.intern(term{op: o, num: num, sym: sym, typ: typ, args: args})
}

// field returns field num of the struct x.
func (p *pool) field(x *term, num int, typ types.Type) *term {
	switch x.op {
	case opLoad:
		return p.node(opLoad, 0, nil, typ, p.node(opAddr, num, nil, types.NewPointer(typ), x.args[0]))
	case opStruct:
		if num < len(x.args) {
			return x.args[num]
		}
	case opNil:
		return p.zero(typ)
	}
	return p.node(opField, num, nil, typ, x)
}

// zero is the zero value of a type.
func (p *pool) zero(typ types.Type) *term {
	if b, ok := typ.Underlying().(*types.Basic); ok {
		switch {
		case b.Info()&types.IsBoolean != 0:
			return p.boolean(false)
		case b.Info()&types.IsString != 0:
			return p.constant(constant.MakeString(""), typ)
		case b.Info()&types.IsNumeric != 0:
			return p.constant(constant.MakeInt64(0), typ)
		}
	}
	return p.node(opNil, 0, nil, typ)
}

// not negates a boolean term.
func (p *pool) not(x *term) *term {
	switch x.op {
	case opConst:
		return p.boolean(!constant.BoolVal(x.val))
	case opNot:
		return x.args[0]
	case opRel:
		return p.relation(relAll&^x.rel, x.total, x.args[0], x.args[1])
	}
	return p.node(opNot, 0, nil, types.Typ[types.Bool], x)
}

// relation is the boolean term "x r y". The operands are put into a fixed order.
func (p *pool) relation(r rel, total bool, x, y *term) *term {
	if x.op == opConst && y.op == opConst {
		if o, ok := compareConst(x.val, y.val); ok {
			return p.boolean(r&o != 0)
		}
	}
	for monotone(x, y) {
		x, y = x.args[0], y.args[0]
	}
	if x.id > y.id {
		x, y, r = y, x, r.flip()
	}
	if !isFloat(x.typ) && !isFloat(y.typ) && !isTypeParam(x.typ) {
		r &^= relUN
		if r == relLT|relEQ|relGT {
			return p.boolean(true)
		}
	}
	return p.intern(term{op: opRel, rel: r, total: total, args: []*term{x, y}, typ: types.Typ[types.Bool]})
}

// monotone tells whether x and y are converted in the same way that keeps their
// order and differences: to a wider type, or from an integer to floating point.
func monotone(x, y *term) bool {
	if x.op != opConv || y.op != opConv || !types.Identical(x.typ, y.typ) {
		return false
	}
	from, to := x.args[0].typ, x.typ
	if from == nil || y.args[0].typ == nil || !types.Identical(from, y.args[0].typ) {
		return false
	}
	if isBytes(from) && hasInfo(to, types.IsString) || isBytes(to) && hasInfo(from, types.IsString) {
		return true
	}
	if !isInteger(from) {
		return false
	}
	switch {
	case isFloat(to):
		return true
	case isInteger(to):
		return size(to) > size(from) && (isUnsigned(from) || !isUnsigned(to)) || size(to) == size(from) && isUnsigned(from) == isUnsigned(to)
	}
	return false
}

// compareConst gives the outcome of comparing two constants.
func compareConst(x, y constant.Value) (rel, bool) {
	if x.Kind() == constant.Bool && y.Kind() == constant.Bool {
		a, b := constant.BoolVal(x), constant.BoolVal(y)
		switch {
		case a == b:
			return relEQ, true
		case b:
			return relLT, true
		}
		return relGT, true
	}
	kx, ky := x.Kind(), y.Kind()
	if kx == constant.Unknown || ky == constant.Unknown || (kx == constant.String) != (ky == constant.String) ||
		(kx == constant.Bool) != (ky == constant.Bool) || kx == constant.Complex || ky == constant.Complex {
		return 0, false
	}
	switch {
	case constant.Compare(x, token.LSS, y):
		return relLT, true
	case constant.Compare(x, token.EQL, y):
		return relEQ, true
	}
	return relGT, true
}

// shape replaces the element that t depends on by a hole: two terms of the same
// shape are one key, read on two elements.
func (p *pool) shape(t *term) *term {
	if t.mask&(maskA|maskB) == 0 {
		return t
	}
	if s := p.shapes[t]; s != nil {
		return s
	}
	var s *term
	if t.op == opLeaf {
		// A pointer to an element and the element itself have different leaves;
		// the type keeps them apart.
		s = p.leaf("hole "+typeName(t.typ), "", maskHole, t.typ)
	} else {
		c := *t
		c.args = make([]*term, len(t.args))
		c.mask = 0
		for i, a := range t.args {
			c.args[i] = p.shape(a)
		}
		if t.op == opRel && c.args[0].id > c.args[1].id {
			c.args[0], c.args[1], c.rel = c.args[1], c.args[0], c.rel.flip()
		}
		s = p.intern(c)
	}
	p.shapes[t] = s
	return s
}

func typeName(t types.Type) string {
	if t == nil {
		return ""
	}
	return types.TypeString(t, nil)
}

func isFloat(t types.Type) bool   { return hasInfo(t, types.IsFloat) }
func isInteger(t types.Type) bool { return hasInfo(t, types.IsInteger) }
func isUnsigned(t types.Type) bool {
	return hasInfo(t, types.IsUnsigned)
}
func isBool(t types.Type) bool { return hasInfo(t, types.IsBoolean) }

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem().Underlying(), types.Typ[types.Byte])
}

func isTypeParam(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

func hasInfo(t types.Type, info types.BasicInfo) bool {
	if t == nil || isTypeParam(t) {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}
