package lessorder

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/order"
)

// order reports a comparator that breaks a law, with the counterexample.
func (c *checker) order(cmp order.Comparator, r *order.Result) {
	f := r.Fault
	if r.Verdict != order.Broken || !f.Pos.IsValid() || c.impossible(cmp, f) {
		return
	}
	d := analysis.Diagnostic{
		Pos:            f.Pos,
		Category:       "order",
		Message:        fmt.Sprintf("%s is no strict weak order: %s", nameOf(cmp.Fn), explain(callName(cmp), f)),
		SuggestedFixes: c.fixOrder(f),
	}
	if f.Fn != cmp.Fn {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: cmp.Fn.Pos(), Message: "the heap is ordered by " + nameOf(cmp.Fn)})
	}
	c.pass.Report(d)
}

// self reports the comparison of an element's key with itself.
func (c *checker) self(r *order.Result) {
	for _, s := range r.Self {
		key := s.Key
		if key == "" {
			key = "an element"
		}
		c.pass.Report(analysis.Diagnostic{
			Pos:      s.Pos,
			Category: "order",
			Message:  fmt.Sprintf("%s compares %s with itself: both sides read the same element, so the comparison never decides", nameOf(s.Fn), key),
		})
	}
}

// nameOf writes a function as its reader knows it: "byAge.Less", "compareKey",
// "this comparator" for a literal.
func nameOf(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return "this comparator"
	}
	if recv := fn.Signature.Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return n.Obj().Name() + "." + fn.Name()
		}
	}
	return fn.Name()
}

// callName is what the comparator is called in a counterexample.
func callName(cmp order.Comparator) string {
	switch {
	case cmp.Fn.Parent() == nil:
		return cmp.Fn.Name()
	case cmp.Kind == order.Compare:
		return "compare"
	}
	return "less"
}

// explain says which law is broken, and by which elements.
func explain(name string, f *order.Fault) string {
	var law string
	switch f.Property {
	case order.Irreflexive, order.Asymmetric:
		law = fmt.Sprintf("both %[1]s(a, b) and %[1]s(b, a) hold", name)
	case order.Transitive:
		law = fmt.Sprintf("%[1]s(a, b) and %[1]s(b, c) hold but not %[1]s(a, c)", name)
	case order.TransitiveIncomparability:
		law = "it takes a and b for equal, and b and c, but not a and c,"
	case order.Consistent:
		law = fmt.Sprintf("%[1]s(a, b) is not the opposite of %[1]s(b, a)", name)
	}
	return law + example(f)
}

func example(f *order.Fault) string {
	var s string
	differ := 0
	for _, e := range f.Elements {
		differ += len(e)
	}
	switch {
	case differ > 0:
		s = " for " + elements(f)
	case len(f.Alike) == 0:
		s = " for any elements"
	case len(f.Alike) == 1 && f.Alike[0].Key == "":
		s = " for equal elements"
	default:
		var keys []string
		for _, kv := range f.Alike {
			keys = append(keys, alike(kv))
		}
		s = " for elements with the same " + join(keys)
	}
	if len(f.World) > 0 {
		var list []string
		for _, kv := range f.World {
			list = append(list, kv.Key+" is "+kv.Value)
		}
		s += " when " + join(list)
	}
	return s
}

// alike writes a key that is the same in all elements; the value matters only if
// it is a special one.
func alike(kv order.KeyValue) string {
	key := kv.Key
	if key == "" {
		key = "value"
	}
	switch kv.Value {
	case "true", "false", "nil", "not nil", "NaN":
		return fmt.Sprintf("%s (%s)", key, kv.Value)
	}
	return key
}

// elements writes the elements of a counterexample with the keys that differ.
func elements(f *order.Fault) string {
	names := []string{"a", "b", "c"}
	var list []string
	for i, e := range f.Elements {
		var kvs []string
		plain := false
		for _, kv := range e {
			if kv.Key == "" {
				plain = true
				kvs = append(kvs, kv.Value)
			} else {
				kvs = append(kvs, kv.Key+": "+kv.Value)
			}
		}
		if plain && len(e) == 1 {
			list = append(list, names[i]+" = "+kvs[0])
		} else {
			list = append(list, names[i]+"{"+strings.Join(kvs, ", ")+"}")
		}
	}
	return join(list)
}

func join(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}
