package order

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// branch goes on with yes where cond holds and with no where it does not. What is
// known on the path settles the condition if it can.
func (x *executor) branch(fn *ssa.Function, cond *term, pos token.Pos, st state, yes, no func(state) *node) *node {
	switch cond.op {
	case opConst:
		if constant.BoolVal(cond.val) {
			return yes(st)
		}
		return no(st)
	case opNot:
		return x.branch(fn, cond.args[0], pos, st, no, yes)
	case opRel:
		a, b := cond.args[0], cond.args[1]
		if isBool(a.typ) && isBool(b.typ) && b.op != opConst && a.op != opConst {
			return x.branchBools(fn, cond.rel, a, b, pos, st, yes, no)
		}
		if !cond.total && isPointer(a.typ) && isPointer(b.typ) && a.mask != b.mask && (cond.rel&^relUN == relEQ || cond.rel&relEQ == 0) {
			if cond.rel&relEQ == 0 {
				yes, no = no, yes
			}
			return x.branchPointers(fn, a, b, pos, st, yes, no)
		}
		if fields := x.structFields(a, b); fields != nil && !cond.total && cond.rel&(relLT|relGT) != relLT && cond.rel&(relLT|relGT) != relGT {
			if cond.rel&relEQ == 0 {
				yes, no = no, yes
			}
			return x.branchStructs(fn, a, b, fields, 0, pos, st, yes, no)
		}
		return x.test(fn, cond.rel, cond.total, a, b, pos, st, yes, no)
	case opIte:
		return x.branch(fn, cond.args[0], pos, st,
			func(st state) *node { return x.branch(fn, cond.args[1], pos, st, yes, no) },
			func(st state) *node { return x.branch(fn, cond.args[2], pos, st, yes, no) })
	}
	return x.test(fn, relEQ, false, cond, x.boolean(true), pos, st, yes, no)
}

// structFields are the fields of the struct type of two operands, or nil if they
// do not matter to the comparator otherwise: then equality is that of one key.
func (x *executor) structFields(a, b *term) []*types.Var {
	if !isStruct(a.typ) || !isStruct(b.typ) || !x.through[x.shape(a)] && !x.through[x.shape(b)] {
		return nil
	}
	s := a.typ.Underlying().(*types.Struct)
	if s.NumFields() > 8 || s.NumFields() == 0 {
		return nil
	}
	var list []*types.Var
	for f := range s.Fields() {
		list = append(list, f)
	}
	return list
}

// branchStructs goes on with yes where a and b are equal field by field.
func (x *executor) branchStructs(fn *ssa.Function, a, b *term, fields []*types.Var, i int, pos token.Pos, st state, yes, no func(state) *node) *node {
	if i == len(fields) {
		return yes(st)
	}
	next := func(st state) *node { return x.branchStructs(fn, a, b, fields, i+1, pos, st, yes, no) }
	if fields[i].Name() == "_" {
		return next(st)
	}
	typ := fields[i].Type()
	eq := x.relation(relEQ, false, x.field(a, i, typ), x.field(b, i, typ))
	return x.branch(fn, eq, pos, st, next, no)
}

// branchPointers goes on with yes where the pointers a and b are equal. Two nil
// pointers are equal, a nil pointer and another are not. That two others are
// equal is left out of account if the comparator also looks at what they point
// to: what is equal for different objects is equal for one and the same.
func (x *executor) branchPointers(fn *ssa.Function, a, b *term, pos token.Pos, st state, yes, no func(state) *node) *node {
	proper := func(st state) *node {
		if x.through[x.shape(a)] || x.through[x.shape(b)] {
			return no(st)
		}
		return x.test(fn, relEQ, false, a, b, pos, st, yes, no)
	}
	if !x.mayBeNil[x.shape(a)] && !x.mayBeNil[x.shape(b)] {
		return proper(st)
	}
	isNil := func(t *term) *term { return x.node(opIsNil, 0, nil, types.Typ[types.Bool], t) }
	return x.branch(fn, isNil(a), pos, st,
		func(st state) *node { return x.branch(fn, isNil(b), pos, st, yes, no) },
		func(st state) *node { return x.branch(fn, isNil(b), pos, st, no, proper) })
}

func isStruct(t types.Type) bool {
	if t == nil || isTypeParam(t) {
		return false
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

func isPointer(t types.Type) bool {
	if t == nil || isTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// branchBools compares two booleans by testing each.
func (x *executor) branchBools(fn *ssa.Function, r rel, a, b *term, pos token.Pos, st state, yes, no func(state) *node) *node {
	side := func(o rel) func(state) *node {
		if r&o != 0 {
			return yes
		}
		return no
	}
	return x.branch(fn, a, pos, st,
		func(st state) *node { return x.branch(fn, b, pos, st, side(relEQ), side(relGT)) },
		func(st state) *node { return x.branch(fn, b, pos, st, side(relLT), side(relEQ)) })
}

// test branches on "a r b".
func (x *executor) test(fn *ssa.Function, r rel, total bool, a, b *term, pos token.Pos, st state, yes, no func(state) *node) *node {
	switch {
	case a == b && (!isFloat(a.typ) || r&relEQ != 0 == (r&relUN != 0)):
		if r&relEQ != 0 {
			return yes(st)
		}
		return no(st)
	case !total && identity(a) && identity(b) && a.mask != b.mask && r&(relLT|relGT) != relLT && r&(relLT|relGT) != relGT:
		// Whether two elements are one and the same: a comparator must hold for
		// different ones, and for those only this side matters.
		if r&relEQ != 0 {
			return no(st)
		}
		return yes(st)
	}
	possible := st.known.get(a, b)
	if isBool(a.typ) {
		possible &^= relUN
	}
	possible &= indexRange(a, b)
	in, out := possible&r, possible&^r
	switch {
	case out == 0 || out == relUN && !isFloat(a.typ) && !isFloat(b.typ) && !isTypeParam(a.typ):
		return yes(st)
	case in == 0:
		return no(st)
	}
	fork := func(o rel) state {
		s := st.fork()
		s.known = st.known.with(a, b, o)
		return s
	}
	n := &node{x: a, y: b, rel: r, total: total, pos: pos, fn: fn}
	n.yes = yes(fork(in))
	n.no = no(fork(out))
	return n
}

// helper runs a function whose arguments depend on one element at most, and
// returns its results as terms, or nil if it cannot be seen through.
func (x *executor) helper(fn *ssa.Function, args, bindings []*term, depth int, st state) []*term {
	sub := *x
	sub.limit = min(x.limit, x.steps+maxHelpers*10)
	sub.boundHit = false
	sub.leaves = 0
	// What a helper of one element tests (a nil-safe getter) says nothing about
	// the comparator.
	sub.nils, sub.zeros, sub.lens = map[*term]bool{}, map[*term]bool{}, map[*term]bool{}
	root := sub.call(fn, args, bindings, depth, st.fork(), func(_ state, _ *ssa.Return, results []*term) *node {
		return &node{result: x.node(opTuple, 0, nil, nil, results...)}
	})
	// The work done counts, the loops and the leaves do not.
	x.steps = sub.steps
	x.self, x.diffs, x.derefs, x.uses = sub.self, sub.diffs, sub.derefs, sub.uses
	if sub.boundHit || sub.leaves > 64 {
		return nil
	}
	n := fn.Signature.Results().Len()
	out := make([]*term, n)
	for i := range out {
		if out[i] = x.collapse(root, i); out[i] == nil {
			return nil
		}
	}
	return out
}

// collapse turns the tree of a helper into one term for result i.
func (x *executor) collapse(n *node, i int) *term {
	if n.isLeaf() {
		if n.opaque != "" || n.result == nil {
			return nil
		}
		return n.result.args[i]
	}
	yes, no := x.collapseSide(n.yes, i), x.collapseSide(n.no, i)
	switch {
	case yes == nil && no == nil:
		return nil
	case yes == nil || yes.op == opUnknown && yes.sym == panics:
		return no
	case no == nil || no.op == opUnknown && no.sym == panics:
		return yes
	case yes == no:
		return yes
	}
	cond := x.relation(n.rel, n.total, n.x, n.y)
	if n.rel == relEQ && n.y == x.boolean(true) {
		cond = n.x
	} else if n.rel == relEQ && n.x == x.boolean(true) {
		cond = n.y
	}
	if yes == x.boolean(true) && no == x.boolean(false) {
		return cond
	}
	if yes == x.boolean(false) && no == x.boolean(true) {
		return x.not(cond)
	}
	typ := yes.typ
	if isBool(typ) {
		typ = types.Typ[types.Bool]
	}
	return x.node(opIte, 0, nil, typ, cond, yes, no)
}

const panics = "panics"

// collapseSide is collapse, but for a path that panics: the other side decides.
func (x *executor) collapseSide(n *node, i int) *term {
	if n.isLeaf() && n.opaque == "" && n.result == nil {
		return x.unknown(panics, nil)
	}
	return x.collapse(n, i)
}

// indexRange are the outcomes of comparing a and b that are possible because an
// index that the comparator is given lies within the slice.
func indexRange(a, b *term) rel {
	switch {
	case isIndex(b):
		return rangeOfIndex(a).flip()
	case isIndex(a):
		return rangeOfIndex(b)
	}
	return relAll
}

func rangeOfIndex(other *term) rel {
	switch {
	case other.op == opLen && other.mask == 0:
		return relLT
	case other.op == opConst && constant.Sign(other.val) < 0:
		return relGT
	case other.op == opConst && constant.Sign(other.val) == 0:
		return relGT | relEQ
	}
	return relAll
}

// identity tells whether t is an element itself, by reference or index, and not
// one of its keys.
func identity(t *term) bool {
	if isIndex(t) && t.mask.single() {
		return t.num == indexLeaf
	}
	if t.typ == nil || !t.mask.single() {
		return false
	}
	switch t.typ.Underlying().(type) {
	case *types.Pointer, *types.Interface:
	default:
		return false
	}
	switch t.op {
	case opLeaf:
		return true
	case opLoad:
		a := t.args[0]
		return a.op == opIndexAt && a.args[0].mask == 0 && a.args[1].op == opLeaf
	case opAssert:
		return identity(t.args[0])
	}
	return false
}

// indexLeaf marks the leaves of a comparator that takes indices.
const indexLeaf = 1
