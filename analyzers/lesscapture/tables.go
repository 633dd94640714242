package lesscapture

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/order"
)

// tables reports slices and maps that the comparator looks into, by capture or as
// a field of the heap, and that the function which made them writes to while
// elements are in the heap.
func (c *checker) tables(cmp order.Comparator, set *order.Set) {
	for _, r := range set.Reads {
		if !r.Indexed || r.Root == order.Element || r.Root == order.Global || len(r.Path) > 1 {
			continue
		}
		for _, s := range c.sites(cmp, r) {
			if c.tableWritten(cmp, r, s) {
				break
			}
		}
	}
}

// A site is where a table was handed to the comparator: by the time of made, in
// its function, table is the slice or map.
type site struct {
	made  ssa.Instruction
	table ssa.Value
}

// sites finds the places where the table of a read comes from.
func (c *checker) sites(cmp order.Comparator, r *order.Read) []site {
	switch r.Root {
	case order.Captured:
		if cell := cellOf(cmp, r.Base); cell != nil && len(r.Path) == 0 {
			return c.throughParams(site{cmp.Closure, cell}, 0)
		}
	case order.Receiver:
		if cmp.Closure != nil || len(r.Path) != 1 {
			return nil
		}
		return c.fieldSites(r.Path[0])
	}
	return nil
}

// fieldSites are the places where a slice or map is stored in a field of the heap.
func (c *checker) fieldSites(field *types.Var) []site {
	var list []site
	for _, fn := range c.heaps.IR.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				addr, ok := st.Addr.(*ssa.FieldAddr)
				if !ok || order.FieldOf(addr).Origin() != field.Origin() {
					continue
				}
				if load, ok := st.Val.(*ssa.UnOp); ok && load.Op == token.MUL {
					list = append(list, c.throughParams(site{st, load.X}, 0)...)
				} else {
					list = append(list, c.throughParams(site{st, st.Val}, 0)...)
				}
			}
		}
	}
	return list
}

// throughParams adds, for a table that is a parameter, the calls that pass it.
func (c *checker) throughParams(s site, depth int) []site {
	list := []site{s}
	p := paramOf(s.table)
	if p == nil || depth > 3 {
		return list
	}
	at := -1
	for i, q := range p.Parent().Params {
		if q == p {
			at = i
		}
	}
	for _, call := range c.callers[p.Parent()] {
		if args := call.Common().Args; at < len(args) {
			arg := args[at]
			if load, ok := arg.(*ssa.UnOp); ok && load.Op == token.MUL {
				arg = load.X
			}
			list = append(list, c.throughParams(site{call, arg}, depth+1)...)
		}
	}
	return list
}

// paramOf is the parameter that v is, or that the variable v holds all its life.
func paramOf(v ssa.Value) *ssa.Parameter {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v
	case *ssa.Alloc:
		var p *ssa.Parameter
		for _, st := range stores(v) {
			q, ok := st.Val.(*ssa.Parameter)
			if !ok || p != nil {
				return nil
			}
			p = q
		}
		return p
	}
	return nil
}

// A write is an instruction that changes an entry of a table.
type write struct {
	in  ssa.Instruction
	key ssa.Value // nil for clear and copy
}

// writesTo finds the writes to the entries of a table that is v, or that the
// variable v holds, in the function of v and the literals within it.
func writesTo(v ssa.Value) []write {
	var list []write
	entries := func(t ssa.Value) {
		if t.Referrers() == nil {
			return
		}
		for _, r := range *t.Referrers() {
			switch r := r.(type) {
			case *ssa.MapUpdate:
				if r.Map == t {
					list = append(list, write{r, r.Key})
				}
			case *ssa.IndexAddr:
				for _, u := range *r.Referrers() {
					if st, ok := u.(*ssa.Store); ok && st.Addr == r {
						list = append(list, write{st, r.Index})
					}
				}
			case *ssa.Call:
				if b, ok := r.Call.Value.(*ssa.Builtin); ok && len(r.Call.Args) > 0 && r.Call.Args[0] == t && (b.Name() == "delete" || b.Name() == "clear") {
					var key ssa.Value
					if b.Name() == "delete" {
						key = r.Call.Args[1]
					}
					list = append(list, write{r, key})
				}
			}
		}
	}
	if holdsTable(v) {
		for _, cell := range aliases(v) {
			if cell.Referrers() == nil {
				continue
			}
			for _, r := range *cell.Referrers() {
				if load, ok := r.(*ssa.UnOp); ok && load.Op == token.MUL {
					entries(load)
				}
				if st, ok := r.(*ssa.Store); ok && st.Addr == cell {
					entries(st.Val)
				}
			}
		}
		return list
	}
	entries(v)
	return list
}

// holdsTable tells whether v is the address of a variable that holds a table.
func holdsTable(v ssa.Value) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	switch p.Elem().Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

func (c *checker) tableWritten(cmp order.Comparator, r *order.Read, s site) bool {
	for _, w := range writesTo(s.table) {
		if w.in.Parent() == cmp.Fn || !c.disturbs(s, w) {
			continue
		}
		name := r.Base.Name()
		if f := r.Last(); f != nil {
			name = f.Name()
		}
		how := "and nothing restores the heap"
		if c.after(w.in)&pushes != 0 {
			how = "and pushing the element once more leaves its first copy in the wrong place"
		}
		c.report(r.Pos, "mutated", fmt.Sprintf("%s reads %s, whose entries are changed while elements are in the heap (line %d)%s, %s",
			who(cmp.Fn), name, c.line(w.in.Pos()), raceNote(w.in.Parent()), how),
			analysis.RelatedInformation{Pos: w.in.Pos(), Message: name + " is changed here"})
		return true
	}
	return false
}

// disturbs tells whether a write changes the key of an element that can be in the
// heap, with no repair.
func (c *checker) disturbs(s site, w write) bool {
	if w.in.Parent() != s.made.Parent() {
		// In a literal within the function: it runs at an unknown time.
		return raceNote(w.in.Parent()) != "" && c.after(w.in)&repairs == 0
	}
	if !reaches(s.made, w.in, nil) || !c.fillsBefore(w.in) {
		return false
	}
	ops := c.after(w.in)
	if ops&uses == 0 || c.repaired(w.in) {
		return false
	}
	if w.key != nil && c.popped(w.key) {
		return false
	}
	if c.pushedAfter(w) {
		// The write prepares an element that is pushed next. It is in the heap
		// already only where the value is being improved.
		return relaxes(w)
	}
	return true
}

// repaired tells whether an Init, Fix or Remove can follow the write before the
// next round of a loop writes again.
func (c *checker) repaired(in ssa.Instruction) bool {
	found := false
	reach(in, func(i ssa.Instruction) bool { return i == in }, func(i ssa.Instruction) {
		found = found || c.ops(i)&repairs != 0
	})
	return found
}

// popped tells whether a key is, or is taken from, an element that was popped.
func (c *checker) popped(key ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var walk func(v ssa.Value) bool
	walk = func(v ssa.Value) bool {
		if v == nil || seen[v] {
			return false
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Call:
			if op := c.heaps.Op(v); op != nil {
				return op.Kind == heaps.Pop || op.Kind == heaps.Remove
			}
			callee := source(v.Call.StaticCallee())
			return callee != nil && c.effects[callee]&uses != 0 && c.effects[callee]&fills == 0
		case *ssa.TypeAssert:
			return walk(v.X)
		case *ssa.Field:
			return walk(v.X)
		case *ssa.FieldAddr:
			return walk(v.X)
		case *ssa.Extract:
			return walk(v.Tuple)
		case *ssa.Convert:
			return walk(v.X)
		case *ssa.ChangeType:
			return walk(v.X)
		case *ssa.UnOp:
			return walk(v.X)
		case *ssa.Alloc:
			for _, st := range stores(v) {
				if walk(st.Val) {
					return true
				}
			}
		}
		return false
	}
	return walk(key)
}

// pushedAfter tells whether an element that the written key names is pushed after
// the write.
func (c *checker) pushedAfter(w write) bool {
	found := false
	reach(w.in, nil, func(in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok || c.ops(in)&pushes == 0 {
			return
		}
		for _, a := range call.Common().Args {
			found = found || mentions(a, w.key, 0)
		}
	})
	return found
}

// mentions tells whether v is computed from key, or both are read from one place.
func mentions(v, key ssa.Value, depth int) bool {
	if v == nil || key == nil || depth > 6 {
		return false
	}
	if v == key || sameSource(v, key) {
		return true
	}
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return mentions(v.X, key, depth+1)
	case *ssa.Convert:
		return mentions(v.X, key, depth+1)
	case *ssa.ChangeType:
		return mentions(v.X, key, depth+1)
	case *ssa.UnOp:
		return mentions(v.X, key, depth+1)
	case *ssa.Alloc: // a struct built for the push
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == v && mentions(r.Val, key, depth+1) {
					return true
				}
			case *ssa.FieldAddr:
				for _, u := range *r.Referrers() {
					if st, ok := u.(*ssa.Store); ok && mentions(st.Val, key, depth+1) {
						return true
					}
				}
			}
		}
	}
	// The key may be taken from the element, as in rank[e.id] = x; Push(h, e).
	return within(key, v, depth)
}

// within tells whether key is a part of v.
func within(key, v ssa.Value, depth int) bool {
	for ; depth < 8; depth++ {
		switch k := key.(type) {
		case *ssa.UnOp:
			key = k.X
		case *ssa.FieldAddr:
			key = k.X
		case *ssa.Field:
			key = k.X
		case *ssa.Convert:
			key = k.X
		default:
			return key == v
		}
		if key == v {
			return true
		}
	}
	return false
}

// sameSource tells whether two loads read the same place.
func sameSource(a, b ssa.Value) bool {
	pa, ra := heaps.FieldPath(a)
	pb, rb := heaps.FieldPath(b)
	if ra != rb || len(pa) != len(pb) || len(pa) == 0 {
		return false
	}
	for i := range pa {
		if pa[i] != pb[i] {
			return false
		}
	}
	return true
}

// relaxes tells whether a write is made only where the new value compares with
// the entry's present one: if d < dist[v] { dist[v] = d }.
func relaxes(w write) bool {
	st, ok := w.in.(*ssa.Store)
	var table ssa.Value
	if ok {
		at, ok := st.Addr.(*ssa.IndexAddr)
		if !ok {
			return false
		}
		table = at.X
	} else if up, ok := w.in.(*ssa.MapUpdate); ok {
		table = up.Map
	}
	if table == nil {
		return false
	}
	return guarded(w.in.Block(), map[*ssa.BasicBlock]bool{}, func(cond *ssa.BinOp) bool {
		switch cond.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			return readsEntry(cond.X, table, w.key) || readsEntry(cond.Y, table, w.key)
		}
		return false
	})
}

// guarded tells whether a comparison for which is holds decides about entering b:
// it ends a block from which b is reached within the round of a loop. The parts of
// a condition with && and || are blocks of their own.
func guarded(b *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool, is func(*ssa.BinOp) bool) bool {
	for _, p := range b.Preds {
		if seen[p] || b.Dominates(p) {
			continue
		}
		seen[p] = true
		if branch, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok {
			if cond, ok := branch.Cond.(*ssa.BinOp); ok && is(cond) {
				return true
			}
		}
		if guarded(p, seen, is) {
			return true
		}
	}
	return false
}

// readsEntry tells whether v reads the entry of the table under that key.
func readsEntry(v, table, key ssa.Value) bool {
	same := func(x, k ssa.Value) bool {
		return (x == table || sameVariable(x, table)) && (k == key || sameSource(k, key) || sameVariable(k, key) || sameElement(k, key))
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if at, ok := v.X.(*ssa.IndexAddr); ok {
			return same(at.X, at.Index)
		}
	case *ssa.Lookup:
		return same(v.X, v.Index)
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok {
			return same(l.X, l.Index)
		}
	}
	return false
}

// sameVariable tells whether both are loads of one variable or field.
func sameVariable(a, b ssa.Value) bool {
	x, ok := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	return ok && ok2 && (x.X == y.X || sameSource(a, b))
}

// sameElement tells whether both read one field of one slice element.
func sameElement(a, b ssa.Value) bool {
	strip := func(v ssa.Value) (*ssa.FieldAddr, *ssa.IndexAddr) {
		load, ok := v.(*ssa.UnOp)
		if !ok {
			return nil, nil
		}
		f, ok := load.X.(*ssa.FieldAddr)
		if !ok {
			return nil, nil
		}
		i, _ := f.X.(*ssa.IndexAddr)
		return f, i
	}
	fa, ia := strip(a)
	fb, ib := strip(b)
	return fa != nil && fb != nil && ia != nil && ib != nil && fa.Field == fb.Field && ia.Index == ib.Index && (ia.X == ib.X || sameVariable(ia.X, ib.X))
}
