package locks

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Conditions are named by keys, so that two branches on the same thing are known
// to go the same way: code that locks if a flag is set and unlocks if it is set
// means one flag. A key that starts with volatile names something that may change
// between two tests, by a store or in a call; it holds until then.
const volatile = "~"

// testedConditions finds the conditions that branches test, or callers by the result,
// and those that several do: only those are worth remembering.
func (f *flow) testedConditions() (tested, repeated map[string]bool) {
	tested, repeated = map[string]bool{}, map[string]bool{}
	for _, b := range f.fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 {
			// where there are defers, a result is a variable
			key, _ := f.conditionKey(ret.Results[len(ret.Results)-1])
			tested[key] = true
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		key, _ := f.conditionKey(branch.Cond)
		// the argument for a parameter is one more test of it
		if tested[key] || isBoolParam(branch.Cond) {
			repeated[key] = true
		}
		tested[key] = true
	}
	return tested, repeated
}

// assigned notes what a variable that is tested later is set to.
func (f *flow) assigned(st *ssa.Store, w *world) {
	key := f.loaded(st.Addr)
	if !f.tested[key] {
		return
	}
	if outcome, ok := f.outcome(st.Val, w); ok {
		w.assume(key, outcome)
	}
}

// zeroed notes what a variable is before it is set.
func (f *flow) zeroed(a *ssa.Alloc, w *world) {
	key := f.loaded(a)
	if !f.tested[key] {
		return
	}
	w.forget(key)
	switch t := a.Type().Underlying().(*types.Pointer).Elem(); t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Signature, *types.Chan:
		w.assume(key, true) // nil
	case *types.Basic:
		if isBool(t) {
			w.assume(key, false)
		}
	}
}

func isBoolParam(v ssa.Value) bool {
	if not, ok := v.(*ssa.UnOp); ok && not.Op == token.NOT {
		v = not.X
	}
	_, ok := v.(*ssa.Parameter)
	return ok
}

// forget drops what was assumed of things that the instruction changes.
func (f *flow) forget(instr ssa.Instruction, w *world) {
	switch instr := instr.(type) {
	case *ssa.Extract:
		return // its value was settled by the call
	case *ssa.Phi:
		return // and this one's on the way into the block
	case *ssa.Call:
		w.forget(f.name(instr))
		w.forget(resultKey(instr))
		if _, _, ok := f.a.primitive(&instr.Call); !ok && f.a.pkg.Op(instr) == nil {
			w.forgetVolatile()
		}
		return
	case *ssa.Store:
		w.forgetVolatile()
		w.forget(f.loaded(instr.Addr))
	case *ssa.RunDefers:
		w.forgetVolatile()
	}
	if v, ok := instr.(ssa.Value); ok {
		w.forget(f.name(v))
	}
}

// name is the valueKey of a value of f's function.
func (f *flow) name(v ssa.Value) string {
	key, ok := f.names[v]
	if !ok {
		key = valueKey(v)
		f.names[v] = key
	}
	return key
}

func (w *world) forgetVolatile() {
	kept := w.assumed[:0]
	for _, a := range w.assumed {
		if !strings.HasPrefix(a.key, volatile) {
			kept = append(kept, a)
		}
	}
	w.assumed = kept
}

// conditionKey names a condition. negated tells that the condition is the opposite
// of what the key names. That a value is nil counts as true.
func (f *flow) conditionKey(v ssa.Value) (key string, negated bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			key, negated = f.conditionKey(v.X)
			return key, !negated
		}
	case *ssa.BinOp:
		if v.Op == token.EQL || v.Op == token.NEQ {
			return f.equalityKey(v)
		}
	}
	return f.key(v), false
}

func (f *flow) equalityKey(v *ssa.BinOp) (key string, negated bool) {
	x, y := v.X, v.Y
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	negated = v.Op == token.NEQ
	if c, ok := y.(*ssa.Const); ok {
		if c.IsNil() {
			return f.key(x), negated
		}
		if c.Value != nil && c.Value.Kind() == constant.Bool {
			return f.key(x), negated == constant.BoolVal(c.Value)
		}
		kx, vol := f.operand(x)
		return mark(kx+"="+c.String(), vol), negated
	}
	kx, volX := f.operand(x)
	ky, volY := f.operand(y)
	return mark(kx+"="+ky, volX || volY), negated
}

func (f *flow) key(v ssa.Value) string { return mark(f.operand(v)) }

func mark(key string, vol bool) string {
	if vol {
		return volatile + key
	}
	return key
}

// operand names a value; it is volatile if it is read from memory that something
// may write.
func (f *flow) operand(v ssa.Value) (key string, vol bool) {
	switch v := v.(type) {
	case *ssa.Const:
		return v.String(), false
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return f.load(v.X)
		}
	case *ssa.FieldAddr:
		key, vol = f.operand(v.X)
		return key + "." + strconv.Itoa(v.Field), vol
	case *ssa.Field:
		key, vol = f.operand(v.X)
		return key + "." + strconv.Itoa(v.Field), vol
	}
	return f.valueKey(v), false
}

// load names what is at an address.
func (f *flow) load(addr ssa.Value) (key string, vol bool) {
	if val := f.setOnce(addr); val != nil {
		return f.operand(val)
	}
	key, vol = f.operand(addr)
	return "*" + key, vol || !f.stable(addr) && !f.onlyHere(addr)
}

func (f *flow) loaded(addr ssa.Value) string { return mark(f.load(addr)) }

// setOnce returns the value of a captured variable that is only set where it is
// declared; nil if addr is no such variable's.
func (f *flow) setOnce(addr ssa.Value) ssa.Value {
	cell := f.a.places.cell(addr)
	if cell == nil {
		return nil
	}
	val := f.a.places.onlyStore(cell)
	if val == nil {
		return nil
	}
	declared := false
	for _, instr := range cell.Block().Instrs {
		switch {
		case instr == cell:
			declared = true
		case !declared:
		case refersTo(instr, cell):
			if st, ok := instr.(*ssa.Store); ok && st.Addr == cell {
				return val
			}
			return nil // it is zero there
		}
	}
	return nil
}

func refersTo(instr ssa.Instruction, v ssa.Value) bool {
	var rands [4]*ssa.Value
	for _, op := range instr.Operands(rands[:0]) {
		if *op == v {
			return true
		}
	}
	return false
}

// onlyHere tells whether addr is that of a captured variable that only this
// function sets: no call changes it.
func (f *flow) onlyHere(addr ssa.Value) bool {
	cell := f.a.places.cell(addr)
	return cell != nil && setOnlyIn(cell, f.fn)
}

// setOnlyIn tells whether the variable at addr is only loaded, captured, and set by
// fn.
func setOnlyIn(addr ssa.Value, fn *ssa.Function) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == addr || r.Parent() != fn {
				return false
			}
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == addr && !setOnlyIn(r.Fn.(*ssa.Function).FreeVars[i], fn) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// stable tells whether nothing writes what is at the address: it is a field that
// is only set while its object is made.
func (f *flow) stable(addr ssa.Value) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	return ok && !f.a.written[fieldAt(fa.X.Type(), fa.Field)]
}

// valueKey names a value, which may be one of a function around f's.
func (f *flow) valueKey(v ssa.Value) string {
	if p := v.Parent(); p != nil && p != f.fn {
		return p.Name() + "/" + valueKey(v)
	}
	return valueKey(v)
}

// valueKey names a value of the function. Registers and parameters may have the
// same name.
func valueKey(v ssa.Value) string {
	switch v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return ":" + v.Name()
	}
	return v.Name()
}

// mentions tells whether a key is made of the value of that name.
func mentions(key, name string) bool {
	for at := 0; ; at++ {
		i := strings.Index(key[at:], name)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if (at == 0 || !wordByte(key[at-1])) && (end == len(key) || !wordByte(key[end])) {
			return true
		}
	}
}

// wordByte tells whether the byte may be inside of a name. A name after a slash is
// another function's.
func wordByte(c byte) bool {
	return c == '_' || c == '/' || c == ':' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// resultKey names the result of a call by which a conditional effect shows: the
// call itself, or its last result.
func resultKey(call ssa.Value) string {
	tuple := resultCount(call)
	if tuple == 1 {
		return valueKey(call)
	}
	for _, r := range *call.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == tuple-1 {
			return valueKey(e)
		}
	}
	return valueKey(call)
}
