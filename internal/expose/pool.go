package expose

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/heapvet/heapvet/internal/lazyregexp"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// pools finds what is used after it went back into a sync.Pool: a result of the
// function that is a part of an object which the function puts back, and a pooled
// slice that two objects keep.
func (f *finder) pools() {
	f.putsGuarded()
	for _, put := range f.puts() {
		f.usedAfter(put)
		for _, b := range f.fn.Blocks {
			r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || b == f.fn.Recover || !put.before(r) {
				continue
			}
			for i := range r.Results {
				if res := locks.Result(r, i); f.aliases(res, put.place, 0) {
					out := f.report("pool", r.Pos(), nil, fmt.Sprintf("returns a part of %s, which is put back into its pool: the next user overwrites it", guards.Name(put.place)))
					out.Copy = mendPooled(put, r, i, res)
				}
			}
		}
	}
	f.secondOwner()
}

// usedAfter finds uses of an object after it went back into its pool.
func (f *finder) usedAfter(p put) {
	if p.deferred {
		return
	}
	v, ok := p.place.Root.(ssa.Instruction)
	uses.Walk(p.instr, func(instr ssa.Instruction) bool {
		if ok && instr == v {
			return false // another object
		}
		call, isCall := instr.(*ssa.Call)
		if !isCall || fullName(&call.Call) == "(*sync.Pool).Put" {
			return true
		}
		for _, arg := range call.Call.Args {
			if pointer, ok := arg.Type().Underlying().(*types.Pointer); ok && locks.IsStruct(pointer.Elem()) && f.a.Places().Of(arg) == p.place && uses.Dominates(p.instr, instr) {
				f.report("pool", locks.Pos(instr), nil, fmt.Sprintf("uses %s after it was put back into its pool, where somebody else may have it by now", guards.Name(p.place)))
				return false
			}
		}
		return true
	})
}

var endWords = lazyregexp.New(`(?i)^(close|free|release|destroy|stop|shutdown|recycle|dispose|put|done|finish)`)

// putsGuarded finds guarded slices that go into a pool while their field still has them.
func (f *finder) putsGuarded() {
	if endWords.MatchString(f.fn.Name()) {
		return
	}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, v := range f.putArgs(&call.Call, 0) {
				fd, q := f.fs.At(f.a.Canonical(f.a.Places().Of(v)))
				if fd == nil || !fd.InPlace || f.replaced(q) || !f.leaves(fd, q) || f.removes(q) || root(q) != q && fresh(root(q).Root, nil, 0) {
					continue
				}
				f.report("pool", locks.Pos(call), fd, fmt.Sprintf("puts %s into a pool and keeps it: the next user changes it without %s", fd, fd.Guard))
			}
		}
	}
}

// mendPooled says how to return a copy of what is put back after the results are
// computed.
func mendPooled(p put, r *ssa.Return, i int, res ssa.Value) *Copy {
	fn := cloneFunc(res.Type())
	if s, ok := res.Type().Underlying().(*types.Slice); fn == "" || !p.deferred || ok && heaps.HoldsReferences(s.Elem()) {
		return nil
	}
	if call, ok := res.(*ssa.Call); ok && bufferWindow(&call.Call) != nil {
		fn = "bytes.Clone"
	}
	return &Copy{Func: fn, Pos: r.Pos(), Result: i}
}

// A put is an object that goes back into a pool in the function.
type put struct {
	place    *locks.Place
	instr    ssa.Instruction
	deferred bool
}

func (p put) before(r *ssa.Return) bool {
	return p.deferred || p.instr.Block().Dominates(r.Block())
}

func (f *finder) puts() []put {
	var list []put
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, isGo := instr.(*ssa.Go); isGo {
				continue
			}
			for _, v := range f.putArgs(call.Common(), 0) {
				p := f.a.Places().Of(v)
				if p == nil || p.Parent != nil {
					continue
				}
				if _, param := p.Root.(*ssa.Parameter); param {
					continue
				}
				_, deferred := instr.(*ssa.Defer)
				list = append(list, put{p, instr, deferred})
			}
		}
	}
	return list
}

// putArgs returns the arguments of a call that it puts into a pool.
func (f *finder) putArgs(call *ssa.CallCommon, depth int) []ssa.Value {
	if depth > 2 {
		return nil
	}
	if fullName(call) == "(*sync.Pool).Put" {
		return []ssa.Value{heaps.Peel(call.Args[1])}
	}
	fn := call.StaticCallee()
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	var list []ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			inner, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, v := range f.putArgs(&inner.Call, depth+1) {
				for i, q := range fn.Params {
					if holds(v, q) && i < len(call.Args) {
						list = append(list, call.Args[i])
					}
				}
			}
		}
	}
	return list
}

// holds tells whether a value is the parameter, or the address of its copy.
func holds(v ssa.Value, p *ssa.Parameter) bool {
	if v == p {
		return true
	}
	a, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range *a.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == a && st.Val == p {
			return true
		}
	}
	return false
}

// aliases tells whether a value shares memory with the object at p.
func (f *finder) aliases(v ssa.Value, p *locks.Place, depth int) bool {
	if depth > 6 || !sharesMemory(v.Type()) {
		return false
	}
	v = heaps.Peel(v)
	if types.IsInterface(v.Type()) {
		return false // an error, say, that the object was given
	}
	if call, ok := v.(*ssa.Call); ok {
		buf := bufferWindow(&call.Call)
		return buf != nil && f.a.Places().Of(buf) == p
	}
	if phi, ok := v.(*ssa.Phi); ok {
		for _, e := range phi.Edges {
			if f.aliases(e, p, depth+1) {
				return true
			}
		}
		return false
	}
	q := f.a.Places().Of(v)
	for ; q != nil; q = q.Parent {
		if q == p {
			return true
		}
	}
	return false
}

func sharesMemory(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// secondOwner finds a field that goes back into a pool with its object and is
// assigned to the same field of another object: both put it back.
func (f *finder) secondOwner() {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			to, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || !sharesMemory(st.Val.Type()) {
				continue
			}
			load, ok := st.Val.(*ssa.UnOp)
			if !ok {
				continue
			}
			from, ok := load.X.(*ssa.FieldAddr)
			if !ok || from.X == to.X || locks.Field(from) != locks.Field(to) || f.counted() || !f.pooled(locks.Field(to)) {
				continue
			}
			f.report("pool", st.Pos(), nil, fmt.Sprintf("gives %s a second owner, and both put it back into the pool: it is handed out twice", locks.Field(to).Name()))
		}
	}
}

var countWords = lazyregexp.New(`(?i)^(ref|addref|incref|inc|retain|acquire|grab|keep)`)

// counted tells whether the function counts references: then the last owner puts the
// object back.
func (f *finder) counted() bool {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			name := calleeName(&call.Call)
			if fn := call.Call.StaticCallee(); fn != nil {
				name = fn.Name()
				if fn.Object() != nil && fn.Object().Pkg() != nil && fn.Object().Pkg().Path() == "sync/atomic" && strings.HasPrefix(name, "Add") {
					return true
				}
			}
			if countWords.MatchString(name) {
				return true
			}
		}
	}
	return false
}

// pooled tells whether some function of the package puts the field into a pool.
func (f *finder) pooled(field *types.Var) bool {
	if f.inPools == nil {
		f.inPools = map[*types.Var]bool{}
		for _, fn := range f.a.Heaps().IR.Funcs {
			f.poolFields(fn)
		}
	}
	return f.inPools[field]
}

// poolFields notes the fields that a function puts into a pool.
func (f *finder) poolFields(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, v := range f.putArgs(&call.Call, 0) {
				if load, ok := v.(*ssa.UnOp); ok {
					if fa, ok := load.X.(*ssa.FieldAddr); ok {
						f.inPools[locks.Field(fa)] = true
					}
				}
			}
		}
	}
}
