package vetignore

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

func TestAccount(t *testing.T) {
	x, f, _ := parseIndex(t, `package p

//go:vet-ignore=c
func f() {
	g() //heapvet:ignore=c/r,c/s,d
	g() //heapvet:ignore
	g() //heapvet:ignore=d
	//heapvet:ignore
}
`)
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "g" {
			x.Ignored("c", "r", id.Pos(), id.End())
		}
		return true
	})
	var got []string
	for _, d := range x.Directives() {
		used := fmt.Sprintf("%s:%v", d.Spelling, d.Used())
		for _, n := range d.Names {
			used += fmt.Sprintf(" %s:%v", n, n.Used())
		}
		if d.CoversNothing() {
			used += " covers nothing"
		}
		got = append(got, used)
	}
	want := []string{
		"//go:vet-ignore:true c:true",
		"//heapvet:ignore:true c/r:true c/s:false d:false",
		"//heapvet:ignore:true",
		"//heapvet:ignore:false d:false",
		"//heapvet:ignore:false covers nothing",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestOwnCheck: only a directive that names the vetignore check covers it.
func TestOwnCheck(t *testing.T) {
	x, f, _ := parseIndex(t, `package p

func f() {
	no()  //heapvet:ignore
	no()  //nolint:heapvet
	no()  //lint:ignore heapvet reason
	yes() //heapvet:ignore=vetignore
	yes() //heapvet:ignore=vetignore/unused
	yes() //nolint:vetignore
}
`)
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name != "f" {
				if got := x.Ignored(CheckName, "unused", id.Pos(), id.End()); got != (id.Name == "yes") {
					t.Errorf("%s: covered: %v", id.Name, got)
				}
			}
			return true
		})
	}
}

// TestEnd: a directive at the end of the last line of what the finding spans.
func TestEnd(t *testing.T) {
	x, f, _ := parseIndex(t, `package p

func f() {
	a.b(
		c).  //heapvet:ignore
		d().
		e()
}
`)
	chain := f.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.ExprStmt).X
	first := chain.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X
	if !x.Ignored("c", "r", first.Pos(), first.End()) {
		t.Error("the finding that ends on the line is not covered")
	}
	if x.Ignored("c", "r", chain.Pos(), chain.End()) {
		t.Error("the finding that begins before the line and ends after it is covered")
	}
	if x.Ignored("c", "r", chain.Pos(), token.NoPos) {
		t.Error("the finding without an end is covered")
	}
}

func TestPositionsOutside(t *testing.T) {
	x, f, fset := parseIndex(t, "//heapvet:ignore\npackage p\n")
	other, err := parser.ParseFile(fset, "q.go", "package p\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, pos := range []token.Pos{token.NoPos, other.Package, other.FileEnd + 100, -1} {
		if x.Ignored("c", "r", pos, pos) {
			t.Errorf("position %d is covered", pos)
		}
	}
	if !x.Ignored("c", "r", f.FileEnd, token.NoPos) {
		t.Error("the end of the file is not covered")
	}
}

func TestNolintOff(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n\nvar v int //nolint\n", parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newIndex(fset, []*ast.File{f}, func(string) ([]byte, error) { return nil, errors.New("read") }, false)
	if err != nil {
		t.Fatal(err) // the source is read only where it is needed
	}
	if len(x.Directives()) != 0 || x.Ignored("c", "r", f.Decls[0].Pos(), token.NoPos) {
		t.Error("the directive counts")
	}
}

func TestConcurrentUse(t *testing.T) {
	x, f, _ := parseIndex(t, "package p\n\nvar v, w int //heapvet:ignore=c,d\n")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 100 {
				x.Ignored([]string{"c", "d"}[i%2], "r", f.Decls[0].Pos(), token.NoPos)
			}
		})
	}
	all.Wait()
	for _, n := range x.Directives()[0].Names {
		if !n.Used() {
			t.Errorf("%s was not used", n)
		}
	}
}

// TestRandomStatements puts a directive above one statement of a random program,
// and expects that it covers the identifiers of this statement and no others,
// before and after gofmt. Each statement mentions its own number.
func TestRandomStatements(t *testing.T) {
	for seed := range uint64(300) {
		g := generator{rand: rand.New(rand.NewPCG(seed, 1))}
		g.block(3)
		src := "package p\n\nfunc f() {\n" + g.b.String() + "}\n"
		chosen := g.rand.IntN(g.n)
		marked := strings.ReplaceAll(src, fmt.Sprintf("/*%d*/", chosen), "\n//go:vet-ignore\n")
		checkRandom(t, marked, chosen)
		formatted, err := format.Source([]byte(marked))
		if err != nil {
			t.Fatal(err)
		}
		checkRandom(t, string(formatted), chosen)
	}
}

// checkRandom expects that the covered identifiers are those from "begin" to
// "end" with the chosen number.
func checkRandom(t *testing.T, src string, chosen int) {
	x, f, fset := parseIndex(t, src)
	inside := false
	ast.Inspect(f.Decls[0].(*ast.FuncDecl).Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if id.Name == fmt.Sprintf("begin%d", chosen) {
			inside = true
		}
		if x.Ignored("c", "r", id.Pos(), id.End()) != inside {
			t.Fatalf("%s: %s: covered: %v\n%s", fset.Position(id.Pos()), id.Name, !inside, src)
		}
		if id.Name == fmt.Sprintf("end%d", chosen) {
			inside = false
		}
		return true
	})
}

// A generator writes random statements. Each begins with a comment of its number
// and has begin and end with the number as its first and last identifier.
type generator struct {
	rand *rand.Rand
	b    strings.Builder
	n    int
}

func (g *generator) block(depth int) {
	for range 1 + g.rand.IntN(3) {
		g.statement(depth)
	}
}

func (g *generator) statement(depth int) {
	n := g.n
	g.n++
	fmt.Fprintf(&g.b, "/*%d*/", n)
	kind := g.rand.IntN(7)
	if depth == 0 {
		kind = g.rand.IntN(2)
	}
	inner := func(before, after string) {
		fmt.Fprintf(&g.b, before, n)
		g.block(depth - 1)
		fmt.Fprintf(&g.b, after+"\n", n)
	}
	switch kind {
	case 0:
		fmt.Fprintf(&g.b, "begin%d.g(x,\n\ty).z(end%d)\n", n, n)
	case 1:
		fmt.Fprintf(&g.b, "begin%d, a = T{\n\tk: v,\n}, end%d\n", n, n)
	case 2:
		inner("if begin%d() {\n", "} else {\nend%d()\n}")
	case 3:
		inner("for begin%d != nil {\n", "end%d()\n}")
	case 4:
		inner("switch begin%d {\ncase 1:\n", "end%d()\n}")
	case 5:
		inner("begin%d(func() {\n", "}, end%d)")
	case 6:
		inner("go func(begin%d int) {\n", "}(end%d)")
	}
}
