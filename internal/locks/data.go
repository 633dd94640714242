package locks

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Beside heaps, the analysis follows the other data of objects that have a lock:
// the fields of a struct with a mutex. A heap's owner keeps a position map, a second
// queue or a limit under the same guard, and what is written about one helps to
// judge the others.

// lockOwners finds the named struct types of the package that have a lock among
// their fields: by value, by pointer, embedded, in an anonymous struct, or as the L
// of a sync.Cond.
func lockOwners(pkg *types.Package) map[*types.TypeName]bool {
	owners := map[*types.TypeName]bool{}
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if s, ok := tn.Type().Underlying().(*types.Struct); ok && hasLock(s) {
			owners[tn] = true
		}
	}
	return owners
}

// globalLock tells whether a variable of the package is a lock.
func globalLock(pkg *types.Package) bool {
	for _, name := range pkg.Scope().Names() {
		if v, ok := pkg.Scope().Lookup(name).(*types.Var); ok && IsLock(behind(v.Type())) {
			return true
		}
	}
	return false
}

func hasLock(s *types.Struct) bool {
	for f := range s.Fields() {
		t := f.Type()
		if IsLock(t) || IsLock(behind(t)) || isCond(t) {
			return true
		}
		if inner, ok := types.Unalias(t).(*types.Struct); ok && hasLock(inner) {
			return true
		}
	}
	return false
}

func isCond(t types.Type) bool {
	n := typeNameOf(t)
	return n != nil && n.Pkg() != nil && n.Pkg().Path() == "sync" && n.Name() == "Cond"
}

// dataPlace returns p if it is a field of an object that has a lock, or of a part
// of one, and is not itself made for several goroutines; nil otherwise.
func (a *Analysis) dataPlace(p *Place) *Place {
	if p == nil {
		return nil
	}
	if g, ok := p.Root.(*ssa.Global); ok && p.Parent == nil && a.globalLock && !synchronized(behind(g.Type())) {
		return p
	}
	if p.Field == nil || synchronized(p.Field.Type()) {
		return nil
	}
	depth := 0
	for q := p.Parent; q != nil && depth < 6; q = q.Parent {
		if n := q.Named(); n != nil && a.owners[n] {
			return p
		}
		depth++
	}
	return nil
}

// synchronized tells whether values of the type may be used by several goroutines
// as they are: locks, channels, and what package sync and sync/atomic provide.
func synchronized(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Chan); ok {
		return true
	}
	if IsLock(t) || IsLock(behind(t)) {
		return true
	}
	n := typeNameOf(t)
	return n != nil && n.Pkg() != nil && (n.Pkg().Path() == "sync" || n.Pkg().Path() == "sync/atomic")
}

// dataUses are the uses of such fields that an instruction makes.
func (a *Analysis) dataUses(r *recorder, instr ssa.Instruction) []*use {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op != token.MUL {
			return nil
		}
		switch x := instr.X.(type) {
		case *ssa.FieldAddr, *ssa.Global:
			return a.data(r, instr, a.places.Of(x), Reads, false)
		}
	case *ssa.Store:
		switch addr := instr.Addr.(type) {
		case *ssa.FieldAddr, *ssa.Global:
			uses := a.data(r, instr, a.places.Of(addr), Writes, a.extends(instr.Val, a.places.Of(addr)))
			if len(uses) > 0 {
				uses[0].access.Grows = a.grows(instr.Val, a.places.Of(addr))
			}
			return uses
		case *ssa.IndexAddr:
			return a.data(r, instr, a.places.Of(addr.X), Writes, true)
		}
	case *ssa.MapUpdate:
		uses := a.data(r, instr, a.places.Of(instr.Map), Writes, true)
		if p := a.places.Of(instr.Map); len(uses) > 0 && p != nil {
			elem := a.places.elem(p, instr.Key, instr.Value.Type())
			if a.extends(instr.Value, elem) {
				uses[0].access.Deep = true
				uses[0].access.Grows = a.grows(instr.Value, elem)
			}
		}
		return uses
	case *ssa.Call:
		if op := a.pkg.Op(instr); op != nil && op.Kind.Mutates() && op.Model == nil {
			return a.data(r, instr, a.places.Of(op.Heap), Writes, true)
		}
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok && len(instr.Call.Args) > 0 {
			switch b.Name() {
			case "delete", "clear", "copy":
				return a.data(r, instr, a.places.Of(instr.Call.Args[0]), Writes, true)
			}
		}
		if reorders(&instr.Call) {
			return a.data(r, instr, a.places.Of(instr.Call.Args[0]), Writes, true)
		}
	}
	return nil
}

func (a *Analysis) data(r *recorder, instr ssa.Instruction, p *Place, e Effect, inPlace bool) []*use {
	if p == nil {
		return nil
	}
	deep := false
	for p.Parent != nil && p.Field == nil { // an element is the field's
		p = p.Parent
		deep = true
	}
	if p = a.dataPlace(p); p == nil {
		return nil
	}
	acc := direct(r.fn, Pos(instr), token.NoPos, a.alias.canonical(p), e, "read")
	if e == Writes {
		acc.What = "written"
	}
	inPlace = inPlace && (deep || !a.renewed(r.fn, p, instr))
	acc.Data, acc.InPlace, acc.Deep, acc.Instr = true, inPlace, inPlace && deep, instr
	return []*use{{access: acc}}
}

// renewed tells whether the function sets the place to a new slice or map before it
// comes to the instruction: what it changes then, nobody else has yet.
func (a *Analysis) renewed(fn *ssa.Function, p *Place, instr ssa.Instruction) bool {
	stores, ok := a.renewals[fn]
	if !ok {
		stores = a.findRenewals(fn)
		a.renewals[fn] = stores
	}
	for _, st := range stores[p] {
		if st != instr && precedes(st, instr) {
			return true
		}
	}
	return false
}

// findRenewals are the stores of new slices and maps in fn, by what they set.
func (a *Analysis) findRenewals(fn *ssa.Function) map[*Place][]*ssa.Store {
	stores := map[*Place][]*ssa.Store{}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok || !isNew(st.Val) || a.places.cell(st.Addr) != nil {
				continue
			}
			if p := a.places.Of(st.Addr); p != nil {
				stores[p] = append(stores[p], st)
			}
		}
	}
	return stores
}

// isNew tells whether a slice or map is one that nobody else has: nil, or just made.
func isNew(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.ChangeType:
		return isNew(v.X)
	case *ssa.Slice:
		_, literal := v.X.(*ssa.Alloc)
		return literal
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "append" && isNew(v.Call.Args[0])
		}
		fn := v.Call.StaticCallee()
		return fn != nil && (origin(fn).String() == "slices.Clone" || origin(fn).String() == "maps.Clone")
	}
	return false
}

// precedes tells whether a comes before b on every way to b.
func precedes(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, instr := range a.Block().Instrs {
		if instr == a || instr == b {
			return instr == a
		}
	}
	return false
}

// extends tells whether a value that is stored to p is made from the slice there: by
// append, or by slicing it. Its array stays in use.
func (a *Analysis) extends(v ssa.Value, p *Place) bool {
	return a.extendsPast(v, p, map[*ssa.Phi]bool{})
}

// extendsPast does not look at the phis of seen again.
func (a *Analysis) extendsPast(v ssa.Value, p *Place, seen map[*ssa.Phi]bool) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return a.extendsPast(v.X, p, seen)
	case *ssa.Call:
		// append, slices.Insert, slices.DeleteFunc: what takes the slice first
		// and returns one works in its array, but for slices.Clone and the like.
		if len(v.Call.Args) == 0 || !worksInPlace(&v.Call) || clipped(v.Call.Args[0]) {
			return false
		}
		return a.places.Of(v.Call.Args[0]) == p || a.extendsPast(v.Call.Args[0], p, seen)
	case *ssa.Slice:
		return a.places.Of(v.X) == p
	case *ssa.Phi:
		if seen[v] {
			return false
		}
		seen[v] = true
		for _, e := range v.Edges {
			if a.extendsPast(e, p, seen) {
				return true
			}
		}
	}
	return false
}

// clipped tells whether a slice is cut so that it has no spare room: s[:n:n].
func clipped(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	return ok && s.Max != nil
}

// grows tells whether a value that is stored to p is what was there with something
// appended, or without its first elements: nothing is overwritten that an older copy of
// the slice shows.
func (a *Analysis) grows(v ssa.Value, p *Place) bool {
	return a.growsPast(v, p, map[*ssa.Phi]bool{})
}

// growsPast takes it for granted of the phis of seen.
func (a *Analysis) growsPast(v ssa.Value, p *Place, seen map[*ssa.Phi]bool) bool {
	switch v := v.(type) {
	case *ssa.UnOp, *ssa.Lookup, *ssa.Extract:
		return a.places.Of(v) == p
	case *ssa.MakeInterface:
		return a.growsPast(v.X, p, seen)
	case *ssa.TypeAssert:
		return a.growsPast(v.X, p, seen)
	case *ssa.ChangeType:
		return a.growsPast(v.X, p, seen)
	case *ssa.Slice:
		return v.High == nil && a.growsPast(v.X, p, seen)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && a.growsPast(v.Call.Args[0], p, seen)
	case *ssa.Phi:
		if seen[v] {
			return true
		}
		seen[v] = true
		for _, e := range v.Edges {
			if !a.growsPast(e, p, seen) {
				return false
			}
		}
		return true
	}
	return false
}

// reorders tells whether a call of the standard library changes the slice or map that it
// is given, besides what [worksInPlace] returns.
func reorders(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	if fn == nil || len(call.Args) == 0 || fn.Object() == nil || origin(fn).Object().Pkg() == nil {
		return false
	}
	switch origin(fn).Object().Pkg().Path() + "." + origin(fn).Name() {
	case "sort.Slice", "sort.SliceStable", "sort.Sort", "sort.Stable", "sort.Strings", "sort.Ints", "sort.Float64s",
		"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Reverse",
		"maps.Copy", "maps.DeleteFunc":
		return true
	}
	return false
}

// worksInPlace tells whether a call that takes a slice and returns one returns the
// same array, if it is large enough.
func worksInPlace(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "append"
	}
	fn := call.StaticCallee()
	if fn == nil || fn.Object() == nil || origin(fn).Object().Pkg() == nil || origin(fn).Object().Pkg().Path() != "slices" {
		return false
	}
	switch origin(fn).Name() {
	case "Insert", "Delete", "DeleteFunc", "Compact", "CompactFunc", "Replace", "Grow", "Clip":
		return true
	}
	return false
}
