package order

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/ir"
)

// An EffectKind says in what way a comparator is no function of its elements.
type EffectKind int

const (
	// Clock: it reads the time.
	Clock EffectKind = iota
	// Random: it asks for a random number.
	Random
	// Lock: it takes a lock or waits.
	Lock
	// Channel: it sends, receives or selects.
	Channel
	// World: it reads the environment, files or the network.
	World
	// Variable: it reads a package variable that other code changes.
	Variable
	// Write: it changes what it compares by.
	Write
	// Spawn: it starts a goroutine.
	Spawn
)

// An Effect is a place in a comparator, or in a function of the package that it
// calls, that depends on or changes more than the elements.
type Effect struct {
	Kind EffectKind
	Pos  token.Pos
	Fn   *ssa.Function
	// What is the function called or the variable read, as the source has it.
	What string
	// Writes are places where the rest of the package changes the variable.
	Writes []token.Pos
}

// Effects lists what makes a comparator impure, in source order of the walk.
func Effects(p *ir.Package, fn *ssa.Function) []Effect {
	w := &effectWalk{prog: p, seen: map[*ssa.Function]bool{}, told: map[token.Pos]bool{}}
	w.visit(bodyOf(fn), 0)
	return w.found
}

type effectWalk struct {
	prog  *ir.Package
	seen  map[*ssa.Function]bool
	told  map[token.Pos]bool
	found []Effect
}

func (w *effectWalk) visit(fn *ssa.Function, depth int) {
	if fn == nil || w.seen[fn] || depth > maxSetDepth {
		return
	}
	w.seen[fn] = true
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			w.instr(fn, in, depth)
		}
	}
}

func (w *effectWalk) add(e Effect) {
	if e.Pos.IsValid() && !w.told[e.Pos] {
		w.told[e.Pos] = true
		w.found = append(w.found, e)
	}
}

func (w *effectWalk) instr(fn *ssa.Function, in ssa.Instruction, depth int) {
	switch in := in.(type) {
	case *ssa.Go:
		w.add(Effect{Kind: Spawn, Pos: in.Pos(), Fn: fn, What: "go"})
	case *ssa.Send:
		w.add(Effect{Kind: Channel, Pos: in.Pos(), Fn: fn, What: "a send"})
	case *ssa.Select:
		w.add(Effect{Kind: Channel, Pos: in.Pos(), Fn: fn, What: "select"})
	case *ssa.UnOp:
		switch in.Op {
		case token.ARROW:
			w.add(Effect{Kind: Channel, Pos: in.Pos(), Fn: fn, What: "a receive"})
		case token.MUL:
			if !counts(in) {
				w.global(fn, in.X, readPos(in))
			}
		}
	case *ssa.Call:
		w.call(fn, in, depth)
	case *ssa.Store:
		w.store(fn, in)
	}
}

// call looks into functions of the package and judges others by name.
func (w *effectWalk) call(fn *ssa.Function, in *ssa.Call, depth int) {
	c := &in.Call
	var obj *types.Func
	if c.IsInvoke() {
		obj = c.Method
	} else if callee := c.StaticCallee(); callee != nil {
		obj, _ = callee.Object().(*types.Func)
		if body := bodyOf(callee); body != nil {
			w.visit(body, depth+1)
			return
		}
	}
	if obj == nil || obj.Pkg() == nil {
		return
	}
	if atomicCall(c, "Load") {
		w.global(fn, c.Args[0], in.Pos())
		return
	}
	if kind, ok := effectOf(obj); ok {
		w.add(Effect{Kind: kind, Pos: in.Pos(), Fn: fn, What: nameOf(obj)})
	}
}

// atomicCall tells whether a call is of a function or method of sync/atomic, or a
// method of sync.Map, whose name starts with one of the given words.
func atomicCall(c *ssa.CallCommon, words ...string) bool {
	callee := c.StaticCallee()
	if callee == nil || callee.Object() == nil || callee.Object().Pkg() == nil || len(c.Args) == 0 {
		return false
	}
	switch callee.Object().Pkg().Path() {
	case "sync/atomic":
	case "sync":
		if !strings.HasPrefix(callee.String(), "(*sync.Map)") {
			return false
		}
	default:
		return false
	}
	for _, word := range words {
		if strings.HasPrefix(callee.Name(), word) {
			return true
		}
	}
	return false
}

// nameOf writes a function as it is called: time.Now, Mutex.Lock.
func nameOf(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return n.Obj().Name() + "." + fn.Name()
		}
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

func effectOf(fn *types.Func) (EffectKind, bool) {
	if fn.Pkg() == nil {
		return 0, false
	}
	path, name := fn.Pkg().Path(), fn.Name()
	method := fn.Signature().Recv() != nil
	switch path {
	case "time":
		switch {
		case !method && (name == "Now" || name == "Since" || name == "Until"):
			return Clock, true
		case !method && (name == "Sleep" || name == "After" || name == "Tick"):
			return Lock, true
		}
	case "math/rand", "math/rand/v2", "crypto/rand":
		if !strings.HasPrefix(name, "New") {
			return Random, true
		}
	case "sync":
		switch name {
		case "Lock", "RLock", "Wait", "TryLock", "TryRLock":
			return Lock, true
		}
	case "fmt":
		if strings.HasPrefix(name, "Scan") || strings.HasPrefix(name, "Fscan") {
			return World, true
		}
	case "os":
		switch name {
		case "Getenv", "LookupEnv", "Environ", "Stat", "Lstat", "Open", "ReadFile", "ReadDir", "Hostname", "Getwd":
			return World, true
		}
	case "net", "net/http", "os/exec":
		if !method && (strings.HasPrefix(name, "Lookup") || strings.HasPrefix(name, "Dial") || name == "Get" || name == "Post") {
			return World, true
		}
	default:
		if method && (name == "Lock" || name == "RLock") && fn.Signature().Params().Len() == 0 && fn.Signature().Results().Len() == 0 {
			return Lock, true
		}
		if method && path != "" && isClock(fn) {
			return Clock, true
		}
	}
	return 0, false
}

// isClock knows the Now and Since methods of injected clocks.
func isClock(fn *types.Func) bool {
	if fn.Name() != "Now" && fn.Name() != "Since" {
		return false
	}
	res := fn.Signature().Results()
	if res.Len() != 1 {
		return false
	}
	t := typeName(res.At(0).Type())
	return t == "time.Time" || t == "time.Duration"
}

// global reports the read of a package variable, or of a field of one, that is
// changed after the package's initialisation.
func (w *effectWalk) global(fn *ssa.Function, addr ssa.Value, pos token.Pos) {
	path, root := heaps.FieldPath(addr)
	g, ok := root.(*ssa.Global)
	if !ok || g.Pkg != w.prog.Package || throughLoad(addr) {
		return
	}
	if writes := w.writesTo(g, path); len(writes) > 0 {
		name := g.Name()
		for _, f := range path {
			name += "." + f.Name()
		}
		w.add(Effect{Kind: Variable, Pos: pos, Fn: fn, What: name, Writes: writes})
	}
}

// counts tells whether a load is only the first half of n++ or n += k.
func counts(load *ssa.UnOp) bool {
	for _, r := range *load.Referrers() {
		op, ok := r.(*ssa.BinOp)
		if !ok {
			return false
		}
		for _, u := range *op.Referrers() {
			if st, ok := u.(*ssa.Store); !ok || st.Addr != load.X {
				return false
			}
		}
	}
	return true
}

// throughLoad tells whether an address lies behind a pointer: the read of that
// pointer is then looked at by itself.
func throughLoad(addr ssa.Value) bool {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.Global:
			return false
		default:
			return true
		}
	}
}

// readPos is where the value is used, for a load has no place of its own.
func readPos(in *ssa.UnOp) token.Pos {
	if in.Pos().IsValid() {
		return in.Pos()
	}
	for _, r := range *in.Referrers() {
		if r.Pos().IsValid() {
			return r.Pos()
		}
	}
	return token.NoPos
}

// writesTo finds the places where functions other than initialisers assign to a
// package variable, to the given field of it, or to an element of the map or slice
// in it.
func (w *effectWalk) writesTo(g *ssa.Global, path []*types.Var) []token.Pos {
	var writes []token.Pos
	for _, fn := range w.prog.Funcs {
		if isInit(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				place := Written(in)
				if place == nil || rootGlobal(place) != g {
					continue
				}
				if other, _ := heaps.FieldPath(place); overlap(path, other) {
					writes = append(writes, in.Pos())
				}
			}
		}
	}
	return writes
}

// overlap tells whether one place is, or lies within, the other.
func overlap(a, b []*types.Var) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func isInit(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	name := fn.Name()
	return fn.Signature.Recv() == nil && (name == "init" || strings.HasPrefix(name, "init#"))
}

// Written is the address or map that an instruction writes to, or nil.
func Written(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		return in.Addr
	case *ssa.MapUpdate:
		return in.Map
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy") {
			return in.Call.Args[0]
		}
		if atomicCall(&in.Call, "Store", "Add", "Swap", "CompareAndSwap", "Or", "And", "Delete", "Clear", "LoadOrStore", "LoadAndDelete") {
			return in.Call.Args[0]
		}
	}
	return nil
}

// rootGlobal is the package variable that an address or value is reached from
// without leaving what it holds: its fields, elements, and the map or slice
// itself, but not what a pointer in it points to.
func rootGlobal(v ssa.Value) *ssa.Global {
	for {
		switch x := v.(type) {
		case *ssa.Global:
			return x
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return nil
			}
			v = x.X
		default:
			return nil
		}
	}
}

// store reports a write, within a comparator, to something that it also reads
// outside of the test for the write: swaps, rotating state. Counters that nobody
// reads and values that are computed once are right.
func (w *effectWalk) store(fn *ssa.Function, in *ssa.Store) {
	addr, ok := in.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	field := FieldOf(addr)
	if local(addr.X) || !w.reads(fn, field, in) {
		return
	}
	w.add(Effect{Kind: Write, Pos: in.Pos(), Fn: fn, What: field.Name()})
}

// local tells whether an address is within a variable of the function itself.
func local(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return true
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return false
		}
	}
}

// reads tells whether fn decides by the field that the store writes: a condition
// or the result depends on a load of it other than for its own update, and the
// write does not depend on a test of the field.
func (w *effectWalk) reads(fn *ssa.Function, field *types.Var, st *ssa.Store) bool {
	tested := false
	used := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			load, ok := in.(*ssa.UnOp)
			if !ok || load.Op != token.MUL {
				continue
			}
			addr, ok := load.X.(*ssa.FieldAddr)
			if !ok || FieldOf(addr) != field {
				continue
			}
			for _, r := range *load.Referrers() {
				switch r := r.(type) {
				case *ssa.BinOp:
					switch {
					case isBool(r.Type()) && b != st.Block() && b.Dominates(st.Block()):
						tested = true
					case !feedsOnly(r, st):
						used = true
					}
				case *ssa.If:
					tested = true
				default:
					used = true
				}
			}
		}
	}
	return used && !tested
}

func feedsOnly(v ssa.Value, st *ssa.Store) bool {
	for _, r := range *v.Referrers() {
		if r != st {
			return false
		}
	}
	return true
}
