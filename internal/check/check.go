// Package check turns the description of a check into an analyzer.
//
// A check is data (its name, documentation, rules and flags) and one function.
// [New] makes of it an [analysis.Analyzer] that behaves as every check of the
// suite must: findings of disabled rules are dropped, suppression directives are
// honoured and accounted for, findings come out sorted and without repetition,
// and a panic in the check is an error that names the package instead of a crash
// of the whole run. No check has to think of these things, and none can forget them.
package check

import (
	"errors"
	"flag"
	"fmt"
	"reflect"
	"runtime/debug"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/lazyregexp"
	"github.com/heapvet/heapvet/internal/vetignore"
)

// DocURL is where the documentation of a check is found, a format with its name.
const DocURL = "https://github.com/heapvet/heapvet/blob/main/docs/checks/%s.md"

// A Check describes one check of the suite.
type Check struct {
	// Name is the analyzer's name, the flag that turns it on and off, and the
	// word that suppresses it.
	Name string
	// Title says in one line, without a full stop, what the check finds.
	Title string
	// Text explains the check: what goes wrong in the program, how the check
	// decides, and what it leaves alone. Markdown.
	Text string
	// Rules are the categories of the check's findings.
	Rules []Rule
	// Setup is Go source with what the examples of the rules need to be whole and
	// the documentation leaves out: types and methods that any reader can imagine.
	// What an example declares itself replaces its like here.
	Setup string

	// Requires, FactTypes and Flags are as in [analysis.Analyzer].
	Requires  []*analysis.Analyzer
	FactTypes []analysis.Fact
	// Flags, if not nil, adds the check's own flags.
	Flags func(*flag.FlagSet)
	// Run reports findings by pass.Report; each must carry one of the check's
	// rules as its Category.
	Run func(pass *analysis.Pass) error

	// Analyzer is set by [New].
	Analyzer *analysis.Analyzer

	enabled, disabled ruleSet
	skip              bool
}

// A Rule is one kind of finding of a check.
type Rule struct {
	// Name is the diagnostic's category.
	Name string
	// Title says in one line what the rule finds.
	Title string
	// Text explains the rule. Markdown; optional.
	Text string
	// Wrong and Right are Go source: a small example that the rule reports, and
	// the same code put right. They are declarations or statements, without a
	// package clause and imports of the standard library. A test runs the check
	// on them (package checktest).
	Wrong, Right string
	// Setup adds to the check's Setup, for this rule.
	Setup string
	// Off says that the rule reports only when it is enabled by a flag; Text
	// then says why.
	Off bool
}

// New completes c and returns it, with Analyzer set. It panics on a description
// that contradicts itself: that is a mistake in the program, found by any test.
func New(c Check) *Check {
	if err := c.validate(); err != nil {
		panic(fmt.Sprintf("check %s: %v", c.Name, err))
	}
	a := &analysis.Analyzer{
		Name:       c.Name,
		Doc:        c.doc(),
		URL:        fmt.Sprintf(DocURL, c.Name),
		Requires:   append([]*analysis.Analyzer{vetignore.Analyzer}, c.Requires...),
		FactTypes:  c.FactTypes,
		ResultType: reflect.TypeFor[*Result](),
	}
	c.Analyzer = a
	a.Run = c.run
	a.Flags.Init(c.Name, flag.ExitOnError)
	c.disabled.check, c.enabled.check = &c, &c
	a.Flags.Var(&c.disabled, "disable", "comma-separated `rules` not to report")
	a.Flags.Var(&c.enabled, "enable", "comma-separated `rules` to report that are off by default")
	if c.Flags != nil {
		c.Flags(&a.Flags)
	}
	return &c
}

// Result is what every check's analyzer returns. The vetignore check requires it,
// to come after all other checks.
type Result struct {
	// Ran is false if the check is turned off and so has looked at nothing.
	Ran bool
}

// Rule returns the rule of that name, or nil.
func (c *Check) Rule(name string) *Rule {
	for i := range c.Rules {
		if c.Rules[i].Name == name {
			return &c.Rules[i]
		}
	}
	return nil
}

// Disabled tells whether a flag turned the rule off.
func (c *Check) Disabled(rule string) bool { return c.disabled.has(rule) }

// Reports tells whether the flags, as set now, let findings of the rule out.
func (c *Check) Reports(rule string) bool {
	r := c.Rule(rule)
	return r != nil && !c.disabled.has(rule) && (!r.Off || c.enabled.has(rule))
}

// word is what a name may be, to stand in flags and directives.
var word = lazyregexp.New(`^[a-z][a-z0-9-]*$`)

func (c *Check) validate() error {
	if c.Name == "" || c.Title == "" || c.Text == "" || c.Run == nil || len(c.Rules) == 0 {
		return errors.New("a check needs a name, a title, a text, rules and a function")
	}
	if !word.MatchString(c.Name) {
		return errors.New("the name is no word")
	}
	seen := map[string]bool{}
	for _, r := range c.Rules {
		if !word.MatchString(r.Name) {
			return fmt.Errorf("the name of rule %q is no word", r.Name)
		}
		if r.Title == "" {
			return fmt.Errorf("rule %s needs a title", r.Name)
		}
		if seen[r.Name] {
			return fmt.Errorf("rule %s is there twice", r.Name)
		}
		seen[r.Name] = true
	}
	return nil
}

// doc is the analyzer's documentation as the help of vet tools prints it: the
// first line is the title.
func (c *Check) doc() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\nRules:\n", c.Title, strings.TrimSpace(c.Text))
	for _, r := range c.Rules {
		off := ""
		if r.Off {
			off = " (off by default)"
		}
		fmt.Fprintf(&b, "  %s: %s%s\n", r.Name, r.Title, off)
	}
	return b.String()
}

func (c *Check) run(pass *analysis.Pass) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, fmt.Errorf("internal error in %s, analysing package %s: %v\n%s", c.Name, pass.Pkg.Path(), r, debug.Stack())
		}
	}()
	if c.skipped() {
		return &Result{}, nil
	}
	out := &reporter{check: c, ignores: pass.ResultOf[vetignore.Analyzer].(*vetignore.Index)}
	own := *pass
	own.Report = out.add
	if err := c.Run(&own); err != nil {
		return nil, err
	}
	out.flush(pass)
	return &Result{Ran: true}, nil
}

// A reporter keeps the findings of one run of one check until they are complete.
type reporter struct {
	check   *Check
	ignores *vetignore.Index
	kept    []analysis.Diagnostic
}

func (r *reporter) add(d analysis.Diagnostic) {
	if r.check.Rule(d.Category) == nil {
		panic(fmt.Sprintf("finding of unknown rule %q: %s", d.Category, d.Message))
	}
	// Directives are accounted for even where the rule is disabled, so that one
	// that is there for this finding is not said to be useless.
	ignored := r.ignores.Ignored(r.check.Name, d.Category, d.Pos, d.End)
	if r.check.Reports(d.Category) && !ignored {
		r.kept = append(r.kept, d)
	}
}

func (r *reporter) flush(pass *analysis.Pass) {
	sort.SliceStable(r.kept, func(i, j int) bool {
		a, b := &r.kept[i], &r.kept[j]
		if a.Pos != b.Pos {
			return a.Pos < b.Pos
		}
		if a.Category != b.Category {
			return a.Category < b.Category
		}
		return a.Message < b.Message
	})
	for i, d := range r.kept {
		if i > 0 && same(r.kept[i-1], d) {
			continue
		}
		pass.Report(d)
	}
}

func same(a, b analysis.Diagnostic) bool {
	return a.Pos == b.Pos && a.Category == b.Category && a.Message == b.Message
}

// A ruleSet is a flag's value: names of rules of one check.
type ruleSet struct {
	check *Check
	names map[string]bool
}

func (s *ruleSet) has(rule string) bool { return s.names[rule] }

func (s *ruleSet) String() string {
	names := make([]string, 0, len(s.names))
	for n := range s.names {
		names = append(names, n)
	}
	sort.Strings(names)
	return strings.Join(names, ",")
}

// Set replaces the names. It refuses a rule that the check does not have.
func (s *ruleSet) Set(list string) error {
	s.names = map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if s.check.Rule(name) == nil {
			return fmt.Errorf("%s has no rule %q; it has %s", s.check.Name, name, strings.Join(s.check.RuleNames(), ", "))
		}
		s.names[name] = true
	}
	return nil
}

// RuleNames returns the names of the check's rules.
func (c *Check) RuleNames() []string {
	names := make([]string, len(c.Rules))
	for i, r := range c.Rules {
		names[i] = r.Name
	}
	return names
}
