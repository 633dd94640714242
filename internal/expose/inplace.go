package expose

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// mutators change in place what their first argument refers to.
var mutators = map[string]bool{
	"slices.Delete": true, "slices.DeleteFunc": true, "slices.Compact": true, "slices.CompactFunc": true,
	"slices.Insert": true, "slices.Replace": true, "slices.Reverse": true,
	"slices.Sort": true, "slices.SortFunc": true, "slices.SortStableFunc": true,
	"sort.Slice": true, "sort.SliceStable": true, "sort.Sort": true, "sort.Stable": true,
	"sort.Strings": true, "sort.Ints": true, "sort.Float64s": true,
	"maps.DeleteFunc": true, "maps.Copy": true,
}

// maxChangeDepth bounds the calls through which a change is followed.
const maxChangeDepth = 2

// changes returns the instructions that change in place what the slice or map v refers
// to, in the function of v: the first of them in each way that v is used.
func changes(v ssa.Value, depth int) []ssa.Instruction {
	c := &changer{depth: depth, seen: map[ssa.Value]bool{}}
	c.follow(v, false)
	return c.found
}

type changer struct {
	depth int
	seen  map[ssa.Value]bool
	found []ssa.Instruction
}

// follow looks at the uses of v. If cut, v is the head of a longer slice, whose other
// elements an append to v overwrites.
func (c *changer) follow(v ssa.Value, cut bool) {
	if c.seen[v] || len(c.seen) > 30 || v.Referrers() == nil {
		return
	}
	c.seen[v] = true
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Slice:
			if r.X == v && r.Max == nil {
				c.follow(r, cut || r.High != nil)
			}
		case *ssa.ChangeType:
			c.follow(r, cut)
		case *ssa.MakeInterface:
			c.follow(r, cut)
		case *ssa.Phi:
			c.follow(r, cut)
		case *ssa.IndexAddr:
			if r.X == v && storedTo(r) {
				c.found = append(c.found, r)
			}
		case *ssa.MapUpdate:
			if r.Map == v {
				c.found = append(c.found, r)
			}
		case *ssa.Call:
			c.call(r, v, cut)
		}
	}
}

func (c *changer) call(call *ssa.Call, v ssa.Value, cut bool) {
	args := call.Call.Args
	if len(args) == 0 {
		return
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			if args[0] == v && cut {
				c.found = append(c.found, call)
			}
		case "delete", "clear", "copy":
			if args[0] == v {
				c.found = append(c.found, call)
			}
		}
		return
	}
	if mutators[fullName(&call.Call)] {
		if args[0] == v {
			c.found = append(c.found, call)
		}
		return
	}
	fn := call.Call.StaticCallee()
	if fn == nil || c.depth <= 0 {
		return
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	for i, a := range args {
		if a == v && i < len(fn.Params) && len(changes(fn.Params[i], c.depth-1)) > 0 {
			c.found = append(c.found, call)
			return
		}
	}
}

// storedTo tells whether a slot, or a field of the struct in it, is assigned to.
func storedTo(addr ssa.Value) bool {
	for _, r := range referrers(addr) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr {
				return true
			}
		case *ssa.FieldAddr:
			if storedTo(r) {
				return true
			}
		}
	}
	return false
}

// changedFields are the fields that are slices or maps and are changed in place in
// objects that others may have, by whatever way they are reached.
func (f *finder) changedFields() map[*types.Var]bool {
	if f.changed != nil {
		return f.changed
	}
	f.changed = map[*types.Var]bool{}
	callers := f.staticCallers()
	for _, fn := range f.a.Heaps().IR.Funcs {
		if f.opts.Skip(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				fa, ok := instr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				field := locks.Field(fa)
				if field == nil || f.changed[field] || !container(field.Type()) || fresh(fa.X, callers, 0) {
					continue
				}
				for _, r := range referrers(fa) {
					if load, ok := r.(*ssa.UnOp); ok && len(changes(load, maxChangeDepth)) > 0 {
						f.changed[field] = true
					}
				}
			}
		}
	}
	return f.changed
}

// touches tells whether a function changes, or keeps, what its i'th parameter refers
// to.
func touches(fn *ssa.Function, i, depth int) bool {
	if i >= len(fn.Params) || depth > maxChangeDepth {
		return false
	}
	t := &toucher{depth: depth, seen: map[ssa.Value]bool{}}
	return t.follow(fn.Params[i])
}

type toucher struct {
	depth int
	seen  map[ssa.Value]bool
}

func (t *toucher) follow(v ssa.Value) bool {
	if t.seen[v] || len(t.seen) > 60 || v.Referrers() == nil {
		return false
	}
	t.seen[v] = true
	for _, r := range referrers(v) {
		if t.use(v, r) {
			return true
		}
	}
	return false
}

func (t *toucher) use(v ssa.Value, r ssa.Instruction) bool {
	switch r := r.(type) {
	case *ssa.Store:
		if r.Val != v {
			return false
		}
		return t.stored(r)
	case *ssa.MapUpdate, *ssa.Send, *ssa.Go:
		return true
	case *ssa.MakeClosure:
		return outlives(r.Fn.(*ssa.Function))
	case *ssa.IndexAddr:
		return storedTo(r) || t.follow(r)
	case *ssa.FieldAddr:
		return storedTo(r) || t.follow(r)
	case *ssa.UnOp:
		return sharesMemory(r.Type()) && t.follow(r)
	case *ssa.Call:
		return t.call(v, r)
	case *ssa.Slice, *ssa.Phi, *ssa.ChangeType, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Extract, *ssa.Range, *ssa.Next, *ssa.Lookup:
		return t.follow(r.(ssa.Value))
	}
	return false
}

// stored follows a value that is stored: to a variable or a literal's array, or away.
func (t *toucher) stored(st *ssa.Store) bool {
	switch addr := st.Addr.(type) {
	case *ssa.Alloc:
		return t.follow(addr)
	case *ssa.IndexAddr:
		if a, ok := addr.X.(*ssa.Alloc); ok {
			return t.follow(a)
		}
	}
	return true
}

func (t *toucher) call(v ssa.Value, call *ssa.Call) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" && t.follow(call) || (b.Name() == "copy" || b.Name() == "delete" || b.Name() == "clear") && call.Call.Args[0] == v
	}
	if mutators[fullName(&call.Call)] {
		return heaps.Peel(call.Call.Args[0]) == v
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	for i, a := range call.Call.Args {
		if a == v && touches(fn, i, t.depth+1) {
			return true
		}
	}
	return false
}
