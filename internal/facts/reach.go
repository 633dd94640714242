package facts

import "go/types"

// reachable returns the objects that a package can come to which imports pkg and
// no other package: the exported objects of pkg, and from them, through types,
// all type names, fields, methods, parameters and results. It does not enter
// named types of sealed packages.
func reachable(pkg *types.Package, sealed map[*types.Package]bool) map[types.Object]bool {
	w := walker{sealed: sealed, objects: map[types.Object]bool{}, types: map[types.Type]bool{}, entered: map[types.Type]bool{}}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if obj := scope.Lookup(name); obj.Exported() {
			w.object(obj)
		}
	}
	return w.objects
}

type walker struct {
	sealed  map[*types.Package]bool
	objects map[types.Object]bool
	types   map[types.Type]bool
	entered map[types.Type]bool
}

func (w *walker) object(obj types.Object) {
	if !w.objects[obj] {
		w.objects[obj] = true
		w.typ(obj.Type())
	}
}

func (w *walker) typ(t types.Type) {
	if t == nil || w.types[t] {
		return
	}
	w.types[t] = true
	switch t := t.(type) {
	case *types.Named:
		w.list(t.TypeArgs())
		w.named(t.Origin())
	case *types.Alias:
		w.list(t.TypeArgs())
		w.alias(t.Origin())
	case interface{ Elem() types.Type }: // pointer, slice, array, channel, map
		if m, ok := t.(*types.Map); ok {
			w.typ(m.Key())
		}
		w.typ(t.Elem())
	case *types.Signature:
		w.params(t.TypeParams())
		w.tuple(t.Params())
		w.tuple(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			w.object(f)
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			w.object(m)
		}
		for e := range t.EmbeddedTypes() {
			w.typ(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			w.typ(term.Type())
		}
	case *types.TypeParam:
		w.object(t.Obj())
		w.typ(t.Constraint())
	}
}

func (w *walker) named(t *types.Named) {
	if !w.enter(t, t.Obj()) {
		return
	}
	w.params(t.TypeParams())
	w.typ(t.Underlying())
	for m := range t.Methods() {
		w.object(m)
	}
}

func (w *walker) alias(t *types.Alias) {
	if !w.enter(t, t.Obj()) {
		return
	}
	w.params(t.TypeParams())
	w.typ(t.Rhs())
}

// enter reports whether the generic type or alias t, not an instance of it, is
// yet to be looked into.
func (w *walker) enter(t types.Type, name *types.TypeName) bool {
	if w.entered[t] || w.sealed[name.Pkg()] {
		return false
	}
	w.entered[t] = true
	w.objects[name] = true
	return true
}

func (w *walker) params(list *types.TypeParamList) {
	for p := range list.TypeParams() {
		w.typ(p)
	}
}

func (w *walker) list(list *types.TypeList) {
	for t := range list.Types() {
		w.typ(t)
	}
}

func (w *walker) tuple(t *types.Tuple) {
	for v := range t.Variables() {
		w.object(v)
	}
}
