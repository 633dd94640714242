package expose

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/heapvet/heapvet/internal/lazyregexp"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// passes finds guarded data among the arguments of a call: of a function that cannot
// be known, under the lock or after it, or of any function that reads, keeps or
// changes it when the lock is free again.
func (f *finder) passes(call *ssa.Call) {
	common := &call.Call
	callees := f.a.Targets(common)
	for i, arg := range common.Args {
		for _, l := range f.leaks(arg) {
			if l.element() || !f.changes(l) || f.handedOver(l) {
				continue
			}
			locked := f.holds(l.field, l.at, call)
			load := loadOf(l.value)
			late := !locked && load != nil && f.holds(l.field, l.at, load) && f.overwritten(l)
			switch {
			case len(callees) > 0:
				if late {
					f.passedLate(call, l, callees, i)
				}
			case late:
				out := f.report("callback", locks.Pos(call), l.field, fmt.Sprintf("gives %s itself to %s after %s is unlocked: it reads what is changed in place meanwhile", l.field, calleeName(common), l.field.Guard))
				out.Copy = f.mend(l, call.Pos(), call)
			case locked && l.value == heaps.Peel(arg) && f.visitor(common, i, l):
			case locked && f.hook(common) && l.value == heaps.Peel(arg):
				f.report("callback", locks.Pos(call), l.field, fmt.Sprintf("gives %s itself to %s under %s: what keeps it uses it without the lock, and what calls back waits for ever", l.field, calleeName(common), l.field.Guard))
			}
		}
	}
}

// visitor reports callers in sight whose function keeps the guarded data that it is
// shown under the lock, as the i'th argument. It tells whether the call is of a parameter.
func (f *finder) visitor(common *ssa.CallCommon, i int, l leak) bool {
	param, ok := common.Value.(*ssa.Parameter)
	if !ok {
		return false
	}
	for _, site := range f.sitesOf(f.fn) {
		for _, c := range f.a.Callees(&site.Call) {
			for j, p := range c.Fn.Params {
				if p != param || j >= len(c.Vals) {
					continue
				}
				visit, ok := f.a.Func(c.Vals[j])
				if !ok || i >= len(visit.Fn.Params) {
					continue
				}
				if keep := keeping(visit.Fn.Params[i], 0); keep != nil {
					f.report("callback", locks.Pos(keep), l.field, fmt.Sprintf("keeps %s itself, which %s shows only while it holds %s", l.field, f.fn.Name(), l.field.Guard))
				}
			}
		}
	}
	return true
}

// keeping is an instruction that keeps a value beyond the function that it is a
// parameter of, nil if there is none.
func keeping(v ssa.Value, depth int) ssa.Instruction {
	if depth > 4 {
		return nil
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Value == v {
				return r
			}
		case *ssa.Send, *ssa.Go:
			return r
		case *ssa.Store:
			switch addr := r.Addr.(type) {
			case *ssa.FreeVar, *ssa.FieldAddr, *ssa.Global:
				if r.Val == v {
					return r
				}
			case *ssa.Alloc: // the parameter's own variable
				for _, load := range loads(addr) {
					if k := keeping(load, depth+1); k != nil {
						return k
					}
				}
			}
		case *ssa.Slice, *ssa.ChangeType, *ssa.Phi:
			if k := keeping(r.(ssa.Value), depth+1); k != nil {
				return k
			}
		}
	}
	return nil
}

// passedLate reports guarded data that a known function gets when the lock is free,
// if the function looks at it.
func (f *finder) passedLate(call *ssa.Call, l leak, callees []*ssa.Function, i int) {
	for _, fn := range callees {
		pos := locks.Pos(call)
		switch {
		case touches(fn, i, 0):
			if l.pos.IsValid() {
				pos = l.pos
			}
			f.report("store", pos, l.field, fmt.Sprintf("%s gets %s itself, which %s guards and which is changed in place: the two share it from then on", fn.Name(), l.named(), l.field.Guard))
		case l.pos.IsValid():
			continue // a part of something larger that is only read
		case len(fn.Blocks) == 0 || looks(fn, i, 0):
			out := f.report("range", pos, l.field, fmt.Sprintf("%s gets %s after %s is unlocked; it was only the reference that was read under the lock", fn.Name(), l.field, l.field.Guard))
			out.Copy = f.mend(l, pos, call)
		default:
			continue
		}
		return
	}
}

// named is the data as a message names it: the field, or the part of its elements that
// leaks.
func (l leak) named() string {
	if l.place != l.at && l.place.Field != nil {
		return l.place.Field.Name() + " of " + l.field.String()
	}
	return l.field.String()
}

func calleeName(call *ssa.CallCommon) string {
	if call.IsInvoke() {
		return call.Method.Name()
	}
	v := call.Value
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return locks.Field(v).Name()
	case *ssa.Global, *ssa.Parameter, *ssa.FreeVar:
		return v.Name()
	}
	return "a callback"
}

// notices are names of methods by which an interface is told of things.
var notices = lazyregexp.New(`^(On|Notify|Handle|Publish|Emit|Observe|Announce)([A-Z]|$)`)

// hook tells whether a call is one of a hook: a function that somebody set in a field
// or variable, or a method that tells of an event. A function that is a parameter is
// the caller's own business, and other methods are services, which keep nothing as a
// rule.
func (f *finder) hook(call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		return notices.MatchString(call.Method.Name()) && !strings.Contains(call.Method.Pkg().Path(), "net/http")
	}
	switch v := call.Value.(type) {
	case *ssa.UnOp:
		switch addr := v.X.(type) {
		case *ssa.FieldAddr:
			return !f.documented(locks.Field(addr))
		case *ssa.Global:
			return !f.documented(addr.Object())
		case *ssa.IndexAddr:
			return true
		}
	case *ssa.Extract:
		switch v.Tuple.(type) {
		case *ssa.Next, *ssa.Lookup:
			return true
		}
	case *ssa.Lookup:
		return true
	}
	return false
}

var borrowWords = lazyregexp.New(`(?i)\b(must|should|may|do|does|can) ?not\b.*\b(keep|retain|hold|store|modif|chang|mutat|use)|read-?only|only valid (during|until|while|for)`)

// documented tells whether the comment of a field or variable says what functions in
// it may do with what they get.
func (f *finder) documented(obj types.Object) bool { return borrowWords.MatchString(f.comment(obj)) }

// comment is the text of the comments of an object's declaration: a type, a field, or a
// variable of the package.
func (f *finder) comment(obj types.Object) string {
	if obj == nil {
		return ""
	}
	for _, file := range f.a.Heaps().IR.Files {
		if obj.Pos() < file.FileStart || obj.Pos() >= file.FileEnd {
			continue
		}
		var text string
		path, _ := astutil.PathEnclosingInterval(file, obj.Pos(), obj.Pos())
		for _, n := range path {
			switch n := n.(type) {
			case *ast.Field:
				return n.Doc.Text() + " " + n.Comment.Text()
			case *ast.TypeSpec:
				text = n.Doc.Text() + " " + n.Comment.Text()
			case *ast.ValueSpec:
				text = n.Doc.Text() + " " + n.Comment.Text()
			case *ast.GenDecl:
				return text + " " + n.Doc.Text()
			}
		}
	}
	return ""
}

// looks tells whether a function reads the elements of its i'th parameter.
func looks(fn *ssa.Function, i, depth int) bool {
	if i >= len(fn.Params) || depth > maxChangeDepth {
		return false
	}
	return looksAt(fn.Params[i], depth, map[ssa.Value]bool{})
}

func looksAt(v ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.IndexAddr, *ssa.Range, *ssa.Lookup:
			return true
		case *ssa.Slice, *ssa.Phi, *ssa.ChangeType, *ssa.MakeInterface:
			if looksAt(r.(ssa.Value), depth, seen) {
				return true
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok {
				if b.Name() == "append" || b.Name() == "copy" {
					return true
				}
				continue
			}
			fn := r.Call.StaticCallee()
			for i, a := range r.Call.Args {
				if a == v && (fn == nil || len(fn.Blocks) == 0 || looks(fn, i, depth+1)) {
					return true
				}
			}
		}
	}
	return false
}
