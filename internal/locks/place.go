package locks

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A Place names a memory location as the code reaches it: a root and the fields
// and indices from there. Pointers are seen through, so that the place of q.mu is
// the same whether q is a pointer or a value and whether the field is a mutex or a
// pointer to one. Places are interned in a [Places]: two are the same location iff
// they are the same pointer.
type Place struct {
	id int
	// Root is where the place starts: a parameter, a global, an allocation, the
	// result of a call, or any value that could not be followed further.
	Root ssa.Value
	// Parent is the place that this one is a part of, nil if it is the root.
	Parent *Place
	// Field is the last step if it is a field; nil if it is an index or the root.
	Field *types.Var
	// index is the last step if it is an element of a slice, array or map.
	index any
	// Type is the type of what stands there, behind pointers.
	Type types.Type
}

// unknownIndex is the index of "some element". It is equal to no index, not even
// itself: two places with it need not be one.
type unknownIndex struct{}

// asType is the step from an interface to the concrete value in it. It is there so
// that the type is known; it is no step in the source.
type asType struct{ name *types.TypeName }

// Transparent tells whether the last step is not one in the source: from an
// interface to what is in it.
func (p *Place) Transparent() bool {
	_, ok := p.index.(asType)
	return ok
}

// Index returns the place that the last step's index was loaded from: that of i in
// m[q.i]. It is nil for other indices and for fields.
func (p *Place) Index() *Place {
	q, _ := p.index.(*Place)
	return q
}

// IndexValue is the value that the last step's index is; nil for one that is loaded from
// a variable or constant, and for fields.
func (p *Place) IndexValue() ssa.Value {
	v, _ := p.index.(ssa.Value)
	return v
}

// Named returns the named type of what stands at the place, nil if it has none.
func (p *Place) Named() *types.TypeName {
	if n, ok := types.Unalias(p.Type).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// Definite tells whether the place is one location at a time, which a place with
// an unknown index is not.
func (p *Place) Definite() bool {
	for ; p != nil; p = p.Parent {
		if _, unknown := p.index.(unknownIndex); unknown {
			return false
		}
	}
	return true
}

// From returns the steps from ancestor to p as a path, with "[]" for any index,
// and whether ancestor is one.
func (p *Place) From(ancestor *Place) (Path, bool) {
	var rev []Step
	for ; p != ancestor; p = p.Parent {
		if p == nil {
			return nil, false
		}
		if p.Parent == nil {
			return nil, false
		}
		step := Step{Field: p.Field}
		if as, ok := p.index.(asType); ok {
			step.As = as.name
		}
		rev = append(rev, step)
	}
	path := make(Path, len(rev))
	for i, s := range rev {
		path[len(rev)-1-i] = s
	}
	return path, true
}

// Ancestors returns p and the places that it is a part of, innermost first.
func (p *Place) Ancestors() []*Place {
	var all []*Place
	for ; p != nil; p = p.Parent {
		all = append(all, p)
	}
	return all
}

// A Path is a way from an object to a part of it.
type Path []Step

// A Step is a field, a concrete type behind an interface, or else an element.
type Step struct {
	Field *types.Var
	As    *types.TypeName
}

// String is the path as one would write it in Go after the object and a dot.
func (p Path) String() string {
	var b strings.Builder
	for _, s := range p {
		if s.As != nil {
			continue
		}
		if s.Field == nil {
			b.WriteString("[]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.Field.Name())
	}
	return b.String()
}

// Places interns the places of one package.
type Places struct {
	byKey   map[placeKey]*Place
	byValue map[ssa.Value]*Place
	busy    map[ssa.Value]bool
	// closures finds the one instruction that makes each function literal's
	// closure, by which its free variables are known.
	closures map[*ssa.Function]*ssa.MakeClosure
	results  map[*ssa.Function]*Place
	stores   map[*ssa.Alloc]ssa.Value
	methods  func(*ssa.Function) *ssa.Function
	nextID   int
}

type placeKey struct {
	root   ssa.Value
	parent *Place
	field  *types.Var
	index  any
}

func newPlaces(funcs []*ssa.Function) *Places {
	ps := &Places{
		byKey:    map[placeKey]*Place{},
		byValue:  map[ssa.Value]*Place{},
		busy:     map[ssa.Value]bool{},
		closures: map[*ssa.Function]*ssa.MakeClosure{},
		results:  map[*ssa.Function]*Place{},
		stores:   map[*ssa.Alloc]ssa.Value{},
	}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if mc, ok := instr.(*ssa.MakeClosure); ok {
					ps.closures[mc.Fn.(*ssa.Function)] = mc
				}
			}
		}
	}
	return ps
}

func (ps *Places) intern(k placeKey, t types.Type) *Place {
	if p := ps.byKey[k]; p != nil {
		return p
	}
	ps.nextID++
	p := &Place{id: ps.nextID, Root: k.root, Parent: k.parent, Field: k.field, index: k.index, Type: behind(t)}
	if k.parent != nil {
		p.Root = k.parent.Root
	}
	ps.byKey[k] = p
	return p
}

func (ps *Places) root(v ssa.Value) *Place { return ps.intern(placeKey{root: v}, v.Type()) }

// field returns the place of a field of p.
func (ps *Places) field(p *Place, f *types.Var) *Place {
	return ps.intern(placeKey{parent: p, field: f.Origin()}, f.Type())
}

// elem returns the place of an element of p.
func (ps *Places) elem(p *Place, index any, t types.Type) *Place {
	if v, ok := index.(ssa.Value); ok {
		index = ps.indexKey(v)
	}
	return ps.intern(placeKey{parent: p, index: index}, t)
}

// Elem returns the place of the element of p with an index.
func (ps *Places) Elem(p *Place, index ssa.Value, t types.Type) *Place { return ps.elem(p, index, t) }

// indexKey is equal for indices that are the same by construction: constants of one
// value, and loads of one variable. (That the variable changes between the lock and
// the unlock of m[i] is not what code that does both means.)
func (ps *Places) indexKey(v ssa.Value) any {
	switch x := v.(type) {
	case *ssa.Const:
		return x.String()
	case *ssa.Convert:
		return ps.indexKey(x.X)
	case *ssa.MakeInterface:
		return ps.indexKey(x.X)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return v
		}
		if cell := ps.cell(x.X); cell != nil {
			if val := ps.onlyStore(cell); val != nil {
				return ps.indexKey(val)
			}
			return ssa.Value(cell)
		}
		if p := ps.Of(x.X); p != nil {
			return p
		}
	}
	return v
}

// append returns the place at the end of a path that starts at p.
func (ps *Places) append(p *Place, path Path) *Place {
	for _, s := range path {
		switch {
		case s.Field != nil:
			p = ps.field(p, s.Field)
		case s.As != nil:
			p = ps.as(p, s.As)
		default:
			p = ps.elem(p, unknownIndex{}, elemType(p.Type))
		}
	}
	return p
}

// as returns the place of the concrete value in the interface at p.
func (ps *Places) as(p *Place, name *types.TypeName) *Place {
	if !types.IsInterface(p.Type) {
		return p
	}
	return ps.intern(placeKey{parent: p, index: asType{name}}, name.Type())
}

// rebase moves a place from one root to another place: what stood at old now
// stands at to. It returns p itself if it is not a part of old.
func (ps *Places) rebase(p, old, to *Place) *Place {
	if p == old {
		return to
	}
	if p == nil || p.Parent == nil {
		return p
	}
	parent := ps.rebase(p.Parent, old, to)
	if parent == p.Parent {
		return p
	}
	return ps.intern(placeKey{parent: parent, field: p.Field, index: p.index}, p.Type)
}

// Of returns the place of the object that v is, or points to; nil for values that
// are at no place (constants, results of arithmetic).
func (ps *Places) Of(v ssa.Value) *Place {
	if p, ok := ps.byValue[v]; ok {
		return p
	}
	if ps.busy[v] { // a loop of phis: whoever asks first decides
		return nil
	}
	ps.busy[v] = true
	p := ps.find(v)
	delete(ps.busy, v)
	ps.byValue[v] = p
	return p
}

func (ps *Places) find(v ssa.Value) *Place {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.BinOp:
		return nil
	case *ssa.FreeVar:
		return ps.freeVar(v)
	case *ssa.UnOp:
		return ps.unOp(v)
	case *ssa.FieldAddr:
		return ps.fieldOf(v, v.X, v.Field)
	case *ssa.Field:
		return ps.fieldOf(v, v.X, v.Field)
	case *ssa.IndexAddr:
		return ps.elemOf(v, v.X, v.Index)
	case *ssa.Index:
		return ps.elemOf(v, v.X, v.Index)
	case *ssa.Lookup:
		return ps.elemOf(v, v.X, v.Index)
	case *ssa.MakeInterface:
		return ps.Of(v.X)
	case *ssa.ChangeInterface:
		return ps.Of(v.X)
	case *ssa.ChangeType:
		return ps.Of(v.X)
	case *ssa.TypeAssert:
		return ps.Of(v.X)
	case *ssa.Slice:
		return ps.Of(v.X)
	case *ssa.Extract:
		return ps.extract(v)
	case *ssa.Phi:
		return ps.phi(v)
	case *ssa.Alloc:
		return ps.alloc(v)
	case *ssa.Call:
		return ps.call(v)
	}
	return ps.root(v)
}

// maxSteps bounds the length of a place within a function. Only generated code goes
// so deep.
const maxSteps = 24

func (ps *Places) fieldOf(v, x ssa.Value, i int) *Place {
	p := ps.Of(x)
	if p == nil || p.depth() >= maxSteps {
		return ps.root(v)
	}
	f := fieldAt(x.Type(), i)
	if f == nil {
		return ps.root(v)
	}
	return ps.field(p, f)
}

func (ps *Places) elemOf(v, x, index ssa.Value) *Place {
	p := ps.Of(x)
	if p == nil || p.depth() >= maxSteps {
		return ps.root(v)
	}
	t := v.Type()
	if tuple, ok := t.(*types.Tuple); ok { // comma-ok lookup
		t = tuple.At(0).Type()
	}
	return ps.elem(p, index, t)
}

// freeVar resolves a captured variable to what the closure was made with.
func (ps *Places) freeVar(v *ssa.FreeVar) *Place {
	mc := ps.closures[v.Parent()]
	if mc == nil {
		return ps.root(v)
	}
	for i, fv := range v.Parent().FreeVars {
		if fv == v {
			if p := ps.Of(mc.Bindings[i]); p != nil {
				return p
			}
		}
	}
	return ps.root(v)
}

// unOp resolves a load. A load from a variable that is set once gives what it was
// set to; any other load names the same place as its address.
func (ps *Places) unOp(v *ssa.UnOp) *Place {
	if v.Op != token.MUL {
		return ps.root(v)
	}
	if cell := ps.cell(v.X); cell != nil {
		if val := ps.onlyStore(cell); val != nil {
			if p := ps.Of(val); p != nil {
				return p
			}
			return nil
		}
	}
	if p := ps.Of(v.X); p != nil {
		return p
	}
	return ps.root(v)
}

// cell returns the variable whose address v is, captured ones included.
func (ps *Places) cell(v ssa.Value) *ssa.Alloc {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return x
		case *ssa.FreeVar:
			mc := ps.closures[x.Parent()]
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
}

// alloc resolves a variable whose address is taken. One that holds a copy of a
// slice or pointer from elsewhere (pending := m[k]; heap.Push(&pending, x)) stands
// for what it was copied from: both share the memory behind.
func (ps *Places) alloc(a *ssa.Alloc) *Place {
	switch a.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
	case *types.Slice, *types.Pointer, *types.Map, *types.Interface, *types.Chan:
	case *types.Struct:
		if val := ps.onlyStore(a); val != nil {
			if _, ok := val.(*ssa.Parameter); ok || readOnly(a) {
				if p := ps.Of(val); p != nil {
					return p
				}
			}
		}
		return ps.root(a)
	default:
		return ps.root(a)
	}
	if val := ps.onlyStore(a); val != nil && !ps.moved(val, a.Parent()) && !appends(val) {
		if p := ps.Of(val); p != nil {
			return p
		}
	}
	return ps.root(a)
}

// appends tells whether a value is what append returns, which is nowhere else.
func appends(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append"
}

// readOnly tells whether a struct variable is only read after it was set: then its
// parts are those of what it is a copy of, as far as they are references.
func readOnly(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != a {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			if !onlyLoaded(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func onlyLoaded(addr *ssa.FieldAddr) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			if !onlyLoaded(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// moved tells whether a slice was taken out of where it was loaded from: the same
// place is set to something else in the function (old := q.h; q.h = nil). Then what
// was loaded is the function's own.
func (ps *Places) moved(val ssa.Value, fn *ssa.Function) bool {
	load, ok := val.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	from := ps.Of(load.X)
	if from == nil {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if st, ok := instr.(*ssa.Store); ok && ps.Of(st.Addr) == from && ps.Of(st.Val) != from {
				return true
			}
		}
	}
	return false
}

// onlyStore is [onlyStore], remembered.
func (ps *Places) onlyStore(a *ssa.Alloc) ssa.Value {
	val, ok := ps.stores[a]
	if !ok {
		val = onlyStore(a)
		ps.stores[a] = val
	}
	return val
}

// onlyStore returns the value that a variable is set to, if that happens once in
// its function and the closures that capture it. Taking its address for a call
// (heap.Push(&h, x)) does not count: it changes what the variable holds, not what
// it is a copy of.
func onlyStore(a *ssa.Alloc) ssa.Value {
	var val ssa.Value
	n := 0
	var count func(addr ssa.Value)
	count = func(addr ssa.Value) {
		for _, r := range *addr.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == addr {
					val = r.Val
					n++
				}
			case *ssa.MakeClosure:
				fn := r.Fn.(*ssa.Function)
				for i, b := range r.Bindings {
					if b == addr && i < len(fn.FreeVars) {
						count(fn.FreeVars[i])
					}
				}
			}
		}
	}
	count(a)
	if n == 1 {
		return val
	}
	return nil
}

// extract resolves one result of a tuple: a comma-ok lookup or assertion, the
// element of a range over a map, or a result of a call.
func (ps *Places) extract(v *ssa.Extract) *Place {
	switch x := v.Tuple.(type) {
	case *ssa.Lookup, *ssa.TypeAssert:
		if v.Index == 0 {
			return ps.Of(x)
		}
		return nil
	case *ssa.Next:
		r, ok := x.Iter.(*ssa.Range)
		if !ok || v.Index != 2 {
			return ps.root(v)
		}
		if p := ps.Of(r.X); p != nil {
			return ps.elem(p, x, v.Type())
		}
	case *ssa.Call:
		if fn := x.Call.StaticCallee(); fn != nil {
			if p := ps.resultOf(origin(fn), v.Index, x); p != nil {
				return p
			}
		}
	}
	return ps.root(v)
}

// phi resolves a merge: if all ways in name one place, it is that place; if they
// differ in indices alone, it is some element.
func (ps *Places) phi(v *ssa.Phi) *Place {
	var p *Place
	for _, e := range v.Edges {
		if c, ok := e.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		q := ps.Of(e)
		if home := ps.home(e); home != nil {
			q = home
		}
		switch {
		case q == nil && ps.busy[e]:
		case q == nil:
			return ps.root(v)
		case p == nil:
			p = q
		case p != q:
			if p = ps.either(p, q); p == nil {
				return ps.root(v)
			}
		}
	}
	if p == nil {
		return ps.root(v)
	}
	return p
}

// home returns where a new object is stored, if that is one place: in
// if q == nil { q = &queue{}; m[k] = q } it is m[k], as for the other way to get q.
func (ps *Places) home(v ssa.Value) *Place {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
	default:
		return nil
	}
	a := v
	var home *Place
	for _, r := range *a.Referrers() {
		var p *Place
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Value == a {
				if m := ps.Of(r.Map); m != nil {
					p = ps.elem(m, r.Key, a.Type())
				}
			}
		case *ssa.MakeInterface:
			p = ps.boxed(r)
		case *ssa.Store:
			if r.Val == a && ps.cell(r.Addr) == nil {
				p = ps.Of(r.Addr)
			}
		}
		if p != nil && home != nil && p != home {
			return nil
		}
		if p != nil {
			home = p
		}
	}
	return home
}

// boxed is the home of an object that is stored as an interface value.
func (ps *Places) boxed(mi *ssa.MakeInterface) *Place {
	for _, r := range *mi.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if m := ps.Of(r.Map); r.Value == mi && m != nil {
				return ps.elem(m, r.Key, mi.X.Type())
			}
		case *ssa.Store:
			if r.Val == mi && ps.cell(r.Addr) == nil {
				return ps.Of(r.Addr)
			}
		}
	}
	return nil
}

// either returns the place that covers both, nil if they differ in more than
// indices.
func (ps *Places) either(p, q *Place) *Place {
	if p == q {
		return p
	}
	if p.Parent == nil || q.Parent == nil || p.Field != q.Field {
		return nil
	}
	parent := ps.either(p.Parent, q.Parent)
	if parent == nil {
		return nil
	}
	if p.Field != nil {
		return ps.field(parent, p.Field)
	}
	return ps.elem(parent, unknownIndex{}, p.Type)
}

// call resolves the result of a call: of a function of the package that always
// returns the same part of a parameter or global, it is that part.
func (ps *Places) call(v *ssa.Call) *Place {
	if fn := v.Call.StaticCallee(); fn != nil {
		if p := ps.resultOf(origin(fn), 0, v); p != nil {
			return p
		}
	}
	return ps.root(v)
}

func (ps *Places) resultOf(fn *ssa.Function, i int, call *ssa.Call) *Place {
	p := ps.returned(fn, i)
	if p == nil {
		return nil
	}
	param, ok := p.Root.(*ssa.Parameter)
	if !ok {
		return p // a global
	}
	for i, q := range fn.Params {
		if q == param && i < len(call.Call.Args) {
			if arg := ps.Of(call.Call.Args[i]); arg != nil {
				return ps.distinct(ps.rebase(p, ps.root(param), arg), p, call)
			}
		}
	}
	return nil
}

// distinct gives the indices that the callee chose an identity of the call's: two
// calls of shardFor(key) need not return the same shard.
func (ps *Places) distinct(p, in *Place, call *ssa.Call) *Place {
	if p == nil || in == nil || p.Parent == nil || in.Parent == nil {
		return p
	}
	parent := ps.distinct(p.Parent, in.Parent, call)
	index := p.index
	if v, ok := index.(ssa.Value); ok && v.Parent() != call.Parent() {
		index = ssa.Value(call)
	}
	if _, ok := index.(*ssa.Next); ok {
		index = ssa.Value(call)
	}
	return ps.intern(placeKey{parent: parent, field: p.Field, index: index}, p.Type)
}

// returned finds the place, rooted in a parameter or global, that all returns of
// fn give as result i; nil if there is no such one.
func (ps *Places) returned(fn *ssa.Function, i int) *Place {
	if i == 0 {
		if p, ok := ps.results[fn]; ok {
			return p
		}
		ps.results[fn] = nil // for recursion
	}
	if res := fn.Signature.Results(); i < res.Len() && IsStruct(res.At(i).Type()) {
		return nil // a copy
	}
	var p *Place
	for _, b := range fn.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || i >= len(r.Results) || b == fn.Recover {
			continue
		}
		res := Result(r, i)
		if c, ok := res.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		q := ps.Of(res)
		if q == nil || p != nil && q != p && ps.either(p, q) == nil || ps.moved(res, fn) {
			return nil
		}
		if p != nil && p != q {
			q = ps.either(p, q)
		}
		p = q
	}
	if p == nil {
		return nil
	}
	switch p.Root.(type) {
	case *ssa.Parameter, *ssa.Global:
	default:
		return nil
	}
	if i == 0 {
		ps.results[fn] = p
	}
	return p
}

// Result returns the i'th result of a return statement. In a function with deferred
// calls go/ssa stores results to variables first, and loads them after those calls;
// the value that the statement names is the one stored.
func Result(r *ssa.Return, i int) ssa.Value {
	v := r.Results[i]
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	cell, ok := load.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	for j := len(r.Block().Instrs) - 1; j >= 0; j-- {
		if st, ok := r.Block().Instrs[j].(*ssa.Store); ok && st.Addr == cell {
			return st.Val
		}
	}
	return v
}

// Field returns the field that an address is of, in its generic form.
func Field(addr *ssa.FieldAddr) *types.Var { return fieldAt(addr.X.Type(), addr.Field) }

// fieldAt returns the i'th field of the struct that t is or points to, in its
// generic form.
func fieldAt(t types.Type, i int) *types.Var {
	s, ok := behind(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(i).Origin()
}

// behind strips pointers from a type.
func behind(t types.Type) types.Type {
	for range maxPointers {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			return t
		}
		t = p.Elem()
	}
	return t
}

// maxPointers bounds the pointers that are seen through: type p *p has no end.
const maxPointers = 8

func elemType(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return t
}

// origin returns the generic function that fn is an instance of, or fn.
func origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// IsStruct tells whether the type is a struct type, by a name or without.
func IsStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
