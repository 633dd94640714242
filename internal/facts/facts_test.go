package facts_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/gcexportdata"

	"github.com/heapvet/heapvet/internal/facts"
)

type note struct{ Text string }

func (*note) AFact() {}

type count struct{ N int }

func (*count) AFact() {}

type unsound struct{ F func() }

func (*unsound) AFact() {}

var analyzers = []*analysis.Analyzer{{
	Name:     "top",
	Requires: []*analysis.Analyzer{{Name: "below", FactTypes: []analysis.Fact{new(note), new(count)}}},
}}

// A world is a set of packages that know each other by export data.
type world struct {
	t      *testing.T
	fset   *token.FileSet
	export map[string][]byte
	facts  map[string][]byte
	seen   map[string]*types.Package // of the package checked last
}

func newWorld(t *testing.T) *world {
	facts.Register(analyzers)
	return &world{t: t, fset: token.NewFileSet(), export: map[string][]byte{}, facts: map[string][]byte{}}
}

// Import implements types.Importer.
func (w *world) Import(path string) (*types.Package, error) {
	if p := w.seen[path]; p != nil && p.Complete() {
		return p, nil
	}
	return gcexportdata.Read(bytes.NewReader(w.export[path]), w.fset, w.seen, path)
}

// check type-checks a package and returns the set of facts that its imports give.
func (w *world) check(path, src string) (*types.Package, *facts.Set) {
	w.t.Helper()
	f, err := parser.ParseFile(w.fset, path+".go", "package "+path+"\n"+src, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	w.seen = map[string]*types.Package{}
	pkg, err := (&types.Config{Importer: w}).Check(path, w.fset, []*ast.File{f}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := gcexportdata.Write(&buf, w.fset, pkg); err != nil {
		w.t.Fatal(err)
	}
	w.export[path] = buf.Bytes()
	set := facts.NewSet(pkg)
	for _, imp := range pkg.Imports() {
		if err := set.Decode(imp, w.facts[imp.Path()], func(path string) *types.Package { return w.seen[path] }); err != nil {
			w.t.Fatal(err)
		}
	}
	return pkg, set
}

func (w *world) encode(pkg *types.Package, set *facts.Set) {
	w.t.Helper()
	data, err := set.Encode()
	if err != nil {
		w.t.Fatal(err)
	}
	w.facts[pkg.Path()] = data
}

// members are the objects of a package that have a name: those of its scope, and
// the fields and methods of its types, as "T.f".
func members(pkg *types.Package) map[string]types.Object {
	all := map[string]types.Object{}
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		all[name] = obj
		named, ok := obj.Type().(*types.Named)
		if _, isType := obj.(*types.TypeName); !ok || !isType {
			continue
		}
		for m := range named.Methods() {
			all[name+"."+m.Name()] = m
		}
		switch u := named.Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				all[name+"."+f.Name()] = f
			}
		case *types.Interface:
			for m := range u.ExplicitMethods() {
				all[name+"."+m.Name()] = m
			}
		}
	}
	return all
}

const base = `
type Exported struct { F int; g *inner; Inner unexported }
func (Exported) M(x param) {}
func (Exported) m() {}
type inner struct { Deep int }
func (*inner) D() {}
type unexported struct { U int }
type param struct { P int }
type hidden struct { H int }
func (hidden) H2() {}
func helper(hidden) {}
func Func() {}
type G[T constraint] struct { Item T }
func (*G[T]) Push(T) {}
type constraint interface { ~int; Do() }
type Alias = aliased
type aliased struct { A int }
`

// What an importer can come to goes into the file, and nothing else.
func TestReach(t *testing.T) {
	w := newWorld(t)
	pkg, set := w.check("base", base)
	for name, obj := range members(pkg) {
		set.ExportObjectFact(obj, &note{name})
	}
	set.ExportPackageFact(&note{"package"})
	w.encode(pkg, set)

	user, set := w.check("user", `import "base"; var V base.Exported; var F = base.Func`)
	got := map[string]bool{}
	for _, f := range set.AllObjectFacts(map[reflect.Type]bool{reflect.TypeFor[*note](): true}) {
		got[f.Fact.(*note).Text] = true
	}
	for name := range members(pkg) {
		unreachable := strings.HasPrefix(name, "hidden") || name == "helper"
		if got[name] == unreachable {
			t.Errorf("fact about %s: %v", name, got[name])
		}
	}
	var n note
	if !set.ImportPackageFact(user.Imports()[0], &n) || n.Text != "package" {
		t.Errorf("package fact: %v", n)
	}

	// Through user, an importer comes to Exported, but neither to Func nor to G.
	w.encode(user, set)
	_, set = w.check("next", `import "user"; var X = user.V`)
	got = map[string]bool{}
	for _, f := range set.AllObjectFacts(map[reflect.Type]bool{reflect.TypeFor[*note](): true}) {
		got[f.Fact.(*note).Text] = true
	}
	for name, want := range map[string]bool{"Exported": true, "Exported.F": true, "Exported.m": true, "inner.D": true, "inner.Deep": true, "param": true, "Func": false, "G": false, "G.Push": false, "Alias": false} {
		if got[name] != want {
			t.Errorf("at second hand, fact about %s: %v", name, got[name])
		}
	}
	if all := set.AllPackageFacts(map[reflect.Type]bool{reflect.TypeFor[*note](): true}); len(all) != 0 {
		t.Errorf("package facts at second hand: %v", all)
	}
}

// Types that are used by a package that has no facts do not make it have some.
func TestSealed(t *testing.T) {
	w := newWorld(t)
	pkg, set := w.check("base", base)
	set.ExportObjectFact(members(pkg)["Exported"], &note{"x"})
	w.encode(pkg, set)
	user, set := w.check("user", `import "base"; var _ base.Exported; type own struct{ base.Exported }; type T struct{}`)
	set.ExportObjectFact(members(user)["own"], &note{"not to be seen"})
	w.encode(user, set)
	if len(w.facts["user"]) > 0 {
		t.Error("a package whose API does not lead to the facts has a file that is not empty")
	}
	_, set = w.check("both", `import ("base"; "user"); var X base.Exported; type Y struct { F user.T }`)
	var n note
	if !set.ImportObjectFact(members(w.seen["base"])["Exported"], &n) || n.Text != "x" {
		t.Errorf("fact: %v", n)
	}
}

func TestSet(t *testing.T) {
	w := newWorld(t)
	pkg, set := w.check("p", "type T struct{ A, B int }; var V T")
	obj := members(pkg)
	var n note
	if set.ImportObjectFact(obj["T"], &n) || set.ImportPackageFact(pkg, &n) {
		t.Error("a fact from nowhere")
	}
	set.ExportObjectFact(obj["T"], &note{"1"})
	set.ExportObjectFact(obj["T"], &note{"2"})
	set.ExportObjectFact(obj["T"], &count{3})
	set.ExportObjectFact(obj["T.B"], &note{"b"})
	set.ExportObjectFact(obj["T.A"], &note{"a"})
	if !set.ImportObjectFact(obj["T"], &n) || n.Text != "2" {
		t.Errorf("%v", n)
	}
	var got string
	for _, f := range set.AllObjectFacts(map[reflect.Type]bool{reflect.TypeFor[*note](): true}) {
		got += fmt.Sprintf("%s=%s ", f.Object.Name(), f.Fact.(*note).Text)
	}
	if got != "T=2 A=a B=b " {
		t.Errorf("facts in order: %s", got)
	}
	other, _ := w.check("q", "var X int")
	for name, f := range map[string]func(){
		"foreign object": func() { set.ExportObjectFact(members(other)["X"], &note{}) },
		"nil object":     func() { set.ImportObjectFact(nil, &n) },
		"nil package":    func() { set.ImportPackageFact(nil, &n) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestBadFiles(t *testing.T) {
	w := newWorld(t)
	pkg, set := w.check("p", "")
	if err := set.Decode(pkg, []byte("nonsense"), nil); err == nil || !strings.Contains(err.Error(), `"p"`) {
		t.Errorf("decoding nonsense: %v", err)
	}
	set.ExportPackageFact(&unsound{func() {}})
	if _, err := set.Encode(); err == nil || !strings.Contains(err.Error(), "unsound") {
		t.Errorf("encoding a function: %v", err)
	}
}

// A file is the same each time, whatever the order of a map.
func TestDeterminism(t *testing.T) {
	w := newWorld(t)
	pkg, set := w.check("base", base)
	for name, obj := range members(pkg) {
		set.ExportObjectFact(obj, &note{name})
		set.ExportObjectFact(obj, &count{len(name)})
	}
	first, err := set.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := set.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, again) {
			t.Fatal("two encodings differ")
		}
	}
}
