package locks_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
)

// TestSamples checks the locks that the comments of the sample sources name.
func TestSamples(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var srcs []string
	for _, p := range paths {
		src, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		srcs = append(srcs, string(src))
	}
	a := analyze(t, srcs...)
	for i, f := range a.files {
		t.Run(strings.TrimSuffix(filepath.Base(paths[i]), ".go"), func(t *testing.T) {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					a.sample(t, f, fn)
				}
			}
		})
	}
}

// expectation fits a comment that says what is held.
var expectation = regexp.MustCompile(`^// held: ([^:]+?)(?: may: (.+))?$`)

// sample checks the expectations in one function, on what its summary says.
func (a *analyzed) sample(t *testing.T, f *ast.File, decl *ast.FuncDecl) {
	fn := a.declared(decl)
	for _, g := range f.Comments {
		if g.Pos() < decl.Pos() || a.line(g.Pos()) > a.line(decl.End()) {
			continue
		}
		m := expectation.FindStringSubmatch(g.List[0].Text)
		if m == nil {
			continue
		}
		line := a.line(g.Pos())
		held, may, n := a.at(fn, line)
		want := m[1]
		if want == "-" {
			want = ""
		}
		if n == 0 {
			t.Errorf("%s, line %d: no use of a heap", decl.Name.Name, line)
			continue
		}
		if held != want {
			t.Errorf("%s, line %d: holds %q, want %q", decl.Name.Name, line, held, want)
		}
		if wantMay := strings.TrimSpace(want + " " + m[2]); m[2] != "" && sorted(may) != sorted(wantMay) {
			t.Errorf("%s, line %d: may hold %q, want %q", decl.Name.Name, line, may, wantMay)
		}
	}
}

func (a *analyzed) declared(decl *ast.FuncDecl) *ssa.Function {
	for _, fn := range a.Heaps().IR.Funcs {
		if fn.Syntax() == decl {
			return fn
		}
	}
	return nil
}

// at returns the locks that all uses of heaps by way of a line hold, those that
// some hold, and the number of uses.
func (a *analyzed) at(fn *ssa.Function, line int) (held, may string, n int) {
	sum := a.Summary(fn)
	var must, some []string
	for _, acc := range slices.Concat(sum.Accesses, sum.Spawned) {
		if acc.Data || !a.passes(acc, fn, line) {
			continue
		}
		names := lockList(acc.Held)
		if n++; n == 1 {
			must = names
		}
		must = common(must, names)
		for _, l := range lockList(acc.May) {
			if !slices.Contains(some, l) {
				some = append(some, l)
			}
		}
	}
	return sorted(strings.Join(must, " ")), sorted(strings.Join(some, " ")), n
}

// passes tells whether the access is made on the line of the function, or by it.
func (a *analyzed) passes(acc *locks.Access, fn *ssa.Function, line int) bool {
	for _, fr := range acc.Trace {
		outer := fr.Fn
		for outer.Parent() != nil {
			outer = outer.Parent()
		}
		if outer == fn && a.line(fr.At) == line {
			return true
		}
	}
	return false
}

func lockList(list []locks.Held) []string {
	var out []string
	for _, h := range list {
		name := guards.Name(h.Place)
		if h.Mode == locks.Read {
			name += "(read)"
		}
		out = append(out, name)
	}
	return out
}

// common is what both lists have; a read lock is what a read lock and a write lock
// have in common.
func common(a, b []string) []string {
	var out []string
	for _, x := range a {
		bare := strings.TrimSuffix(x, "(read)")
		switch {
		case slices.Contains(b, x):
			out = append(out, x)
		case slices.Contains(b, bare), slices.Contains(b, bare+"(read)"):
			out = append(out, bare+"(read)")
		}
	}
	return out
}

func sorted(list string) string {
	words := strings.Fields(list)
	slices.Sort(words)
	return strings.Join(words, " ")
}
