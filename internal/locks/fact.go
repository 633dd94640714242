package locks

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// A FuncFact is the summary of a function for other packages: what it does to the
// locks of its caller, and the heaps that it uses and leaves to its caller to guard.
//
// Places in it start at a parameter. What starts elsewhere, at a package variable
// say, is left out, as are uses that depend on a boolean parameter or run at another
// time: less is known of them then, which can only silence findings.
type FuncFact struct {
	Net, Else   NetFact
	Conditional bool
	// Accesses are at most maxFactAccesses.
	Accesses []AccessFact
}

// A NetFact is a [Net].
type NetFact struct {
	Acquired, Maybe   []HeldFact
	Released, Dropped []PlaceFact
}

// A PlaceFact is a place that starts at a parameter.
type PlaceFact struct {
	// Param is the number of the parameter; a receiver comes first.
	Param int
	// Path has the names of the fields from there.
	Path []string
}

// A HeldFact is a lock that is held.
type HeldFact struct {
	Place PlaceFact
	Mode  Mode
}

// An AccessFact is a use of a heap. The place ends before the first field that is
// not exported: to other packages, what is behind it is one with the object.
type AccessFact struct {
	Place   PlaceFact
	Effect  Effect
	Dropped []PlaceFact
}

// AFact marks FuncFact as a fact.
func (*FuncFact) AFact() {}

// String is how the fact is shown in tests.
func (f *FuncFact) String() string {
	var parts []string
	add := func(word string, p PlaceFact) {
		parts = append(parts, word+" "+strings.Join(append([]string{"#" + string(rune('0'+p.Param))}, p.Path...), "."))
	}
	for _, h := range f.Net.Acquired {
		add("takes the "+h.Mode.String(), h.Place)
	}
	for _, p := range f.Net.Released {
		add("gives back", p)
	}
	for _, a := range f.Accesses {
		add([...]string{"reads", "writes", "operates on"}[a.Effect], a.Place)
	}
	return strings.Join(parts, ", ")
}

// maxFactAccesses bounds the accesses of a fact, maxFactFuncs the functions of a
// package that have one: some 20 KiB in all. Those past it have none.
const (
	maxFactAccesses = 8
	maxFactFuncs    = 512
)

// exportFacts exports the summaries of the package's functions that others can call.
func (a *Analysis) exportFacts(pass *analysis.Pass) {
	n := 0
	for _, fn := range a.pkg.IR.Funcs {
		obj, _ := fn.Object().(*types.Func)
		if obj == nil || !obj.Exported() || fn.Parent() != nil || a.pkg.Method(fn) {
			continue
		}
		if strings.HasSuffix(pass.Fset.Position(fn.Pos()).Filename, "_test.go") {
			continue
		}
		if fact := a.fact(fn, obj); fact != nil && n < maxFactFuncs {
			pass.ExportObjectFact(obj, fact)
			n++
		}
	}
}

// fact is the fact about a function, nil if there is nothing in it.
func (a *Analysis) fact(fn *ssa.Function, obj *types.Func) *FuncFact {
	sum := a.sums[fn]
	if sum == nil {
		return nil
	}
	f := &FuncFact{Accesses: a.accessFacts(fn, sum)}
	if _, primitive := primitiveOf(obj); !primitive {
		f.Net, f.Else, f.Conditional = netFact(fn, &sum.Net), netFact(fn, &sum.Else), sum.Conditional
	}
	if f.Net.empty() && f.Else.empty() {
		f.Conditional = false
		if len(f.Accesses) == 0 {
			return nil
		}
	}
	return f
}

func (n *NetFact) empty() bool {
	return len(n.Acquired) == 0 && len(n.Maybe) == 0 && len(n.Released) == 0 && len(n.Dropped) == 0
}

// accessFacts are the uses that are the caller's to guard: no lock is held, and no
// object on the way has one of its own.
func (a *Analysis) accessFacts(fn *ssa.Function, sum *Summary) []AccessFact {
	var list []AccessFact
	for _, acc := range sum.Accesses {
		if acc.Data || acc.Copy || acc.Opaque || acc.Once || acc.Private || len(acc.When) > 0 || len(acc.May) > 0 || a.locksItself(acc.Place) {
			continue
		}
		p, ok := visible(fn, acc.Place)
		dropped := placeFacts(fn, acc.Dropped)
		if !ok || len(dropped) != len(acc.Dropped) {
			continue
		}
		fact := AccessFact{Place: p, Effect: acc.Effect, Dropped: dropped}
		if !slices.ContainsFunc(list, fact.same) && len(list) < maxFactAccesses {
			list = append(list, fact)
		}
	}
	return list
}

// locksItself tells whether an object around the heap has a lock. It is looked after
// where it is declared.
func (a *Analysis) locksItself(p *Place) bool {
	for _, q := range p.Ancestors() {
		if s, ok := q.Type.Underlying().(*types.Struct); ok && hasLock(s) {
			return true
		}
	}
	return false
}

func (f AccessFact) same(g AccessFact) bool {
	return f.Place.same(g.Place) && f.Effect == g.Effect && slices.EqualFunc(f.Dropped, g.Dropped, PlaceFact.same)
}

func (f PlaceFact) same(g PlaceFact) bool {
	return f.Param == g.Param && slices.Equal(f.Path, g.Path)
}

// placeFact describes a place that starts at a parameter of fn and goes on by fields.
func placeFact(fn *ssa.Function, p *Place) (f PlaceFact, ok bool) {
	param, ok := p.Root.(*ssa.Parameter)
	if !ok || param.Parent() != fn {
		return f, false
	}
	for ; p.Parent != nil; p = p.Parent {
		if p.Field == nil {
			return f, false
		}
		f.Path = append(f.Path, p.Field.Name())
	}
	slices.Reverse(f.Path)
	f.Param = slices.Index(fn.Params, param)
	return f, f.Param >= 0
}

// visible describes as much of a place as other packages can name.
func visible(fn *ssa.Function, p *Place) (PlaceFact, bool) {
	for q := p; q.Parent != nil; q = q.Parent {
		if q.Field == nil || !q.Field.Exported() {
			p = q.Parent
		}
	}
	return placeFact(fn, p)
}

func placeFacts(fn *ssa.Function, list []*Place) []PlaceFact {
	var out []PlaceFact
	for _, p := range list {
		if f, ok := placeFact(fn, p); ok {
			out = append(out, f)
		}
	}
	return out
}

func heldFacts(fn *ssa.Function, list []Held) []HeldFact {
	var out []HeldFact
	for _, h := range list {
		if f, ok := placeFact(fn, h.Place); ok {
			out = append(out, HeldFact{f, h.Mode})
		}
	}
	return out
}

func netFact(fn *ssa.Function, n *Net) NetFact {
	return NetFact{heldFacts(fn, n.Acquired), heldFacts(fn, n.Maybe), placeFacts(fn, n.Released), placeFacts(fn, n.Dropped)}
}

// usesGivenHeaps tells, without an analysis, whether a package may use heaps that are
// not its functions' own: an operation is on what a parameter leads to, or on what is
// not known at a glance. Others have nothing to tell their importers.
func usesGivenHeaps(pkg *heaps.Package) bool {
	if pkg == nil {
		return false
	}
	return slices.ContainsFunc(pkg.Ops, func(op *heaps.Op) bool { return !ownHeap(op.Heap) })
}

// ownHeap tells whether a heap is, or is a part of, a variable.
func ownHeap(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.Alloc, *ssa.Global:
			return true
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return false
		}
	}
}

// usesFacts tells whether a package uses a function of a direct import that has a fact
// of this kind, or embeds a type of a package that has some: its methods may then be
// called without being named.
func usesFacts(pass *analysis.Pass) bool {
	funcs := map[types.Object]bool{}
	from := map[*types.Package]bool{}
	for _, f := range pass.AllObjectFacts() {
		if pkg := f.Object.Pkg(); pkg != pass.Pkg && slices.Contains(pass.Pkg.Imports(), pkg) {
			funcs[f.Object], from[pkg] = true, true
		}
	}
	if len(funcs) == 0 {
		return false
	}
	for _, obj := range pass.TypesInfo.Uses {
		if fn, ok := obj.(*types.Func); ok && funcs[fn.Origin()] {
			return true
		}
	}
	for _, obj := range pass.TypesInfo.Defs {
		if v, ok := obj.(*types.Var); ok && v.Embedded() {
			if n := typeNameOf(v.Type()); n == nil || from[n.Pkg()] {
				return true
			}
		}
	}
	return false
}

// A foreignParam stands for a parameter of a function of another package, which has
// no SSA form here.
type foreignParam struct {
	fn    *ssa.Function
	index int
	typ   types.Type
}

// Name is empty: nobody sees it.
func (p *foreignParam) Name() string { return "" }

// String is for debugging.
func (p *foreignParam) String() string { return "parameter of " + p.fn.String() }

// Type is the parameter's type.
func (p *foreignParam) Type() types.Type { return p.typ }

// Parent is the function.
func (p *foreignParam) Parent() *ssa.Function { return p.fn }

// Referrers are none.
func (p *foreignParam) Referrers() *[]ssa.Instruction { return nil }

// Pos is unknown.
func (p *foreignParam) Pos() token.Pos { return token.NoPos }

// foreignSummary is the summary of a function of another package, nil if there is no
// fact about it.
func (a *Analysis) foreignSummary(fn *ssa.Function) *Summary {
	obj, _ := fn.Object().(*types.Func)
	if a.importFact == nil || obj == nil || obj.Pkg() == nil || obj.Pkg() == a.pkg.IR.Pkg {
		return nil
	}
	if s, ok := a.foreign[fn]; ok {
		return s
	}
	var fact FuncFact
	var sum *Summary
	if a.importFact(obj.Origin(), &fact) {
		sum = a.summaryOf(fn, obj.Origin(), &fact)
	}
	a.foreign[fn] = sum
	return sum
}

func (a *Analysis) summaryOf(fn *ssa.Function, obj *types.Func, f *FuncFact) *Summary {
	sig := obj.Signature()
	var params []*Place
	if recv := sig.Recv(); recv != nil {
		params = append(params, a.places.root(&foreignParam{fn, 0, recv.Type()}))
	}
	for v := range sig.Params().Variables() {
		params = append(params, a.places.root(&foreignParam{fn, len(params), v.Type()}))
	}
	r := &resolver{a, params}
	s := &Summary{Fn: fn, Net: r.net(&f.Net), Else: r.net(&f.Else), Conditional: f.Conditional}
	for _, acc := range f.Accesses {
		if p := r.place(acc.Place); p != nil {
			s.Accesses = append(s.Accesses, &Access{Place: p, Effect: acc.Effect, What: calledName(obj), Dropped: r.placesOf(acc.Dropped)})
		}
	}
	return s
}

// calledName is a function as its callers know it: Queue.Push.
func calledName(obj *types.Func) string {
	if recv := obj.Signature().Recv(); recv != nil {
		if name := typeNameOf(recv.Type()); name != nil {
			return name.Name() + "." + obj.Name()
		}
	}
	return obj.Pkg().Name() + "." + obj.Name()
}

// A resolver makes places of what facts say of them.
type resolver struct {
	a      *Analysis
	params []*Place
}

// place follows the fields by their names; nil if the types have changed since.
func (r *resolver) place(f PlaceFact) *Place {
	if f.Param < 0 || f.Param >= len(r.params) {
		return nil
	}
	p := r.params[f.Param]
	for _, name := range f.Path {
		field := fieldNamed(p.Type, name)
		if field == nil {
			return nil
		}
		p = r.a.places.field(p, field)
	}
	return p
}

func fieldNamed(t types.Type, name string) *types.Var {
	s, ok := behind(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == name {
			return f.Origin()
		}
	}
	return nil
}

func (r *resolver) placesOf(list []PlaceFact) []*Place {
	var out []*Place
	for _, f := range list {
		if p := r.place(f); p != nil {
			out = putPlace(out, p)
		}
	}
	return out
}

func (r *resolver) held(list []HeldFact) []Held {
	var out []Held
	for _, f := range list {
		if p := r.place(f.Place); p != nil {
			out = put(out, Held{Place: p, Mode: f.Mode})
		}
	}
	return out
}

func (r *resolver) net(n *NetFact) Net {
	return Net{Acquired: r.held(n.Acquired), Maybe: r.held(n.Maybe), Released: r.placesOf(n.Released), Dropped: r.placesOf(n.Dropped)}
}
