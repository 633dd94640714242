// Package heaps knows what a heap is: which calls are heap operations, which
// types are heaps, and how such a type is made (its backing slice, its elements,
// its five methods).
//
// A type is a heap by use: a value of it reaches container/heap. A type that
// merely has the five methods may be a stack or sift by itself, and is none of our
// business.
package heaps

import (
	"go/token"
	"go/types"
	"reflect"
	"sort"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/ir"
)

// Analyzer finds the heaps of a package. Its result is a [*Lazy].
var Analyzer = &analysis.Analyzer{
	Name:       "heapvetheaps",
	Doc:        "find the heaps of a package and the operations on them",
	Requires:   []*analysis.Analyzer{ir.Analyzer},
	FactTypes:  []analysis.Fact{new(IsHeap)},
	Run:        run,
	ResultType: reflect.TypeFor[*Lazy](),
}

// IsHeap is the fact that a named type is used as a heap in its own package.
type IsHeap struct{}

// AFact marks IsHeap as a fact.
func (*IsHeap) AFact() {}

// String is how the fact is shown in tests.
func (*IsHeap) String() string { return "heap" }

// Lazy is the promise of a package's heaps.
type Lazy struct {
	relevant bool
	get      func() *Package
}

// Package returns the heaps of the package, nil if it cannot have any: it imports
// neither container/heap nor a modelled library nor a package whose heaps it uses.
// A check starts with this call and stops at nil; then no SSA has been built.
func (l *Lazy) Package() *Package {
	if !l.relevant {
		return nil
	}
	return l.get()
}

// Any is as Package, but also for packages that can have no heaps: theirs are none.
// It is for checks that look at more than heaps, and builds the SSA form.
func (l *Lazy) Any() *Package { return l.get() }

// A Package holds what is known of the heaps of one package.
type Package struct {
	IR *ir.Package
	// Ops are the heap operations in source order.
	Ops []*Op
	// Types are the heap types that the package declares or uses, in order of
	// their position (those of other packages last, by name).
	Types []*Type

	byName  map[*types.TypeName]*Type
	byInstr map[ssa.CallInstruction]*Op
}

// Op returns the operation that the call is, or nil.
func (p *Package) Op(call ssa.CallInstruction) *Op { return p.byInstr[call] }

// Type returns the heap type that t is, or points to, or nil. Instances of a
// generic type are the generic type.
func (p *Package) Type(t types.Type) *Type { return p.byName[typeName(t)] }

// Method tells whether fn is one of the five methods of heap.Interface of a heap
// type: those are called by container/heap in the name of its caller.
func (p *Package) Method(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil {
		return false
	}
	switch fn.Name() {
	case "Len", "Less", "Swap", "Push", "Pop":
		return p.Type(recv.Type()) != nil
	}
	return false
}

func run(pass *analysis.Pass) (any, error) {
	p := pass.ResultOf[ir.Analyzer].(*ir.Lazy)
	l := &Lazy{relevant: relevant(pass)}
	l.get = sync.OnceValue(func() *Package { return find(pass, p.Package()) })
	if !l.relevant {
		return l, nil
	}
	for _, t := range l.get().Types {
		if t.Obj.Pkg() == pass.Pkg && ownObject(t.Obj) {
			pass.ExportObjectFact(t.Obj, new(IsHeap))
		}
	}
	return l, nil
}

// ownObject tells whether an object fact can be attached: the object is declared
// at package level.
func ownObject(obj *types.TypeName) bool { return obj.Parent() == obj.Pkg().Scope() }

func relevant(pass *analysis.Pass) bool {
	for _, imp := range pass.Pkg.Imports() {
		if Imports(imp.Path()) {
			return true
		}
	}
	for _, f := range pass.AllObjectFacts() {
		if f.Object.Pkg() != pass.Pkg && imports(pass.Pkg, f.Object.Pkg()) {
			return true
		}
	}
	return false
}

func imports(pkg, other *types.Package) bool {
	for _, imp := range pkg.Imports() {
		if imp == other {
			return true
		}
	}
	return false
}

func find(pass *analysis.Pass, prog *ir.Package) *Package {
	p := &Package{IR: prog, byName: map[*types.TypeName]*Type{}, byInstr: map[ssa.CallInstruction]*Op{}}
	for _, fn := range prog.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				p.visit(instr)
			}
		}
	}
	for _, f := range pass.AllObjectFacts() {
		if name, ok := f.Object.(*types.TypeName); ok && imports(pass.Pkg, name.Pkg()) {
			p.addType(name)
		}
	}
	p.sort(pass.Pkg, pass.Fset)
	for _, t := range p.Types {
		t.complete(p)
	}
	return p
}

func (p *Package) visit(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case ssa.CallInstruction:
		if op := OpOf(instr); op != nil {
			p.Ops = append(p.Ops, op)
			p.byInstr[instr] = op
		}
	case *ssa.MakeInterface:
		if isHeapInterface(instr.Type()) {
			p.addType(typeName(instr.X.Type()))
		}
	}
}

// addType notes that values of the named type are used as heaps.
func (p *Package) addType(name *types.TypeName) {
	if name == nil || p.byName[name] != nil {
		return
	}
	p.byName[name] = &Type{Obj: name, Named: name.Type().(*types.Named)}
	p.Types = append(p.Types, p.byName[name])
}

func (p *Package) sort(pkg *types.Package, fset *token.FileSet) {
	sort.Slice(p.Types, func(i, j int) bool {
		a, b := p.Types[i].Obj, p.Types[j].Obj
		if own := a.Pkg() == pkg; own != (b.Pkg() == pkg) {
			return own
		}
		if a.Pkg() == pkg {
			return a.Pos() < b.Pos()
		}
		return a.Pkg().Path()+"."+a.Name() < b.Pkg().Path()+"."+b.Name()
	})
}

// isHeapInterface tells whether t is an interface type with at least the methods
// of heap.Interface, under whatever name.
func isHeapInterface(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	found := 0
	for m := range iface.Methods() {
		if sig, ok := signatures[m.Name()]; ok && types.Identical(m.Type(), sig) {
			found++
		}
	}
	return found == len(signatures)
}

// signatures are the methods of heap.Interface.
var signatures = func() map[string]*types.Signature {
	anyType := types.Universe.Lookup("any").Type()
	sig := func(params []types.Type, results ...types.Type) *types.Signature {
		return types.NewSignatureType(nil, nil, nil, tuple(params), tuple(results), false)
	}
	integer, boolean := types.Typ[types.Int], types.Typ[types.Bool]
	return map[string]*types.Signature{
		"Len":  sig(nil, integer),
		"Less": sig([]types.Type{integer, integer}, boolean),
		"Swap": sig([]types.Type{integer, integer}),
		"Push": sig([]types.Type{anyType}),
		"Pop":  sig(nil, anyType),
	}
}()

func tuple(list []types.Type) *types.Tuple {
	vars := make([]*types.Var, len(list))
	for i, t := range list {
		vars[i] = types.NewParam(token.NoPos, nil, "", t)
	}
	return types.NewTuple(vars...)
}

// IsInterface tells whether t is an interface type with the methods of
// heap.Interface, under whatever name.
func IsInterface(t types.Type) bool { return isHeapInterface(t) }

// Signature returns the signature of a method of heap.Interface, nil if it has no
// method of that name.
func Signature(method string) *types.Signature { return signatures[method] }

// Meant returns the package's own types that can only be meant as heaps, though no
// value of them reaches container/heap here: they have all methods of heap.Interface,
// with just its signatures. They are no heaps to [Package.Type].
func (p *Package) Meant() []*Type {
	var list []*Type
	scope := p.IR.Pkg.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || p.byName[obj] != nil {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok || types.IsInterface(named) || !hasMethods(named) {
			continue
		}
		t := &Type{Obj: obj, Named: named}
		t.complete(p)
		list = append(list, t)
	}
	return list
}

// hasMethods tells whether a type declares all methods of heap.Interface itself.
func hasMethods(t *types.Named) bool {
	found := 0
	for m := range t.Methods() {
		sig := m.Signature()
		if want, ok := signatures[m.Name()]; ok && types.Identical(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), false), want) {
			found++
		}
	}
	return found == len(signatures)
}
