package order

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// A Comparator is a function by which a heap orders its elements.
type Comparator struct {
	Fn   *ssa.Function
	Kind Kind
	// Heap is the heap type, nil if the comparator goes to a heap of another
	// library.
	Heap *heaps.Type
	// Closure is the expression that made it, with its bindings, nil for
	// functions and methods that capture nothing.
	Closure *ssa.MakeClosure
}

// Comparators returns the comparators of the heaps of a package whose source is
// in the package: Less methods, the functions that those call through a field of
// the heap, and functions given to a heap of another package. They are in source
// order of finding, each once for each heap type that it orders.
func Comparators(p *heaps.Package) []Comparator {
	f := &finder{heaps: p, seen: map[use]bool{}, fields: map[fieldUse]bool{}}
	for _, t := range p.Types {
		if t.Less == nil || t.Less.Pkg != p.IR.Package {
			continue
		}
		f.add(Comparator{Fn: t.Less, Kind: IndexLess, Heap: t})
		for _, s := range storedIn(t.Less) {
			f.indexed, f.method = s.indexed, s.method
			f.stored(t, s.field)
		}
		f.indexed, f.method = false, nil
	}
	f.libraries()
	return f.found
}

type finder struct {
	heaps  *heaps.Package
	seen   map[use]bool
	fields map[fieldUse]bool
	found  []Comparator
	// indexed says that the functions being followed take indices; method, that
	// values of an interface are being followed, of which that method is called.
	indexed bool
	method  *types.Func
}

// A use is a comparator of a heap type, a fieldUse a field that holds one.
type (
	use struct {
		fn   *ssa.Function
		heap *heaps.Type
	}
	fieldUse struct {
		field *types.Var
		heap  *heaps.Type
	}
)

func (f *finder) add(c Comparator) {
	if c.Kind == NoComparator || f.seen[use{c.Fn, c.Heap}] || len(c.Fn.Blocks) == 0 {
		return
	}
	f.seen[use{c.Fn, c.Heap}] = true
	f.found = append(f.found, c)
}

// A storedFunc is a struct field through which a Less method calls a function,
// with its own indices or with elements, or a method of an interface.
type storedFunc struct {
	field   *types.Var
	indexed bool
	method  *types.Func // of the interface, nil for a function
}

// storedIn are the struct fields through which a Less method calls a function
// with two elements, in the method itself or in a function that it calls.
func storedIn(less *ssa.Function) []storedFunc {
	var fields []storedFunc
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function, depth int)
	visit = func(fn *ssa.Function, depth int) {
		if fn == nil || seen[fn] || depth > 4 {
			return
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*ssa.Call)
				if !ok {
					continue
				}
				if call.Call.IsInvoke() {
					path, _ := heaps.FieldPath(call.Call.Value)
					if len(path) > 0 && KindOf(call.Call.Signature()) != NoComparator && !heaps.IsInterface(call.Call.Value.Type()) {
						fields = append(fields, storedFunc{field: path[len(path)-1], method: call.Call.Method})
					}
					continue
				}
				if callee := call.Call.StaticCallee(); callee != nil {
					visit(bodyOf(callee), depth+1)
					continue
				}
				if KindOf(call.Call.Signature()) == NoComparator {
					continue
				}
				if path, _ := heaps.FieldPath(call.Call.Value); len(path) > 0 {
					args := call.Call.Args
					last, _ := args[len(args)-1].(*ssa.Parameter)
					fields = append(fields, storedFunc{field: path[len(path)-1], indexed: fn == less && last != nil})
				}
			}
		}
	}
	visit(less, 0)
	return fields
}

// stored adds the functions that the package stores in a field.
func (f *finder) stored(t *heaps.Type, field *types.Var) {
	field = field.Origin()
	if f.fields[fieldUse{field, t}] {
		return
	}
	f.fields[fieldUse{field, t}] = true
	for _, fn := range f.heaps.IR.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				addr, ok := st.Addr.(*ssa.FieldAddr)
				if ok && FieldOf(addr).Origin() == field {
					f.flow(t, st.Val, 0)
				}
			}
		}
	}
}

// FieldOf is the field that an instruction takes the address of.
func FieldOf(addr *ssa.FieldAddr) *types.Var {
	t := addr.X.Type().Underlying().(*types.Pointer).Elem()
	if s, ok := t.Underlying().(*types.Struct); ok {
		return s.Field(addr.Field)
	}
	return types.NewField(0, nil, "", types.Typ[types.Invalid], false)
}

// flow adds the functions that v can be.
func (f *finder) flow(t *heaps.Type, v ssa.Value, depth int) {
	if depth > 6 {
		return
	}
	switch v := v.(type) {
	case *ssa.Function:
		f.function(t, v, nil)
	case *ssa.MakeClosure:
		f.function(t, v.Fn.(*ssa.Function), v)
	case *ssa.ChangeType:
		f.flow(t, v.X, depth)
	case *ssa.MakeInterface:
		if f.method != nil {
			f.object(t, v.X.Type())
			return
		}
		f.flow(t, v.X, depth)
	case *ssa.Phi:
		for _, e := range v.Edges {
			f.flow(t, e, depth+1)
		}
	case *ssa.UnOp:
		f.variable(t, v.X, depth+1)
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		if callee == nil {
			return
		}
		body := bodyOf(callee)
		if body == nil || body.Pkg != f.heaps.IR.Package {
			return
		}
		for _, b := range body.Blocks {
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) > 0 {
				f.flow(t, r.Results[0], depth+1)
			}
		}
	case *ssa.Parameter:
		f.parameter(t, v, depth+1)
	}
}

// object adds the method of a comparator that is an object behind an interface.
func (f *finder) object(t *heaps.Type, typ types.Type) {
	sel := f.heaps.IR.Prog.MethodSets.MethodSet(typ).Lookup(f.method.Pkg(), f.method.Name())
	if sel == nil || types.IsInterface(typ) {
		return
	}
	fn := f.heaps.IR.Prog.MethodValue(sel)
	if fn == nil {
		return
	}
	if fn.Synthetic != "" && fn.Origin() == nil {
		if fn = wrapped(fn); fn == nil {
			return
		}
	}
	f.function(t, fn, nil)
}

// variable follows a local or package variable that holds a function.
func (f *finder) variable(t *heaps.Type, addr ssa.Value, depth int) {
	switch addr := addr.(type) {
	case *ssa.Alloc:
		for _, r := range *addr.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == addr {
				f.flow(t, st.Val, depth)
			}
		}
	case *ssa.Global:
		for _, fn := range f.heaps.IR.Funcs {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if st, ok := in.(*ssa.Store); ok && st.Addr == addr {
						f.flow(t, st.Val, depth)
					}
				}
			}
		}
	case *ssa.FieldAddr:
		f.stored(t, FieldOf(addr))
	}
}

// parameter follows a parameter to the arguments that the package passes for it.
func (f *finder) parameter(t *heaps.Type, p *ssa.Parameter, depth int) {
	fn := p.Parent()
	at := -1
	for i, q := range fn.Params {
		if q == p {
			at = i
		}
	}
	for _, caller := range f.heaps.IR.Funcs {
		for _, b := range caller.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				callee := call.Common().StaticCallee()
				if callee != nil && (callee == fn || callee.Origin() == fn) && at < len(call.Common().Args) {
					f.flow(t, call.Common().Args[at], depth)
				}
			}
		}
	}
}

// function adds fn, or the method behind a method value.
func (f *finder) function(t *heaps.Type, fn *ssa.Function, closure *ssa.MakeClosure) {
	kind := KindOf(fn.Signature)
	if f.indexed && kind == Less {
		kind = IndexLess
	}
	if fn.Synthetic != "" && fn.Pkg == nil || fn.Synthetic != "" && len(fn.FreeVars) == 1 {
		if m := wrapped(fn); m != nil { // a method value or expression
			fn = m
		}
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == f.heaps.IR.Package {
		f.add(Comparator{Fn: fn, Kind: kind, Heap: t, Closure: closure})
	}
}

// wrapped is the method that a synthetic wrapper calls.
func wrapped(fn *ssa.Function) *ssa.Function {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok {
				return call.Call.StaticCallee()
			}
		}
	}
	return nil
}

// libraries adds the functions that are given to functions of packages with heaps.
func (f *finder) libraries() {
	others := map[*types.Package]bool{}
	for _, t := range f.heaps.Types {
		others[t.Obj.Pkg()] = true
	}
	for _, fn := range f.heaps.IR.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok {
					f.library(call, others)
				}
			}
		}
	}
}

func (f *finder) library(call ssa.CallInstruction, others map[*types.Package]bool) {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return
	}
	obj, _ := callee.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil || obj.Pkg() == f.heaps.IR.Pkg {
		return
	}
	if path := obj.Pkg().Path(); path == "container/heap" || !heaps.Imports(path) && !others[obj.Pkg()] {
		return
	}
	for _, a := range call.Common().Args {
		if sig, ok := a.Type().Underlying().(*types.Signature); ok && KindOf(sig) != NoComparator {
			f.flow(nil, a, 0)
		}
	}
}
