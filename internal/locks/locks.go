// Package locks finds out which locks are held where.
//
// It works on places ([Place]): memory locations as the code reaches them. For
// each function a forward analysis over the control-flow graph follows the locks
// that are taken and let go ([flow]), exactly as long as the paths differ in few
// ways ([world]), through defers, conditional locking, TryLock, and the calls of
// functions that lock for their callers. Out of it comes a [Summary]: the net
// effect on the caller's locks and all uses of heaps that a call leads to, each
// with the locks held by then and the way there. Summaries are computed bottom-up
// over the call graph; functions that call each other are taken together.
package locks

import (
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// Analyzer computes the lock summaries of a package. Its result is a [*Lazy].
var Analyzer = &analysis.Analyzer{
	Name:       "heapvetlocks",
	Doc:        "find which locks are held where heaps are used",
	Requires:   []*analysis.Analyzer{heaps.Analyzer},
	FactTypes:  []analysis.Fact{new(FuncFact)},
	Run:        run,
	ResultType: reflect.TypeFor[*Lazy](),
}

// Lazy is the promise of a package's lock analysis.
type Lazy struct {
	heaps  *heaps.Lazy
	get    func() *Analysis
	locked bool
	// importing says that the package uses functions of its imports that have facts.
	importing bool
}

// Analysis returns the analysis, nil for a package that can have no heaps: neither
// of its own, nor such as functions of its imports use in its name.
func (l *Lazy) Analysis() *Analysis {
	if !l.importing && l.heaps.Package() == nil {
		return nil
	}
	return l.get()
}

// Any returns the analysis also for packages that have no heaps; nil for those that
// have no locks either, as far as their declarations tell.
func (l *Lazy) Any() *Analysis {
	if !l.locked {
		return l.Analysis()
	}
	return l.get()
}

func run(pass *analysis.Pass) (any, error) {
	lazy := pass.ResultOf[heaps.Analyzer].(*heaps.Lazy)
	l := &Lazy{
		heaps:     lazy,
		get:       sync.OnceValue(func() *Analysis { return analyze(lazy.Any(), pass.ImportObjectFact) }),
		locked:    len(lockOwners(pass.Pkg)) > 0 || importsSync(pass.Pkg),
		importing: usesFacts(pass),
	}
	if l.importing || usesGivenHeaps(lazy.Package()) {
		l.get().exportFacts(pass)
	}
	return l, nil
}

func importsSync(pkg *types.Package) bool {
	for _, imp := range pkg.Imports() {
		if imp.Path() == "sync" {
			return true
		}
	}
	return false
}

// An Analysis is what is known of the locks of one package. It works things out as
// it is asked, and drivers run analyzers in parallel: whoever uses it must hold its
// lock for as long.
type Analysis struct {
	sync.Mutex
	pkg      *heaps.Package
	prog     *ssa.Program
	places   *Places
	alias    *aliases
	sums     map[*ssa.Function]*Summary
	impls    map[*types.Func][]*ssa.Function
	concrete []types.Type
	owners   map[*types.TypeName]bool // types with a lock
	// globalLock says that a package variable is a lock: then other variables may
	// be guarded by it.
	globalLock bool
	// written are the fields that are written after their object was made.
	written map[*types.Var]bool
	// renewals are the stores of new slices and maps, by function.
	renewals map[*ssa.Function]map[*Place][]*ssa.Store
	// called are the functions that some call in the package runs.
	called map[*ssa.Function]bool

	// steps are the calls of each function, once they were asked for.
	steps map[*ssa.Function][]step
	// reach remembers what Reach found.
	reach map[*ssa.Function]*Reach

	// importFact finds what is known of functions of other packages, nil if nothing
	// can be; foreign are their summaries.
	importFact func(types.Object, analysis.Fact) bool
	foreign    map[*ssa.Function]*Summary
}

func analyze(pkg *heaps.Package, importFact func(types.Object, analysis.Fact) bool) *Analysis {
	funcs := pkg.IR.Funcs
	a := &Analysis{
		pkg:    pkg,
		prog:   pkg.IR.Prog,
		places: newPlaces(funcs),
		sums:   map[*ssa.Function]*Summary{},
		impls:  map[*types.Func][]*ssa.Function{},
		called: map[*ssa.Function]bool{},

		renewals: map[*ssa.Function]map[*Place][]*ssa.Store{},

		importFact: importFact,
		foreign:    map[*ssa.Function]*Summary{},
	}
	a.alias = findAliases(a.places, funcs)
	a.concrete = concreteTypes(pkg.IR.Pkg)
	a.owners = lockOwners(pkg.IR.Pkg)
	a.globalLock = globalLock(pkg.IR.Pkg)
	a.written = a.writtenFields(funcs)
	for _, group := range a.callOrder(funcs) {
		rounds := 1
		if len(group) > 1 || a.callsItself(group[0]) {
			rounds = 3 // enough for the chains that occur; fewer accesses at worst
		}
		for range rounds {
			for _, fn := range group {
				a.sums[fn] = a.summarize(fn)
			}
		}
	}
	return a
}

// Heaps returns the heaps of the package.
func (a *Analysis) Heaps() *heaps.Package { return a.pkg }

// Places returns the places of the package.
func (a *Analysis) Places() *Places { return a.places }

// Canonical returns the one place by which the object at p is known.
func (a *Analysis) Canonical(p *Place) *Place { return a.alias.canonical(p) }

// Append returns the place at the end of the path from p, in canonical form.
func (a *Analysis) Append(p *Place, path Path) *Place {
	return a.alias.canonical(a.places.append(p, path))
}

// Summary returns the summary of a function, nil if there is none.
func (a *Analysis) Summary(fn *ssa.Function) *Summary { return a.summary(origin(fn)) }

// Written tells whether a field is stored to in objects that the storing function
// did not make.
func (a *Analysis) Written(field *types.Var) bool { return a.written[field] }

// Called tells whether a call in the package may run fn.
func (a *Analysis) Called(fn *ssa.Function) bool { return a.called[fn] }

func (a *Analysis) summary(fn *ssa.Function) *Summary {
	if s := a.sums[fn]; s != nil || len(fn.Blocks) > 0 {
		return s
	}
	return a.foreignSummary(fn)
}

// fresh tells whether the first result of a call is an object that nobody else has:
// what a constructor of the package made, or one of another package that goes by
// the name of one.
func (a *Analysis) fresh(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	if fn = origin(fn); len(fn.Blocks) > 0 {
		s := a.summary(fn)
		return s != nil && s.fresh
	}
	return constructorName(fn.Name())
}

func constructorName(name string) bool {
	for _, prefix := range []string{"New", "Make", "Create", "Open", "Clone", "Copy"} {
		if len(name) >= len(prefix) && name[:len(prefix)] == prefix {
			return true
		}
	}
	return false
}

// concreteTypes are the package's named types that can stand behind an interface,
// in order of their names.
func concreteTypes(pkg *types.Package) []types.Type {
	var list []types.Type
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
			continue
		}
		if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
			continue
		}
		list = append(list, tn.Type())
	}
	return list
}

// writtenFields finds the fields that are stored to in objects that the storing
// function did not make.
func (a *Analysis) writtenFields(funcs []*ssa.Function) map[*types.Var]bool {
	written := map[*types.Var]bool{}
	for _, fn := range funcs {
		f := &flow{a: a, fn: fn}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				st, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				fa, ok := st.Addr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				if p := a.places.Of(fa.X); p != nil && p.Parent == nil && f.own(p) {
					continue
				}
				written[fieldAt(fa.X.Type(), fa.Field)] = true
			}
		}
	}
	return written
}
