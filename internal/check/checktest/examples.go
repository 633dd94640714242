// Package checktest tests what every check promises.
package checktest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/heapvet/heapvet/internal/check"
)

// examplesDir lets other tools be run on the examples.
var examplesDir = flag.String("examples", "", "write the sources of the examples into this `directory`, a GOPATH, and keep them")

// Examples runs each check on the examples in its documentation: on the wrong one
// of a rule, that rule must report something and all code must compile; on the
// right one, the check must be silent, and so must the others. Rules that are off by
// default are enabled for their own examples.
// A rule without examples is an error.
func Examples(t *testing.T, checks ...*check.Check) {
	t.Helper()
	gopath := *examplesDir
	if gopath == "" {
		gopath = t.TempDir()
	}
	var examples []*example
	for _, c := range checks {
		for i := range c.Rules {
			examples = append(examples, examplesOf(t, c, &c.Rules[i])...)
		}
	}
	for _, e := range examples {
		e.write(t, gopath)
	}
	enableAll(t, checks)
	found := findings(t, gopath, checks)
	for _, e := range examples {
		t.Run(e.path, func(t *testing.T) { e.judge(t, checks, found[e.path]) })
	}
}

// An example is one example of one rule, made whole.
type example struct {
	check *check.Check
	rule  *check.Rule
	wrong bool
	// path is the import path of its package.
	path string
	// files are the sources of the package: the example and what it needs.
	files []string
}

func examplesOf(t *testing.T, c *check.Check, r *check.Rule) []*example {
	t.Helper()
	var all []*example
	for _, e := range []*example{
		{check: c, rule: r, wrong: true, path: c.Name + "/" + r.Name + "/wrong"},
		{check: c, rule: r, path: c.Name + "/" + r.Name + "/right"},
	} {
		source := r.Right
		if e.wrong {
			source = r.Wrong
		}
		if strings.TrimSpace(source) == "" {
			t.Errorf("%s: there is no such example", e.path)
			continue
		}
		files, err := complete(source, r.Setup, c.Setup)
		if err != nil {
			t.Errorf("%s: %v", e.path, err)
			continue
		}
		e.files = files
		all = append(all, e)
	}
	return all
}

func (e *example) write(t *testing.T, gopath string) {
	t.Helper()
	dir := filepath.Join(gopath, "src", e.path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, source := range e.files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", i)), []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// testdata returns the repository's tree of test sources, where packages of other
// modules have stand-ins.
func testdata(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "testdata")
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		t.Fatal("no go.mod above the working directory")
	}
}

// enableAll enables all rules for the time of the test.
func enableAll(t *testing.T, checks []*check.Check) {
	t.Helper()
	for _, c := range checks {
		enable := func(rules string) {
			if err := c.Analyzer.Flags.Set("enable", rules); err != nil {
				t.Fatal(err)
			}
		}
		before := c.Analyzer.Flags.Lookup("enable").Value.String()
		t.Cleanup(func() { enable(before) })
		enable(strings.Join(c.RuleNames(), ","))
	}
}

// A result is what the checks found in a package, by analyzer.
type result map[*analysis.Analyzer][]analysis.Diagnostic

// findings runs the checks on all packages of a GOPATH. The keys are import paths.
// Packages that do not compile are errors.
func findings(t *testing.T, gopath string, checks []*check.Check) map[string]result {
	t.Helper()
	cfg := &packages.Config{
		Dir:  filepath.Join(gopath, "src"),
		Mode: packages.LoadAllSyntax,
		Env:  append(os.Environ(), "GO111MODULE=off", "GOFLAGS=", "GOWORK=off", "GOPATH="+gopath+string(filepath.ListSeparator)+testdata(t)),
	}
	pkgs, err := packages.Load(cfg, "./...")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]result{}
	for _, p := range pkgs {
		found[p.PkgPath] = result{}
		for _, err := range p.Errors {
			t.Errorf("the example does not compile: %v\n%s", err, sources(p))
		}
	}
	var analyzers []*analysis.Analyzer
	for _, c := range checks {
		analyzers = append(analyzers, c.Analyzer)
	}
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil && len(act.Package.Errors) == 0 {
			t.Errorf("%s: %v", act, act.Err)
		}
		found[act.Package.PkgPath][act.Analyzer] = act.Diagnostics
	}
	return found
}

func sources(p *packages.Package) string {
	var b strings.Builder
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			return err.Error()
		}
		fmt.Fprintf(&b, "-- %s --\n%s", filepath.Base(name), text)
	}
	return b.String()
}

// judge compares what was found in the example with what must be.
func (e *example) judge(t *testing.T, checks []*check.Check, found result) {
	reported := false
	for _, c := range checks {
		for _, d := range found[c.Analyzer] {
			own := c == e.check
			if own && d.Category == e.rule.Name {
				reported = true
			}
			if !e.wrong && (own || !c.Rule(d.Category).Off) {
				t.Errorf("the right example is reported (%s/%s): %s\n%s", c.Name, d.Category, d.Message, strings.Join(e.files, ""))
			}
		}
	}
	if e.wrong && !reported {
		t.Errorf("the rule does not report the wrong example\n%s", strings.Join(e.files, ""))
	}
}
