package locks

import (
	"encoding/json"
	"fmt"
	"go/types"
)

// A Model describes a lock type whose methods do not have the names of sync's:
// which of them is which operation.
type Model struct {
	// Package is the import path, Type the name of the (possibly generic) type.
	Package string `json:"package"`
	Type    string `json:"type"`
	// Methods maps a method to an operation: lock, unlock, rlock, runlock, trylock
	// or tryrlock.
	Methods map[string]string `json:"methods"`
}

var operations = map[string]primitive{
	"lock":     primitives["Lock"],
	"unlock":   primitives["Unlock"],
	"rlock":    primitives["RLock"],
	"runlock":  primitives["RUnlock"],
	"trylock":  primitives["TryLock"],
	"tryrlock": primitives["TryRLock"],
}

// Models are the models that a flag gave; there are no built-in ones.
var Models = &Table{}

// A Table is a set of models. As a [flag.Value] it takes a JSON list of them.
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

// Set replaces the models by those of a JSON list. It returns an error if the list
// is no such thing or names an operation that does not exist.
func (t *Table) Set(list string) error {
	var models []*Model
	if err := json.Unmarshal([]byte(list), &models); err != nil {
		return fmt.Errorf("lock models: want a JSON list of {package, type, methods}: %v", err)
	}
	for _, m := range models {
		for method, word := range m.Methods {
			if _, ok := operations[word]; !ok {
				return fmt.Errorf("lock models: method %s of %s.%s: no operation %q; there are lock, unlock, rlock, runlock, trylock, tryrlock", method, m.Package, m.Type, word)
			}
		}
	}
	t.models, t.given = models, list
	return nil
}

// find returns the model of a type, seen through a pointer, or nil.
func (t *Table) find(typ types.Type) *Model {
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		typ = p.Elem()
	}
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || len(t.models) == 0 {
		return nil
	}
	obj := named.Origin().Obj()
	for _, m := range t.models {
		if m.Type == obj.Name() && obj.Pkg() != nil && m.Package == obj.Pkg().Path() {
			return m
		}
	}
	return nil
}

// primitive is what a method of a modelled type does.
func (t *Table) primitive(fn *types.Func) (primitive, bool) {
	recv := fn.Signature().Recv()
	if recv == nil {
		return primitive{}, false
	}
	m := t.find(recv.Type())
	if m == nil {
		return primitive{}, false
	}
	p, ok := operations[m.Methods[fn.Name()]]
	return p, ok
}
