package vetignore

import (
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/internal/check"
)

// toys are checks that are easy to provoke: they report calls of functions by
// name. The rule is the function's name.
func toys() []*check.Check {
	return []*check.Check{toy("toy", "bad", "worse"), toy("other", "rare")}
}

func toy(name string, rules ...string) *check.Check {
	c := check.Check{Name: name, Title: "find calls", Text: "Calls are bad."}
	for _, r := range rules {
		c.Rules = append(c.Rules, check.Rule{Name: r, Title: "a call", Off: r == "rare"})
	}
	c.Run = func(pass *analysis.Pass) error {
		for _, f := range pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && c.Rule(id.Name) != nil {
						pass.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: id.Name, Message: id.Name})
					}
				}
				return true
			})
		}
		return nil
	}
	return check.New(c)
}

// suite is the vetignore check with toy checks, and one analyzer that reports what
// all of them report, with the check and the rule before the message.
type suite struct {
	toys  []*check.Check
	check *check.Check
}

func newSuite() *suite {
	s := &suite{toys: toys()}
	s.check = build(s.toys)
	return s
}

func (s *suite) all() []*check.Check { return append(slices.Clip(s.toys), s.check) }

// analyzer runs all checks in one pass.
func (s *suite) analyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{Name: "suite", Doc: "run all checks"}
	seen := map[*analysis.Analyzer]bool{}
	for _, c := range s.all() {
		for _, r := range c.Analyzer.Requires {
			if !seen[r] && !s.has(r) {
				seen[r] = true
				a.Requires = append(a.Requires, r)
			}
		}
	}
	a.Run = func(pass *analysis.Pass) (any, error) {
		results := maps.Clone(pass.ResultOf)
		for _, c := range s.all() {
			own := *pass
			own.ResultOf = results
			own.Report = func(d analysis.Diagnostic) {
				d.Message = fmt.Sprintf("%s/%s: %s", c.Name, d.Category, d.Message)
				pass.Report(d)
			}
			result, err := c.Analyzer.Run(&own)
			if err != nil {
				return nil, err
			}
			results[c.Analyzer] = result
		}
		return nil, nil
	}
	return a
}

func (s *suite) has(a *analysis.Analyzer) bool {
	for _, c := range s.all() {
		if c.Analyzer == a {
			return true
		}
	}
	return false
}

func testdata(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestDirectives(t *testing.T) {
	analysistest.Run(t, testdata(t), newSuite().analyzer(),
		"vetignore/form", "vetignore/use", "vetignore/file", "vetignore/generated", "vetignore/tests", "vetignore/foreign")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, testdata(t), newSuite().analyzer(), "vetignore/fixes")
}

// TestDisabled: nothing is known about the use of a directive whose rule is
// disabled.
func TestDisabled(t *testing.T) {
	s := newSuite()
	set(t, &s.toys[0].Analyzer.Flags, "disable", "worse")
	analysistest.Run(t, testdata(t), s.analyzer(), "vetignore/disabled")
}

// TestEnabled: once a rule is enabled, its directives are judged.
func TestEnabled(t *testing.T) {
	s := newSuite()
	set(t, &s.toys[1].Analyzer.Flags, "enable", "rare")
	analysistest.Run(t, testdata(t), s.analyzer(), "vetignore/enabled")
}

// TestOff: nothing is known about the directives of a check that is turned off.
func TestOff(t *testing.T) {
	s := newSuite()
	s.toys[1].Skip()
	analysistest.Run(t, testdata(t), s.analyzer(), "vetignore/off")
}

func TestTestFiles(t *testing.T) {
	s := newSuite()
	set(t, &s.check.Analyzer.Flags, "tests", "true")
	analysistest.Run(t, testdata(t), s.analyzer(), "vetignore/testfiles")
}

func TestNolintOff(t *testing.T) {
	s := newSuite()
	set(t, &s.check.Analyzer.Flags, "nolint", "false")
	t.Cleanup(func() { set(t, &s.check.Analyzer.Flags, "nolint", "true") })
	analysistest.Run(t, testdata(t), s.analyzer(), "vetignore/nolintoff")
}

func set(t *testing.T, flags *flag.FlagSet, name, value string) {
	t.Helper()
	if err := flags.Set(name, value); err != nil {
		t.Fatal(err)
	}
}
