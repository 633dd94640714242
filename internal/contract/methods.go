package contract

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// Methods is what the methods of a heap type do. Outcomes are nil for a method
// that is not understood or not in sight.
type Methods struct {
	Type                 *heaps.Type
	Len, Swap, Push, Pop []Outcome
	// LostPush and LostPop say that the method has a value receiver and changes
	// nothing but its own copy of the slice.
	LostPush, LostPop bool
}

// Of interprets the methods of a heap type.
func Of(t *heaps.Type) *Methods {
	m := &Methods{Type: t}
	m.Len, _ = Run(t.Len)
	m.Swap = understood(t.Swap)
	m.Push = understood(t.Push)
	m.Pop = understood(t.Pop)
	m.LostPush = lost(t.Push, m.Push, Grow)
	m.LostPop = lost(t.Pop, m.Pop, Shrink)
	return m
}

func understood(fn *ssa.Function) []Outcome {
	outs, ok := Run(fn)
	if !ok {
		return nil
	}
	return outs
}

// lost tells whether fn has a value receiver, changes the length of a slice of the
// receiver and stores the result nowhere.
func lost(fn *ssa.Function, outs []Outcome, change EffectKind) bool {
	if fn == nil || isPointer(fn.Signature.Recv().Type()) {
		return false
	}
	changed := false
	for _, out := range outs {
		if out.Opaque {
			return false
		}
		for _, e := range out.Effects {
			if e.Kind == StoreSlice {
				return false
			}
			changed = changed || e.Kind == change && e.Path != "#" && !e.Seq.Same() && len(e.Seq.Segs) > 0
		}
	}
	return changed
}

// Measured is the path of the slice that Len measures; ok is false if that cannot
// be told.
func (m *Methods) Measured() (path string, ok bool) {
	if len(m.Len) != 1 || m.Len[0].Opaque {
		return "", false
	}
	for _, e := range m.Len[0].Effects {
		if e.Kind == LenOf {
			if ok && path != e.Path {
				return "", false
			}
			path, ok = e.Path, true
		}
	}
	return path, ok
}

// Grows tells whether Push appends to the slice at path.
func (m *Methods) Grows(path string) bool {
	for _, out := range m.Push {
		if _, ok := out.Slices[path]; ok {
			return true
		}
	}
	return false
}

// Opaque tells whether a way through the method is not understood.
func Opaque(outs []Outcome) bool {
	return len(outs) == 0 || slices.ContainsFunc(outs, func(o Outcome) bool { return o.Opaque })
}

// Exchanged returns the paths of the slices of which a way through Swap exchanges
// elements i and j.
func (o Outcome) Exchanged() []string {
	var paths []string
	for k, v := range o.Slots {
		if k.At == PosI && v == any(Elem{Base: k.Base, At: PosJ}) && o.Slots[SlotKey{k.Base, PosJ}] == any(Elem{Base: k.Base, At: PosI}) {
			paths = append(paths, k.Base)
		}
	}
	slices.Sort(paths)
	return paths
}

// Exchanges returns the ways through Swap that exchange elements.
func (m *Methods) Exchanges() []Outcome {
	var list []Outcome
	for _, out := range m.Swap {
		if len(out.Exchanged()) > 0 {
			list = append(list, out)
		}
	}
	return list
}

// ExchangesByField tells whether a way through Swap moves parts of elements one by
// one, or into variables of unknown use.
func (m *Methods) ExchangesByField() bool {
	for _, out := range m.Swap {
		for _, e := range out.Effects {
			if _, part := ElemOf(e.Val); part && (e.Kind == StoreField || e.Kind == Call) {
				return true
			}
		}
	}
	return false
}

// Raw tells whether Push does no more than add the element and Pop no more than
// remove it, so that a direct call does not keep the heap in order. A method that
// is not understood may sift by itself.
func (m *Methods) Raw(push bool) bool {
	outs := m.Pop
	if push {
		outs = m.Push
	}
	return !Opaque(outs)
}

// A Keeper is where positions of elements are kept: a field of the element, or a
// map of the receiver.
type Keeper struct {
	Field *types.Var // nil for a map
	Map   string     // path from the receiver
}

// String names the keeper in messages.
func (k Keeper) String() string {
	if k.Field != nil {
		return k.Field.Name()
	}
	return k.Map
}

// Keepers returns where Swap stores its parameters as positions of elements, and
// where Push stores the length, in order of their names.
func (m *Methods) Keepers() []Keeper {
	seen := map[Keeper]bool{}
	var list []Keeper
	add := func(e Effect, ok func(Lin) bool) {
		l, isLin := e.Val.(Lin)
		if !isLin || !ok(l) {
			return
		}
		k := Keeper{Field: e.Field}
		switch {
		case e.Kind == StoreMap:
			if _, ok := ElemOf(e.Elem); !ok {
				return
			}
			k = Keeper{Map: e.Path}
		case e.Kind != StoreField || e.Field == nil:
			return
		}
		if !seen[k] {
			seen[k] = true
			list = append(list, k)
		}
	}
	for _, out := range m.Swap {
		for _, e := range out.Effects {
			add(e, func(l Lin) bool { return l == PosI || l == PosJ })
		}
	}
	for _, out := range m.Push {
		for _, e := range out.Effects {
			add(e, func(l Lin) bool { return l.N == 1 && l.I == 0 && l.J == 0 })
		}
	}
	slices.SortFunc(list, func(a, b Keeper) int { return cmp.Compare(a.String(), b.String()) })
	return list
}

// Keeping says how well a way through Swap keeps the positions of the exchanged
// elements.
type Keeping int

// How well positions are kept, from well to not at all.
const (
	Kept Keeping = iota
	Crossed
	Half
	Forgotten
)

// Keeping says what becomes of the positions in k on a way through Swap.
func (o Outcome) Keeping(k Keeper) Keeping {
	got := map[Lin]Value{} // by the slot in which the element was
	for _, e := range o.Effects {
		if e.Kind == Call { // a callback may keep them
			return Kept
		}
		if !k.has(e) {
			continue
		}
		if el, ok := ElemOf(e.Elem); ok {
			got[el.At] = e.Val
		}
	}
	i, okI := got[PosI]
	j, okJ := got[PosJ]
	switch {
	case okI && okJ && i == any(PosI) && j == any(PosJ):
		return Crossed
	case okI && okJ:
		return Kept
	case okI && i == any(PosJ), okJ && j == any(PosI):
		return Half
	case okI || okJ:
		return Crossed
	}
	return Forgotten
}

func (k Keeper) has(e Effect) bool {
	if k.Field != nil {
		return e.Kind == StoreField && e.Field == k.Field
	}
	return e.Kind == StoreMap && e.Path == k.Map
}

// Recorded is where Push stores the position of the new element, and what it stores.
func (m *Methods) Recorded(k Keeper) (at ssa.Instruction, pos Lin, ok bool) {
	for _, out := range m.Push {
		for _, e := range out.Effects {
			if l, isLin := e.Val.(Lin); isLin && k.has(e) {
				at, pos, ok = e.Instr, l, true
			}
		}
	}
	return at, pos, ok
}

// Invalidates tells whether Pop ends the position that k keeps of the element that
// it takes: stores something to the field, or deletes the map's entry.
func (m *Methods) Invalidates(k Keeper) bool {
	for _, out := range m.Pop {
		for _, e := range out.Effects {
			if k.has(e) || e.Kind == Delete && k.Field == nil && e.Path == k.Map || e.Kind == Call {
				return true
			}
		}
	}
	return false
}

// MapField returns the field at the end of a path from the heap type's receiver,
// nil if there is none.
func MapField(fn *ssa.Function, path string) *types.Var {
	if fn == nil || fn.Signature.Recv() == nil || path == "" {
		return nil
	}
	t := fn.Signature.Recv().Type()
	var f *types.Var
	for name := range strings.SplitSeq(path, ".") {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		f = nil
		for v := range s.Fields() {
			if v.Name() == name {
				f = v
			}
		}
		if f == nil {
			return nil
		}
		t = f.Type()
	}
	return f.Origin()
}

// Position is where an instruction stands in the source; loads and other implicit
// instructions stand where their operand does.
func Position(instr ssa.Instruction) token.Pos {
	if p := instr.Pos(); p.IsValid() {
		return p
	}
	for _, op := range instr.Operands(nil) {
		if in, ok := (*op).(ssa.Instruction); ok {
			if p := in.Pos(); p.IsValid() {
				return p
			}
		}
	}
	return token.NoPos
}

// Calls tells whether Swap or Push hands elements to unknown code, which may keep
// their positions.
func (m *Methods) Calls() bool {
	for _, outs := range [][]Outcome{m.Swap, m.Push} {
		for _, out := range outs {
			for _, e := range out.Effects {
				if e.Kind == Call {
					return true
				}
			}
		}
	}
	return false
}
