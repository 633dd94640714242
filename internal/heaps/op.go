package heaps

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Kind says what an operation does to a heap.
type Kind int

// The operations of container/heap, and the two that models of other libraries add.
const (
	Init Kind = iota
	Push
	Pop
	Fix
	Remove
	Peek // reads an element
	Len  // reads the length
)

var kindNames = [...]string{"Init", "Push", "Pop", "Fix", "Remove", "Peek", "Len"}

// String is the operation's name as container/heap spells it.
func (k Kind) String() string { return kindNames[k] }

// Mutates tells whether the operation changes the heap. All of container/heap's
// do, Init and Fix too: they swap elements.
func (k Kind) Mutates() bool { return k != Peek && k != Len }

// An Op is a call of a heap operation.
type Op struct {
	Kind  Kind
	Instr ssa.CallInstruction
	// Heap is the heap as the caller has it, before its conversion to
	// heap.Interface.
	Heap ssa.Value
	// Elem is the element that Push adds, before its conversion to any; nil for
	// other operations.
	Elem ssa.Value
	// Index is the position that Fix and Remove take; nil for other operations.
	Index ssa.Value
	// Model is the library model by which the call is an operation, nil for
	// container/heap itself.
	Model *Model
}

// Name is how the operation is called in the source: heap.Push, or the model's method.
func (o *Op) Name() string {
	if o.Model == nil {
		return "heap." + o.Kind.String()
	}
	return o.Model.Type + "." + o.Instr.Common().StaticCallee().Name()
}

// OpOf returns the heap operation that the call is, or nil. It looks through
// function values that are known (f := heap.Push) but not through wrappers: those
// are calls like any other.
func OpOf(call ssa.CallInstruction) *Op {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return nil
	}
	obj, _ := callee.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	if obj.Pkg().Path() == "container/heap" {
		return stdOp(call, obj)
	}
	return modelOp(call, obj)
}

func stdOp(call ssa.CallInstruction, fn *types.Func) *Op {
	args := call.Common().Args
	if len(args) == 0 || fn.Signature().Recv() != nil {
		return nil
	}
	op := &Op{Instr: call, Heap: Peel(args[0])}
	switch fn.Name() {
	case "Init":
		op.Kind = Init
	case "Push":
		op.Kind, op.Elem = Push, Peel(args[1])
	case "Pop":
		op.Kind = Pop
	case "Fix":
		op.Kind, op.Index = Fix, args[1]
	case "Remove":
		op.Kind, op.Index = Remove, args[1]
	default:
		return nil
	}
	return op
}

// Peel strips from v the conversions that keep the object: to an interface,
// between interfaces, between types of one underlying type.
func Peel(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}
