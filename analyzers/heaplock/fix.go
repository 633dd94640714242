package heaplock

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
)

// A fixer suggests fixes for findings, where they are sure to be right: the function
// that gets the lock, or the stronger lock, runs nothing that takes it as well, and
// nobody calls it who holds it already. Either would wait for itself for ever.
type fixer struct {
	pass *analysis.Pass
	a    *locks.Analysis
	// within remembers calls of functions by those who hold the lock.
	within map[holder]ssa.CallInstruction
}

// A holder is a function that is to hold a lock: a field or package variable.
type holder struct {
	fn   *ssa.Function
	lock *types.Var
}

func (x *fixer) fixes(v *guards.Violation) []analysis.SuggestedFix {
	if v.Guard == nil || v.Context == nil {
		return nil
	}
	fn := v.Context.Trace[v.Frame].Fn
	lock := v.Guard.Var()
	if lock == nil || fn.Synthetic != "" {
		return nil
	}
	switch v.Rule {
	case "rlock":
		return x.writeLock(fn, lock, v)
	case "unheld":
		return x.lockAtHead(fn, lock, v)
	}
	return nil
}

// heldCall returns a call that may run fn with the lock held, nil if there is none.
// Otherwise fn may hold the lock for the whole of a call.
func (x *fixer) heldCall(fn *ssa.Function, lock *types.Var) ssa.CallInstruction {
	key := holder{fn, lock}
	call, known := x.within[key]
	if !known {
		call = x.a.HeldCalls(fn, lock)
		x.within[key] = call
	}
	return call
}

// obstacle says why a function without the lock cannot simply take it: it is also
// called by code that holds it.
func (x *fixer) obstacle(v *guards.Violation) []analysis.RelatedInformation {
	if v.Rule != "unheld" || v.Guard == nil || v.Guard.Var() == nil {
		return nil
	}
	fn := v.Context.Trace[v.Frame].Fn
	call := x.heldCall(fn, v.Guard.Var())
	if call == nil || fn.Object() == nil {
		return nil
	}
	return []analysis.RelatedInformation{{
		Pos:     locks.Pos(call),
		Message: "this leads to " + fn.Name() + " with the lock taken, so " + fn.Name() + " cannot take it itself",
	}}
}

// writeLock makes RLock and RUnlock of one lock in a function Lock and Unlock.
func (x *fixer) writeLock(fn *ssa.Function, lock *types.Var, v *guards.Violation) []analysis.SuggestedFix {
	calls, all := x.lockCalls(fn, lock)
	names := map[string]string{"RLock": "Lock", "RUnlock": "Unlock"}
	var edits []analysis.TextEdit
	for _, c := range calls {
		name, ok := names[c.sel.Sel.Name]
		if !ok || x.source(c.sel.X) != x.source(calls[0].sel.X) {
			return nil
		}
		edits = append(edits, analysis.TextEdit{Pos: c.sel.Sel.Pos(), End: c.sel.Sel.End(), NewText: []byte(name)})
	}
	sum := x.a.Summary(fn)
	if len(edits) < 2 || !all || sum == nil || !sum.Balanced() || !slices.ContainsFunc(calls, func(c lockCall) bool { return c.call.Pos() <= v.Locked && v.Locked < c.call.End() }) {
		return nil
	}
	if r := x.a.Reach(fn); r.Unknown || r.Waits || x.heldCall(fn, lock) != nil {
		return nil
	}
	for _, callee := range x.called(fn) {
		if x.a.Reach(callee).Takes[lock] {
			return nil
		}
	}
	return []analysis.SuggestedFix{{Message: "take the write lock", TextEdits: edits}}
}

// called are the functions that fn calls itself, in its literals too.
func (x *fixer) called(fn *ssa.Function) []*ssa.Function {
	var fns []*ssa.Function
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				for _, f := range x.a.Targets(call.Common()) {
					if f.Parent() == nil {
						fns = append(fns, f)
					}
				}
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		fns = append(fns, x.called(lit)...)
	}
	return fns
}

// A lockCall is a call of a method of a lock.
type lockCall struct {
	call *ast.CallExpr
	sel  *ast.SelectorExpr
}

// lockCalls are the calls in a function of the methods of a lock, which is a field
// or package variable, in the order of the source. all is false if it also uses them
// as values.
func (x *fixer) lockCalls(fn *ssa.Function, lock *types.Var) (calls []lockCall, all bool) {
	if fn.Syntax() == nil {
		return nil, false
	}
	selectors := 0
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x.lockOf(n) == lock {
				selectors++
			}
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && x.lockOf(sel) == lock {
				calls = append(calls, lockCall{n, sel})
			}
		}
		return true
	})
	return calls, selectors == len(calls)
}

// lockOf returns the field or package variable whose method a selector names,
// embedded fields included; nil if it names something else.
func (x *fixer) lockOf(sel *ast.SelectorExpr) *types.Var {
	s := x.pass.TypesInfo.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return nil
	}
	if n := len(s.Index()); n > 1 { // promoted through embedded fields
		t := s.Recv()
		var f *types.Var
		for _, i := range s.Index()[:n-1] {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			st, ok := t.Underlying().(*types.Struct)
			if !ok {
				return nil
			}
			f = st.Field(i)
			t = f.Type()
		}
		return f.Origin()
	}
	switch e := ast.Unparen(sel.X).(type) {
	case *ast.Ident:
		v, _ := x.pass.TypesInfo.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := x.pass.TypesInfo.Uses[e.Sel].(*types.Var)
		if v != nil {
			return v.Origin()
		}
	}
	return nil
}

// lockAtHead makes a method hold its receiver's lock from beginning to end, as other
// methods of the type do.
func (x *fixer) lockAtHead(fn *ssa.Function, lock *types.Var, v *guards.Violation) []analysis.SuggestedFix {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || decl.Body == nil || len(decl.Body.List) == 0 || !ofReceiver(fn, v) || x.a.Heaps().Method(fn) || formats(fn) {
		return nil
	}
	recv := receiver(decl)
	style := x.style(fn, lock, onlyReads(x.a.Summary(fn)))
	if recv == nil || style == nil || x.shadowed(decl, recv) {
		return nil
	}
	if r := x.a.Reach(fn); len(r.Takes) > 0 || r.Unknown || r.Waits || !x.a.Summary(fn).Balanced() {
		return nil
	}
	if x.reachable(v) || x.heldCall(fn, lock) != nil {
		return nil
	}
	text := "\n" + recv.Name + style.lock + "\ndefer " + recv.Name + style.unlock
	at := x.endOfLine(decl.Body)
	if x.line(at) == x.line(decl.Body.List[0].Pos()) {
		text += "\n"
	}
	return []analysis.SuggestedFix{{
		Message:   "take the lock for the whole method",
		TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}},
	}}
}

// endOfLine is where the first line of a function's body ends, with a comment there.
func (x *fixer) endOfLine(body *ast.BlockStmt) token.Pos {
	at := body.Lbrace + 1
	for _, f := range x.pass.Files {
		if f.FileStart <= at && at < f.FileEnd {
			for _, c := range f.Comments {
				if c.Pos() >= at && c.Pos() < body.List[0].Pos() && x.line(c.Pos()) == x.line(at) {
					return c.End()
				}
			}
		}
	}
	return at
}

// formats tells whether the method is one that package fmt calls for a value: whoever
// logs the object under its lock calls it.
func formats(fn *ssa.Function) bool {
	switch fn.Name() {
	case "String", "GoString", "Format", "Error":
		return true
	}
	return false
}

// ofReceiver tells whether the heap belongs to the object that is the method's
// receiver, which is a pointer.
func ofReceiver(fn *ssa.Function, v *guards.Violation) bool {
	if fn.Signature.Recv() == nil || v.Guard.Place != nil {
		return false
	}
	if _, ok := fn.Signature.Recv().Type().Underlying().(*types.Pointer); !ok {
		return false
	}
	obj := v.Owner()
	return obj != nil && obj.Parent == nil && obj.Root == fn.Params[0]
}

func receiver(decl *ast.FuncDecl) *ast.Ident {
	if decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 || decl.Recv.List[0].Names[0].Name == "_" {
		return nil
	}
	return decl.Recv.List[0].Names[0]
}

// shadowed tells whether the receiver is set to something else in the method.
func (x *fixer) shadowed(decl *ast.FuncDecl, recv *ast.Ident) bool {
	set := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok {
			for _, l := range as.Lhs {
				id, ok := l.(*ast.Ident)
				set = set || ok && x.pass.TypesInfo.Uses[id] == x.pass.TypesInfo.Defs[recv]
			}
		}
		return true
	})
	return set
}

// onlyReads tells whether a function changes nothing of objects that have a lock.
func onlyReads(s *locks.Summary) bool {
	return s != nil && !slices.ContainsFunc(s.Accesses, func(acc *locks.Access) bool { return acc.Effect != locks.Reads })
}

// A style is how a method takes the lock: what comes after the receiver.
type style struct{ lock, unlock string }

// style is how the other methods of the type take the lock: most of them that do
// begin with Lock and defer Unlock. For a method that only reads, RLock is as good if
// another one does so.
func (x *fixer) style(fn *ssa.Function, lock *types.Var, reads bool) *style {
	var lockStyle, readStyle *style
	deferred, other := 0, 0
	for _, g := range x.a.Heaps().IR.Funcs {
		if g == fn || g.Signature.Recv() == nil || !types.Identical(g.Signature.Recv().Type(), fn.Signature.Recv().Type()) {
			continue
		}
		calls, _ := x.lockCalls(g, lock)
		if len(calls) == 0 {
			continue
		}
		s := x.headOf(g, calls)
		if s == nil {
			other++
			continue
		}
		deferred++
		if calls[0].sel.Sel.Name == "RLock" {
			readStyle = s
		} else {
			lockStyle = s
		}
	}
	switch {
	case deferred <= other:
		return nil
	case reads && readStyle != nil:
		return readStyle
	}
	return lockStyle
}

// headOf returns how a method begins if that is Lock and defer Unlock, and there are
// no more calls of the lock.
func (x *fixer) headOf(fn *ssa.Function, calls []lockCall) *style {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || len(calls) != 2 || len(decl.Body.List) < 2 {
		return nil
	}
	recv := receiver(decl)
	first, ok1 := decl.Body.List[0].(*ast.ExprStmt)
	second, ok2 := decl.Body.List[1].(*ast.DeferStmt)
	if recv == nil || !ok1 || !ok2 || first.X != calls[0].call || second.Call != calls[1].call {
		return nil
	}
	lock, ok1 := afterReceiver(x.source(calls[0].call), recv.Name)
	unlock, ok2 := afterReceiver(x.source(calls[1].call), recv.Name)
	pair := calls[0].sel.Sel.Name + " " + calls[1].sel.Sel.Name
	if !ok1 || !ok2 || pair != "Lock Unlock" && pair != "RLock RUnlock" {
		return nil
	}
	return &style{lock, unlock}
}

func afterReceiver(text, recv string) (string, bool) {
	if len(text) > len(recv) && text[:len(recv)] == recv && text[len(recv)] == '.' {
		return text[len(recv):], true
	}
	return "", false
}

// reachable tells whether other packages can take the lock, and so may call the
// method with it held.
func (x *fixer) reachable(v *guards.Violation) bool {
	if x.pass.Pkg.Name() == "main" || v.Location.Owner == nil || !v.Location.Owner.Exported() {
		return false
	}
	for _, s := range v.Guard.Path {
		if s.Field != nil && !s.Field.Exported() {
			return false
		}
	}
	return true
}

func (x *fixer) source(e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, x.pass.Fset, e); err != nil {
		return ""
	}
	return b.String()
}

func (x *fixer) line(p token.Pos) int { return x.pass.Fset.Position(p).Line }
