package locks

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A flow is the analysis of one function: the worlds at every block, and from them
// at every instruction.
type flow struct {
	a        *Analysis
	fn       *ssa.Function
	in       map[*ssa.BasicBlock]*worldSet
	repeated map[string]bool                     // conditions that more than one branch tests
	tested   map[string]bool                     // conditions that some branch tests
	tracked  map[*ssa.Phi]bool                   // phis whose outcome matters
	live     map[*ssa.BasicBlock]map[string]bool // conditions that are tested later
	params   map[string]bool                     // conditions that are parameters
	inside   map[*Place][]*Place
	// shared are the locks of the caller's that were let go as read locks. If one is
	// held as a write lock after that, the caller holds another lock than before.
	shared map[*Place]bool
	names  map[ssa.Value]string // what valueKey says, which is asked at every step
	// visit, if set, is told every instruction with every world before it, and
	// every deferred call where it runs.
	visit func(instr ssa.Instruction, w *world)
}

// newFlow analyses fn to a fixed point.
func newFlow(a *Analysis, fn *ssa.Function) *flow {
	f := &flow{a: a, fn: fn, in: map[*ssa.BasicBlock]*worldSet{}, inside: a.containers(fn), names: map[ssa.Value]string{}}
	f.tested, f.repeated = f.testedConditions()
	f.tracked = f.trackedPhis()
	f.live, f.params = f.liveConditions(), f.boolParams()
	if len(fn.Blocks) == 0 {
		return f
	}
	f.enter(fn.Blocks[0], &world{})
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	queued := map[*ssa.BasicBlock]bool{fn.Blocks[0]: true}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		queued[b] = false
		for i, out := range f.outs(b) {
			succ := b.Succs[i]
			changed := false
			for _, w := range out {
				changed = f.enter(succ, w) || changed
			}
			if changed && !queued[succ] {
				queued[succ] = true
				work = append(work, succ)
			}
		}
	}
	return f
}

func (f *flow) enter(b *ssa.BasicBlock, w *world) bool {
	if f.in[b] == nil {
		f.in[b] = &worldSet{}
	}
	return f.in[b].add(w)
}

// outs runs a block from its new worlds and returns the worlds on each edge out.
func (f *flow) outs(b *ssa.BasicBlock) [][]*world {
	outs := make([][]*world, len(b.Succs))
	for _, w := range f.in[b].next() {
		for _, end := range f.block(b, w.clone()) {
			f.leave(b, end, outs)
		}
	}
	return outs
}

// leave sorts a world at the end of a block onto the edges that it can take.
func (f *flow) leave(b *ssa.BasicBlock, w *world, outs [][]*world) {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		for i := range outs {
			v := w.clone()
			f.along(b.Succs[i], edge(b, i), v)
			outs[i] = append(outs[i], v)
		}
		return
	}
	key, negated := f.conditionKey(branch.Cond)
	known, ok := f.outcome(branch.Cond, w)
	for i := range outs {
		v := w.clone()
		taken := i == 0
		if ok && known != taken {
			continue
		}
		if f.repeated[key] && !v.assume(key, taken != negated) {
			continue
		}
		f.along(b.Succs[i], edge(b, i), v)
		outs[i] = append(outs[i], v)
	}
}

// block runs the instructions of b from one world. A call with two outcomes makes
// two worlds of it.
func (f *flow) block(b *ssa.BasicBlock, w *world) []*world {
	worlds := []*world{w}
	for _, instr := range b.Instrs {
		if f.visit != nil {
			for _, w := range worlds {
				f.visit(instr, w)
			}
		}
		var next []*world
		for _, w := range worlds {
			next = append(next, f.step(instr, w)...)
		}
		worlds = next
	}
	return worlds
}

// step is the transfer function of one instruction.
func (f *flow) step(instr ssa.Instruction, w *world) []*world {
	if len(w.assumed) > 0 {
		f.forget(instr, w)
	}
	switch instr := instr.(type) {
	case *ssa.Call:
		return f.call(instr, instr, w)
	case *ssa.Alloc:
		f.zeroed(instr, w)
		f.renewed(instr, w)
	case *ssa.MakeSlice:
		f.renewed(instr, w)
	case *ssa.MakeMap:
		f.renewed(instr, w)
	case *ssa.Defer:
		w.pushDefer(instr)
	case *ssa.RunDefers, *ssa.Panic:
		return f.runDefers(w)
	case *ssa.Go:
		f.spawn(&instr.Call, w)
	case *ssa.Store:
		f.stored(instr.Val, instr.Addr, w)
		f.assigned(instr, w)
	case *ssa.MapUpdate:
		f.stored(instr.Value, instr.Map, w)
	case *ssa.Send:
		f.publish(instr.X, w)
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			w.spawned = nil // a receive may be the wait for the goroutines
		}
	}
	return []*world{w}
}

// pushDefer puts a deferred call on the stack. A defer in a loop is there once:
// what it does to a lock, it does once.
func (w *world) pushDefer(d *ssa.Defer) {
	for _, e := range w.defers {
		if e == d {
			return
		}
	}
	w.defers = append(w.defers, d)
}

// runDefers runs the deferred calls of a world, last first.
func (f *flow) runDefers(w *world) []*world {
	worlds := []*world{w}
	for len(worlds[0].defers) > 0 {
		var next []*world
		for _, w := range worlds {
			d := w.defers[len(w.defers)-1]
			w.defers = w.defers[:len(w.defers)-1]
			w.running = d
			if f.visit != nil {
				f.visit(d, w)
			}
			w.running = nil
			next = append(next, f.call(d, nil, w)...)
		}
		worlds = next
	}
	return worlds
}

func (f *flow) primitive(prim primitive, p *Place, at token.Pos, result ssa.Value, w *world) []*world {
	switch {
	case !prim.acquire:
		f.release(p, prim.mode, w)
	case !prim.try:
		w.acquire(p, prim.mode, at)
	case result == nil:
	default:
		other := w.clone()
		w.acquire(p, prim.mode, at)
		w.assume(valueKey(result), true)
		other.assume(valueKey(result), false)
		return []*world{w, other}
	}
	return []*world{w}
}

// release notes that the lock at p was let go, which was held in a mode.
func (f *flow) release(p *Place, m Mode, w *world) {
	i, own := find(w.may, p)
	if m == Read && (!own || w.may[i].Caller) {
		if f.shared == nil {
			f.shared = map[*Place]bool{}
		}
		f.shared[p] = true
	}
	w.release(p)
}

// waited notes calls that wait for goroutines: what they shared is the function's
// own again.
func (f *flow) waited(call *ssa.CallCommon, w *world) {
	if fn, _ := method(call); fn != nil && fn.Name() == "Wait" {
		w.spawned = nil
	}
}

// renewed notes that an object is made, which nobody else has: in a loop, those of the
// rounds before are others.
func (f *flow) renewed(v ssa.Value, w *world) {
	p := f.a.places.root(v)
	for _, list := range []*[]*Place{&w.public, &w.spawned} {
		if i, ok := findPlace(*list, p); ok {
			*list = slices.Delete(*list, i, i+1)
		}
	}
}

// spawn notes that a goroutine gets hold of the objects it is started with.
func (f *flow) spawn(call *ssa.CallCommon, w *world) {
	share := func(v ssa.Value) {
		if p := f.a.places.Of(v); p != nil {
			w.spawned = putPlace(w.spawned, f.a.places.root(p.Root))
		}
	}
	for _, arg := range call.Args {
		share(arg)
		if mc, ok := arg.(*ssa.MakeClosure); ok {
			for _, b := range mc.Bindings {
				share(b)
			}
		}
	}
	if call.IsInvoke() {
		share(call.Value)
	}
	if mc, ok := call.Value.(*ssa.MakeClosure); ok {
		for _, b := range mc.Bindings {
			share(b)
		}
	}
}

// stored notes that a value is stored at an address that others may reach.
func (f *flow) stored(val, addr ssa.Value, w *world) {
	to := f.a.places.Of(addr)
	if to != nil && f.own(to) {
		return
	}
	f.publish(val, w)
}

func (f *flow) publish(val ssa.Value, w *world) {
	if p := f.a.places.Of(val); p != nil {
		if r := f.a.places.root(p.Root); f.own(r) {
			w.public = putPlace(w.public, r)
		}
	}
	if mc, ok := val.(*ssa.MakeClosure); ok {
		for _, b := range mc.Bindings {
			f.publish(b, w)
		}
	}
}

func (f *flow) publishArgs(t *target, w *world) {
	if t.sum == nil {
		return
	}
	for i, arg := range t.args {
		if i < len(t.sum.publishes) && t.sum.publishes[i] && arg != nil {
			if r := f.a.places.root(arg.Root); f.own(r) {
				w.spawned = putPlace(w.spawned, r)
			}
		}
	}
}

// own tells whether the object at the root of p was made by this call of the
// function: a variable, an allocation, or the fresh result of a constructor.
func (f *flow) own(p *Place) bool {
	switch r := p.Root.(type) {
	case *ssa.Alloc:
		return r.Parent() == f.fn
	case *ssa.MakeSlice:
		return r.Parent() == f.fn
	case *ssa.MakeMap:
		return r.Parent() == f.fn
	case *ssa.Call:
		return r.Parent() == f.fn && f.a.fresh(r)
	case *ssa.Extract:
		call, ok := r.Tuple.(*ssa.Call)
		return ok && r.Index == 0 && r.Parent() == f.fn && f.a.fresh(call)
	}
	return false
}

// private tells whether nobody but this call of the function can reach what is at
// p, in that world.
func (f *flow) private(p *Place, w *world) bool {
	if !f.own(p) {
		return false
	}
	return !f.reachable(f.a.places.root(p.Root), w, 0)
}

func (f *flow) reachable(root *Place, w *world, depth int) bool {
	if _, ok := findPlace(w.public, root); ok {
		return true
	}
	if _, ok := findPlace(w.spawned, root); ok {
		return true
	}
	if depth > 4 {
		return false
	}
	for _, c := range f.inside[root] {
		if f.reachable(c, w, depth+1) {
			return true
		}
	}
	return false
}

// containers finds, for the objects that fn makes, the other such objects that
// they are stored in: who reaches those, reaches these.
func (a *Analysis) containers(fn *ssa.Function) map[*Place][]*Place {
	inside := map[*Place][]*Place{}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			val, addr := a.places.Of(st.Val), a.places.Of(st.Addr)
			if val == nil || addr == nil || val.Root == addr.Root {
				continue
			}
			from := a.places.root(val.Root)
			inside[from] = append(inside[from], a.places.root(addr.Root))
		}
	}
	return inside
}
