package order

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// callInstr interprets a call; then continues with its result.
func (x *executor) callInstr(f *frame, in *ssa.Call, st state, then func(state, *term) *node) *node {
	c := &in.Call
	args := make([]*term, 0, len(c.Args)+1)
	for _, a := range c.Args {
		args = append(args, x.value(f, a))
	}
	typ := in.Type()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return x.builtin(f, b.Name(), args, typ, st, then)
	}
	if c.IsInvoke() {
		recv := x.value(f, c.Value)
		all := append([]*term{recv}, args...)
		return then(st, x.opaqueCall(f.fn, c.Method, all, typ, in.Pos()))
	}
	callee := x.value(f, c.Value)
	if callee.op != opClosure {
		return then(st, x.dynamic(callee, args, typ))
	}
	fn := callee.sym.(*ssa.Function)
	obj, _ := fn.Object().(*types.Func)
	if m := modelOf(obj); m != nil {
		return m(x, f, args, typ, st, in.Pos(), then)
	}
	body := bodyOf(fn)
	if body == nil || depthOf(f) >= maxDepth || x.active[body] > 0 {
		return then(st, x.unseen(f.fn, fn, callee, args, typ, st, in.Pos()))
	}
	var m mask
	for _, a := range append(args, callee) {
		m |= x.reach(st, a)
	}
	if m == maskA|maskB && x.trusting {
		if a, b, env := twoElements(args); obj != nil && a != nil {
			a, b = x.sameLevel(a, b)
			if t := x.byName(obj.Name(), obj, env, a, b, typ); t != nil {
				return then(st, t)
			}
		}
	}
	if m != maskA|maskB {
		results := x.helper(body, args, callee.args, f.depth+1, st)
		if results == nil {
			return then(st, x.unseen(f.fn, fn, callee, args, typ, st, in.Pos()))
		}
		if m.single() {
			for _, r := range results {
				if r.op == opIte && r.label == "" {
					r.label = renderCall(fn.Name(), obj, args)
				}
			}
		}
		return then(st, x.tuple(results, typ))
	}
	return x.call(body, args, callee.args, f.depth+1, st, func(st state, ret *ssa.Return, results []*term) *node {
		st.path = &step{ret: ret, prev: st.path}
		return then(st, x.tuple(results, typ))
	})
}

func depthOf(f *frame) int { return f.depth }

// reach is the mask of t and, if t is the address of a local variable, of what
// the path has stored there.
func (x *executor) reach(st state, t *term) mask {
	m := t.mask
	if isAlloc(t) || t.op == opCall && len(t.args) > 0 && isAlloc(t.args[0]) {
		root := t
		if t.op == opCall {
			root = t.args[0]
		}
		for a, v := range st.mem {
			b := a
			for (b.op == opAddr || b.op == opIndexAt) && b != root {
				b = b.args[0]
			}
			if b == root {
				m |= v.mask
			}
		}
	}
	return m
}

func (x *executor) tuple(results []*term, typ types.Type) *term {
	if len(results) == 1 {
		return results[0]
	}
	return x.node(opTuple, 0, nil, typ, results...)
}

// bodyOf is the function whose blocks stand for fn, or nil: for the instance of a
// generic function, which only wraps it, the generic function.
func bodyOf(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if len(fn.Blocks) > 0 {
		return fn
	}
	return nil
}

// dynamic is the call of a function value that is not known: a stored comparator
// is taken for good.
func (x *executor) dynamic(callee *term, args []*term, typ types.Type) *term {
	if callee.mask == 0 {
		if a, b, env := twoElements(args); a != nil {
			tag := callee
			if len(env) > 0 {
				tag = x.node(opCall, 3, callee, nil, env...)
			}
			if t := x.ordering(tag, typ, a, b, false); t != nil {
				return t
			}
		}
	}
	return x.node(opCall, 0, callee, typ, append([]*term{callee}, args...)...)
}

// ordering is the result of a comparator that is taken for good, applied to x and
// y: it compares hidden keys, the images of x and y under tag.
func (x *executor) ordering(tag any, typ types.Type, a, b *term, reversed bool) *term {
	if a.mask|b.mask != maskA|maskB || !a.mask.single() || !b.mask.single() || x.shape(a) != x.shape(b) {
		return nil
	}
	if tag != nil {
		key := func(t *term) *term { return x.node(opCall, 0, tag, nil, t) }
		if t, ok := tag.(*term); ok {
			key = func(a *term) *term { return x.node(opCall, 1, "order of", nil, t, a) }
		}
		a, b = key(a), key(b)
	}
	if reversed {
		a, b = b, a
	}
	switch {
	case isBool(typ):
		return x.relation(relLT, true, a, b)
	case isInteger(typ):
		return x.three(true, a, b)
	}
	return nil
}

var (
	lessName    = lazyregexp.New(`(?i)^(is)?_?(less|lessthan|lt|before|isbefore|older|earlier|precedes|comesbefore)$`)
	greaterName = lazyregexp.New(`(?i)^(is)?(greater|greaterthan|gt|after|newer|later|more)$`)
	cmpName     = lazyregexp.New(`(?i)^(compare|cmp|compareto|cmpto|comparator)$`)
	equalName   = lazyregexp.New(`(?i)^(is)?(equal|equals|eq|equalto|same)$`)
	// In a longer name the word still says what a function does.
	lessWord = lazyregexp.New(`(?i)(less|before)`)
	cmpWord  = lazyregexp.New(`(?i)(compare|cmp)`)
	eqWord   = lazyregexp.New(`(?i)equal`)
)

// opaqueCall is the result of a function or method without a body in sight.
func (x *executor) opaqueCall(fn *ssa.Function, callee *types.Func, args []*term, typ types.Type, pos token.Pos) *term {
	name := callee.Name()
	if kind, ok := effectOf(callee); ok && (kind == Clock || kind == Random || kind == World) && callee.Pkg() != nil {
		return x.unknown(nameOf(callee), typ, args...)
	}
	if a, b, env := twoElements(args); a != nil {
		a, b = x.sameLevel(a, b)
		if t := x.byName(name, callee, env, a, b, typ); t != nil {
			x.named[callee.FullName()] = true
			return t
		}
	}
	return x.node(opCall, 0, callee, typ, args...)
}

// byName judges a comparison by the callee's name: the names are as good as laws
// in Go.
func (x *executor) byName(name string, callee *types.Func, env []*term, a, b *term, typ types.Type) *term {
	var tag any
	for _, e := range env {
		if e.mask != 0 {
			return nil
		}
		tag = x.node(opCall, 2, callee, nil, env...)
	}
	if a.mask|b.mask != maskA|maskB || !a.mask.single() || !b.mask.single() || x.shape(a) != x.shape(b) {
		return nil
	}
	if isIndex(a) && tag == nil {
		return nil
	}
	switch {
	case isBool(typ) && lessName.MatchString(name):
		return x.ordering(tag, typ, a, b, false)
	case isBool(typ) && greaterName.MatchString(name):
		return x.ordering(tag, typ, a, b, true)
	case isBool(typ) && equalName.MatchString(name):
		return x.relation(relEQ, true, a, b)
	case isInteger(typ) && cmpName.MatchString(name):
		return x.ordering(tag, typ, a, b, false)
	case isBool(typ) && eqWord.MatchString(name) && !lessWord.MatchString(name):
		return x.relation(relEQ, true, a, b)
	case isBool(typ) && lessWord.MatchString(name), isInteger(typ) && cmpWord.MatchString(name):
		return x.ordering(callee, typ, a, b, false)
	}
	return nil
}

func isIndex(t *term) bool { return t.op == opLeaf && t.num == indexLeaf }

// sameLevel makes a and b both values or both pointers: methods such as
// (*metav1.Time).Before mix them.
func (x *executor) sameLevel(a, b *term) (*term, *term) {
	if x.shape(a) == x.shape(b) {
		return a, b
	}
	deref := func(t *term) *term {
		if p, ok := t.typ.(*types.Pointer); ok && (t.op == opAddr || t.op == opIndexAt) {
			return x.node(opLoad, 0, nil, p.Elem(), t)
		}
		return t
	}
	return deref(a), deref(b)
}

// twoElements finds among the arguments of a call the two that depend on one
// element each, in order; the others must depend on none. It returns nil if there
// are no such two.
func twoElements(args []*term) (a, b *term, env []*term) {
	for _, t := range args {
		switch {
		case t.mask == 0:
			env = append(env, t)
		case a == nil:
			a = t
		case b == nil:
			b = t
		default:
			return nil, nil, nil
		}
	}
	if b == nil || a.mask|b.mask != maskA|maskB || !a.mask.single() || !b.mask.single() {
		return nil, nil, nil
	}
	return a, b, env
}

// unseen is the call of a known function that cannot be seen through.
func (x *executor) unseen(from, fn *ssa.Function, callee *term, args []*term, typ types.Type, st state, pos token.Pos) *term {
	given := args
	args = x.contents(st, args)
	for _, a := range given {
		if isAlloc(a) { // the callee may have written the variable
			if p, ok := a.typ.Underlying().(*types.Pointer); ok {
				x.store(st, a, x.node(opCall, 1, fn, p.Elem(), args...))
			}
		}
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return x.opaqueCall(from, obj, args, typ, pos)
	}
	if t := x.dynamic(callee, args, typ); t.op != opCall {
		return t
	}
	return x.node(opCall, 0, fn, typ, append(append([]*term{}, args...), callee.args...)...)
}

// contents replaces the addresses of local copies by what they hold.
func (x *executor) contents(st state, args []*term) []*term {
	out := append([]*term(nil), args...)
	for i, a := range out {
		if isAlloc(a) {
			if p, ok := a.typ.Underlying().(*types.Pointer); ok {
				out[i] = x.load(st, a, p.Elem())
			}
		} else if list := x.variadic(st, a); list != nil {
			out[i] = x.node(opTuple, 0, nil, a.typ, list...)
		}
	}
	return out
}

func (x *executor) builtin(f *frame, name string, args []*term, typ types.Type, st state, then func(state, *term) *node) *node {
	switch name {
	case "len":
		if s := x.shape(args[0]); s.mask != 0 {
			x.lens[s] = true
		}
		return then(st, x.node(opLen, 0, nil, typ, args[0]))
	case "min", "max":
		r := relLT
		if name == "max" {
			r = relGT
		}
		return x.pick(f, r, args[0], args[1:], st, then)
	case "panic":
		return x.bottom()
	}
	return then(st, x.node(opCall, 0, name, typ, args...))
}

// pick chooses the least or greatest of the args.
func (x *executor) pick(f *frame, r rel, best *term, rest []*term, st state, then func(state, *term) *node) *node {
	if len(rest) == 0 {
		return then(st, best)
	}
	cand := rest[0]
	var m mask
	for _, t := range append(rest, best) {
		m |= t.mask
	}
	if m != maskA|maskB { // stays one key
		t := x.node(opCall, int(r), "min or max", best.typ, append([]*term{best}, rest...)...)
		return then(st, t)
	}
	return x.branch(f.fn, x.relation(r, false, cand, best), token.NoPos, st,
		func(st state) *node { return x.pick(f, r, cand, rest[1:], st, then) },
		func(st state) *node { return x.pick(f, r, best, rest[1:], st, then) })
}

// A model interprets the call of a well-known function.
type model func(x *executor, f *frame, args []*term, typ types.Type, st state, pos token.Pos, then func(state, *term) *node) *node

// simple is a model whose result is a term.
func simple(fn func(x *executor, f *frame, args []*term, typ types.Type, pos token.Pos) *term) model {
	return func(x *executor, f *frame, args []*term, typ types.Type, st state, pos token.Pos, then func(state, *term) *node) *node {
		return then(st, fn(x, f, args, typ, pos))
	}
}

var (
	three3 = simple(func(x *executor, f *frame, a []*term, _ types.Type, pos token.Pos) *term {
		x.noteSelf(f, a, pos)
		return x.three(true, a[0], a[1])
	})
	before = compareModel(relLT, true)
	after  = compareModel(relGT, true)
	equal  = compareModel(relEQ, true)
)

// unit is a conversion that keeps sign and order.
var unit = simple(func(x *executor, _ *frame, a []*term, t types.Type, _ token.Pos) *term {
	return x.node(opConv, 0, t, t, a[0])
})

func compareModel(r rel, total bool) model {
	return simple(func(x *executor, f *frame, a []*term, _ types.Type, pos token.Pos) *term {
		x.noteSelf(f, a, pos)
		return x.relation(r, total, a[0], a[1])
	})
}

// noteSelf notes the comparison of a key with itself.
func (x *executor) noteSelf(f *frame, a []*term, pos token.Pos) {
	if a[0] == a[1] && a[0].mask.single() {
		x.self = append(x.self, SelfComparison{Pos: pos, Fn: f.fn, Key: render(a[0])})
	}
}

// models are the functions of the standard library whose meaning matters, by
// [types.Func.FullName].
var models = map[string]model{
	"cmp.Compare":     three3,
	"cmp.Less":        before,
	"cmp.Or":          cmpOr,
	"strings.Compare": three3,
	"bytes.Compare":   three3,
	"bytes.Equal":     equal,

	"(time.Time).Before":  before,
	"(time.Time).After":   after,
	"(time.Time).Equal":   equal,
	"(time.Time).Compare": three3,
	"(time.Time).Sub": simple(func(x *executor, _ *frame, a []*term, t types.Type, pos token.Pos) *term {
		return x.node(opBin, int(token.SUB), saturating, t, a[0], a[1])
	}),

	"(time.Duration).Nanoseconds": unit,
	"(time.Duration).Seconds":     unit,
	"(time.Duration).Minutes":     unit,
	"(time.Duration).Hours":       unit,

	"math.IsNaN": simple(func(x *executor, _ *frame, a []*term, _ types.Type, _ token.Pos) *term {
		x.nans[x.shape(a[0])] = true
		return x.relation(relUN, false, a[0], a[0])
	}),
	"math.Min": fold(relLT),
	"math.Max": fold(relGT),
}

func fold(r rel) model {
	return func(x *executor, f *frame, a []*term, _ types.Type, st state, _ token.Pos, then func(state, *term) *node) *node {
		return x.pick(f, r, a[0], a[1:], st, then)
	}
}

func modelOf(fn *types.Func) model {
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	switch fn.Pkg().Path() {
	case "cmp", "strings", "bytes", "time", "math":
		return models[fn.Origin().FullName()]
	}
	return nil
}

// cmpOr is cmp.Or: the first argument that is not zero.
func cmpOr(x *executor, f *frame, args []*term, typ types.Type, st state, pos token.Pos, then func(state, *term) *node) *node {
	list := x.variadic(st, args[0])
	if list == nil {
		return then(st, x.node(opCall, 0, "cmp.Or", typ, args...))
	}
	var next func(st state, i int) *node
	next = func(st state, i int) *node {
		if i == len(list)-1 {
			return then(st, list[i])
		}
		zero := x.zero(typ)
		if isInteger(typ) {
			zero = x.constant(constant.MakeInt64(0), typ)
		}
		cond := x.compare(f.fn, relLT|relGT|relUN, list[i], zero, pos)
		return x.branch(f.fn, cond, pos, st,
			func(st state) *node { return then(st, list[i]) },
			func(st state) *node { return next(st, i+1) })
	}
	return next(st, 0)
}

// variadic lists the arguments that were passed for a variadic parameter, or nil.
func (x *executor) variadic(st state, slice *term) []*term {
	if slice.op != opCall || slice.sym != "slice" || len(slice.args) != 1 || !isAlloc(slice.args[0]) {
		return nil
	}
	array := slice.args[0]
	ptr, ok := array.typ.Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	arr, ok := ptr.Elem().Underlying().(*types.Array)
	if !ok {
		return nil
	}
	list := make([]*term, arr.Len())
	for a, v := range st.mem {
		if a.op == opIndexAt && a.args[0] == array && a.args[1].op == opConst {
			if i, ok := constant.Int64Val(a.args[1].val); ok && int(i) < len(list) {
				list[i] = v
			}
		}
	}
	for _, t := range list {
		if t == nil {
			return nil
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}
