package locks

import (
	"go/token"
	"go/types"
	"strings"
	"testing"
)

func TestModels(t *testing.T) {
	table := &Table{}
	if err := table.Set(`[{"package": "p", "type": "Sem", "methods": {"Acquire": "lock", "Release": "unlock"}}]`); err != nil {
		t.Fatal(err)
	}
	pkg := types.NewPackage("p", "p")
	sem := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Sem", nil), types.NewStruct(nil, nil), nil)
	other := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Other", nil), types.NewStruct(nil, nil), nil)
	method := func(recv types.Type, name string) *types.Func {
		v := types.NewVar(token.NoPos, pkg, "r", recv)
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(v, nil, nil, nil, nil, false))
	}
	for name, test := range map[string]struct {
		fn   *types.Func
		want primitive
		ok   bool
	}{
		"lock":             {method(types.NewPointer(sem), "Acquire"), primitive{acquire: true, mode: Write}, true},
		"unlock":           {method(sem, "Release"), primitive{mode: Write}, true},
		"another method":   {method(sem, "Len"), primitive{}, false},
		"another type":     {method(other, "Acquire"), primitive{}, false},
		"no method at all": {types.NewFunc(token.NoPos, pkg, "Acquire", types.NewSignatureType(nil, nil, nil, nil, nil, false)), primitive{}, false},
	} {
		if got, ok := table.primitive(test.fn); got != test.want || ok != test.ok {
			t.Errorf("%s: %+v, %v; want %+v, %v", name, got, ok, test.want, test.ok)
		}
	}
	for list, want := range map[string]string{
		"{}": "JSON list",
		`[{"package": "p", "type": "T", "methods": {"M": "push"}}]`: `no operation "push"`,
	} {
		if err := table.Set(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Set(%s): error %v", list, err)
		}
	}
}
