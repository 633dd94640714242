package locks

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// uses finds the uses of heaps that an instruction makes, itself or through the
// functions that it calls, hands on or starts.
func (a *Analysis) uses(r *recorder, instr ssa.Instruction) []*use {
	return append(a.heapUses(r, instr), a.dataUses(r, instr)...)
}

func (a *Analysis) heapUses(r *recorder, instr ssa.Instruction) []*use {
	switch instr := instr.(type) {
	case *ssa.Go:
		return a.spawned(r, instr, a.callUses(r, instr), Goroutine)
	case ssa.CallInstruction:
		return a.callUses(r, instr)
	case *ssa.UnOp:
		if instr.Op == token.MUL {
			return a.sliceUse(r, instr, instr.X, instr.Type(), Reads)
		}
	case *ssa.Field:
		return a.sliceUse(r, instr, instr, instr.Type(), Reads)
	case *ssa.Lookup:
		if p := a.places.Of(instr); p != nil && a.isHeapSlice(p.Type) {
			return a.direct(r, instr, p, Reads, "read")
		}
	case *ssa.Store:
		uses := append(a.sliceUse(r, instr, instr.Addr, instr.Val.Type(), Writes), a.elemUse(r, instr)...)
		return append(uses, a.escapes(r, instr, instr.Val)...)
	case *ssa.MapUpdate:
		uses := a.escapes(r, instr, instr.Value)
		if a.isHeapSlice(instr.Value.Type()) {
			if p := a.places.Of(instr.Map); p != nil {
				p = a.places.elem(p, instr.Key, instr.Value.Type())
				uses = append(uses, a.direct(r, instr, p, Writes, "written")...)
			}
		}
		return uses
	case *ssa.Send:
		return a.escapes(r, instr, instr.X)
	case *ssa.Return:
		var uses []*use
		for i := range instr.Results {
			uses = append(uses, a.escapes(r, instr, Result(instr, i))...)
		}
		return uses
	}
	return nil
}

func (a *Analysis) direct(r *recorder, instr ssa.Instruction, p *Place, e Effect, what string) []*use {
	acc := direct(r.fn, Pos(instr), token.NoPos, a.alias.canonical(p), e, what)
	return []*use{{access: acc}}
}

// isHeapSlice tells whether t is a slice type that is used as a heap.
func (a *Analysis) isHeapSlice(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Slice); !ok {
		return false
	}
	return a.pkg.Type(t) != nil
}

// sliceUse is a load or store of a heap's slice header: of a slice that is the
// heap, or of the field of a heap struct that is its backing slice. Loads and
// stores of the function's own variables are no uses. Those of a variable of the
// function around it are, unless the variable is a copy of a heap elsewhere.
func (a *Analysis) sliceUse(r *recorder, instr ssa.Instruction, addr ssa.Value, t types.Type, e Effect) []*use {
	if cell := a.places.cell(addr); cell != nil && (cell.Parent() == r.fn || a.places.Of(cell) != a.places.root(cell)) {
		return nil
	}
	what := "read"
	if e == Writes {
		what = "written"
	}
	if a.isHeapSlice(t) {
		if p := a.places.Of(addr); p != nil {
			return a.direct(r, instr, p, e, what)
		}
		return nil
	}
	if _, ok := t.Underlying().(*types.Slice); !ok {
		return nil
	}
	if p := a.owner(a.places.Of(addr)); p != nil {
		return a.direct(r, instr, p, e, what)
	}
	return nil
}

// owner returns the heap of which p is the backing slice, nil if it is none.
func (a *Analysis) owner(p *Place) *Place {
	if p == nil || p.Field == nil {
		return nil
	}
	for _, t := range a.pkg.Types {
		n := len(t.Slice)
		if n == 0 || t.Slice[n-1].Origin() != p.Field {
			continue
		}
		q := p
		for range n {
			if q = q.Parent; q == nil {
				break
			}
		}
		if q != nil && q.Named() == t.Obj {
			return q
		}
	}
	return nil
}

// callUses are the uses that a call makes.
func (a *Analysis) callUses(r *recorder, call ssa.CallInstruction) []*use {
	common := call.Common()
	if op := a.pkg.Op(call); op != nil {
		return a.opUses(r, op)
	}
	if _, _, ok := a.primitive(common); ok {
		return nil
	}
	targets := a.targets(common)
	var uses []*use
	known := false
	for _, t := range targets {
		if !common.IsInvoke() || a.onlyBehind(common) {
			a.called[t.fn] = true
		}
		if len(t.fn.Blocks) > 0 {
			known = true
		}
		uses = append(uses, a.targetUses(r, call, t)...)
	}
	if known {
		return uses
	}
	uses = append(uses, a.foreignMethod(r, call)...)
	uses = append(uses, a.worksOn(r, call)...)
	if p := a.paramOf(common.Value); p != nil && !common.IsInvoke() {
		uses = append(uses, &use{call: &paramCall{param: p, trace: []Frame{{Fn: r.fn, At: Pos(call)}}}})
	}
	return append(uses, a.handedOver(r, call)...)
}

// onlyBehind tells whether an interface call is of a method that the package keeps to
// itself: the interface is not exported, nor is another that has the method. Then what
// is behind it is called here and nowhere else.
func (a *Analysis) onlyBehind(call *ssa.CallCommon) bool {
	name := typeNameOf(call.Value.Type())
	return name != nil && name.Pkg() == a.pkg.IR.Pkg && !name.Exported() && !a.offered(call.Method.Name())
}

// offered tells whether an exported interface of the package has a method of that name.
func (a *Analysis) offered(method string) bool {
	scope := a.pkg.IR.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if ok && tn.Exported() && types.IsInterface(tn.Type()) && hasMethod(tn.Type(), method) {
			return true
		}
	}
	return false
}

func (a *Analysis) opUses(r *recorder, op *heaps.Op) []*use {
	if op.Model != nil && op.Model.Locked {
		return nil
	}
	p := a.places.Of(op.Heap)
	if p == nil {
		return nil
	}
	uses := a.direct(r, op.Instr, p, effectOf(op.Kind), op.Name())
	if src := a.copiedFrom(r.fn, op.Heap); src != nil && a.keepsIndex(op.Heap.Type()) {
		c := direct(r.fn, Pos(op.Instr), token.NoPos, a.alias.canonical(src), Operates, op.Name())
		c.Copy = true
		uses = append(uses, &use{access: c})
	}
	return uses
}

// keepsIndex tells whether the heap's Swap writes to the elements.
func (a *Analysis) keepsIndex(t types.Type) bool {
	ht := a.pkg.Type(t)
	return ht != nil && ht.Index != nil
}

// copiedFrom returns the slice of which a local heap is a copy, nil if it is none.
func (a *Analysis) copiedFrom(fn *ssa.Function, heap ssa.Value) *Place {
	cell := a.places.cell(heap)
	if cell == nil {
		return nil
	}
	switch val := a.places.onlyStore(cell).(type) {
	case *ssa.MakeSlice:
		return a.copySource(fn, a.places.Of(val))
	case *ssa.Call:
		return a.cloneSource(&val.Call)
	case *ssa.ChangeType:
		if call, ok := val.X.(*ssa.Call); ok {
			return a.cloneSource(&call.Call)
		}
	}
	return nil
}

// copySource finds copy(dst, src) in fn and returns the place of src.
func (a *Analysis) copySource(fn *ssa.Function, dst *Place) *Place {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if bi, ok := call.Call.Value.(*ssa.Builtin); ok && bi.Name() == "copy" && a.places.Of(call.Call.Args[0]) == dst {
				return a.places.Of(call.Call.Args[1])
			}
		}
	}
	return nil
}

// cloneSource returns what append(T(nil), src...) or slices.Clone(src) copies.
func (a *Analysis) cloneSource(call *ssa.CallCommon) *Place {
	if b, ok := call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(call.Args) == 2 {
		if c, ok := call.Args[0].(*ssa.Const); ok && c.IsNil() {
			return a.places.Of(call.Args[1])
		}
		return nil
	}
	if fn := call.StaticCallee(); fn != nil && origin(fn).String() == "slices.Clone" {
		return a.places.Of(call.Args[0])
	}
	return nil
}

// foreignMethod is the use that a call of a heap type's own method makes, if the
// type belongs to another package: what Len and the others do is known without
// seeing them.
func (a *Analysis) foreignMethod(r *recorder, call ssa.CallInstruction) []*use {
	m, recv := method(call.Common())
	if m == nil || a.pkg.Type(recv.Type()) == nil {
		return nil
	}
	e := Reads
	switch m.Name() {
	case "Len", "Less":
	case "Swap", "Push", "Pop":
		e = Writes
	default:
		return nil
	}
	p := a.places.Of(recv)
	if p == nil {
		return nil
	}
	return a.direct(r, call, p, e, m.Name())
}

// elemUse is an assignment to an element of a heap's slice, or to a field of one that
// is a value.
func (a *Analysis) elemUse(r *recorder, st *ssa.Store) []*use {
	addr := st.Addr
	for {
		f, ok := addr.(*ssa.FieldAddr)
		if !ok {
			break
		}
		addr = f.X
	}
	if elem, ok := addr.(*ssa.IndexAddr); ok {
		return a.inPlace(r, st, elem.X, "written")
	}
	return nil
}

// worksOn is the use that a builtin, package sort or package slices makes of a heap, or
// of its backing slice, when it changes what is in it.
func (a *Analysis) worksOn(r *recorder, call ssa.CallInstruction) []*use {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "copy" || b.Name() == "clear" {
			return a.inPlace(r, call, common.Args[0], b.Name())
		}
		return nil
	}
	if v, name := sortedValue(call); v != nil {
		return a.inPlace(r, call, unreversed(v), name)
	}
	if fn := common.StaticCallee(); fn != nil && shrinkFuncs[origin(fn).String()] {
		return a.inPlace(r, call, common.Args[0], origin(fn).String())
	}
	return nil
}

// shrinkFuncs move elements of the slice that is their first argument.
var shrinkFuncs = map[string]bool{
	"slices.Delete":      true,
	"slices.DeleteFunc":  true,
	"slices.Compact":     true,
	"slices.CompactFunc": true,
}

// unreversed is what sort.Reverse was given, or the value itself.
func unreversed(v ssa.Value) ssa.Value {
	if call, ok := heaps.Peel(v).(*ssa.Call); ok {
		if fn := call.Call.StaticCallee(); fn != nil && fn.String() == "sort.Reverse" {
			return call.Call.Args[0]
		}
	}
	return v
}

// inPlace is a change of the elements of a slice, or of a heap that is a struct.
func (a *Analysis) inPlace(r *recorder, instr ssa.Instruction, v ssa.Value, what string) []*use {
	v = heaps.Peel(v)
	p := a.places.Of(v)
	if p == nil || a.places.moved(v, r.fn) {
		return nil
	}
	if a.pkg.Type(v.Type()) == nil && !a.isHeapSlice(p.Type) {
		if p = a.owner(p); p == nil {
			return nil
		}
	}
	return a.direct(r, instr, p, Writes, what)
}

// sortedValue returns what a call puts in order and the name of the function that does
// so; nil for other calls.
func sortedValue(call ssa.CallInstruction) (v ssa.Value, name string) {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return nil, ""
	}
	m := methodOf(origin(callee))
	if m == nil || !sortFuncs[m.FullName()] {
		return nil, ""
	}
	return heaps.Peel(call.Common().Args[0]), m.Pkg().Name() + "." + m.Name()
}

// sortFuncs change the order of the slice that is their first argument, by
// [types.Func.FullName].
var sortFuncs = map[string]bool{
	"sort.Sort":             true,
	"sort.Stable":           true,
	"sort.Slice":            true,
	"sort.SliceStable":      true,
	"slices.Sort":           true,
	"slices.SortFunc":       true,
	"slices.SortStableFunc": true,
	"slices.Reverse":        true,
}

// targetUses are the uses that a called function makes, as the caller sees them.
func (a *Analysis) targetUses(r *recorder, call ssa.CallInstruction, t *target) []*use {
	if t.sum == nil {
		return nil
	}
	var uses []*use
	for _, acc := range t.sum.Accesses {
		b := a.substAccess(acc, t)
		if b == nil {
			continue
		}
		b.Trace = append([]Frame{{Fn: r.fn, At: Pos(call), Place: b.Place}}, acc.Trace...)
		uses = append(uses, &use{access: b})
	}
	for _, pc := range t.sum.calls {
		uses = append(uses, a.paramUses(r, call, t, pc)...)
	}
	return uses
}

// substAccess is a callee's access with its places as the caller knows them; nil if
// the heap cannot be named there.
func (a *Analysis) substAccess(acc *Access, t *target) *Access {
	p := a.subst(acc.Place, t)
	if p == nil {
		return nil
	}
	when, ok := substConditions(acc.When, t)
	if !ok {
		return nil
	}
	b := *acc
	b.Place, b.When = p, when
	b.Held, b.May, b.Dropped = a.substHeld(acc.Held, t), a.substHeld(acc.May, t), a.substPlaces(acc.Dropped, t)
	return &b
}

// substConditions gives conditions on a callee's parameters as conditions on the
// caller's. ok is false if the arguments contradict them.
func substConditions(when []Condition, t *target) (out []Condition, ok bool) {
	for _, c := range when {
		i := slices.Index(t.fn.Params, c.Param)
		if i < 0 {
			out = append(out, c) // of a function around
			continue
		}
		if i >= len(t.vals) {
			continue
		}
		switch v := t.vals[i].(type) {
		case *ssa.Const:
			if b, isBool := constBool(v); isBool && b != c.Value {
				return nil, false
			}
		case *ssa.Parameter:
			out = append(out, Condition{v, c.Value})
		}
	}
	return out, true
}

func (a *Analysis) substHeld(list []Held, t *target) []Held {
	var out []Held
	for _, h := range list {
		if p := a.subst(h.Place, t); p != nil {
			h.Place = p
			out = put(out, h)
		}
	}
	return out
}

func (a *Analysis) substPlaces(list []*Place, t *target) []*Place {
	var out []*Place
	for _, p := range list {
		if q := a.subst(p, t); q != nil {
			out = putPlace(out, q)
		}
	}
	return out
}

// paramUses are the uses that a function value makes which is given to a function
// that calls it.
func (a *Analysis) paramUses(r *recorder, call ssa.CallInstruction, t *target, pc *paramCall) []*use {
	c := *pc
	c.held, c.may, c.dropped = a.substHeld(pc.held, t), a.substHeld(pc.may, t), a.substPlaces(pc.dropped, t)
	c.trace = append([]Frame{{Fn: r.fn, At: Pos(call)}}, pc.trace...)
	if pc.param.Parent() != t.fn {
		return a.calledWith(r, pc.param, &c)
	}
	for i, q := range t.fn.Params {
		if q == pc.param && i < len(t.vals) {
			return a.calledWith(r, t.vals[i], &c)
		}
	}
	return nil
}

// calledWith are the uses of a function value that is called in the way of c.
func (a *Analysis) calledWith(r *recorder, v ssa.Value, c *paramCall) []*use {
	if p := a.paramOf(v); p != nil {
		c.param = p
		return []*use{{call: c}}
	}
	t := a.resolve(v, nil, 0)
	if t == nil || t.sum == nil {
		return nil
	}
	a.called[t.fn] = true
	var uses []*use
	for _, acc := range t.sum.Accesses {
		b := a.substAccess(acc, t)
		if b == nil {
			continue
		}
		b.Opaque = b.Opaque || c.opaque
		if b.Spawn = c.spawn; b.Spawn == nil {
			b.Again = again(b.Held, c.held)
			b.Held = above(b.Held, c.held, b.Dropped)
			b.May = above(b.May, c.may, b.Dropped)
			b.Dropped = union(b.Dropped, c.dropped)
		}
		b.Trace = append(append([]Frame{}, c.trace...), acc.Trace...)
		uses = append(uses, &use{access: b})
	}
	for _, inner := range t.sum.calls {
		d := *inner
		d.opaque = d.opaque || c.opaque
		d.held, d.may, d.dropped = a.substHeld(inner.held, t), a.substHeld(inner.may, t), a.substPlaces(inner.dropped, t)
		if d.spawn = c.spawn; d.spawn == nil {
			d.held, d.may, d.dropped = above(d.held, c.held, d.dropped), above(d.may, c.may, d.dropped), union(d.dropped, c.dropped)
		}
		d.trace = append(append([]Frame{}, c.trace...), inner.trace...)
		uses = append(uses, &use{call: &d})
	}
	return uses
}

// again returns a lock of the inner ones that is among the outer ones.
func again(inner, outer []Held) *Place {
	for _, h := range inner {
		if _, ok := find(outer, h.Place); ok {
			return h.Place
		}
	}
	return nil
}

// paramOf returns the parameter, of the function or one around it, that a value is.
func (a *Analysis) paramOf(v ssa.Value) *ssa.Parameter {
	for range 8 {
		switch x := v.(type) {
		case *ssa.Parameter:
			if _, ok := x.Type().Underlying().(*types.Signature); ok {
				return x
			}
			return nil
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			cell := a.places.cell(x.X)
			if cell == nil {
				return nil
			}
			v = a.places.onlyStore(cell)
		case *ssa.FreeVar:
			mc := a.places.closures[x.Parent()]
			if mc == nil {
				return nil
			}
			v = nil
			for i, fv := range x.Parent().FreeVars {
				if fv == x {
					v = mc.Bindings[i]
				}
			}
		default:
			return nil
		}
	}
	return nil
}

// spawned marks uses as made by code that runs elsewhere.
func (a *Analysis) spawned(r *recorder, instr ssa.Instruction, uses []*use, kind SpawnKind) []*use {
	sp := r.spawns[instr]
	if sp == nil {
		sp = &Spawn{Fn: r.fn, Instr: instr, Kind: kind, Many: inLoop(instr.Block())}
		r.spawns[instr] = sp
	}
	for _, u := range uses {
		if u.access != nil {
			u.access.Spawn = sp
		} else {
			u.call.spawn = sp
		}
	}
	return uses
}

// escapes are the uses that a function value makes which is stored, sent or
// returned: whoever finds it calls it, with no lock that we know of.
func (a *Analysis) escapes(r *recorder, instr ssa.Instruction, v ssa.Value) []*use {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		mi, ok := v.(*ssa.MakeInterface)
		if !ok {
			return nil
		}
		v = mi.X
		if _, ok := v.Type().Underlying().(*types.Signature); !ok {
			return nil
		}
	}
	if st, ok := instr.(*ssa.Store); ok && a.places.cell(st.Addr) != nil {
		return nil // a variable: its calls are followed
	}
	uses := a.calledWith(r, v, &paramCall{trace: []Frame{{Fn: r.fn, At: Pos(instr)}}})
	return a.spawned(r, instr, uses, Escaping)
}

// handedOver are the uses of function values that are arguments of a call which
// cannot be followed.
func (a *Analysis) handedOver(r *recorder, call ssa.CallInstruction) []*use {
	var uses []*use
	mode := handling(call.Common())
	for _, arg := range call.Common().Args {
		v := heaps.Peel(arg)
		if _, ok := v.Type().Underlying().(*types.Signature); !ok {
			continue
		}
		got := a.calledWith(r, v, &paramCall{trace: []Frame{{Fn: r.fn, At: Pos(call)}}})
		switch mode {
		case runsLater:
			kind := Callback
			if starts(call.Common()) {
				kind = Goroutine
			}
			got = a.spawned(r, call, got, kind)
		case runsOnce:
			for _, u := range got {
				if u.access != nil {
					u.access.Once = true
				}
			}
		case unknownHandling:
			for _, u := range got {
				if u.access != nil {
					u.access.Opaque = true
				} else {
					u.call.opaque = true
				}
			}
		}
		uses = append(uses, got...)
	}
	return uses
}

// Pos is the position of an instruction, or of what it works on if it has none of
// its own.
func Pos(instr ssa.Instruction) token.Pos {
	if call, ok := instr.(ssa.CallInstruction); ok {
		if p := call.Common().Pos(); p.IsValid() && !call.Common().IsInvoke() {
			return startOfCall(call)
		}
	}
	if p := instr.Pos(); p.IsValid() {
		return p
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil && (*op).Pos().IsValid() {
			return (*op).Pos()
		}
	}
	return token.NoPos
}

func startOfCall(call ssa.CallInstruction) token.Pos { return call.Pos() }

// inLoop tells whether a block can be reached from itself.
func inLoop(b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock{}, b.Succs...)
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		if c == b {
			return true
		}
		if !seen[c] {
			seen[c] = true
			work = append(work, c.Succs...)
		}
	}
	return false
}

func constBool(c *ssa.Const) (value, ok bool) {
	if c.Value == nil || c.Value.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(c.Value), true
}
