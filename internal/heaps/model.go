package heaps

import (
	"encoding/json"
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Model describes a heap type of another library: which of its methods are
// which operation. Models are data, so that users can add their own.
type Model struct {
	// Package is the import path, Type the name of the (possibly generic) type.
	Package string `json:"package"`
	Type    string `json:"type"`
	// Locked says that the type locks inside: its methods may be called by any
	// goroutine, and no guard of the caller's is wanted.
	Locked bool `json:"locked,omitempty"`
	// Methods maps a method to an operation: push, pop, fix, remove, init, peek
	// or len. Methods that are not listed are no operations.
	Methods map[string]string `json:"methods"`
}

// builtin are the models that come with the tool: widely used heap types that do
// not lock themselves, and those that do and are known for it.
var builtin = []*Model{
	{
		Package: "github.com/emirpasic/gods/trees/binaryheap", Type: "Heap",
		Methods: map[string]string{"Push": "push", "Pop": "pop", "Peek": "peek", "Empty": "len", "Size": "len", "Clear": "init", "Values": "peek"},
	},
	{
		Package: "github.com/emirpasic/gods/v2/trees/binaryheap", Type: "Heap",
		Methods: map[string]string{"Push": "push", "Pop": "pop", "Peek": "peek", "Empty": "len", "Size": "len", "Clear": "init", "Values": "peek"},
	},
	{
		Package: "github.com/emirpasic/gods/queues/priorityqueue", Type: "Queue",
		Methods: map[string]string{"Enqueue": "push", "Dequeue": "pop", "Peek": "peek", "Empty": "len", "Size": "len", "Clear": "init", "Values": "peek"},
	},
	{
		Package: "github.com/emirpasic/gods/v2/queues/priorityqueue", Type: "Queue",
		Methods: map[string]string{"Enqueue": "push", "Dequeue": "pop", "Peek": "peek", "Empty": "len", "Size": "len", "Clear": "init", "Values": "peek"},
	},
	{
		Package: "github.com/ipfs/go-ipfs-pq", Type: "PQ",
		Methods: map[string]string{"Push": "push", "Pop": "pop", "Len": "len", "Update": "fix"},
	},
	{
		Package: "github.com/jupp0r/go-priority-queue", Type: "PriorityQueue",
		Methods: map[string]string{"Insert": "push", "Pop": "pop", "UpdatePriority": "fix", "Len": "len"},
	},
	{
		Package: "k8s.io/client-go/tools/cache", Type: "Heap", Locked: true,
		Methods: map[string]string{"Add": "push", "BulkAdd": "push", "AddIfNotPresent": "push", "Update": "fix", "Delete": "remove", "Pop": "pop", "List": "peek", "ListKeys": "peek", "Get": "peek", "GetByKey": "peek"},
	},
}

var kindWords = map[string]Kind{"init": Init, "push": Push, "pop": Pop, "fix": Fix, "remove": Remove, "peek": Peek, "len": Len}

// Models is the table of models in force: the built-in ones and those that a
// flag added. As a [flag.Value] it takes a JSON list of models.
var Models = &Table{models: builtin}

// A Table is a set of models.
type Table struct {
	models []*Model
	given  string
}

// String is the value that was set.
func (t *Table) String() string {
	if t == nil {
		return ""
	}
	return t.given
}

// Set adds the models of a JSON list to the built-in ones. It returns an error
// if the list is no such thing or names an operation that does not exist.
func (t *Table) Set(list string) error {
	var more []*Model
	if err := json.Unmarshal([]byte(list), &more); err != nil {
		return fmt.Errorf("heap models: want a JSON list of {package, type, methods}: %v", err)
	}
	for _, m := range more {
		for method, word := range m.Methods {
			if _, ok := kindWords[word]; !ok {
				return fmt.Errorf("heap models: method %s of %s.%s: no operation %q; there are init, push, pop, fix, remove, peek, len", method, m.Package, m.Type, word)
			}
		}
	}
	t.models, t.given = append(builtin[:len(builtin):len(builtin)], more...), list
	return nil
}

// Find returns the model of a type, or nil. It sees through a pointer.
func (t *Table) Find(typ types.Type) *Model {
	obj := typeName(typ)
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	for _, m := range t.models {
		if m.Type == obj.Name() && m.Package == obj.Pkg().Path() {
			return m
		}
	}
	return nil
}

// Imports tells whether a package of that path holds container/heap or a modelled
// heap: a package that imports none such, and nothing with a fact of ours, uses
// no heap.
func Imports(path string) bool {
	if path == "container/heap" {
		return true
	}
	for _, m := range Models.models {
		if m.Package == path {
			return true
		}
	}
	return false
}

func modelOp(call ssa.CallInstruction, fn *types.Func) *Op {
	recv := fn.Signature().Recv()
	if recv == nil || !Imports(fn.Pkg().Path()) {
		return nil
	}
	m := Models.Find(recv.Type())
	if m == nil {
		return nil
	}
	kind, ok := kindWords[m.Methods[fn.Name()]]
	if !ok {
		return nil
	}
	op := &Op{Kind: kind, Instr: call, Heap: Peel(call.Common().Args[0]), Model: m}
	if args := call.Common().Args; kind == Push && len(args) > 1 {
		op.Elem = Peel(args[1])
	}
	return op
}

// typeName is the name of a type behind pointers, nil for types without one.
func typeName(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}
