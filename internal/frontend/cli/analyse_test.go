package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapvet/heapvet/internal/frontend/printer"
)

// module has no imports: the vet tool looks at every package that is imported,
// and the test binary is anew to the go command's cache after each change.
const module = `
-- go.mod --
module example.com/m

go 1.24
-- a/a.go --
package a

func bad() {}

func F() {
	bad()
}
-- a/a_test.go --
package a

func f() { bad() }
-- a/x_test.go --
package a_test

func bad() {}

func f() { bad() }
-- clean/clean.go --
package clean
-- tagged/tagged.go --
package tagged

func bad() {}
-- tagged/more.go --
//go:build more

package tagged

func f() { bad() }
`

func TestFindings(t *testing.T) {
	dir := tree(t, module)
	const found = `a/a.go:6:2: bad is called (calls/bad)
	6 |     bad()
	  |     ^~~~~
	a/a.go:1:9: in this package
	    package a
`
	const inTests = `a/a_test.go:3:12: bad is called (calls/bad)
	3 | func f() { bad() }
	  |            ^~~~~
	a/a_test.go:1:9: in this package
	    package a
a/x_test.go:5:12: bad is called (calls/bad)
	5 | func f() { bad() }
	  |            ^~~~~
	a/x_test.go:1:9: in this package
	    package a_test
`
	const tagged = `tagged/more.go:5:12: bad is called (calls/bad)
	5 | func f() { bad() }
	  |            ^~~~~
	tagged/more.go:3:9: in this package
	    package tagged
`
	tests := []struct {
		name   string
		args   []string
		status int
		stdout string
	}{
		{"default pattern", nil, exitFindings, found + inTests},
		{"patterns", []string{"./clean", "./a"}, exitFindings, found + inTests},
		{"clean", []string{"./clean"}, exitClean, ""},
		{"without tests", []string{"-test=false", "./..."}, exitFindings, found},
		{"two dashes, flag after the pattern", []string{"./...", "--test=false"}, exitFindings, found},
		{"tags", []string{"-tags", "more", "./tagged"}, exitFindings, tagged},
		{"check off", []string{"-calls=false", "./..."}, exitClean, ""},
		{"rule off", []string{"-calls.disable=bad", "./..."}, exitClean, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			heapvet(t, dir, nil, test.args...).want(t, test.status, test.stdout)
		})
	}
	t.Run("other directory", func(t *testing.T) {
		heapvet(t, filepath.Dir(dir), nil, "-C", filepath.Base(dir), "-f", "short", "-test=false").
			want(t, exitFindings, filepath.Base(dir)+"/a/a.go:6:2: bad is called (calls/bad)\n")
	})
}

func TestFindingsAsJSON(t *testing.T) {
	o := heapvet(t, tree(t, module), nil, "-json", "-test=false", "./...")
	var report printer.Report
	if err := json.Unmarshal([]byte(o.stdout), &report); err != nil {
		t.Fatalf("%v\n%s", err, o.stdout)
	}
	if o.status != exitFindings || report.Version != printer.JSONVersion || len(report.Findings) != 1 {
		t.Fatalf("exit status %d, report %+v", o.status, report)
	}
	f := report.Findings[0]
	if f.File != "a/a.go" || f.Line != 6 || f.Column != 2 || f.EndColumn != 7 || f.Check != "calls" ||
		f.Rule != "bad" || f.Package != "example.com/m/a" || len(f.Related) != 1 || len(f.Fixes) != 1 {
		t.Errorf("finding %+v", f)
	}
}

func TestCouldNotRun(t *testing.T) {
	dir := tree(t, module+`
-- broken/broken.go --
package broken

func f() int { return undefined }
-- missing/missing.go --
package missing

import _ "example.org/not/there"
-- crash/crash.go --
package crash

func panics() {}

func f() { panics() }
`)
	t.Run("type error", func(t *testing.T) {
		o := heapvet(t, dir, nil, "-f=short", "-test=false", "./a", "./broken")
		o.wantFailure(t, "# example.com/m/broken\n", "broken/broken.go:3:23: undefined: undefined\n", "could not all be analysed")
		if want := "a/a.go:6:2: bad is called (calls/bad)\n"; o.stdout != want {
			t.Errorf("findings of the other packages:\n%s\nwant:\n%s", o.stdout, want)
		}
	})
	t.Run("missing module", func(t *testing.T) {
		heapvet(t, dir, nil, "./missing").wantFailure(t, "example.org/not/there", "go mod tidy")
	})
	t.Run("check fails", func(t *testing.T) {
		heapvet(t, dir, nil, "./crash").wantFailure(t, "calls could not analyse example.com/m/crash", "asked to")
	})
	t.Run("no module", func(t *testing.T) {
		heapvet(t, t.TempDir(), nil).wantFailure(t, "inside a module")
	})
	t.Run("no go command", func(t *testing.T) {
		heapvet(t, dir, []string{"PATH="}).wantFailure(t, "no go command on PATH")
	})
	t.Run("no packages", func(t *testing.T) {
		heapvet(t, dir, nil, "./a/none/...").wantFailure(t, "check the pattern")
		heapvet(t, dir, nil, "./none").wantFailure(t, "check the pattern")
	})
	t.Run("no directory", func(t *testing.T) {
		heapvet(t, dir, nil, "-C", "none").wantFailure(t, "-C none: no such directory")
	})
	t.Run("unknown flag", func(t *testing.T) {
		heapvet(t, dir, nil, "-cals").wantFailure(t, "unknown flag -cals; did you mean -calls?")
		heapvet(t, dir, nil, "-quux").wantFailure(t, "unknown flag -quux; run")
	})
	t.Run("mistyped command", func(t *testing.T) {
		heapvet(t, dir, nil, "lst").wantFailure(t, "did you mean the command heapvet list?")
		heapvet(t, dir, nil, "gaet", "-base=main").wantFailure(t, "did you mean the command heapvet gate?")
		if o := heapvet(t, dir, nil, "gate", "-bas=main"); strings.Contains(o.stderr, "the command") {
			t.Errorf("a command that is right is doubted: %s", o.stderr)
		}
	})
	t.Run("bad value", func(t *testing.T) {
		heapvet(t, dir, nil, "-calls.disable=none").wantFailure(t, `calls has no rule "none"; it has bad`)
		heapvet(t, dir, nil, "-calls=maybe").wantFailure(t, "-calls")
	})
}

// The go command caches what is said of a package with its facts, whether it was to
// be reported on or not. What is found must not depend on what was analysed before.
func TestCacheOfTheGoCommand(t *testing.T) {
	const modules = `
-- go.mod --
module example.com/m

go 1.24
-- a/a.go --
package a

func bad() {}

func A() { bad() }
-- b/b.go --
package b

import "example.com/m/a"

func bad() {}

func B() { a.A(); bad() }
`
	const a, b = "a/a.go:5:12: bad is called (calls/bad)\n", "b/b.go:7:19: bad is called (calls/bad)\n"
	for _, order := range [][]string{{"./b", "./a", "./..."}, {"./...", "./b", "./a"}, {"./b", "./...", "./a"}} {
		t.Run(strings.Join(order, " "), func(t *testing.T) {
			dir := tree(t, modules)
			for _, pattern := range order {
				want := map[string]string{"./a": a, "./b": b, "./...": a + b}[pattern]
				heapvet(t, dir, nil, "-f=short", pattern).want(t, exitFindings, want)
			}
		})
	}
}
