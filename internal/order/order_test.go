package order_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/heapvet/heapvet/internal/order"
)

// build makes the SSA form of one file.
func build(t testing.TB, src string) (*ssa.Package, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.ForCompiler(fset, "source", nil)},
		fset, types.NewPackage("p", ""), []*ast.File{f}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, f
}

// kind of a declared function: methods named Less take indices.
func kindOf(fn *ssa.Function) order.Kind {
	if fn.Signature.Recv() != nil && fn.Name() == "Less" {
		return order.IndexLess
	}
	return order.KindOf(fn.Signature)
}

// describe puts a result into one line.
func describe(r *order.Result) string {
	switch r.Verdict {
	case order.StrictWeak:
		s := "strict"
		if r.NaN != nil {
			s += ", NaN " + r.NaN.String()
		}
		return s
	case order.Broken:
		s := string(r.Fault.Property) + " " + r.Fault.String()
		for _, kv := range r.Fault.Alike {
			if r.Fault.Property != order.Irreflexive || kv.Value != "0" {
				s += fmt.Sprintf(" alike %s %s", kv.Key, kv.Value)
			}
		}
		for _, kv := range r.Fault.World {
			s += fmt.Sprintf(" with %s %s", kv.Key, kv.Value)
		}
		return s
	}
	return "opaque: " + r.Why
}

func TestVerdicts(t *testing.T) {
	for _, src := range []string{basics, helpers, models, generic, pitfalls} {
		pkg, f := build(t, src)
		eachWant(t, pkg, f, func(fn *ssa.Function) string { return describe(order.Analyze(fn, kindOf(fn))) })
	}
}

// eachWant compares what got returns for each function of a file with what the
// comment above it says after "want: ".
func eachWant(t *testing.T, pkg *ssa.Package, f *ast.File, got func(*ssa.Function) string) {
	t.Helper()
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		_, want, ok := strings.Cut(d.Doc.Text(), "want: ")
		if !ok {
			continue
		}
		want, _, _ = strings.Cut(want, "\n")
		if got := got(function(pkg, d)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", d.Name.Name, got, want)
		}
	}
}

// function finds the function or method that d declares.
func function(pkg *ssa.Package, d *ast.FuncDecl) *ssa.Function {
	if d.Recv == nil {
		return pkg.Prog.FuncValue(pkg.Pkg.Scope().Lookup(d.Name.Name).(*types.Func))
	}
	for _, m := range pkg.Members {
		if typ, ok := m.(*ssa.Type); ok {
			sel, _, _ := types.LookupFieldOrMethod(typ.Type(), true, pkg.Pkg, d.Name.Name)
			if sel != nil && sel.Pos() == d.Name.Pos() {
				return pkg.Prog.FuncValue(sel.(*types.Func))
			}
		}
	}
	return nil
}

const basics = `package p

import "time"

type T struct {
	x, y, z int
	u uint32
	f float64
	s string
	ok bool
	p *int
	t time.Time
	in struct{ k int8 }
	list []int
	next *T
}

// want: strict
func plain(a, b T) bool { return a.x < b.x }

// want: strict
func reversed(a, b *T) bool { return a.x > b.x }

// want: irreflexive a{}
func orEqual(a, b T) bool { return a.x <= b.x }

// want: irreflexive a{}
func always(a, b T) bool { return true }

// want: strict
func never(a, b T) bool { return false }

// want: asymmetric a{x: 0, y: 1}, b{x: 1, y: 0}
func either(a, b T) bool { return a.x < b.x || a.y < b.y }

// want: strict
func chain(a, b T) bool { return a.x < b.x || a.x == b.x && a.y < b.y }

// want: strict
func statements(a, b *T) bool {
	if a.x != b.x {
		return a.x < b.x
	}
	if a.t.Equal(b.t) {
		return a.s > b.s
	}
	return a.t.Before(b.t)
}

// want: irreflexive a{}
func lastOrEqual(a, b *T) bool {
	if a.x != b.x {
		return a.x < b.x
	}
	return a.y <= b.y
}

// want: strict
func flag(a, b T) bool { return a.ok && !b.ok }

// want: strict
func flagFirst(a, b T) bool {
	if a.ok != b.ok {
		return a.ok
	}
	return a.x < b.x
}

// want: irreflexive a{} alike ok true
func flagOnly(a, b T) bool {
	if a.ok {
		return true
	}
	return a.x > b.x
}

// want: transitive incomparability a{x: 0, y: 0}, b{x: 0, y: 1}, c{x: 1, y: 0}
func both(a, b T) bool { return a.x < b.x && a.y <= b.y && (a.x != b.x) }

// want: irreflexive a{} alike p nil
func bothMissing(a, b T) bool {
	if a.p == nil || b.p == nil {
		return true
	}
	return *a.p < *b.p
}

// want: strict
func missingLast(a, b T) bool {
	switch {
	case a.p == nil:
		return false
	case b.p == nil:
		return true
	}
	return *a.p < *b.p
}

// want: strict
func zeroMeansLast(a, b T) bool {
	if a.x == 0 {
		return false
	}
	if b.x == 0 {
		return true
	}
	return a.x < b.x
}

// want: strict
func nested(a, b *T) bool { return a.in.k < b.in.k }

// want: strict
func lengths(a, b *T) bool { return len(a.list) < len(b.list) }

// want: strict
func difference(a, b T) bool { return a.x-b.x < 0 }

// want: strict
func sum(a, b T) bool { return a.x+a.y < b.x+b.y }

// want: strict
func sumAcross(a, b T) bool { return a.x-b.x+a.y-b.y < 0 }

// want: asymmetric a{u: 0}, b{u: 1}
func unsignedDifference(a, b T) bool { return a.u-b.u > 0 }

// want: strict
func serial(a, b T) bool { return int32(a.u-b.u) < 0 }

// want: strict
func wide(a, b T) int { return int(a.in.k) - int(b.in.k) }

// want: strict
func sub(a, b T) bool { return a.t.Sub(b.t) < 0 }

// want: strict
func fractions(a, b T) bool { return a.x*b.y < b.x*a.y }

// want: consistent a{} alike x 0
func neverZero(a, b T) int {
	if a.x < b.x {
		return -1
	}
	return 1
}

type list []*T

// want: strict
func (l list) Less(i, j int) bool { return l[i].x < l[j].x }

type other struct{ items []T; desc bool; rank map[string]int; less func(a, b T) bool }

// want: irreflexive a{} with o.desc true
func (o *other) Less(i, j int) bool {
	if o.desc {
		return !(o.items[i].x < o.items[j].x)
	}
	return o.items[i].x < o.items[j].x
}
`

const helpers = `package p

type T struct {
	x, y int
	ok bool
	tags []string
	folded, raw string
}

func (t *T) rank() int {
	if t.ok {
		return t.x + 10
	}
	return t.x
}

func (t *T) key() string {
	if t.folded == "" && t.raw != "" {
		t.folded = t.raw + "x"
	}
	return t.folded
}

func (t *T) weight() (n int) {
	for _, s := range t.tags {
		n += len(s)
	}
	return n
}

func cmp(a, b int) int {
	if a < b {
		return -1
	} else if a > b {
		return 1
	}
	return 0
}

func swapped(less func(a, b *T) bool) func(a, b *T) bool {
	return func(a, b *T) bool { return less(b, a) }
}

// want: strict
func byRank(a, b *T) bool {
	ra, rb := a.rank(), b.rank()
	if ra != rb {
		return ra > rb
	}
	return a.y < b.y
}

// want: strict
func byKey(a, b *T) bool { return a.key() < b.key() }

// want: strict
func byWeight(a, b *T) bool { return a.weight() < b.weight() }

type table struct{ names []string; rank map[string]int }

// want: strict
func (t *table) Less(i, j int) bool {
	if i >= len(t.names) || j < 0 {
		return true
	}
	a, ok := t.rank[t.names[i]]
	if !ok {
		return false
	}
	b, ok := t.rank[t.names[j]]
	return ok && a < b
}

// want: strict
func throughHelper(a, b *T) bool { return cmp(a.x, b.x) < 0 }

// want: irreflexive a{}
func helperOrEqual(a, b *T) bool { return cmp(a.x, b.x) <= 0 }

// want: strict
func helperChain(a, b *T) bool {
	if c := cmp(a.x, b.x); c != 0 {
		return c < 0
	}
	return cmp(b.y, a.y) < 0
}

type keyed struct{ list []*T; less func(a, b *T) bool; by []func(a, b *T) int }

// want: strict
func (k *keyed) Less(i, j int) bool { return k.less(k.list[i], k.list[j]) }

type negated struct{ list []*T; less func(a, b *T) bool }

// want: irreflexive a{}
func (k *negated) Less(i, j int) bool { return !k.less(k.list[i], k.list[j]) }

type embedded struct{ keyed }

// want: strict
func (e *embedded) Less(i, j int) bool { return e.keyed.Less(j, i) }

// want: strict
func lexicographic(a, b *T) bool {
	for i := range a.tags {
		if i >= len(b.tags) {
			return false
		}
		if a.tags[i] != b.tags[i] {
			return a.tags[i] < b.tags[i]
		}
	}
	return len(a.tags) < len(b.tags)
}
`

const models = `package p

import (
	"bytes"
	"cmp"
	"strings"
	"time"
)

type T struct {
	b []byte
	f float64
	s string
	t time.Time
	d *time.Time
	v interface{ Weight() int }
}

// want: strict
func or(a, b T) int {
	return cmp.Or(-cmp.Compare(a.f, b.f), a.t.Compare(b.t), strings.Compare(a.s, b.s))
}

// want: strict
func orLess(a, b *T) bool { return or(*a, *b) < 0 }

// want: irreflexive a{}
func bytesOrEqual(a, b []byte) bool { return bytes.Compare(a, b) <= 0 }

// want: irreflexive a{}
func notAfter(a, b T) bool { return !a.t.After(b.t) }

// want: strict
func method(a, b T) bool { return a.v.Weight() < b.v.Weight() }

// want: strict
func lower(a, b T) bool { return strings.ToLower(a.s) < strings.ToLower(b.s) }

// want: strict, NaN a{}
func notFloat(a, b T) bool { return !(a.f > b.f) && a.f != b.f }

// want: strict
func times(a, b T) bool { return a.t.UnixNano() < b.t.UnixNano() }
`

const generic = `package p

import "cmp"

type pair[K cmp.Ordered, V any] struct { key K; val V }

// want: strict
func byKey[K cmp.Ordered, V any](a, b pair[K, V]) bool { return cmp.Less(a.key, b.key) }

type lesser[T any] interface{ Less(T) bool }

// want: strict
func byMethod[T lesser[T]](a, b T) bool { return a.Less(b) }

func reverse[T cmp.Ordered](a, b T) int { return cmp.Compare(b, a) }

// want: strict
func instance(a, b pair[string, int]) bool { return reverse(a.val, b.val) < 0 }
`

const pitfalls = `package p

import "math"

type T struct{ x, y, w int; f float64; k key }
type key struct{ p, q int }

// want: transitive incomparability a{f: 0}, b{f: 0.6}, c{f: 1}
func tolerance(a, b T) bool {
	if math.Abs(a.f-b.f) < 1 {
		return false
	}
	return a.f < b.f
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// want: transitive incomparability a{x: -1, y: 1}, b{x: 1, y: 0}, c{x: -1, y: 0}
func sameMagnitude(a, b T) bool {
	if a.x != b.x {
		return abs(a.x) > abs(b.x)
	}
	return a.y < b.y
}

// want: strict
func share(a, b T) bool {
	if a.x == 0 && b.x == 0 {
		return a.w < b.w
	}
	return a.x*b.y < b.x*a.y
}

// want: opaque: right if what is equal in one key is equal in the others
func fastPath(a, b T) bool {
	if a.x == b.x {
		return a.y < b.y
	}
	if a.w != b.w {
		return a.w < b.w
	}
	return a.x < b.x
}

// want: transitive incomparability a{x: 0, w: 0}, b{x: 0, w: 1}, c{x: 1, w: 1} alike y 0
func wrongKey(a, b T) bool {
	if a.x != b.x {
		return a.w < b.w
	}
	return a.y < b.y
}

// want: strict
func copies(a, b T) bool {
	ka, kb := a.k, b.k
	if ka != kb {
		return ka.p < kb.p || ka.p == kb.p && ka.q < kb.q
	}
	return a.x < b.x
}

// want: irreflexive a{} alike x 1
func mixed(a, b T) bool { return a.x > b.y }
`
