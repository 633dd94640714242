package locks

import (
	"go/constant"
	"go/token"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Conditions are named by keys, so that two branches on the same thing are known
// to go the same way: code that locks if a flag is set and unlocks if it is set
// means one flag. A key that starts with volatile names something that may change
// between two tests, by a store or in a call; it holds until then.
const volatile = "~"

// repeatedConditions finds the conditions that several branches test: only those
// are worth remembering.
func (f *flow) repeatedConditions() map[string]bool {
	count := map[string]int{}
	for _, b := range f.fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		key, _ := f.conditionKey(branch.Cond)
		count[key]++
		if isBoolParam(branch.Cond) {
			count[key]++ // the caller's argument is one more test
		}
	}
	repeated := map[string]bool{}
	for key, n := range count {
		if n > 1 {
			repeated[key] = true
		}
	}
	return repeated
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
	case *ssa.Call:
		w.forget(valueKey(instr))
		w.forget(resultKey(instr))
		if _, _, ok := f.a.primitive(&instr.Call); !ok && f.a.pkg.Op(instr) == nil {
			w.forgetVolatile()
		}
		return
	case *ssa.Store, *ssa.RunDefers:
		w.forgetVolatile()
	}
	if v, ok := instr.(ssa.Value); ok {
		w.forget(valueKey(v))
	}
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
			key, vol = f.operand(v.X)
			return "*" + key, vol || !f.stable(v.X)
		}
	case *ssa.FieldAddr:
		key, vol = f.operand(v.X)
		return key + "." + strconv.Itoa(v.Field), vol
	case *ssa.Field:
		key, vol = f.operand(v.X)
		return key + "." + strconv.Itoa(v.Field), vol
	}
	return valueKey(v), false
}

// stable tells whether nothing writes what is at the address: it is a field that
// is only set while its object is made.
func (f *flow) stable(addr ssa.Value) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	return ok && !f.a.written[fieldAt(fa.X.Type(), fa.Field)]
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
