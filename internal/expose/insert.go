package expose

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// An insertion is an instruction by which a function puts a pointer into guarded data:
// itself, or through a function that it calls.
type insertion struct {
	instr ssa.Instruction
	elem  ssa.Value
	field *Field
	at    *locks.Place // the field's place
	// locked says that the guard is taken for it, here or in the function called,
	// and not only by callers.
	locked bool
	// queue says that the element goes into a heap.
	queue bool
}

// maxInsertDepth bounds the calls through which an insertion is followed.
const maxInsertDepth = 3

// insertions are those of a function, in source order.
func (f *finder) insertions(fn *ssa.Function, depth int) []insertion {
	if list, ok := f.inserts[fn]; ok || depth > maxInsertDepth {
		return list
	}
	f.inserts[fn] = nil // for recursion
	if len(f.fs.list) == 0 {
		return nil
	}
	var list []insertion
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			list = append(list, f.insertionsAt(instr, depth)...)
		}
	}
	for i, ins := range list {
		if !ins.locked {
			list[i].locked = f.heldIn(fn, ins.field, ins.at, ins.instr)
		}
	}
	f.inserts[fn] = list
	return list
}

func (f *finder) insertionsAt(instr ssa.Instruction, depth int) []insertion {
	switch instr := instr.(type) {
	case *ssa.Store:
		if call, ok := instr.Val.(*ssa.Call); ok {
			return f.inserted(instr, f.a.Places().Of(instr.Addr), appended(call), false)
		}
	case *ssa.MapUpdate:
		return f.inserted(instr, f.a.Places().Of(instr.Map), []ssa.Value{instr.Value}, false)
	case *ssa.Call:
		if op := f.a.Heaps().Op(instr); op != nil {
			if op.Elem != nil {
				return f.inserted(instr, f.a.Places().Of(op.Heap), []ssa.Value{op.Elem}, true)
			}
			return nil
		}
		return f.insertedByCall(instr, depth)
	}
	return nil
}

// inserted are the insertions of those of the values that are pointers to plain data.
func (f *finder) inserted(instr ssa.Instruction, into *locks.Place, vals []ssa.Value, queue bool) []insertion {
	fd, q := f.fs.At(f.a.Canonical(into))
	if fd == nil {
		return nil
	}
	var list []insertion
	for _, v := range vals {
		if v = heaps.Peel(v); pointsToData(v.Type()) {
			list = append(list, insertion{instr: instr, elem: v, field: fd, at: q, queue: queue})
		}
	}
	return list
}

func (f *finder) insertedByCall(call *ssa.Call, depth int) []insertion {
	var list []insertion
	for _, c := range f.a.Callees(&call.Call) {
		for _, in := range f.insertions(c.Fn, depth+1) {
			for i, p := range c.Fn.Params {
				if i >= len(c.Vals) || !holds(in.elem, p) {
					continue
				}
				at := f.a.Bind(in.at, c)
				if at == nil || !pointsToData(heaps.Peel(c.Vals[i]).Type()) {
					continue
				}
				in.instr, in.elem, in.at = call, heaps.Peel(c.Vals[i]), at
				list = append(list, in)
			}
		}
	}
	return list
}

// appended are the values that an append call adds one by one.
func appended(call *ssa.Call) []ssa.Value {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(call.Call.Args) == 2 {
		return variadic(call.Call.Args[1])
	}
	return nil
}

// pointsToData tells whether the type is a pointer to a struct that does not lock
// itself.
func pointsToData(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && locks.IsStruct(p.Elem()) && !selfGuarded(t)
}
