package order_test

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/order"
)

const sets = `package p

import "sync/atomic"

type item struct {
	prio  int
	group *group
	note  string
	calls atomic.Int64
	when  struct{ sec, nsec int64 }
}

type group struct{ weight int; name string }

func (g *group) rank() int { return g.weight * scale }

var scale = 1

type items struct {
	list []*item
	desc bool
	rank map[string]int
	less func(a, b *item) bool
}

// want: element group.weight; global; receiver list; element; element prio; element group
func (l *items) Less(i, j int) bool {
	a, b := l.list[i], l.list[j]
	if a.prio != b.prio {
		return a.prio < b.prio
	}
	return a.group.rank() < b.group.rank()
}

type flagged struct{ items }

// want: receiver items.list; element; element prio; receiver items.desc
func (f *flagged) Less(i, j int) bool { return f.list[i].prio < f.list[j].prio != f.desc }

type tabled struct{ items }

// want: receiver items.rank; receiver items.rank[]; receiver items.list; element; element note
func (t *tabled) Less(i, j int) bool { return t.rank[t.list[i].note] < t.rank[t.list[j].note] }

// want: element when.sec; element calls
func byTime(a, b *item) bool {
	if a.when.sec != b.when.sec {
		return a.when.sec < b.when.sec
	}
	return a.calls.Load() < b.calls.Load()
}

// want: global; element; open
func unknown(a, b *item) bool { return hidden(a) < hidden(b) }

var hidden func(*item) int
`

func TestSetOf(t *testing.T) {
	pkg, f := build(t, sets)
	eachWant(t, pkg, f, func(fn *ssa.Function) string {
		set := order.SetOf(order.Comparator{Fn: fn, Kind: kindOf(fn)})
		var list []string
		for _, r := range set.Reads {
			s := []string{"element", "receiver", "captured", "global"}[r.Root]
			var path []string
			for _, v := range r.Path {
				path = append(path, v.Name())
			}
			if len(path) > 0 {
				s += " " + strings.Join(path, ".")
			}
			if r.Indexed {
				s += "[]"
			}
			list = append(list, s)
		}
		if set.Open {
			list = append(list, "open")
		}
		return strings.Join(list, "; ")
	})
}

func TestSetHas(t *testing.T) {
	pkg, _ := build(t, sets)
	fn := pkg.Prog.FuncValue(method(pkg, "items", "Less"))
	set := order.SetOf(order.Comparator{Fn: fn, Kind: order.IndexLess})
	item := pkg.Pkg.Scope().Lookup("item").Type().Underlying().(*types.Struct)
	for i, want := range []bool{true, true, false, false, false} {
		if got := set.Has(item.Field(i)); got != want {
			t.Errorf("Has(%s) = %t, want %t", item.Field(i).Name(), got, want)
		}
	}
}

func method(pkg *ssa.Package, typ, name string) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Pkg.Scope().Lookup(typ).Type()), true, pkg.Pkg, name)
	return obj.(*types.Func)
}
