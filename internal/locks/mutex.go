package locks

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Mode says how a lock is held.
type Mode int

// A read lock lets other readers in; a write lock excludes everybody.
const (
	Read  Mode = 1
	Write Mode = 2
)

// String is the word for the mode in messages.
func (m Mode) String() string {
	if m == Read {
		return "read lock"
	}
	return "lock"
}

// A primitive is what a call does to one lock.
type primitive struct {
	acquire bool
	try     bool
	mode    Mode
}

var primitives = map[string]primitive{
	"Lock":     {acquire: true, mode: Write},
	"RLock":    {acquire: true, mode: Read},
	"TryLock":  {acquire: true, try: true, mode: Write},
	"TryRLock": {acquire: true, try: true, mode: Read},
	"Unlock":   {mode: Write},
	"RUnlock":  {mode: Read},
}

// primitiveOf tells whether the method is that of a lock: it has one of the six
// names, takes nothing, returns nothing (or, to try, a bool), and its type has both
// Lock and Unlock. So sync's types count, sync.Locker, and every wrapper. Types with
// other names are known by models.
func primitiveOf(fn *types.Func) (primitive, bool) {
	if p, ok := Models.primitive(fn); ok {
		return p, true
	}
	p, ok := primitives[fn.Name()]
	sig := fn.Signature()
	if !ok || sig.Recv() == nil || sig.Params().Len() != 0 {
		return p, false
	}
	if p.try {
		if sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) {
			return p, false
		}
	} else if sig.Results().Len() != 0 {
		return p, false
	}
	return p, IsLock(sig.Recv().Type())
}

// IsLock tells whether t, or a pointer to it, has methods Lock and Unlock, or is
// modelled as a lock.
func IsLock(t types.Type) bool {
	if Models.find(t) != nil {
		return true
	}
	if _, ok := t.Underlying().(*types.Pointer); !ok && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	return hasMethod(t, "Lock") && hasMethod(t, "Unlock")
}

func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}

// method returns the method that a call invokes and its receiver, whether the call
// is static, through an interface, or of a method value made on the spot.
func method(call *ssa.CallCommon) (*types.Func, ssa.Value) {
	if call.IsInvoke() {
		return call.Method, call.Value
	}
	if mc, ok := call.Value.(*ssa.MakeClosure); ok {
		return boundMethod(mc)
	}
	fn := call.StaticCallee()
	if fn == nil || len(call.Args) == 0 {
		return nil, nil
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || obj.Signature().Recv() == nil {
		return nil, nil
	}
	return obj, call.Args[0]
}

// boundMethod returns the method and receiver of a method value (q.mu.Unlock).
func boundMethod(mc *ssa.MakeClosure) (*types.Func, ssa.Value) {
	fn := mc.Fn.(*ssa.Function)
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || fn.Synthetic == "" || len(mc.Bindings) != 1 {
		return nil, nil
	}
	return obj, mc.Bindings[0]
}

// isBound tells whether fn is the wrapper that go/ssa makes for a method value.
func isBound(fn *ssa.Function) bool {
	return fn.Synthetic != "" && len(fn.FreeVars) == 1 && fn.Parent() == nil
}

func methodOf(fn *ssa.Function) *types.Func {
	m, _ := fn.Object().(*types.Func)
	return m
}
