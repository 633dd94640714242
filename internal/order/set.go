package order

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// A Root says where a place that a comparator reads begins.
type Root int

const (
	// Element: an element of the heap.
	Element Root = iota
	// Receiver: the heap itself, or another parameter that is no element.
	Receiver
	// Captured: a variable that a closure captures.
	Captured
	// Global: a package variable.
	Global
)

// A Read is a place that a comparator reads, in its own body or in a function of
// the package that it calls.
type Read struct {
	Root Root
	// Base is the *ssa.Parameter, *ssa.FreeVar or *ssa.Global for the roots
	// Receiver, Captured and Global; nil for elements.
	Base ssa.Value
	// Path are the fields from the root to the place, outermost first, pointers
	// followed on the way. It is empty for the root itself.
	Path []*types.Var
	// Indexed says that the place is within a slice, array or map that the path
	// leads to or through.
	Indexed bool
	// Pos is one place in the source that reads, in Fn.
	Pos token.Pos
	Fn  *ssa.Function
}

// Last is the field that is read, nil for a root itself.
func (r *Read) Last() *types.Var {
	if len(r.Path) == 0 {
		return nil
	}
	return r.Path[len(r.Path)-1]
}

// A Set is an ordering set: everything that a heap's comparator reads. A write to
// a place in the set changes the order under the heap; a write outside of it does
// not.
type Set struct {
	// Reads are the places, in source order, each once.
	Reads []*Read
	// Open says that the comparator also calls functions that cannot be seen
	// through with an element or the heap, so that the set may be too small.
	Open bool
}

// Has tells whether the comparator reads field v of an element, or a field within
// it, or within which it is.
func (s *Set) Has(v *types.Var) bool {
	v = v.Origin()
	for _, r := range s.Reads {
		if r.Root == Element && slices.ContainsFunc(r.Path, func(f *types.Var) bool { return f.Origin() == v }) {
			return true
		}
	}
	return false
}

// From lists the reads with the given root.
func (s *Set) From(root Root) []*Read {
	var list []*Read
	for _, r := range s.Reads {
		if r.Root == root {
			list = append(list, r)
		}
	}
	return list
}

// SetOf computes the ordering set of a comparator. That of a heap type is the
// union over its comparators, see [HeapSet].
func SetOf(c Comparator) *Set {
	s := &setBuilder{set: &Set{}, seen: map[string]bool{}, visits: map[string]bool{}}
	body := bodyOf(c.Fn)
	if body == nil {
		s.set.Open = true
		return s.set
	}
	args := make([][]origin, len(body.Params))
	n := len(args)
	for i, p := range body.Params {
		switch {
		case i >= n-2 && c.Kind == IndexLess:
			args[i] = []origin{{index: true}}
		case i >= n-2:
			args[i] = []origin{{root: Element}}
		default:
			args[i] = []origin{{root: Receiver, base: p}}
		}
	}
	s.visit(body, args, nil, 0)
	slices.SortStableFunc(s.set.Reads, func(a, b *Read) int { return int(a.Pos - b.Pos) })
	return s.set
}

// HeapSet is the ordering set of a heap type of p: the union over its Less method
// and the functions that this calls through a field, as far as the package shows
// them. It is shared by the checks that ask whether a write changes the order.
func HeapSet(p *heaps.Package, t *heaps.Type) *Set {
	all := &Set{}
	var own []Comparator
	for _, c := range Comparators(p) {
		if c.Heap == t {
			own = append(own, c)
		}
	}
	for _, c := range own {
		s := SetOf(c)
		all.Reads = append(all.Reads, s.Reads...)
		// That Less calls a stored function leaves nothing open if it is known.
		all.Open = all.Open || s.Open && (c.Fn != t.Less || len(own) == 1)
	}
	all.Open = all.Open || len(own) == 0
	return all
}

// An origin is a place that a value is, or points to.
type origin struct {
	root    Root
	base    ssa.Value
	path    []*types.Var
	indexed bool
	index   bool // not a place: the index of an element
}

func (o origin) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %t %t", o.root, o.indexed, o.index)
	if o.base != nil {
		fmt.Fprintf(&b, " %s", o.base.Name())
	}
	for _, f := range o.path {
		fmt.Fprintf(&b, ".%s@%d", f.Name(), f.Pos())
	}
	return b.String()
}

type setBuilder struct {
	set    *Set
	seen   map[string]bool
	visits map[string]bool
}

const maxSetDepth = 8

// setFrame is a function with the origins of its parameters and free variables.
type setFrame struct {
	fn    *ssa.Function
	args  [][]origin
	free  [][]origin
	cache map[ssa.Value][]origin
}

func (s *setBuilder) visit(fn *ssa.Function, args, free [][]origin, depth int) {
	if depth > maxSetDepth {
		s.set.Open = true
		return
	}
	var key strings.Builder
	fmt.Fprintf(&key, "%p", fn)
	for _, list := range append(append([][]origin{}, args...), free...) {
		for _, o := range list {
			key.WriteString("|" + o.key())
		}
		key.WriteString(";")
	}
	if s.visits[key.String()] {
		return
	}
	s.visits[key.String()] = true
	f := &setFrame{fn: fn, args: args, free: free, cache: map[ssa.Value][]origin{}}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			s.instr(f, in, depth)
		}
	}
}

func (s *setBuilder) instr(f *setFrame, in ssa.Instruction, depth int) {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL && !onlyTakenApart(in) {
			s.read(f, f.origins(in.X), in.Pos())
		}
	case *ssa.Field:
		if !onlyTakenApart(in) {
			s.read(f, f.origins(in), in.Pos())
		}
	case *ssa.Index:
		s.read(f, f.origins(in), in.Pos())
	case *ssa.Lookup:
		s.read(f, f.origins(in), in.Pos())
	case *ssa.Range:
		s.read(f, f.origins(in.X), in.Pos())
	case ssa.CallInstruction:
		s.call(f, in, depth)
	}
	// An element that is itself a basic value is read where it is used.
	if v, ok := in.(*ssa.BinOp); ok {
		for _, op := range []ssa.Value{v.X, v.Y} {
			if p, ok := op.(*ssa.Parameter); ok {
				s.read(f, f.origins(p), v.Pos())
			}
		}
	}
}

// onlyTakenApart tells whether a struct value is loaded only to select fields of
// it: then those are what is read.
func onlyTakenApart(v ssa.Value) bool {
	if _, ok := v.Type().Underlying().(*types.Struct); !ok || typeName(v.Type()) == "time.Time" {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Field, *ssa.DebugRef:
		case *ssa.Store:
			if _, ok := r.Addr.(*ssa.Alloc); !ok {
				return false
			}
		case *ssa.Call:
			if callee := r.Call.StaticCallee(); callee == nil || bodyOf(callee) == nil {
				return false // goes on as a whole
			}
		default:
			return false
		}
	}
	return true
}

func (s *setBuilder) read(f *setFrame, list []origin, pos token.Pos) {
	for _, o := range list {
		if o.index || o.root != Element && len(o.path) == 0 && o.root == Receiver && !o.indexed {
			continue
		}
		if k := o.key(); !s.seen[k] {
			s.seen[k] = true
			s.set.Reads = append(s.set.Reads, &Read{Root: o.root, Base: o.base, Path: o.path, Indexed: o.indexed, Pos: pos, Fn: f.fn})
		}
	}
}

func (s *setBuilder) call(f *setFrame, call ssa.CallInstruction, depth int) {
	c := call.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return
	}
	var args [][]origin
	if c.IsInvoke() {
		args = append(args, f.origins(c.Value))
	}
	for _, a := range c.Args {
		args = append(args, f.origins(a))
	}
	if callee := c.StaticCallee(); callee != nil {
		if body := bodyOf(callee); body != nil {
			var free [][]origin
			if m, ok := c.Value.(*ssa.MakeClosure); ok {
				for _, b := range m.Bindings {
					free = append(free, f.origins(b))
				}
			}
			s.visit(body, args, free, depth+1)
			return
		}
	}
	// The callee is out of sight: what it is handed it may read.
	for _, list := range args {
		for _, o := range list {
			if o.index {
				continue
			}
			if len(o.path) == 0 {
				s.set.Open = true
			}
			s.read(f, []origin{o}, call.Pos())
		}
	}
}

// origins are the places that v may be, or point to.
func (f *setFrame) origins(v ssa.Value) []origin {
	if list, ok := f.cache[v]; ok {
		return list
	}
	f.cache[v] = nil // ends recursion through phis
	list := f.compute(v)
	f.cache[v] = list
	return list
}

func (f *setFrame) compute(v ssa.Value) []origin {
	switch v := v.(type) {
	case *ssa.Parameter:
		for i, p := range f.fn.Params {
			if p == v && i < len(f.args) {
				return f.args[i]
			}
		}
	case *ssa.FreeVar:
		for i, p := range f.fn.FreeVars {
			if p == v && i < len(f.free) {
				return f.free[i]
			}
		}
		return []origin{{root: Captured, base: v}}
	case *ssa.Global:
		return []origin{{root: Global, base: v}}
	case *ssa.FieldAddr:
		return f.selects(v.X, fieldAt(v.X.Type(), v.Field))
	case *ssa.Field:
		return f.selects(v.X, fieldAt(v.X.Type(), v.Field))
	case *ssa.IndexAddr:
		return f.indexes(v.X, v.Index)
	case *ssa.Index:
		return f.indexes(v.X, v.Index)
	case *ssa.Lookup:
		return f.indexes(v.X, v.Index)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return f.origins(v.X)
		}
	case *ssa.Alloc:
		var list []origin
		for _, r := range *v.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == v {
				list = append(list, f.origins(st.Val)...)
			}
		}
		return list
	case *ssa.Phi:
		var list []origin
		for _, e := range v.Edges {
			for _, o := range f.origins(e) {
				if !slices.ContainsFunc(list, func(p origin) bool { return p.key() == o.key() }) {
					list = append(list, o)
				}
			}
		}
		return list
	case *ssa.ChangeType:
		return f.origins(v.X)
	case *ssa.ChangeInterface:
		return f.origins(v.X)
	case *ssa.MakeInterface:
		return f.origins(v.X)
	case *ssa.TypeAssert:
		return f.origins(v.X)
	case *ssa.Extract:
		if v.Index == 0 {
			return f.origins(v.Tuple)
		}
	case *ssa.Slice:
		return f.origins(v.X)
	case *ssa.Convert:
		return f.origins(v.X)
	case *ssa.BinOp: // arithmetic on an index is an index
		for _, o := range append(f.origins(v.X), f.origins(v.Y)...) {
			if o.index {
				return []origin{o}
			}
		}
	}
	return nil
}

// selects extends the origins of x by a field.
func (f *setFrame) selects(x ssa.Value, field *types.Var) []origin {
	var list []origin
	for _, o := range f.origins(x) {
		if o.index || len(o.path) > 12 || field == nil {
			continue
		}
		o.path = append(slices.Clip(o.path), field)
		list = append(list, o)
	}
	return list
}

// indexes are the origins of x[i]: an element, if x is part of the heap or
// captured and i is the index of an element.
func (f *setFrame) indexes(x, i ssa.Value) []origin {
	element := false
	for _, o := range f.origins(i) {
		element = element || o.index
	}
	var list []origin
	for _, o := range f.origins(x) {
		if o.index {
			continue
		}
		if element && o.root != Element {
			o = origin{root: Element}
		} else {
			o.indexed = true
		}
		list = append(list, o)
	}
	return list
}

func fieldAt(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		return s.Field(i)
	}
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		if s, ok := tp.Constraint().Underlying().(*types.Struct); ok {
			return s.Field(i)
		}
	}
	return nil
}
