package expose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heapvet/heapvet/internal/lazyregexp"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// keeps finds a store that makes a caller's slice or map, or a package's, guarded
// data: who passed it can go on using it without the lock.
func (f *finder) keeps(instr ssa.Instruction, addr, val ssa.Value) {
	target := f.a.Canonical(f.a.Places().Of(addr))
	if up, ok := instr.(*ssa.MapUpdate); ok && target != nil {
		target = f.a.Places().Elem(target, up.Key, up.Value.Type())
	}
	if target == nil {
		return
	}
	f.kept(instr.Pos(), target, val, 0)
}

func (f *finder) kept(pos token.Pos, target *locks.Place, val ssa.Value, depth int) {
	val = heaps.Peel(val)
	if load, ok := val.(*ssa.UnOp); ok && locks.IsStruct(load.Type()) && depth == 0 {
		if a, ok := load.X.(*ssa.Alloc); ok {
			f.keptFields(pos, target, a)
		}
		return
	}
	if !container(val.Type()) {
		return
	}
	fd, q := f.fs.At(target)
	if fd == nil || q != target && !f.elementChanges(target) {
		return
	}
	switch src := val.(type) {
	case *ssa.Parameter:
		f.keptParameter(pos, fd, q, target, src)
	case *ssa.UnOp:
		if param := f.option(src); param != nil {
			f.keptParameter(pos, fd, q, target, param)
			return
		}
		if g, ok := src.X.(*ssa.Global); ok && fd.Over && g.Pkg == f.fn.Pkg {
			out := f.report("alias", pos, fd, fmt.Sprintf("makes the package variable %s the content of %s, which is changed in place under %s: all objects share one array", g.Name(), fd, fd.Guard))
			out.Copy = f.mendKept(fd, q, target, src.Type(), pos, g.Object())
		}
	}
}

// keptParameter reports a parameter that becomes guarded data.
func (f *finder) keptParameter(pos token.Pos, fd *Field, q, target *locks.Place, param *ssa.Parameter) {
	fn := param.Parent()
	if !f.enteredBy(fn) || !f.takes(fd, q, target) || ownership(fn) {
		return
	}
	out := f.report("alias", pos, fd, fmt.Sprintf("keeps the caller's %s as %s, which is changed under %s: the caller still has it, without the lock", param.Name(), fd, fd.Guard))
	out.Copy = f.mendKept(fd, q, target, param.Type(), pos, param.Object())
}

// option returns the parameter of the function around this one that a captured
// variable holds: what a functional option was made with.
func (f *finder) option(load *ssa.UnOp) *ssa.Parameter {
	fv, ok := load.X.(*ssa.FreeVar)
	if !ok || f.fn.Parent() == nil {
		return nil
	}
	p := f.a.Places().Of(fv)
	if p == nil || p.Parent != nil {
		return nil
	}
	param, _ := p.Root.(*ssa.Parameter)
	if param == nil || param.Parent() != f.fn.Parent() {
		return nil
	}
	return param
}

// mendKept says how to keep a copy instead of the variable.
func (f *finder) mendKept(fd *Field, q, target *locks.Place, t types.Type, pos token.Pos, v types.Object) *Copy {
	if fn := cloneFunc(t); fn != "" && f.copies(fd, q, target) {
		return &Copy{Func: fn, Pos: pos, Var: v}
	}
	return nil
}

// keptFields looks at the fields of a struct value that is stored.
func (f *finder) keptFields(pos token.Pos, target *locks.Place, a *ssa.Alloc) {
	for _, r := range *a.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, s := range *fa.Referrers() {
			if st, ok := s.(*ssa.Store); ok && st.Addr == fa {
				part := f.a.Append(target, locks.Path{{Field: locks.Field(fa)}})
				f.kept(pos, part, st.Val, 1)
			}
		}
	}
}

func container(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// elementChanges tells whether what is stored at an element is changed in place.
func (f *finder) elementChanges(p *locks.Place) bool {
	fd, q := f.fs.At(p)
	return fd != nil && (fd.Deep || q == p && fd.InPlace || q != p && p.Field != nil && f.changedFields()[p.Field])
}

// takes tells whether keeping is a fault: the object goes on to write into what it
// was given, or a sibling that is set the same way is so.
func (f *finder) takes(fd *Field, q, target *locks.Place) bool {
	if fd.InPlace {
		return true
	}
	if !f.locks(fd, q) {
		return false // a constructor: the field is only replaced later
	}
	for _, other := range f.fs.list {
		if other.Loc.Owner == fd.Loc.Owner && other != fd && other.InPlace && container(fieldType(other)) && f.setBySetter(other) {
			return true
		}
	}
	return false
}

func fieldType(fd *Field) types.Type {
	last := fd.Loc.Path[len(fd.Loc.Path)-1]
	if last.Field == nil {
		return types.Typ[types.Invalid]
	}
	return last.Field.Type()
}

// setBySetter tells whether some function sets the field to one of its parameters.
func (f *finder) setBySetter(fd *Field) bool {
	for _, c := range fd.Loc.Contexts {
		st, ok := c.Instr.(*ssa.Store)
		if !ok {
			continue
		}
		if _, param := heaps.Peel(st.Val).(*ssa.Parameter); param {
			return true
		}
	}
	return false
}

var ownershipWords = lazyregexp.New(`(?i)\b(takes? (over|ownership)|owns?\b|ownership|must not (be )?(use|modif|chang|mutat|reuse)|should not (be )?(use|modif|chang|mutat|reuse)|adopts?|not copied|without copying|no copy)`)

// ownership tells whether the function's doc says that the caller gives its argument
// away.
func ownership(fn *ssa.Function) bool {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	return ok && decl.Doc != nil && ownershipWords.MatchString(decl.Doc.Text())
}

// exportedFields finds guarded fields that users outside the package can reach while
// the lock is out of their reach.
func (f *finder) exportedFields() {
	for _, fd := range f.fs.list {
		path := fd.Loc.Path
		if fd.Loc.Owner == nil || !fd.Loc.Owner.Exported() || len(path) != 1 || path[0].Field == nil || !fd.InPlace {
			continue
		}
		field := path[0].Field
		if !field.Exported() || !container(field.Type()) || fd.Guard.Place != nil || len(fd.Guard.Path) != 1 {
			continue
		}
		lock := fd.Guard.Path[0].Field
		if lock == nil || lock.Exported() || lock.Embedded() || f.fs.lockable(fd) || f.warns(fd.Loc.Owner) || f.warns(field) {
			continue
		}
		f.report("field", field.Pos(), fd, fmt.Sprintf("%s is changed in place under %s, but is exported while the lock is not: its users cannot lock", fd, fd.Guard))
	}
}

var accessWords = lazyregexp.New(`(?i)data race|read-?only|(not|never) (be )?(access|us|modif|chang|touch)|only (be )?(access|read|us)|direct(ly)?\b.*\b(access|operation|use)|hold(s|ing)?\b.*\b(lock|mutex)`)

// warns tells whether the comment of a declaration says who may access it.
func (f *finder) warns(obj types.Object) bool { return accessWords.MatchString(f.comment(obj)) }

// lockable tells whether the owner has methods by which its users can lock it.
func (fs *Fields) lockable(fd *Field) bool { return locks.IsLock(fd.Loc.Owner.Type()) }
