package notes

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A target is a lock that was found: fields from a start.
type target struct {
	path   []*types.Var
	param  int
	owner  *types.TypeName
	global *types.Var
}

// isLock reports whether values of the type can be locked: it or its pointer has
// the methods Lock and Unlock, or it is a condition variable, which owns its lock.
func isLock(t types.Type) bool {
	if isCond(t) {
		return true
	}
	return hasMethod(t, "Lock") && hasMethod(t, "Unlock")
}

func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Params().Len() == 0
}

func isCond(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Cond" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
}

// lookup follows the names from a type through fields, and the embedded ones
// between them, to a lock. The path goes on to the lock that is embedded in the
// last one, if any.
func lookup(pkg *types.Package, t types.Type, names []string) ([]*types.Var, bool) {
	path := []*types.Var{}
	for _, name := range names {
		obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, name)
		v, ok := obj.(*types.Var)
		if !ok {
			return nil, false
		}
		path = append(path, fieldsAt(t, index)...)
		t = v.Type()
	}
	if isCond(t) && len(path) > 0 {
		obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, "L")
		if _, ok := obj.(*types.Var); ok {
			return append(path, fieldsAt(t, index)...), true
		}
	}
	if !isLock(t) {
		return nil, false
	}
	_, index, _ := types.LookupFieldOrMethod(t, true, pkg, "Lock")
	if len(index) > 1 {
		path = append(path, fieldsAt(t, index[:len(index)-1])...)
	}
	return path, true
}

// fieldsAt returns the fields along an index of [types.LookupFieldOrMethod].
func fieldsAt(t types.Type, index []int) []*types.Var {
	var path []*types.Var
	for _, i := range index {
		st := structOf(t)
		if st == nil || i >= st.NumFields() {
			return path
		}
		f := st.Field(i)
		path = append(path, f.Origin())
		t = f.Type()
	}
	return path
}

func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

// locksOf returns the fields of a struct that are locks.
func locksOf(t types.Type) []*types.Var {
	st := structOf(t)
	if st == nil {
		return nil
	}
	var out []*types.Var
	for f := range st.Fields() {
		if isLock(f.Type()) && !isCond(f.Type()) {
			out = append(out, f.Origin())
		}
	}
	return out
}

// only returns the path to what "the lock" of a struct means: its only one, or the
// one that is just called "mu" or embedded.
func only(pkg *types.Package, t types.Type) ([]*types.Var, bool) {
	locks := locksOf(t)
	if len(locks) > 1 {
		locks = slices.DeleteFunc(locks, func(v *types.Var) bool { return !v.Embedded() && !generic(v.Name()) })
	}
	if len(locks) != 1 {
		return nil, false
	}
	return lookup(pkg, t, []string{locks[0].Name()})
}

// generic reports whether the name is just a word for a lock, and so may mean one
// of another name.
func generic(name string) bool {
	switch strings.ToLower(name) {
	case "", "lock", "mutex", "lk", "mu", "mtx":
		return true
	}
	return false
}

// packageLock finds a lock that does not depend on the place of the comment: a
// package variable, or one that starts from a type ("TaskSet.mu", "the TaskSet
// mutex").
func packageLock(pkg *types.Package, n lockName) (target, bool) {
	if pkg == nil {
		return target{}, false
	}
	names := strings.Split(n.name, ".")
	if n.name == "" {
		names = nil
	}
	if len(names) > 0 {
		if v, ok := pkg.Scope().Lookup(names[0]).(*types.Var); ok {
			if path, ok := lookup(pkg, v.Type(), names[1:]); ok {
				return target{path: path, global: v, param: -1}, true
			}
			return target{}, false
		}
	}
	start := n.owner
	if start == "" {
		if len(names) < 2 {
			return target{}, false
		}
		start, names = names[0], names[1:]
	}
	tn := typeNamed(pkg, start)
	if tn == nil {
		return target{}, false
	}
	if path, ok := typeLock(pkg, tn.Type(), names); ok {
		return target{path: path, owner: tn, param: -1}, true
	}
	return target{}, false
}

// typeLock finds the named lock of a type, or its only one if no name is given.
func typeLock(pkg *types.Package, t types.Type, names []string) ([]*types.Var, bool) {
	if len(names) > 0 {
		if path, ok := lookup(pkg, t, names); ok {
			return path, true
		}
		if len(names) > 1 || !generic(names[0]) {
			return nil, false
		}
	}
	return only(pkg, t)
}

// typeNamed returns the type of the package with the name, whatever its case.
func typeNamed(pkg *types.Package, name string) *types.TypeName {
	if tn, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
		return tn
	}
	var found *types.TypeName
	for _, n := range pkg.Scope().Names() {
		if tn, ok := pkg.Scope().Lookup(n).(*types.TypeName); ok && strings.EqualFold(n, name) {
			if found != nil {
				return nil
			}
			found = tn
		}
	}
	return found
}

// A structScope is where the comments of a struct's fields find their locks: the
// struct, the structs around it if it is anonymous, the package.
type structScope struct {
	pkg    *types.Package
	st     *types.Struct
	owner  *types.TypeName
	global *types.Var
	prefix []*types.Var // from owner or global to the struct
	up     *structScope
}

func (sc *structScope) target(path []*types.Var) target {
	return target{
		path:   append(slices.Clone(sc.prefix), path...),
		owner:  sc.owner,
		global: sc.global,
		param:  -1,
	}
}

// find finds the lock that a comment in the struct names.
func (sc *structScope) find(n lockName) (target, bool) {
	return n.either(sc.named)
}

// either looks a name up as it is written, then without the method in "mu.Lock".
func (n lockName) either(find func(lockName) (target, bool)) (target, bool) {
	if n.full != "" && n.full != n.name && strings.HasPrefix(n.full, n.name) {
		full := n
		full.name = n.full
		if t, ok := find(full); ok {
			return t, true
		}
	}
	return find(n)
}

func (sc *structScope) named(n lockName) (target, bool) {
	for _, local := range []func(*structScope, lockName) ([]*types.Var, bool){(*structScope).exact, (*structScope).loosely} {
		for s := sc; s != nil; s = s.up {
			if path, ok := local(s, n); ok {
				return s.target(path), true
			}
		}
	}
	if t, ok := packageLock(sc.pkg, n); ok {
		return t, true
	}
	names := strings.Split(n.name, ".")
	if len(names) > 1 && token.IsIdentifier(names[0]) && !startsUpper(names[0]) {
		// "c.mu", where c stands for the receiver of the type's methods
		for s := sc; s != nil; s = s.up {
			if path, ok := lookup(s.pkg, s.st, names[1:]); ok {
				return s.target(path), true
			}
		}
	}
	return target{}, false
}

// exact finds a lock by its name within the struct.
func (sc *structScope) exact(n lockName) ([]*types.Var, bool) {
	if n.name == "" {
		return nil, false
	}
	names := strings.Split(n.name, ".")
	if path, ok := lookup(sc.pkg, sc.st, names); ok {
		return path, true
	}
	if sc.owner != nil && strings.EqualFold(names[0], sc.owner.Name()) && len(names) > 1 {
		return lookup(sc.pkg, sc.st, names[1:])
	}
	return nil, false
}

// loosely finds a lock of the struct by its name in another case, by the struct or
// field that owns it, or as what "the lock" means.
func (sc *structScope) loosely(n lockName) ([]*types.Var, bool) {
	switch {
	case n.owner != "":
		return sc.owned(n.owner)
	case generic(n.name):
		return only(sc.pkg, sc.st)
	case !strings.Contains(n.name, "."):
		return sc.folded(n.name)
	}
	return nil, false
}

// owned finds "the T lock" and "the child lock".
func (sc *structScope) owned(owner string) ([]*types.Var, bool) {
	if sc.owner != nil && strings.EqualFold(owner, sc.owner.Name()) {
		return only(sc.pkg, sc.st)
	}
	obj, index, _ := types.LookupFieldOrMethod(sc.st, true, sc.pkg, owner)
	if v, ok := obj.(*types.Var); ok {
		if path, ok := only(sc.pkg, v.Type()); ok {
			return append(fieldsAt(sc.st, index), path...), true
		}
	}
	return nil, false
}

// folded finds a lock field by its name in another case.
func (sc *structScope) folded(name string) ([]*types.Var, bool) {
	var found *types.Var
	for _, f := range locksOf(sc.st) {
		if strings.EqualFold(f.Name(), name) {
			if found != nil {
				return nil, false
			}
			found = f
		}
	}
	if found == nil {
		return nil, false
	}
	return lookup(sc.pkg, sc.st, []string{found.Name()})
}

// A funcScope is where the doc of a function finds its locks: the receiver, the
// parameters, the package.
type funcScope struct {
	pkg *types.Package
	sig *types.Signature
}

// params returns the parameters in SSA order, the receiver first.
func (sc funcScope) params() []*types.Var {
	var out []*types.Var
	if r := sc.sig.Recv(); r != nil {
		out = append(out, r)
	}
	for p := range sc.sig.Params().Variables() {
		out = append(out, p)
	}
	return out
}

// find finds the lock that the doc names.
func (sc funcScope) find(n lockName) (target, bool) {
	return n.either(sc.named)
}

func (sc funcScope) named(n lockName) (target, bool) {
	params := sc.params()
	if n.name != "" {
		names := strings.Split(n.name, ".")
		for i, p := range params {
			if p.Name() == names[0] {
				if path, ok := lookup(sc.pkg, p.Type(), names[1:]); ok {
					return target{path: path, param: i}, true
				}
			}
		}
		if t, ok := sc.field(params, names); ok {
			return t, true
		}
	}
	if t, ok := sc.byType(params, n); ok {
		return t, true
	}
	if t, ok := packageLock(sc.pkg, n); ok {
		return t, true
	}
	if n.owner == "" && generic(n.name) {
		for i, p := range params {
			if path, ok := only(sc.pkg, p.Type()); ok {
				return target{path: path, param: i}, true
			}
			if sc.sig.Recv() != nil {
				break
			}
		}
		return target{}, false
	}
	names := strings.Split(n.name, ".")
	if len(names) > 1 && token.IsIdentifier(names[0]) && !startsUpper(names[0]) {
		// a receiver that has been renamed since
		return sc.field(params, names[1:])
	}
	return target{}, false
}

// field finds a lock among the fields of the receiver, or of the only parameter
// that has it.
func (sc funcScope) field(params []*types.Var, names []string) (target, bool) {
	var found target
	n := 0
	for i, p := range params {
		if path, ok := lookup(sc.pkg, p.Type(), names); ok {
			if i == 0 && sc.sig.Recv() != nil {
				return target{path: path, param: 0}, true
			}
			found = target{path: path, param: i}
			n++
		}
	}
	return found, n == 1
}

// byType finds "Queue.mu" and "the queue lock" through the parameter of that type
// or name.
func (sc funcScope) byType(params []*types.Var, n lockName) (target, bool) {
	names := strings.Split(n.name, ".")
	start := n.owner
	if n.name == "" {
		names = nil
	} else if start == "" {
		if len(names) < 2 {
			return target{}, false
		}
		start, names = names[0], names[1:]
	}
	if start == "" {
		return target{}, false
	}
	for i, p := range params {
		if tn := namedOf(p.Type()); strings.EqualFold(p.Name(), start) || tn != nil && strings.EqualFold(tn.Name(), start) {
			if path, ok := typeLock(sc.pkg, p.Type(), names); ok {
				return target{path: path, param: i}, true
			}
		}
	}
	return target{}, false
}

func namedOf(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}
