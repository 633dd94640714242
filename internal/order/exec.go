package order

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"
)

// Bounds of the lowering. A comparator that exceeds one is opaque.
const (
	maxSteps   = 20_000 // instructions interpreted
	maxDepth   = 12     // calls within calls
	maxUnroll  = 3      // rounds of a loop; longer executions are left out of account
	maxLeaves  = 1_000  // ends of paths
	maxHelpers = 400    // instructions interpreted in a helper of one element
)

// A node is a decision tree: a leaf with the result, or a test.
type node struct {
	// Of a leaf: the result, nil if the path ends in a panic or exceeds the bound
	// on loops; or the reason why the result is not known.
	result *term
	opaque string
	path   *step

	// Of a test: x rel y.
	x, y    *term
	rel     rel
	total   bool
	pos     token.Pos
	fn      *ssa.Function
	yes, no *node
}

func (n *node) isLeaf() bool { return n.yes == nil }

// A step is a return statement that a path went through; the list goes from the
// last one back.
type step struct {
	ret  *ssa.Return
	prev *step
}

// facts are the outcomes that are possible on a path, by pair of terms (lower
// identity first).
type facts map[[2]*term]rel

func (f facts) get(x, y *term) rel {
	if x.id > y.id {
		return f.get(y, x).flip()
	}
	if r, ok := f[[2]*term{x, y}]; ok {
		return r
	}
	return relAll
}

func (f facts) with(x, y *term, r rel) facts {
	if x.id > y.id {
		x, y, r = y, x, r.flip()
	}
	g := maps.Clone(f)
	if g == nil {
		g = facts{}
	}
	g[[2]*term{x, y}] = r
	return g
}

// state is what changes along a path.
type state struct {
	mem   map[*term]*term // contents of addresses written on the path
	known facts
	path  *step
}

func (s state) fork() state {
	s.mem = maps.Clone(s.mem)
	return s
}

// A frame is the activation of a function.
type frame struct {
	fn     *ssa.Function
	env    map[ssa.Value]*term
	visits map[*ssa.BasicBlock]int
	depth  int
	// done continues the caller with the results.
	done func(st state, ret *ssa.Return, results []*term) *node
}

func (f *frame) fork() *frame {
	g := *f
	g.env = maps.Clone(f.env)
	g.visits = maps.Clone(f.visits)
	return &g
}

// An executor runs a comparator on terms.
type executor struct {
	*pool
	steps, limit int
	leaves       int
	boundHit     bool // a loop was cut short
	exceeded     bool // the comparator is too large, or recursive
	trusting     bool // functions that are named as comparators are good ones

	self   []SelfComparison
	diffs  []*Difference
	derefs []deref
	uses   []FieldUse
	nils   map[*term]bool  // shapes of pointers tested for nil
	zeros  map[*term]bool  // shapes of integers compared with zero
	named  map[string]bool // functions out of sight that are believed by their name
	// mayBeNil and mayBeZero are the nils and zeros of an earlier run over the same
	// comparator.
	mayBeNil, mayBeZero map[*term]bool
	lens                map[*term]bool // shapes of slices whose length is taken
	// measured are the lens of an earlier run, and through the pointers that it
	// followed.
	measured, through map[*term]bool
	nans              map[*term]bool      // shapes of floats tested for NaN
	subs              map[*term]token.Pos // where a difference is taken
	active            map[*ssa.Function]int
}

// deref is a use of a pointer of an element that may be nil, or a division by an
// integer of an element that may be zero.
type deref struct {
	ptr *term
	pos token.Pos
	fn  *ssa.Function
	div bool
}

// opaqueLeaf ends a path whose result is unknown.
func (x *executor) opaqueLeaf(why string) *node { return &node{opaque: why} }

// beyond ends a path that exceeds a bound.
func (x *executor) beyond(why string) *node {
	x.exceeded = true
	return x.opaqueLeaf(why)
}

func (x *executor) bottom() *node { return &node{} }

// call runs fn on args (and bindings of free variables), and continues with done.
func (x *executor) call(fn *ssa.Function, args, bindings []*term, depth int, st state,
	done func(state, *ssa.Return, []*term) *node) *node {
	if depth > maxDepth {
		return x.beyond("calls nested too deeply")
	}
	if x.active[fn] > 0 {
		return x.beyond("recursion")
	}
	f := &frame{fn: fn, env: map[ssa.Value]*term{}, visits: map[*ssa.BasicBlock]int{}, depth: depth}
	for i, p := range fn.Params {
		if i < len(args) {
			f.env[p] = args[i]
		}
	}
	for i, v := range fn.FreeVars {
		if i < len(bindings) {
			f.env[v] = bindings[i]
		} else {
			f.env[v] = x.leaf(v, v.Name(), 0, v.Type())
		}
	}
	x.active[fn]++
	f.done = func(st state, ret *ssa.Return, results []*term) *node {
		x.active[fn]--
		defer func() { x.active[fn]++ }()
		return done(st, ret, results)
	}
	n := x.run(f, fn.Blocks[0], 0, st)
	x.active[fn]--
	return n
}

// enter goes on with block b, coming from prev.
func (x *executor) enter(f *frame, b, prev *ssa.BasicBlock, st state) *node {
	if f.visits[b]++; f.visits[b] > maxUnroll+1 {
		x.boundHit = true
		return x.bottom()
	}
	k := 0
	var phis []*term
	for _, in := range b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		for i, p := range b.Preds {
			if p == prev {
				phis = append(phis, x.value(f, phi.Edges[i]))
				break
			}
		}
		k++
	}
	for i, t := range phis {
		f.env[b.Instrs[i].(*ssa.Phi)] = t
	}
	return x.run(f, b, k, st)
}

// run interprets b from instruction k on.
func (x *executor) run(f *frame, b *ssa.BasicBlock, k int, st state) *node {
	for ; k < len(b.Instrs); k++ {
		if x.steps++; x.steps > x.limit {
			return x.beyond("too large")
		}
		x.noteUse(f, b.Instrs[k], st)
		if p := x.maybeNil(f, b.Instrs[k], st); p != nil {
			again := k
			return x.test(f.fn, relEQ, false, p, x.boolean(true), token.NoPos, st,
				func(state) *node { return x.bottom() },
				func(st state) *node { return x.run(f.fork(), b, again, st) })
		}
		if within := x.maybeOutside(f, b.Instrs[k], st); within != nil {
			again := k
			return x.branch(f.fn, within, token.NoPos, st,
				func(st state) *node { return x.run(f.fork(), b, again, st) },
				func(state) *node { return x.bottom() })
		}
		if d := x.maybeZero(f, b.Instrs[k], st); d != nil {
			again := k
			return x.test(f.fn, relEQ, false, d, x.constant(constant.MakeInt64(0), d.typ), token.NoPos, st,
				func(state) *node { return x.bottom() },
				func(st state) *node { return x.run(f.fork(), b, again, st) })
		}
		switch in := b.Instrs[k].(type) {
		case *ssa.If:
			cond := x.value(f, in.Cond)
			side := func(i int) func(state) *node {
				return func(st state) *node { return x.enter(f.fork(), b.Succs[i], b, st.fork()) }
			}
			return x.branch(f.fn, cond, condPos(in), st, side(0), side(1))
		case *ssa.Jump:
			return x.enter(f, b.Succs[0], b, st)
		case *ssa.Return:
			results := make([]*term, len(in.Results))
			for i, r := range in.Results {
				results[i] = x.value(f, r)
			}
			if x.leaves++; x.leaves > maxLeaves {
				return x.beyond("too many cases")
			}
			return f.done(st, in, results)
		case *ssa.Panic:
			return x.bottom()
		case *ssa.Store:
			addr, val := x.value(f, in.Addr), x.value(f, in.Val)
			x.store(st, addr, val)
		case *ssa.Call:
			next := k + 1
			return x.callInstr(f, in, st, func(st state, result *term) *node {
				g := f.fork()
				g.env[in] = result
				return x.run(g, b, next, st.fork())
			})
		case *ssa.Next, *ssa.Select, *ssa.Range:
			if r, ok := in.(*ssa.Range); ok {
				return x.opaqueLeaf("ranges over " + typeKind(r.X.Type()))
			}
			return x.opaqueLeaf("select")
		case *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Send, *ssa.MapUpdate, *ssa.DebugRef:
			// No influence on the result; effects are collected by [effects].
		case ssa.Value:
			f.env[in] = x.compute(f, in, st)
		}
	}
	return x.opaqueLeaf("no return")
}

func typeKind(t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Map:
		return "a map"
	case *types.Basic:
		return "a string"
	}
	return "a value"
}

// condPos is the place of a condition in the source.
func condPos(in *ssa.If) token.Pos {
	return posOf(in.Cond, 0)
}

// posOf is the place of v in the source, or of what it is computed from: loads
// that the source does not spell have no place of their own.
func posOf(v ssa.Value, depth int) token.Pos {
	if v.Pos().IsValid() || depth > 4 {
		return v.Pos()
	}
	if in, ok := v.(ssa.Instruction); ok {
		for _, op := range in.Operands(nil) {
			if *op == nil {
				continue
			}
			if pos := posOf(*op, depth+1); pos.IsValid() {
				return pos
			}
		}
	}
	return token.NoPos
}

// value is the term for an operand.
func (x *executor) value(f *frame, v ssa.Value) *term {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return x.zero(v.Type())
		}
		return x.constant(v.Value, v.Type())
	case *ssa.Global:
		return x.leaf(v, v.Name(), 0, v.Type())
	case *ssa.Function:
		return x.node(opClosure, 0, v, v.Type())
	case *ssa.Builtin:
		return x.leaf(v, v.Name(), 0, v.Type())
	}
	if t := f.env[v]; t != nil {
		return t
	}
	t := x.unknown("a value from elsewhere", v.Type())
	f.env[v] = t
	return t
}

// compute evaluates an instruction without control flow.
func (x *executor) compute(f *frame, in ssa.Value, st state) *term {
	arg := func(v ssa.Value) *term { return x.value(f, v) }
	switch in := in.(type) {
	case *ssa.Alloc:
		return x.unknown("new "+in.Comment, in.Type())
	case *ssa.FieldAddr:
		p := arg(in.X)
		return x.node(opAddr, in.Field, nil, in.Type(), p)
	case *ssa.IndexAddr:
		p := arg(in.X)
		return x.node(opIndexAt, 0, nil, in.Type(), p, arg(in.Index))
	case *ssa.Field:
		return x.field(arg(in.X), in.Field, in.Type())
	case *ssa.Index:
		return x.node(opIndex, 0, nil, in.Type(), arg(in.X), arg(in.Index))
	case *ssa.UnOp:
		return x.unary(f, in, st)
	case *ssa.BinOp:
		return x.binary(f, in, arg(in.X), arg(in.Y))
	case *ssa.ChangeType:
		return arg(in.X)
	case *ssa.MakeInterface:
		return arg(in.X)
	case *ssa.ChangeInterface:
		return arg(in.X)
	case *ssa.Convert:
		return x.convert(arg(in.X), in.Type())
	case *ssa.MultiConvert:
		return x.convert(arg(in.X), in.Type())
	case *ssa.TypeAssert:
		return x.assert(in, arg(in.X))
	case *ssa.Extract:
		return x.extract(arg(in.Tuple), in.Index, in.Type())
	case *ssa.Lookup:
		v := x.node(opLookup, 0, nil, in.Type(), arg(in.X), arg(in.Index))
		if !in.CommaOk {
			return v
		}
		elem := in.Type().(*types.Tuple).At(0).Type()
		v = x.node(opLookup, 0, nil, elem, arg(in.X), arg(in.Index))
		ok := x.node(opCommaOK, 0, nil, types.Typ[types.Bool], v)
		return x.node(opTuple, 0, nil, in.Type(), v, ok)
	case *ssa.MakeClosure:
		args := make([]*term, len(in.Bindings))
		for i, b := range in.Bindings {
			args[i] = arg(b)
		}
		return x.node(opClosure, 0, in.Fn, in.Type(), args...)
	case *ssa.Slice:
		args := []*term{arg(in.X)}
		for _, v := range []ssa.Value{in.Low, in.High, in.Max} {
			if v != nil {
				args = append(args, arg(v))
			}
		}
		return x.node(opCall, 0, "slice", in.Type(), args...)
	case *ssa.SliceToArrayPointer:
		return x.node(opConv, 0, in.Type(), in.Type(), arg(in.X))
	case *ssa.Phi:
		return x.unknown("a value from elsewhere", in.Type())
	}
	return x.unknown("an allocation", in.Type())
}

func (x *executor) unary(f *frame, in *ssa.UnOp, st state) *term {
	v := x.value(f, in.X)
	switch in.Op {
	case token.MUL:
		return x.load(st, v, in.Type())
	case token.NOT:
		return x.not(v)
	case token.SUB:
		if v.op == opThree {
			return x.node(opThree, v.num, nil, v.typ, v.args[1], v.args[0])
		}
		if v.op == opNeg {
			return v.args[0]
		}
		return x.node(opNeg, 0, nil, in.Type(), v)
	case token.ARROW:
		return x.unknown("a channel receive", in.Type(), v)
	}
	return x.node(opCall, 0, "^", in.Type(), v)
}

// load reads the place that addr points to.
func (x *executor) load(st state, addr *term, typ types.Type) *term {
	if v := x.memory(st, addr, typ); v != nil {
		return v
	}
	return x.node(opLoad, 0, nil, typ, addr)
}

// memory is what the path itself has stored at an address, or nil.
func (x *executor) memory(st state, addr *term, typ types.Type) *term {
	if v := st.mem[addr]; v != nil {
		return v
	}
	// A struct of which some fields were stored is those fields.
	if s, ok := typ.Underlying().(*types.Struct); ok && x.hasParts(st, addr) {
		fields := make([]*term, s.NumFields())
		for i := range fields {
			ft := s.Field(i).Type()
			fields[i] = x.load(st, x.node(opAddr, i, nil, types.NewPointer(ft), addr), ft)
		}
		return x.node(opStruct, 0, typ, typ, fields...)
	}
	if addr.op == opAddr {
		base := addr.args[0]
		if v := st.mem[base]; v != nil {
			return x.field(v, addr.num, typ)
		}
		if base.op == opAddr || base.op == opUnknown {
			if v := x.memoryWhole(st, base); v != nil {
				return x.field(v, addr.num, typ)
			}
		}
	}
	if addr.op == opIndexAt {
		if v := st.mem[addr.args[0]]; v != nil {
			return x.node(opIndex, 0, nil, typ, v, addr.args[1])
		}
	}
	if isAlloc(addr) && st.mem[addr] == nil && !x.hasParts(st, addr) {
		return x.zero(typ)
	}
	return nil
}

// memoryWhole is what is stored at base as a whole, or nil.
func (x *executor) memoryWhole(st state, base *term) *term {
	if v := st.mem[base]; v != nil {
		return v
	}
	ptr, ok := base.typ.Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if isAlloc(base) {
		return x.zero(ptr.Elem())
	}
	if base.op == opAddr {
		if v := x.memoryWhole(st, base.args[0]); v != nil {
			return x.field(v, base.num, ptr.Elem())
		}
	}
	return nil
}

func isAlloc(t *term) bool {
	s, ok := t.sym.(string)
	return t.op == opUnknown && ok && len(s) >= 4 && s[:4] == "new "
}

func (x *executor) hasParts(st state, addr *term) bool {
	for a := range st.mem {
		for b := a; b.op == opAddr; {
			if b = b.args[0]; b == addr {
				return true
			}
		}
	}
	return false
}

// store writes val at addr; what was known about its parts is gone.
func (x *executor) store(st state, addr, val *term) {
	for a := range st.mem {
		for b := a; b.op == opAddr; {
			if b = b.args[0]; b == addr {
				delete(st.mem, a)
				break
			}
		}
	}
	st.mem[addr] = val
}

func (x *executor) convert(v *term, to types.Type) *term {
	if v.op == opConst && v.val != nil {
		if b, ok := to.Underlying().(*types.Basic); ok && !isTypeParam(to) {
			if (b.Info()&types.IsNumeric != 0) == (v.val.Kind() != 1 && hasInfo(v.typ, types.IsNumeric)) {
				return x.constant(v.val, to)
			}
		}
	}
	if v.typ != nil && types.Identical(v.typ.Underlying(), to.Underlying()) {
		return v
	}
	return x.node(opConv, 0, to, to, v)
}

func (x *executor) assert(in *ssa.TypeAssert, v *term) *term {
	if !in.CommaOk {
		return x.node(opAssert, 0, in.AssertedType, in.AssertedType, v)
	}
	val := x.node(opAssert, 0, in.AssertedType, in.AssertedType, v)
	ok := x.node(opCommaOK, 0, nil, types.Typ[types.Bool], val)
	return x.node(opTuple, 0, nil, in.Type(), val, ok)
}

func (x *executor) extract(t *term, i int, typ types.Type) *term {
	if t.op == opTuple && i < len(t.args) {
		return t.args[i]
	}
	return x.node(opResult, i, nil, typ, t)
}
