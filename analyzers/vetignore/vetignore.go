// Package vetignore defines the check that reads the directives that suppress
// findings: those that are malformed, name nothing, or suppress nothing.
package vetignore

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/analyzers/internal/list"
	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/suggest"
	"github.com/heapvet/heapvet/internal/vetignore"
)

// Check describes the check.
var Check = build(list.Checks())

// Analyzer is the check as an analyzer.
var Analyzer = Check.Analyzer

// A reader reads directives that may name certain checks.
type reader struct {
	// checks find faults in programs.
	checks []*check.Check
	// known are the checks that a directive may name: checks and this one.
	known []*check.Check
	// tests says to read test files as well.
	tests bool
}

// build makes the check for directives that suppress findings of the given checks.
func build(checks []*check.Check) *check.Check {
	r := &reader{checks: checks}
	c := check.New(check.Check{
		Name:  vetignore.CheckName,
		Title: "find directives that do not suppress what they seem to",
		Text:  text,
		Rules: rules,
		Flags: func(f *flag.FlagSet) {
			f.BoolVar(&vetignore.HonourNolint, "nolint", true, "honour //nolint and //nolint:heapvet, as golangci-lint does itself")
			f.BoolVar(&r.tests, "tests", false, "report on directives in test files as well")
		},
		Requires: analyzers(checks),
		Run:      r.run,
	})
	r.known = append(slices.Clone(checks), c)
	return c
}

func analyzers(checks []*check.Check) []*analysis.Analyzer {
	var all []*analysis.Analyzer
	for _, c := range checks {
		all = append(all, c.Analyzer)
	}
	return all
}

func (r *reader) run(pass *analysis.Pass) error {
	for _, d := range pass.ResultOf[vetignore.Analyzer].(*vetignore.Index).Directives() {
		if !r.silent(pass, d) {
			r.form(pass, d)
			r.use(pass, d)
		}
	}
	return nil
}

// silent tells whether nothing is said about the directive: nobody wrote it by
// hand, or the checks are silent around it by themselves.
func (r *reader) silent(pass *analysis.Pass, d *vetignore.Directive) bool {
	file := pass.Fset.PositionFor(d.Comment.Pos(), false).Filename
	return !r.tests && strings.HasSuffix(file, "_test.go") || check.Generated(d.File)
}

// form reports what is wrong with the directive as it is written.
func (r *reader) form(pass *analysis.Pass, d *vetignore.Directive) {
	if d.Fault != nil && (!d.Spelling.Foreign() || r.anyKnown(d)) {
		fault(pass, d)
	}
	if d.Spelling.Foreign() {
		return
	}
	if isMisplaced(d) {
		misplaced(pass, d)
	}
	if d.All && r.namesOnly(d.Reason) {
		list := strings.Join(strings.FieldsFunc(d.Reason, blankOrComma), ",")
		report(pass, d, "malformed", fmt.Sprintf("%s covers every check here; a list follows an equals sign, as in %s=%s", d.Spelling, d.Spelling, list),
			replace(pass, d, "make it a list", d.Spelling.String()+"="+list)...)
	}
	for _, n := range d.Names {
		r.unknown(pass, d, n)
	}
}

func fault(pass *analysis.Pass, d *vetignore.Directive) {
	rule := "malformed"
	if d.Fault.Empty {
		rule = "empty"
	}
	var fixes []analysis.SuggestedFix
	if d.Fault.Fix != "" {
		fixes = replace(pass, d, "correct the directive", d.Fault.Fix)
	}
	report(pass, d, rule, d.Fault.Message, fixes...)
}

func (r *reader) anyKnown(d *vetignore.Directive) bool {
	for _, n := range d.Names {
		if n.Check == vetignore.Suite || r.find(n.Check) != nil {
			return true
		}
	}
	return false
}

// namesOnly tells whether a reason is nothing but names of checks.
func (r *reader) namesOnly(reason string) bool {
	words := strings.FieldsFunc(reason, blankOrComma)
	for _, w := range words {
		name, rule, _ := strings.Cut(w, "/")
		c := r.find(name)
		if c == nil || rule != "" && c.Rule(rule) == nil {
			return false
		}
	}
	return len(words) > 0
}

func blankOrComma(r rune) bool { return r == ' ' || r == '\t' || r == ',' }

// unknown reports a name that stands for no check or rule.
func (r *reader) unknown(pass *analysis.Pass, d *vetignore.Directive, n *vetignore.Name) {
	c := r.find(n.Check)
	var message, meant string
	switch {
	case c == nil && (n.Check == vetignore.Suite || n.Check == "all"):
		message = fmt.Sprintf("no check is called %q; %s without a list covers every check", n.Check, d.Spelling)
	case c == nil:
		message = fmt.Sprintf("no check is called %q", n.Check)
		if meant = suggest.Nearest(n.Check, r.names()); meant == "" {
			meant = r.ofRule(n.Check)
		} else if n.Rule != "" {
			meant += "/" + n.Rule
		}
	case n.Rule != "" && c.Rule(n.Rule) == nil:
		message = fmt.Sprintf("%s has no rule called %q", c.Name, n.Rule)
		if meant = suggest.Nearest(n.Rule, c.RuleNames()); meant != "" {
			meant = c.Name + "/" + meant
		}
	default:
		return
	}
	var fixes []analysis.SuggestedFix
	if meant != "" {
		message += fmt.Sprintf("; did you mean %q?", meant)
		start := d.Comment.Pos() + token.Pos(n.Offset)
		fixes = edit(pass, d, "correct the name",
			analysis.TextEdit{Pos: start, End: start + token.Pos(len(n.String())), NewText: []byte(meant)})
	}
	report(pass, d, "unknown", message, fixes...)
}

// ofRule returns check/rule if word is the name of one rule only, or "".
func (r *reader) ofRule(word string) string {
	found := ""
	for _, c := range r.known {
		if c.Rule(word) == nil {
			continue
		}
		if found != "" {
			return ""
		}
		found = c.Name + "/" + word
	}
	return found
}

// use reports a directive, or the names in its list, that suppressed nothing,
// unless what they stand for did not run or was not to be reported.
func (r *reader) use(pass *analysis.Pass, d *vetignore.Directive) {
	if !d.HasEffect() || isMisplaced(d) || d.Used() && len(d.Names) < 2 {
		return
	}
	if d.All {
		if !d.Spelling.Foreign() && r.allReported(pass) {
			report(pass, d, "unused", fmt.Sprintf("%s suppresses nothing%s", d.Spelling, place(d)))
		}
		return
	}
	var idle []string
	for _, n := range d.Names {
		if !n.Used() && r.judged(pass, d, n) {
			idle = append(idle, n.String())
		}
	}
	switch {
	case len(idle) == 0:
	case len(idle) == len(d.Names):
		report(pass, d, "unused", fmt.Sprintf("%s suppresses nothing%s", d.Comment.Text[:listEnd(d)], place(d)))
	default:
		report(pass, d, "unused", fmt.Sprintf("%s has %s in its list, which suppresses nothing", d.Spelling, strings.Join(idle, ", ")))
	}
}

// listEnd is where the list ends in the comment's text.
func listEnd(d *vetignore.Directive) int {
	last := d.Names[len(d.Names)-1]
	return last.Offset + len(last.String())
}

// place says more about a directive that suppresses nothing where its place is the
// likely reason.
func place(d *vetignore.Directive) string {
	switch {
	case d.Spelling.Foreign():
		return ""
	case d.CoversNothing():
		return ": nothing follows it in its block"
	case beforeImports(d):
		return ": to cover the file it must stand above the package clause"
	}
	return ""
}

func beforeImports(d *vetignore.Directive) bool {
	decl, ok := d.Node.(*ast.GenDecl)
	return ok && decl.Tok == token.IMPORT
}

// judged tells whether it is certain that the name would have been used if a
// finding were there. This check is not judged by itself: what it would say about
// its own name in a directive, that directive would suppress.
func (r *reader) judged(pass *analysis.Pass, d *vetignore.Directive, n *vetignore.Name) bool {
	if n.Check == vetignore.Suite && d.Spelling.Foreign() {
		return r.allReported(pass)
	}
	c := r.find(n.Check)
	switch {
	case c == nil || c.Name == vetignore.CheckName || !ran(pass, c):
		return false
	case n.Rule == "":
		return !anyDisabled(c)
	default:
		return c.Reports(n.Rule)
	}
}

func (r *reader) allReported(pass *analysis.Pass) bool {
	for _, c := range r.checks {
		if !ran(pass, c) || anyDisabled(c) {
			return false
		}
	}
	return true
}

func ran(pass *analysis.Pass, c *check.Check) bool {
	return pass.ResultOf[c.Analyzer].(*check.Result).Ran
}

func anyDisabled(c *check.Check) bool {
	for _, r := range c.Rules {
		if c.Disabled(r.Name) {
			return true
		}
	}
	return false
}

func (r *reader) names() []string {
	var names []string
	for _, c := range r.known {
		names = append(names, c.Name)
	}
	return names
}

func (r *reader) find(name string) *check.Check {
	for _, c := range r.known {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func report(pass *analysis.Pass, d *vetignore.Directive, rule, message string, fixes ...analysis.SuggestedFix) {
	pass.Report(analysis.Diagnostic{
		Pos:            d.Comment.Pos(),
		End:            d.Comment.End(),
		Category:       rule,
		Message:        message,
		SuggestedFixes: fixes,
	})
}
