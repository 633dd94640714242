package analyzers_test

import (
	"fmt"
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/analyzers"
)

// Facts are files in build caches: what gob would leave out is lost between
// packages, and a map makes other bytes in each run, which costs everybody the
// cached results of all importers.
func TestFactTypes(t *testing.T) {
	seen := map[*analysis.Analyzer]bool{}
	var visit func(list []*analysis.Analyzer)
	visit = func(list []*analysis.Analyzer) {
		for _, a := range list {
			if seen[a] {
				continue
			}
			seen[a] = true
			for _, f := range a.FactTypes {
				if err := stable(reflect.TypeOf(f).Elem(), nil); err != nil {
					t.Errorf("fact %T of %s: %v", f, a.Name, err)
				}
			}
			visit(a.Requires)
		}
	}
	visit(analyzers.All())
}

// stable returns an error unless gob encodes all of a type, in one way.
func stable(t reflect.Type, within []reflect.Type) error {
	for _, w := range within {
		if w == t {
			return nil
		}
	}
	within = append(within, t)
	switch t.Kind() {
	case reflect.Map, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer, reflect.Uintptr:
		return fmt.Errorf("has a %s (%s)", t.Kind(), t)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return stable(t.Elem(), within)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				return fmt.Errorf("field %s.%s is not exported", t, f.Name)
			}
			if err := stable(f.Type, within); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	return nil
}
