package check_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/vetignore"
)

const source = `package p

var a, b, c int

var d int //heapvet:ignore
`

// describe returns a valid description whose check reports at each of the named
// variables, in that order, by the rule given.
func describe(rule string, names ...string) check.Check {
	return check.Check{
		Name:  "toy",
		Title: "find variables",
		Text:  "Variables vary.",
		Rules: []check.Rule{{Name: "one", Title: "one"}, {Name: "two", Title: "two"}, {Name: "rare", Title: "rare", Off: true}},
		Run: func(pass *analysis.Pass) error {
			for _, name := range names {
				if name == "panic" {
					panic("asked to")
				}
				pos := pass.Pkg.Scope().Lookup(name).Pos()
				pass.Report(analysis.Diagnostic{Pos: pos, Category: rule, Message: name})
			}
			return nil
		},
	}
}

// findings runs the check on the source and returns its messages.
func findings(t *testing.T, c *check.Check) ([]string, error) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	pass := &analysis.Pass{
		Fset: fset, Files: []*ast.File{f}, Pkg: pkg,
		ReadFile: func(string) ([]byte, error) { return []byte(source), nil },
		Report:   func(d analysis.Diagnostic) { messages = append(messages, d.Message) },
	}
	index, err := vetignore.Analyzer.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	pass.ResultOf = map[*analysis.Analyzer]any{vetignore.Analyzer: index}
	_, err = c.Analyzer.Run(pass)
	return messages, err
}

func TestFindings(t *testing.T) {
	for _, tt := range []struct {
		name  string
		check check.Check
		flags string
		want  string
	}{
		{"sorted", describe("one", "c", "a", "b"), "", "a b c"},
		{"unrepeated", describe("one", "b", "a", "b"), "", "a b"},
		{"suppressed", describe("one", "a", "d"), "", "a"},
		{"disabled", describe("one", "a"), "disable=one", ""},
		{"another disabled", describe("one", "a"), "disable=two,rare", "a"},
		{"disabled, with blanks", describe("two", "a"), "disable= one , two ", ""},
		{"off", describe("rare", "a"), "", ""},
		{"enabled", describe("rare", "a"), "enable=rare", "a"},
		{"on, and another enabled", describe("one", "a"), "enable=rare", "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := check.New(tt.check)
			if name, value, ok := strings.Cut(tt.flags, "="); ok {
				if err := c.Analyzer.Flags.Set(name, value); err != nil {
					t.Fatal(err)
				}
			}
			got, err := findings(t, c)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestPanic: a panic is an error that names the check and the package; findings
// before it are not half a result.
func TestPanic(t *testing.T) {
	got, err := findings(t, check.New(describe("one", "a", "panic")))
	if err == nil || !strings.Contains(err.Error(), "internal error in toy, analysing package example.com/p: asked to") {
		t.Errorf("error: %v", err)
	}
	if len(got) > 0 {
		t.Errorf("findings: %q", got)
	}
}

func TestUnknownRule(t *testing.T) {
	if _, err := findings(t, check.New(describe("three", "a"))); err == nil || !strings.Contains(err.Error(), `unknown rule "three"`) {
		t.Errorf("error: %v", err)
	}
}

func TestSkip(t *testing.T) {
	c := check.New(describe("one", "a"))
	c.Skip()
	if got, err := findings(t, c); err != nil || len(got) > 0 {
		t.Errorf("findings %q, error %v", got, err)
	}
}

func TestUnknownRuleFlag(t *testing.T) {
	c := check.New(describe("one"))
	err := c.Analyzer.Flags.Set("disable", "one,three")
	if err == nil || !strings.Contains(err.Error(), `toy has no rule "three"; it has one, two, rare`) {
		t.Errorf("error: %v", err)
	}
}

func TestDescription(t *testing.T) {
	c := check.New(describe("one"))
	title, _, _ := strings.Cut(c.Analyzer.Doc, "\n")
	if title != c.Title {
		t.Errorf("the documentation begins with %q", title)
	}
	for _, want := range []string{"Variables vary.", "one: one", "rare: rare (off by default)"} {
		if !strings.Contains(c.Analyzer.Doc, want) {
			t.Errorf("the documentation lacks %q:\n%s", want, c.Analyzer.Doc)
		}
	}
	if !strings.HasSuffix(c.Analyzer.URL, "/docs/checks/toy.md") {
		t.Errorf("URL %s", c.Analyzer.URL)
	}
	var flags []string
	c.Analyzer.Flags.VisitAll(func(f *flag.Flag) { flags = append(flags, f.Name) })
	if !slices.Equal(flags, []string{"disable", "enable"}) {
		t.Errorf("flags %q", flags)
	}
}

func TestBadDescriptions(t *testing.T) {
	for name, spoil := range map[string]func(*check.Check){
		"no name":         func(c *check.Check) { c.Name = "" },
		"no title":        func(c *check.Check) { c.Title = "" },
		"no text":         func(c *check.Check) { c.Text = "" },
		"no rules":        func(c *check.Check) { c.Rules = nil },
		"no function":     func(c *check.Check) { c.Run = nil },
		"rule twice":      func(c *check.Check) { c.Rules = append(c.Rules, c.Rules[0]) },
		"rule, no title":  func(c *check.Check) { c.Rules = []check.Rule{{Name: "one"}} },
		"rule, no name":   func(c *check.Check) { c.Rules = []check.Rule{{Title: "one"}} },
		"analyzer's name": func(c *check.Check) { c.Name = "no identifier" },
	} {
		t.Run(name, func(t *testing.T) {
			c := describe("one")
			spoil(&c)
			defer func() {
				if recover() == nil {
					t.Error("the description was accepted")
				}
			}()
			check.New(c)
		})
	}
}

func TestGenerated(t *testing.T) {
	for src, want := range map[string]bool{
		"// Code generated by stringer. DO NOT EDIT.\n\npackage p":                                                   true,
		"// Copyright\n\n// Code generated by x. DO NOT EDIT.\npackage p":                                            true,
		"package p\n\n// Code generated by stringer. DO NOT EDIT.\n":                                                 false,
		"// Code generated by cmd/cgo; DO NOT EDIT.\n\npackage p":                                                    false,
		"// code generated by stringer. DO NOT EDIT.\n\npackage p":                                                   false,
		"// Code generated by cmd/cgo; DO NOT EDIT.\n//line x.go:1\n// Code generated by y. DO NOT EDIT.\npackage p": true,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := check.Generated(f); got != want {
			t.Errorf("%v for\n%s", got, src)
		}
	}
}
