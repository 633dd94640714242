package contract_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/heapvet/heapvet/internal/contract"
)

const frame = `package p

type elem struct{ pos, key int }

type H struct {
	list []*elem
	other []int
	at map[int]int
	on func(*elem, int)
}

func (h *H) Len() int { return len(h.list) }
func (h *H) cut(n int) { h.list = h.list[:n] }
`

// method builds a method of H and returns its SSA form.
func method(t *testing.T, src string) *ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", frame+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{f}, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := pkg.Type("H").Type().(*types.Named)
	for m := range named.Methods() {
		if m.Name() == "M" {
			return pkg.Prog.FuncValue(m)
		}
	}
	t.Fatal("no method M")
	return nil
}

// lin writes an integer as the tests do: n-1, i, 0.
func lin(l contract.Lin) string {
	var b strings.Builder
	for _, p := range []struct {
		k    int
		name string
	}{{l.N, "n"}, {l.I, "i"}, {l.J, "j"}} {
		switch p.k {
		case 0:
		case 1:
			b.WriteString("+" + p.name)
		default:
			fmt.Fprintf(&b, "%+d%s", p.k, p.name)
		}
	}
	if l.C != 0 || b.Len() == 0 {
		fmt.Fprintf(&b, "%+d", l.C)
	}
	return strings.TrimPrefix(b.String(), "+")
}

func value(v contract.Value) string {
	switch v := v.(type) {
	case nil:
		return "?"
	case contract.Lin:
		return lin(v)
	case contract.Elem:
		if v.Pushed {
			return "x"
		}
		return "e[" + lin(v.At) + "]"
	case contract.Part:
		return value(v.Of) + "." + v.Path
	case contract.Const:
		return "zero"
	}
	return fmt.Sprintf("%T", v)
}

func seq(s contract.Seq) string {
	var parts []string
	for _, g := range s.Segs {
		if g.Single {
			parts = append(parts, value(g.Val))
		} else {
			parts = append(parts, lin(g.From)+":"+lin(g.To))
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// describe is an outcome in one line: what is returned, the slices and slots as
// they are at the end, the positions stored.
func describe(o contract.Outcome) string {
	var parts []string
	for _, r := range o.Results {
		parts = append(parts, "return "+value(r))
	}
	for _, path := range slices.Sorted(maps.Keys(o.Slices)) {
		parts = append(parts, path+"="+seq(o.Slices[path]))
	}
	var slots []string
	for k, v := range o.Slots {
		slots = append(slots, fmt.Sprintf("%s[%s]=%s", k.Base, lin(k.At), value(v)))
	}
	slices.Sort(slots)
	parts = append(parts, slots...)
	for _, e := range o.Effects {
		switch e.Kind {
		case contract.StoreField:
			parts = append(parts, fmt.Sprintf("%s.%s=%s", value(e.Elem), e.Field.Name(), value(e.Val)))
		case contract.StoreMap:
			parts = append(parts, fmt.Sprintf("%s[%s]=%s", e.Path, value(e.Elem), value(e.Val)))
		case contract.Delete:
			parts = append(parts, fmt.Sprintf("delete %s[%s]", e.Path, value(e.Elem)))
		case contract.Call:
			parts = append(parts, fmt.Sprintf("call(%s, %s)", value(e.Elem), value(e.Val)))
		}
	}
	for _, flag := range []struct {
		on   bool
		name string
	}{{o.Opaque, "opaque"}, {o.Empty, "empty"}, {o.Equal, "equal"}, {o.Mistyped, "mistyped"}} {
		if flag.on {
			parts = append(parts, flag.name)
		}
	}
	return strings.Join(parts, "; ")
}

func TestRun(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"pop", `func (h *H) M() any { n := len(h.list); e := h.list[n-1]; h.list[n-1] = nil; h.list = h.list[:n-1]; return e }`,
			"return e[n-1]; list=[0:n-1]; list[n-1]=zero"},
		{"pop after cutting", `func (h *H) M() any { h.cut(h.Len() - 1); return h.list[h.Len()-1] }`,
			"return e[n-2]; list=[0:n-1]"},
		{"pop from the front", `func (h *H) M() any { e := h.list[0]; h.list = append(h.list[:0], h.list[1:]...); return e }`,
			"return e[0]; list=[1:n]"},
		{"pop if there is one", `func (h *H) M() any { if h.Len() == 0 { return nil }; e := h.list[len(h.list)-1]; h.cut(len(h.list) - 1); return e }`,
			"return zero; empty\nreturn e[n-1]; list=[0:n-1]"},
		{"push", `func (h *H) M(x any) { e := x.(*elem); e.pos = len(h.list); h.list = append(h.list, e) }`,
			"list=[0:n x]; x.pos=n"},
		{"push late", `func (h *H) M(x any) { e := x.(*elem); h.list = append(h.list, e); h.at[e.key] = len(h.list) }`,
			"list=[0:n x]; at[x.key]=n+1"},
		{"push in front", `func (h *H) M(x any) { h.list = append([]*elem{x.(*elem)}, h.list...) }`,
			"list=[x 0:n]"},
		{"push in the middle", `func (h *H) M(x any) { h.list = append(h.list[:2], append([]*elem{x.(*elem)}, h.list[2:]...)...) }`,
			"list=[0:2 x 2:n]"},
		{"push if it fits", `func (h *H) M(x any) { if e, ok := x.(*elem); ok { h.list = append(h.list, e) } }`,
			"list=[0:n x]\nmistyped"},
		{"swap", `func (h *H) M(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i]; h.list[i].pos, h.list[j].pos = i, j }`,
			"list[i]=e[j]; list[j]=e[i]; e[j].pos=i; e[i].pos=j"},
		{"swap by halves", `func (h *H) M(i, j int) { h.list[i] = h.list[j]; h.list[j] = h.list[i] }`,
			"list[i]=e[j]; list[j]=e[j]"},
		{"swap with a callback", `func (h *H) M(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i]; h.on(h.list[i], i) }`,
			"list[i]=e[j]; list[j]=e[i]; call(e[j], i)"},
		{"swap if different", `func (h *H) M(i, j int) { if i != j { h.list[i], h.list[j] = h.list[j], h.list[i] } }`,
			"list[i]=e[j]; list[j]=e[i]\nequal"},
		{"clear the tail", `func (h *H) M() any { n := len(h.list) - 1; e := h.list[n]; clear(h.list[n:]); h.list = h.list[:n]; return e }`,
			"return e[n-1]; list=[0:n-1]; list[n-1]=zero"},
		{"the receiver escapes", `func (h *H) M(f func(*H)) { f(h) }`, "opaque"},
		{"panics", `func (h *H) M(x any) { panic("never") }`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			outs, _ := contract.Run(method(t, test.src))
			var got []string
			for _, o := range outs {
				got = append(got, describe(o))
			}
			if g := strings.Join(got, "\n"); g != test.want {
				t.Errorf("got\n%s\nwant\n%s", g, test.want)
			}
		})
	}
}

func TestRunGivesUp(t *testing.T) {
	for _, src := range []string{
		`func (h *H) M() any { for i := range h.list { _ = i }; return nil }`,
		`func (h *H) M() any { again: if h.Len() > 1 { h.cut(1); goto again }; return nil }`,
	} {
		if outs, ok := contract.Run(method(t, src)); ok {
			t.Errorf("%s: got %d outcomes, want none", src, len(outs))
		}
	}
}

func TestKeeping(t *testing.T) {
	const exchange = "h.list[i], h.list[j] = h.list[j], h.list[i];"
	for body, want := range map[string]contract.Keeping{
		"h.list[i].pos, h.list[j].pos = i, j":   contract.Kept,
		"h.list[i].pos = i; h.list[j].pos = j":  contract.Kept,
		"h.list[i].pos, h.list[j].pos = j, i":   contract.Crossed,
		"h.list[i].pos = i":                     contract.Half,
		"h.list[j].pos = j":                     contract.Half,
		"":                                      contract.Forgotten,
		"h.list[i].key, h.list[j].key = i, j":   contract.Forgotten,
		"if h.on != nil { h.on(h.list[i], i) }": contract.Kept,
	} {
		fn := method(t, "func (h *H) M(i, j int) { "+exchange+body+" }")
		outs, ok := contract.Run(fn)
		if !ok {
			t.Fatalf("%s: not understood", body)
		}
		pos := fn.Pkg.Type("elem").Type().Underlying().(*types.Struct).Field(0)
		got := contract.Forgotten
		for _, o := range outs {
			got = min(got, o.Keeping(contract.Keeper{Field: pos}))
		}
		if got != want {
			t.Errorf("%q: got %v, want %v", body, got, want)
		}
	}
}
