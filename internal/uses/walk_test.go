package uses_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/heapvet/heapvet/internal/uses"
)

const source = `package p

func a() {}
func b() {}
func c() {}
func d() {}

func f(n int, stop bool) {
	a()
	for i := 0; i < n; i++ {
		b()
		if stop {
			c()
			return
		}
	}
	d()
}
`

// calls builds f and returns its calls by the name of the callee.
func calls(t *testing.T) (*ssa.Function, map[string]ssa.Instruction) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]ssa.Instruction{}
	uses.Instrs(pkg.Func("f"), func(instr ssa.Instruction) {
		if call, ok := instr.(*ssa.Call); ok {
			found[call.Call.StaticCallee().Name()] = instr
		}
	})
	return pkg.Func("f"), found
}

func TestReaches(t *testing.T) {
	_, at := calls(t)
	for _, test := range []struct {
		from, to  string
		any, once bool
	}{
		{"a", "d", true, true},
		{"b", "c", true, true},
		{"b", "b", true, false},
		{"b", "d", true, false}, // by way of the loop's header
		{"c", "d", false, false},
		{"d", "a", false, false},
	} {
		once := false
		uses.WalkOnce(at[test.from], func(instr ssa.Instruction) bool {
			once = once || instr == at[test.to]
			return true
		})
		if got := uses.Reaches(at[test.from], at[test.to]); got != test.any || once != test.once {
			t.Errorf("%s to %s: reaches %v, in one round %v; want %v, %v", test.from, test.to, got, once, test.any, test.once)
		}
	}
}

func TestWalkReturn(t *testing.T) {
	_, at := calls(t)
	cut := func(instr ssa.Instruction) bool { return instr != at["d"] }
	if uses.Walk(at["a"], cut) == nil {
		t.Error("the return after c is not found")
	}
	if exit := uses.Walk(at["d"], cut); exit == nil {
		t.Error("the return after d is not found")
	}
	if exit := uses.Walk(at["a"], func(instr ssa.Instruction) bool { return instr != at["b"] && instr != at["d"] }); exit != nil {
		t.Errorf("a return is found at %v though all ways are cut", exit)
	}
}

func TestGuards(t *testing.T) {
	_, at := calls(t)
	for name, want := range map[string]int{"a": 0, "b": 1, "c": 2, "d": 1} {
		if got := uses.Guards(at[name]); len(got) != want {
			t.Errorf("%s has %d guards, want %d", name, len(got), want)
		}
	}
	if g := uses.Guards(at["c"])[0]; !g.Holds || g.If.Cond.Name() != "stop" {
		t.Errorf("the innermost guard of c is %v, %v", g.If, g.Holds)
	}
}

func TestLoops(t *testing.T) {
	fn, at := calls(t)
	loops := uses.Loops(fn)
	if len(loops) != 1 {
		t.Fatalf("%d loops, want 1", len(loops))
	}
	l := loops[0]
	for name, want := range map[string]bool{"a": false, "b": true, "c": false, "d": false} {
		if got := l.Again(at[name]); got != want {
			t.Errorf("another round after %s: %v, want %v", name, got, want)
		}
	}
	if !uses.Dominates(at["a"], at["b"]) || uses.Dominates(at["b"], at["d"]) {
		t.Error("a comes before b always, b before d not always")
	}
}
