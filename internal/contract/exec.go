// Package contract interprets the methods of a heap.Interface implementation: it
// follows every way through Push, Pop or Swap and says what became of the backing
// slice, of its slots and of the positions that elements keep of themselves.
//
// The methods are short and touch the receiver's slice by few forms, so a small
// symbolic interpreter over SSA, path by path, with calls of the package's own
// functions followed, understands nearly all of them, however they are spelled.
// What it does not understand makes an outcome opaque, and rules stay silent.
package contract

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"
)

// Limits of the interpreter; methods beyond them are opaque.
const (
	maxPaths = 200
	maxDepth = 4
)

// An Outcome is one way through a method, to its return.
type Outcome struct {
	// Results are the returned values.
	Results []Value
	// Slices are the receiver's slices that were stored to, by path, as they are
	// at the end.
	Slices map[string]Seq
	// Slots are the slots that were stored to, as they are at the end.
	Slots map[SlotKey]Value
	// Effects are what happened, in order.
	Effects []Effect
	// Opaque says that something happened that the interpreter does not
	// understand, so that absence of an effect proves nothing.
	Opaque bool
	// Empty says that the way is taken only by an empty heap; Equal, only if
	// Swap's parameters are equal or out of range; Mistyped, only if the pushed
	// element has not the type that was asked for.
	Empty, Equal, Mistyped bool
}

// SlotKey names a slot of the slice at path Base.
type SlotKey struct {
	Base string
	At   Lin
}

// EffectKind says what an effect is.
type EffectKind int

// The effects.
const (
	StoreSlice EffectKind = iota // receiver's slice at Path becomes Seq
	StoreSlot                    // slot At of Path becomes Val
	StoreField                   // field Field of element Elem becomes Val (a position if it is a Lin)
	StoreMap                     // receiver's map at Path: entry of Elem's key becomes Val
	Delete                       // receiver's map at Path: entry of Elem's key goes
	Clear                        // slots From and up of Path are zeroed
	Call                         // unknown code got element Elem and Val
	Grow                         // a slice Seq was made by append
	Shrink                       // a slice Seq was made by slicing
	Assert                       // the pushed element was asserted, without comma-ok, to be a Type
	Other                        // another field of the receiver, at Path, was stored to
	LoadSlot                     // slot At of Path was read
	LenOf                        // the length of the slice at Path was taken
)

// An Effect is something that a method does.
type Effect struct {
	Kind  EffectKind
	Instr ssa.Instruction
	Path  string
	At    Lin
	Val   Value
	Elem  Value
	Field *types.Var
	Seq   Seq
	Type  types.Type
}

// Run follows all ways through a method to its returns. ok is false if there are
// too many, or loops whose ways cannot be told.
func Run(fn *ssa.Function) (outs []Outcome, ok bool) {
	if fn == nil || len(fn.Blocks) == 0 || len(fn.Params) == 0 {
		return nil, false
	}
	r := &runner{}
	st := &state{vals: map[ssa.Value]Value{}, cells: map[Cell]Value{}, out: Outcome{Slices: map[string]Seq{}, Slots: map[SlotKey]Value{}}}
	st.vals[fn.Params[0]] = st.load(Place{}, fn.Params[0].Type())
	for k, p := range fn.Params[1:] {
		switch {
		case isInt(p.Type()) && k == 0:
			st.vals[p] = PosI
		case isInt(p.Type()) && k == 1:
			st.vals[p] = PosJ
		default:
			st.vals[p] = Elem{Pushed: true}
		}
	}
	r.block(&frame{fn: fn}, fn.Blocks[0], nil, st, func(st *state, res []Value) {
		st.out.Results = res
		r.outs = append(r.outs, st.out)
	})
	return r.outs, !r.gaveUp && len(r.outs) > 0
}

func isInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

type runner struct {
	outs   []Outcome
	paths  int
	gaveUp bool
}

// A frame is a call in progress: the blocks it has been through on this way.
type frame struct {
	fn    *ssa.Function
	depth int
	seen  map[*ssa.BasicBlock]bool
}

func (f *frame) enter(b *ssa.BasicBlock) (*frame, bool) {
	if f.seen[b] {
		return nil, false
	}
	g := *f
	g.seen = maps.Clone(f.seen)
	if g.seen == nil {
		g.seen = map[*ssa.BasicBlock]bool{}
	}
	g.seen[b] = true
	return &g, true
}

type state struct {
	vals  map[ssa.Value]Value
	cells map[Cell]Value
	out   Outcome
}

func (s *state) clone() *state {
	c := &state{vals: maps.Clone(s.vals), cells: maps.Clone(s.cells), out: s.out}
	c.out.Slices, c.out.Slots = maps.Clone(s.out.Slices), maps.Clone(s.out.Slots)
	c.out.Effects = s.out.Effects[:len(s.out.Effects):len(s.out.Effects)]
	return c
}

func (s *state) effect(e Effect) { s.out.Effects = append(s.out.Effects, e) }

type cont func(*state, []Value)

// block runs a block from its start, come to from pred.
func (r *runner) block(f *frame, b, pred *ssa.BasicBlock, st *state, k cont) {
	f, ok := f.enter(b)
	if !ok { // a loop: its further rounds are not followed
		r.gaveUp = true
		return
	}
	phis := map[ssa.Value]Value{}
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		for i, p := range b.Preds {
			if p == pred {
				phis[phi] = st.get(phi.Edges[i])
			}
		}
	}
	maps.Copy(st.vals, phis)
	r.from(f, b, len(phis), st, k)
}

// from runs a block from its n-th instruction.
func (r *runner) from(f *frame, b *ssa.BasicBlock, n int, st *state, k cont) {
	for i := n; i < len(b.Instrs); i++ {
		switch instr := b.Instrs[i].(type) {
		case *ssa.Call:
			if callee := st.inlinable(f, instr); callee != nil {
				r.call(f, callee, instr, st, func(st *state, res []Value) {
					st.vals[instr] = one(res)
					r.from(f, b, i+1, st, k)
				})
				return
			}
			st.call(instr)
		case *ssa.Return:
			r.leave(st, instr, k)
			return
		case *ssa.Panic:
			return
		case *ssa.Jump:
			r.block(f, b.Succs[0], b, st, k)
			return
		case *ssa.If:
			r.branch(f, b, instr, st, k)
			return
		default:
			st.step(instr)
		}
	}
}

func (r *runner) leave(st *state, ret *ssa.Return, k cont) {
	if r.paths++; r.paths > maxPaths {
		r.gaveUp = true
		return
	}
	res := make([]Value, len(ret.Results))
	for i, v := range ret.Results {
		res[i] = st.get(v)
	}
	k(st, res)
}

func one(res []Value) Value {
	if len(res) == 1 {
		return res[0]
	}
	return nil
}

func (r *runner) branch(f *frame, b *ssa.BasicBlock, instr *ssa.If, st *state, k cont) {
	cond := st.get(instr.Cond)
	for i, succ := range b.Succs {
		s := st.clone()
		if !s.assume(cond, i == 0) {
			continue
		}
		r.block(f, succ, b, s, k)
	}
}

// assume notes what a branch implies; false if it cannot be taken.
func (s *state) assume(cond Value, holds bool) bool {
	switch c := cond.(type) {
	case asserted:
		s.out.Mistyped = s.out.Mistyped || !holds
	case comparison:
		op := c.op
		if !holds {
			op = negated[op]
		}
		d := c.a.minus(c.b)
		switch {
		case d.constant():
			return compare(d.C, op)
		case d.I == 0 && d.J == 0 && (d.N == 1 || d.N == -1):
			// (±n + c) op 0: is it impossible for every n ≥ 2?
			if d.N == -1 {
				d, op = d.times(-1), mirrored[op]
			}
			s.out.Empty = s.out.Empty || !(op == "!=" || op == ">" || op == ">=") && d.C >= -1
		case d.I != 0 || d.J != 0:
			s.out.Equal = s.out.Equal || op == "==" || (op == "<" || op == "<=") && d.C == 0 && d.N == 0 && c.b.constant() || (op == ">=" || op == ">") && d.N < 0
		}
	}
	return true
}

var negated = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", ">=": "<=", ">": "<", "<=": ">="}

func compare(c int, op string) bool {
	switch op {
	case "==":
		return c == 0
	case "!=":
		return c != 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

// inlinable returns the function of this package that a call runs, if it is to be
// followed: it gets something that the interpreter knows, and has no loop.
func (s *state) inlinable(f *frame, call *ssa.Call) *ssa.Function {
	callee := CalleeOf(call)
	if callee == nil || len(callee.Blocks) == 0 || len(callee.FreeVars) > 0 || f.depth >= maxDepth || callee == f.fn || loops(callee) {
		return nil
	}
	for _, a := range call.Call.Args {
		if _, isConst := a.(*ssa.Const); !isConst && s.get(a) != nil {
			return callee
		}
	}
	return nil
}

// loops tells whether a block of fn can be come to again. Blocks are numbered so
// that an edge to a dominator is the only way back in reducible code; anything
// else that goes back is goto.
func loops(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, s := range b.Succs {
			if s == b || s.Dominates(b) {
				return true
			}
		}
	}
	return false
}

// CalleeOf is the function that a call runs, the generic one for an instance; nil if
// it is not known.
func CalleeOf(call ssa.CallInstruction) *ssa.Function {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return nil
	}
	if o := callee.Origin(); o != nil {
		return o
	}
	return callee
}

func (r *runner) call(f *frame, callee *ssa.Function, call *ssa.Call, st *state, k cont) {
	for i, p := range callee.Params {
		st.vals[p] = st.get(call.Call.Args[i])
	}
	r.block(&frame{fn: callee, depth: f.depth + 1}, callee.Blocks[0], nil, st, k)
}

// get is what is known of v.
func (s *state) get(v ssa.Value) Value {
	if c, ok := v.(*ssa.Const); ok {
		if c.Value != nil && c.Value.Kind() == constant.Int {
			if n, exact := constant.Int64Val(c.Value); exact {
				return Lin{C: int(n)}
			}
		}
		return Const{Nil: c.Value == nil}
	}
	return s.vals[v]
}

// load is the content of the place p, which has type t.
func (s *state) load(p Place, t types.Type) Value {
	if _, ok := t.Underlying().(*types.Slice); ok {
		if seq, ok := s.out.Slices[p.Path]; ok {
			return seq
		}
		return whole(p.Path)
	}
	return p
}

// step runs an instruction that neither calls nor leaves.
func (s *state) step(instr ssa.Instruction) {
	switch x := instr.(type) {
	case *ssa.Alloc:
		s.vals[x] = Cell{Alloc: x}
	case *ssa.Store:
		s.store(x)
	case *ssa.UnOp:
		s.vals[x] = s.unop(x)
	case *ssa.BinOp:
		s.vals[x] = s.binop(x)
	case *ssa.FieldAddr:
		s.vals[x] = field(s.get(x.X), fieldVar(x.X.Type(), x.Field))
	case *ssa.Field:
		v := field(s.get(x.X), fieldVar(x.X.Type(), x.Field))
		if p, ok := v.(Place); ok {
			v = s.load(p, x.Type())
		}
		s.vals[x] = v
	case *ssa.IndexAddr:
		s.vals[x] = s.indexAddr(x)
	case *ssa.Slice:
		s.vals[x] = s.slice(x)
	case *ssa.TypeAssert:
		s.vals[x] = s.assert(x)
	case *ssa.Extract:
		if p, ok := s.get(x.Tuple).(pair); ok && x.Index == 0 {
			s.vals[x] = p.val
		} else if ok {
			s.vals[x] = p.ok
		}
	case *ssa.MapUpdate:
		if p, ok := s.get(x.Map).(Place); ok {
			s.effect(Effect{Kind: StoreMap, Instr: x, Path: p.Path, Elem: s.get(x.Key), Val: s.get(x.Value)})
		}
	case *ssa.Lookup:
		s.vals[x] = s.derived(x.Index)
	case *ssa.MakeInterface:
		s.vals[x] = s.get(x.X)
	case *ssa.ChangeInterface:
		s.vals[x] = s.get(x.X)
	case *ssa.ChangeType:
		s.vals[x] = s.get(x.X)
	case *ssa.Convert:
		s.vals[x] = s.get(x.X)
	case *ssa.Defer, *ssa.Go:
		s.out.Opaque = true
	}
}

// derived is what is computed from one element: a part of it.
func (s *state) derived(from ...ssa.Value) Value {
	var of *Elem
	for _, v := range from {
		e, ok := ElemOf(s.get(v))
		if !ok {
			continue
		}
		if of != nil && *of != e {
			return nil
		}
		of = &e
	}
	if of == nil {
		return nil
	}
	return Part{Of: *of}
}

func field(v Value, f *types.Var) Value {
	if f == nil {
		return nil
	}
	switch v := v.(type) {
	case Place:
		return Place{join(v.Path, f.Name())}
	case Cell:
		return Cell{v.Alloc, join(v.Path, f.Name())}
	case Slot:
		return Slot{v.Base, v.At, join(v.Path, f.Name())}
	case Elem:
		return Part{v, f.Name()}
	case Part:
		return Part{v.Of, join(v.Path, f.Name())}
	}
	return nil
}

func (s *state) unop(x *ssa.UnOp) Value {
	if x.Op != token.MUL {
		if n, ok := s.get(x.X).(Lin); ok && x.Op == token.SUB {
			return n.times(-1)
		}
		return s.derived(x.X)
	}
	switch v := s.get(x.X).(type) {
	case Place:
		return s.load(v, x.Type())
	case Cell:
		return s.cell(v, x.Type())
	case Slot:
		s.effect(Effect{Kind: LoadSlot, Instr: x, Path: v.Base, At: v.At})
		return s.slot(v)
	case Elem, Part:
		return v
	}
	return nil
}

// cell is the content of a local variable or a field of one.
func (s *state) cell(c Cell, t types.Type) Value {
	if v, ok := s.cells[c]; ok {
		return v
	}
	// A field of a whole that was stored: x.f after x = *recv.
	for i := len(c.Path); i >= 0; i-- {
		if i != len(c.Path) && i != 0 && c.Path[i] != '.' {
			continue
		}
		v, ok := s.cells[Cell{c.Alloc, c.Path[:i]}]
		if !ok {
			continue
		}
		rest := c.Path[i:]
		if i > 0 && rest != "" {
			rest = rest[1:]
		}
		switch v := v.(type) {
		case Place:
			return s.load(Place{join(v.Path, rest)}, t)
		case Elem:
			return Part{v, rest}
		case Part:
			return Part{v.Of, join(v.Path, rest)}
		}
		return nil
	}
	return nil
}

// slot is the content of a slot: what was stored to it, or the element that was
// there on entry.
func (s *state) slot(a Slot) Value {
	v, ok := s.out.Slots[SlotKey{a.Base, a.At}]
	if !ok {
		v = Elem{Base: a.Base, At: a.At}
	}
	if a.Path == "" {
		return v
	}
	if e, ok := ElemOf(v); ok {
		return Part{e, a.Path}
	}
	return nil
}

func (s *state) binop(x *ssa.BinOp) Value {
	a, okA := s.get(x.X).(Lin)
	b, okB := s.get(x.Y).(Lin)
	if !okA || !okB {
		return s.derived(x.X, x.Y)
	}
	switch x.Op {
	case token.ADD:
		return a.plus(b)
	case token.SUB:
		return a.minus(b)
	case token.MUL:
		if a.constant() {
			return b.times(a.C)
		}
		if b.constant() {
			return a.times(b.C)
		}
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return comparison{x.Op.String(), a, b}
	}
	return nil
}

func (s *state) indexAddr(x *ssa.IndexAddr) Value {
	at, ok := s.get(x.Index).(Lin)
	switch v := s.get(x.X).(type) {
	case Seq:
		if !ok {
			return nil
		}
		slot, single, ok := v.at(at)
		if !ok {
			return nil
		}
		if single != nil {
			return single
		}
		return Slot{Base: v.Base, At: slot}
	case Cell: // an array: the arguments of a variadic call
		if ok && at.constant() {
			return Cell{v.Alloc, join(v.Path, "#"+itoa(at.C))}
		}
	case Elem, Part:
		return s.derived(x.X)
	}
	return nil
}

func itoa(n int) string { return constant.MakeInt64(int64(n)).ExactString() }

func (s *state) slice(x *ssa.Slice) Value {
	switch v := s.get(x.X).(type) {
	case Cell:
		if arr, ok := v.Alloc.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array); ok && v.Path == "" && x.Low == nil {
			seq := Seq{Base: "#"}
			for i := range arr.Len() {
				val := s.cells[Cell{v.Alloc, "#" + itoa(int(i))}]
				if val == nil {
					val = Const{}
				}
				seq.Segs = append(seq.Segs, Seg{Single: true, Val: val})
			}
			return seq
		}
	case Seq:
		low, high := Value(Zero), Value(v.Length())
		if x.Low != nil {
			low = s.get(x.Low)
		}
		if x.High != nil {
			high = s.get(x.High)
		}
		from, ok1 := low.(Lin)
		to, ok2 := high.(Lin)
		if !ok1 || !ok2 {
			return nil
		}
		cut, ok := v.cut(from, to)
		if !ok {
			return nil
		}
		s.effect(Effect{Kind: Shrink, Instr: x, Path: v.Base, Seq: cut})
		return cut
	}
	return nil
}

func (s *state) assert(x *ssa.TypeAssert) Value {
	v := s.get(x.X)
	e, _ := v.(Elem)
	if x.CommaOk {
		p := pair{val: v}
		if e.Pushed {
			p.ok = asserted{}
		}
		return p
	}
	if e.Pushed {
		s.effect(Effect{Kind: Assert, Instr: x, Type: x.AssertedType})
	}
	return v
}
