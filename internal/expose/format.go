package expose

import (
	"fmt"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// formatters print their arguments by reflection.
var formatters = map[string]bool{
	"fmt.Print": true, "fmt.Println": true, "fmt.Printf": true,
	"fmt.Sprint": true, "fmt.Sprintln": true, "fmt.Sprintf": true,
	"fmt.Fprint": true, "fmt.Fprintln": true, "fmt.Fprintf": true, "fmt.Errorf": true,
	"log.Print": true, "log.Println": true, "log.Printf": true,
	"log.Fatal": true, "log.Fatalln": true, "log.Fatalf": true,
	"(*log.Logger).Print": true, "(*log.Logger).Println": true, "(*log.Logger).Printf": true,
	"(*log.Logger).Fatal": true, "(*log.Logger).Fatalf": true,
	"log/slog.Debug": true, "log/slog.Info": true, "log/slog.Warn": true, "log/slog.Error": true,
	"(*log/slog.Logger).Debug": true, "(*log/slog.Logger).Info": true, "(*log/slog.Logger).Warn": true, "(*log/slog.Logger).Error": true,
}

// formats finds objects with guarded data among the arguments of a print function:
// the verbs for values read all fields without the lock.
func (f *finder) formats(call *ssa.Call) {
	args := call.Call.Args
	if len(args) == 0 {
		return
	}
	format, hasFormat := "", strings.HasSuffix(call.Call.StaticCallee().Name(), "f")
	if hasFormat && len(args) > 1 {
		c, ok := args[len(args)-2].(*ssa.Const)
		if !ok || c.Value == nil || c.Value.Kind() != constant.String {
			return
		}
		format = constant.StringVal(c.Value)
	}
	for i, arg := range variadic(args[len(args)-1]) {
		f.encodesData(call, arg)
		mi, ok := arg.(*ssa.MakeInterface)
		if !ok || hasFormat && !valueVerb(format, i) {
			continue
		}
		if fd := f.printed(mi.X.Type()); fd != nil && !f.lockedHere(fd, mi.X, call) {
			f.report("format", call.Pos(), fd, fmt.Sprintf("prints a %s with all its fields, %s among them, without %s; give it a String method that locks", fd.Loc.Owner.Name(), fd, fd.Guard))
		}
	}
}

// variadic returns the arguments that a call packs into its last slice.
func variadic(v ssa.Value) []ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	return stored(a)
}

// valueVerb tells whether the n'th verb of a format prints the value itself, in which
// case fmt goes through all fields: %v and its variants, not %p, %T or %d.
func valueVerb(format string, n int) bool {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		for i < len(format) && strings.IndexByte("+-# 0123456789.[]*", format[i]) >= 0 {
			i++
		}
		if i < len(format) && format[i] == '%' {
			continue
		}
		if n == 0 {
			return i < len(format) && (format[i] == 'v' || format[i] == 's')
		}
		n--
	}
	return false
}

// printed returns a guarded field of the type that fmt would read, nil if there is
// none or the type prints itself.
func (f *finder) printed(t types.Type) *Field {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return nil
	}
	for _, m := range []string{"String", "Error", "Format", "GoString"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, false, n.Obj().Pkg(), m); obj != nil {
			if _, method := obj.(*types.Func); method {
				return nil
			}
		}
	}
	for _, fd := range f.fs.list {
		if fd.Loc.Owner == n.Origin().Obj() && fd.InPlace && len(fd.Loc.Path) == 1 && container(fieldType(fd)) {
			return fd
		}
	}
	return nil
}

func (f *finder) lockedHere(fd *Field, obj ssa.Value, call *ssa.Call) bool {
	p := f.a.Places().Of(obj)
	if p == nil {
		return true
	}
	q := f.a.Append(p, fd.Loc.Path)
	return f.holds(fd, q, call)
}
