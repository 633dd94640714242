package expose

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
	"github.com/heapvet/heapvet/internal/uses"
)

// function applies the rules that look at one function.
func (f *finder) function() {
	for _, b := range f.fn.Blocks {
		if b == f.fn.Recover {
			continue
		}
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Return:
				f.returns(instr)
			case *ssa.Send:
				f.sends(instr, instr.X, instr.Pos())
			case *ssa.Select:
				for _, st := range instr.States {
					if st.Send != nil {
						f.sends(instr, st.Send, st.Pos)
					}
				}
			case *ssa.Go:
				f.starts(instr)
			case *ssa.Store:
				f.keeps(instr, instr.Addr, instr.Val)
				f.stores(instr, f.a.Places().Of(instr.Addr), instr.Val)
			case *ssa.MapUpdate:
				f.keeps(instr, instr.Map, instr.Value)
				f.stores(instr, f.target(instr), instr.Value)
			case *ssa.Call:
				f.calls(instr)
			case *ssa.Lookup:
				f.late(instr, instr.X, "read")
			case *ssa.Range:
				f.late(instr, instr.X, "ranged over")
			}
		}
	}
	f.lateLoops()
	f.handsIn()
	f.twice()
	f.lateElements()
	f.shallow()
	f.pools()
}

// returns finds guarded data among the results of a return.
func (f *finder) returns(r *ssa.Return) {
	if joined(r) {
		return
	}
	for i := range r.Results {
		res := locks.Result(r, i)
		for _, l := range f.leaks(res) {
			if !f.leaves(l.field, l.at) || !f.changes(l) || f.handedOver(l) || f.holds(l.field, l.at, r) || missing(l, r) || !f.matters(l, i) {
				continue
			}
			pos := r.Pos()
			if l.pos.IsValid() {
				pos = l.pos
			}
			if l.element() {
				if f.takesGuard(l.value.Type(), l.field.Guard) {
					continue
				}
				f.report("elem", pos, l.field, fmt.Sprintf("returns a pointer into %s, whose elements change under %s; the caller reads and writes it without", l.field, l.field.Guard))
				continue
			}
			rule, verb := "return", "returns"
			if l.pos.IsValid() && selfGuarded(res.Type()) {
				rule, verb = "store", "shares"
			}
			out := f.report(rule, pos, l.field, f.returned(verb, l))
			out.Copy = f.mendResult(r, i, l)
		}
		f.window(r, i, res)
	}
}

// returned is the message about a container that is returned.
func (f *finder) returned(verb string, l leak) string {
	switch {
	case f.a.Heaps().Type(l.place.Type) != nil:
		return fmt.Sprintf("%s %s itself, which %s guards and heap operations change in place: the caller uses it without the lock, and would destroy the heap's order by sorting it", verb, l.field, l.field.Guard)
	case f.overwritten(l):
		return fmt.Sprintf("%s %s itself, which %s guards and other methods change in place: the caller uses it without the lock", verb, l.field, l.field.Guard)
	}
	return fmt.Sprintf("%s %s itself, which %s guards and other methods append to: what the caller changes or appends goes to the same array, without the lock", verb, l.field, l.field.Guard)
}

// missing tells whether the return is on the way on which the map had no such element.
func missing(l leak, r *ssa.Return) bool {
	v := l.value
	if load, ok := v.(*ssa.UnOp); ok {
		if cell, ok := load.X.(*ssa.Alloc); ok {
			v = onlyStored(cell)
		}
	}
	e, ok := v.(*ssa.Extract)
	if !ok || e.Index != 0 {
		return false
	}
	for _, g := range uses.Guards(r) {
		if found, ok := g.If.Cond.(*ssa.Extract); ok && found.Tuple == e.Tuple && found.Index == 1 && !g.Holds {
			return true
		}
	}
	return false
}

// window finds results of methods that return a part of their receiver's own array:
// bytes.Buffer's Bytes, Next and AvailableBuffer.
func (f *finder) window(r *ssa.Return, i int, res ssa.Value) {
	call, ok := res.(*ssa.Call)
	if !ok {
		return
	}
	buf := bufferWindow(&call.Call)
	if buf == nil {
		return
	}
	p := f.a.Canonical(f.a.Places().Of(buf))
	if p == nil || p.Field == nil {
		return
	}
	if g := f.heldBeside(p, call); g != nil {
		out := f.report("return", r.Pos(), nil, fmt.Sprintf("returns a window into %s, which the next write overwrites; %s is free again by then", guards.Name(p), guards.Name(g)))
		out.Copy = &Copy{Func: "bytes.Clone", Pos: r.Pos(), Result: i}
	}
}

func bufferWindow(call *ssa.CallCommon) ssa.Value {
	fn := call.StaticCallee()
	if fn == nil || fn.Object() == nil {
		return nil
	}
	switch fn.Object().(*types.Func).FullName() {
	case "(*bytes.Buffer).Bytes", "(*bytes.Buffer).Next", "(*bytes.Buffer).AvailableBuffer":
		return call.Args[0]
	}
	return nil
}

// heldBeside returns a lock of the object that p is a part of, held at the
// instruction.
func (f *finder) heldBeside(p *locks.Place, instr ssa.Instruction) *locks.Place {
	for _, h := range f.heldBy(f.fn)[instr] {
		if h.Place.Parent != nil && h.Place.Parent == p.Parent {
			return h.Place
		}
	}
	return nil
}

// sends finds guarded data that is sent on a channel.
func (f *finder) sends(instr ssa.Instruction, v ssa.Value, pos token.Pos) {
	for _, l := range f.leaks(v) {
		if l.element() || !f.changes(l) || f.handedOver(l) {
			continue
		}
		out := f.report("send", pos, l.field, fmt.Sprintf("sends %s itself, which goes on being changed in place under %s while the receiver reads it", l.field, l.field.Guard))
		out.Copy = f.mend(l, pos, instr)
	}
}

// starts finds guarded data that a goroutine is given or captures in a variable.
func (f *finder) starts(g *ssa.Go) {
	fn := g.Call.StaticCallee()
	for i, arg := range g.Call.Args {
		if fn != nil && i < len(fn.Params) && f.usedUnder(fn, fn.Params[i]) {
			continue
		}
		f.given(g.Call.Pos(), arg)
	}
	f.captured(g.Call.Value, g.Pos())
}

// usedUnder tells whether a function takes a lock for all that it does with a parameter.
func (f *finder) usedUnder(fn *ssa.Function, p *ssa.Parameter) bool {
	if len(fn.Blocks) == 0 {
		return false
	}
	held := f.heldBy(fn)
	for _, r := range referrers(p) {
		if _, debug := r.(*ssa.DebugRef); !debug && len(held[r]) == 0 {
			return false
		}
	}
	return true
}

// captured finds guarded data in the variables that a goroutine's function captures.
func (f *finder) captured(v ssa.Value, pos token.Pos) {
	mc, ok := v.(*ssa.MakeClosure)
	if !ok {
		return
	}
	fn := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		cell, ok := b.(*ssa.Alloc)
		if !ok || i >= len(fn.FreeVars) {
			continue
		}
		for _, r := range *cell.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == cell {
				f.given(firstUse(fn.FreeVars[i], pos), st.Val)
			}
		}
	}
}

func (f *finder) given(pos token.Pos, v ssa.Value) {
	if _, isField := v.(*ssa.Parameter); isField {
		return
	}
	for _, l := range f.leaks(v) {
		if l.element() || !f.overwritten(l) || f.handedOver(l) {
			continue
		}
		f.report("send", pos, l.field, fmt.Sprintf("a goroutine uses %s, taken before it started, without %s, under which it is changed in place meanwhile", l.field, l.field.Guard))
	}
}

func firstUse(v *ssa.FreeVar, otherwise token.Pos) token.Pos {
	for _, r := range *v.Referrers() {
		if r.Pos().IsValid() {
			return r.Pos()
		}
	}
	return otherwise
}

// calls applies the rules about calls: encoders and formatters, copies made too late,
// append on a shared base.
func (f *finder) calls(call *ssa.Call) {
	common := &call.Call
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			f.appends(call)
			if len(common.Args) > 1 {
				f.late(call, common.Args[1], "copied")
			}
		case "copy":
			f.late(call, common.Args[1], "copied")
		}
		return
	}
	name := fullName(common)
	switch {
	case copies[name]:
		f.late(call, common.Args[0], "copied")
	case encoders[name] > 0 && len(common.Args) >= encoders[name]:
		f.encodes(call, common.Args[encoders[name]-1])
	case formatters[name]:
		f.formats(call)
	default:
		if locks.RunsLater(common) {
			for _, arg := range common.Args {
				f.captured(arg, call.Pos())
			}
		}
		f.keptBy(call)
		f.passes(call)
	}
}

var copies = map[string]bool{
	"slices.Clone": true, "maps.Clone": true, "slices.Sorted": true, "slices.Concat": true, "bytes.Clone": true,
}

// encoders read what they are given by reflection, the argument of that number
// (counted from one, receivers included).
var encoders = map[string]int{
	"encoding/json.Marshal": 1, "encoding/json.MarshalIndent": 1, "(*encoding/json.Encoder).Encode": 2,
	"(*encoding/gob.Encoder).Encode": 2, "encoding/xml.Marshal": 1, "(*encoding/xml.Encoder).Encode": 2,
	"(*text/template.Template).Execute": 3, "(*html/template.Template).Execute": 3,
	"(*text/template.Template).ExecuteTemplate": 4, "(*html/template.Template).ExecuteTemplate": 4,
	"(*gopkg.in/yaml.v3.Encoder).Encode": 2, "encoding/binary.Write": 3,
	"gopkg.in/yaml.v2.Marshal": 1, "gopkg.in/yaml.v3.Marshal": 1, "sigs.k8s.io/yaml.Marshal": 1,
}

func fullName(call *ssa.CallCommon) string {
	fn := call.StaticCallee()
	if fn == nil {
		return ""
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil {
		return ""
	}
	return obj.FullName()
}

// encodes finds guarded data that is encoded without its guard.
func (f *finder) encodes(call *ssa.Call, arg ssa.Value) {
	f.encodesObject(call, arg)
	f.encodesData(call, arg)
}

// encodesData finds slices and maps among what is encoded.
func (f *finder) encodesData(call *ssa.Call, arg ssa.Value) {
	for _, l := range f.leaks(arg) {
		if l.element() || !f.changes(l) || f.holds(l.field, l.at, call) || !f.leaves(l.field, l.at) || f.handedOver(l) || joined(call) {
			continue
		}
		out := f.report("marshal", call.Pos(), l.field, fmt.Sprintf("encodes %s, which reads all of it, without %s, under which it is changed in place", l.field, l.field.Guard))
		out.Copy = f.mend(l, call.Pos(), call)
	}
}

// appends finds append on a guarded slice whose result is not stored back: two such
// calls write the same spare slots.
func (f *finder) appends(call *ssa.Call) {
	base := call.Call.Args[0]
	if s, ok := base.(*ssa.Slice); ok && s.Max != nil {
		return
	}
	p := f.a.Canonical(f.a.Places().Of(base))
	fd, q := f.fs.At(p)
	if fd == nil || q != p || f.storedBack(call, p, 0) || f.a.Replaced(p, f.fn) || !f.usedLater(call, fd, q, map[ssa.Value]bool{}) {
		return
	}
	out := f.report("append", call.Pos(), fd, fmt.Sprintf("appends to %s and keeps the result elsewhere: the next append writes the same slots of the shared array", fd))
	if out.Copy = f.mend(leak{field: fd, at: q, place: p, value: base}, call.Pos(), call); out.Copy != nil {
		out.Copy.Base = true
	}
}

// usedLater tells whether the result of an append is stored, returned or passed on, or
// used in another way when the lock is free again.
func (f *finder) usedLater(v ssa.Value, fd *Field, q *locks.Place, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Return, *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.MakeInterface, *ssa.Go, *ssa.Defer, *ssa.MakeClosure:
			return true
		case *ssa.Phi, *ssa.Slice, *ssa.ChangeType:
			if f.usedLater(r.(ssa.Value), fd, q, seen) {
				return true
			}
		case *ssa.DebugRef:
		case *ssa.Call:
			if _, builtin := r.Call.Value.(*ssa.Builtin); !builtin || f.locks(fd, q) && !f.holds(fd, q, r) {
				return true
			}
		default:
			if f.locks(fd, q) && !f.holds(fd, q, r) {
				return true
			}
		}
	}
	return false
}

func (f *finder) storedBack(v ssa.Value, p *locks.Place, depth int) bool {
	if depth > 4 {
		return true
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if f.a.Canonical(f.a.Places().Of(r.Addr)) == p || f.putBack(r.Addr, p) {
				return true
			}
		case *ssa.Phi:
			if f.storedBack(r, p, depth+1) {
				return true
			}
		case *ssa.Call:
			if sets(&r.Call, v, p.Field) {
				return true
			}
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && r.Call.Args[0] == v && f.storedBack(r, p, depth+1) {
				return true
			}
		case *ssa.Slice:
			if f.storedBack(r, p, depth+1) {
				return true
			}
		}
	}
	return false
}

// putBack tells whether a field that is set belongs to a struct which then takes the
// place, in a map, of the one that p is a part of.
func (f *finder) putBack(addr ssa.Value, p *locks.Place) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	for _, r := range referrers(fa.X) {
		load, ok := r.(*ssa.UnOp)
		if !ok {
			continue
		}
		for _, u := range referrers(load) {
			up, ok := u.(*ssa.MapUpdate)
			if ok && up.Value == load && slices.Contains(p.Ancestors(), f.a.Canonical(f.a.Places().Of(up.Map))) {
				return true
			}
		}
	}
	return false
}

// sets tells whether a call gives the value to a function that stores it in the field.
func sets(call *ssa.CallCommon, v ssa.Value, field *types.Var) bool {
	fn := call.StaticCallee()
	if fn == nil || field == nil || len(fn.Params) != len(call.Args) {
		return false
	}
	for i, arg := range call.Args {
		if arg != v {
			continue
		}
		for _, r := range referrers(fn.Params[i]) {
			st, ok := r.(*ssa.Store)
			if !ok {
				continue
			}
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok && locks.Field(fa).Origin() == field.Origin() {
				return true
			}
		}
	}
	return false
}

// late finds a use of guarded data that was taken under the lock but is looked at
// after the unlock.
func (f *finder) late(use ssa.Instruction, v ssa.Value, how string) {
	load := loadOf(v)
	if load == nil {
		return
	}
	p := f.a.Canonical(f.a.Places().Of(v))
	fd, q := f.fs.At(p)
	if fd == nil || !f.holds(fd, q, load) || f.holds(fd, q, use) {
		return
	}
	l := leak{field: fd, at: q, place: p, value: v}
	if !f.overwritten(l) || f.handedOver(l) {
		return
	}
	out := f.report("range", locks.Pos(use), fd, fmt.Sprintf("%s is %s after %s is unlocked; it was only the reference that was read under the lock", fd, how, fd.Guard))
	if how != "copied" {
		out.Copy = f.mend(l, use.Pos(), use)
	}
}

// loadOf returns the instruction that read a reference from memory.
func loadOf(v ssa.Value) ssa.Instruction {
	for range 8 {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op == token.MUL {
				if _, local := x.X.(*ssa.Alloc); local {
					return nil
				}
				return x
			}
			return nil
		case *ssa.Lookup:
			return x
		case *ssa.Extract:
			switch t := x.Tuple.(type) {
			case *ssa.Lookup:
				return t
			case *ssa.TypeAssert:
				v = t.X
				continue
			}
			return nil
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.Slice:
			v = x.X
		default:
			return nil
		}
	}
	return nil
}

// lateLoops finds loops over a slice: they index it, there is no range instruction.
func (f *finder) lateLoops() {
	seen := map[ssa.Value]bool{}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			ia, ok := instr.(*ssa.IndexAddr)
			if !ok || seen[ia.X] {
				continue
			}
			if _, slice := ia.X.Type().Underlying().(*types.Slice); !slice {
				continue
			}
			seen[ia.X] = true
			f.late(ia, ia.X, "read")
		}
	}
}
