// Package fieldtag defines the check that finds struct tags that do not do what
// they say.
package fieldtag

import (
	"flag"
	"fmt"
	"go/ast"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/tags"
)

// Check describes the check.
var Check = check.New(check.Check{
	Name:  "fieldtag",
	Title: "find struct tags that do not do what they say",
	Text:  text,
	Rules: rules,
	Setup: setup,
	Flags: setFlags,
	Run:   run,
})

// Analyzer is the check as an analyzer.
var Analyzer = Check.Analyzer

// options are the values of the check's flags.
var options struct {
	generated, tests bool
	k8s              autoFlag
	keys             keysFlag
}

func setFlags(fs *flag.FlagSet) {
	fs.BoolVar(&options.generated, "generated", false, "report in generated files as well")
	fs.BoolVar(&options.tests, "tests", false, "report in test files as well")
	fs.Var(&options.k8s, "k8s", "apply the conventions of the Kubernetes API: true, false, or auto (in packages that look like it)")
	fs.Var(&options.keys, "keys", "comma-separated `keys` to know besides the built-in ones, each name[:option|option...]")
}

// An autoFlag is a boolean that may be left to the program. The zero value is.
type autoFlag struct{ set, value bool }

func (f *autoFlag) IsBoolFlag() bool { return true }

func (f *autoFlag) String() string {
	if !f.set {
		return "auto"
	}
	return strconv.FormatBool(f.value)
}

// Set takes a boolean or "auto".
func (f *autoFlag) Set(s string) error {
	if s == "auto" {
		*f = autoFlag{}
		return nil
	}
	v, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("%q is neither a boolean nor auto", s)
	}
	*f = autoFlag{true, v}
	return nil
}

// A keysFlag holds the keys that the user added.
type keysFlag struct {
	list string
	keys map[string]*tags.Key
}

func (f *keysFlag) String() string { return f.list }

// Set replaces the keys.
func (f *keysFlag) Set(list string) error {
	f.list, f.keys = list, map[string]*tags.Key{}
	for _, k := range tags.ParseKeys(list) {
		f.keys[k.Name] = &k
	}
	return nil
}

// lookupKey returns what is known of a key, or nil.
func lookupKey(name string) *tags.Key {
	if k := options.keys.keys[name]; k != nil {
		return k
	}
	return tags.LookupKey(name)
}

func run(pass *analysis.Pass) error {
	p := newPackage(pass)
	for _, s := range p.structs {
		s.checkSyntax()
		s.checkKeys()
		s.checkFields()
		s.checkDuplicates()
		s.checkSwapped()
		s.checkMismatch()
		s.checkConflict()
		s.checkInline()
		s.checkProtoNumbers()
	}
	if p.isKubernetes() {
		p.checkKubernetes()
	}
	return nil
}

// checkFields applies the rules that look at one pair at a time.
func (s *structure) checkFields() {
	for _, f := range s.fields {
		if f.lit == nil {
			continue
		}
		for i := range f.tag.Pairs {
			pair := &f.tag.Pairs[i]
			key := lookupKey(pair.Key)
			// A repeated key is not read again.
			if key == nil || !pair.Visible || f.tag.Lookup(pair.Key) != pair {
				continue
			}
			f.checkUnexported(pair, key)
			switch key.Style {
			case tags.Named:
				f.checkName(pair, key)
				f.checkOptions(pair, key)
			case tags.ASN1:
				f.checkASN1(pair, key)
			case tags.Settings:
				f.checkSettings(pair, key)
			case tags.Rules:
				f.checkRules(pair)
			case tags.Proto:
				f.checkProto(pair)
			}
			f.checkType(pair)
			if key.Name == "xml" {
				f.checkXML(pair)
			}
		}
	}
}

// at makes the finding for a part of the tag of a field.
func (f *field) report(rule string, start, end int, fixes []analysis.SuggestedFix, format string, args ...any) {
	f.s.p.pass.Report(analysis.Diagnostic{
		Pos:            f.lit.Pos(start),
		End:            f.lit.Pos(end),
		Category:       rule,
		Message:        fmt.Sprintf(format, args...),
		SuggestedFixes: fixes,
	})
}

// reportPair makes the finding for a pair.
func (f *field) reportPair(rule string, pair *tags.Pair, fixes []analysis.SuggestedFix, format string, args ...any) {
	f.report(rule, pair.Start, pair.End, fixes, format, args...)
}

// reportAt makes the finding for a node.
func (p *pkg) reportAt(rule string, node ast.Node, format string, args ...any) {
	p.pass.Report(analysis.Diagnostic{Pos: node.Pos(), End: node.End(), Category: rule, Message: fmt.Sprintf(format, args...)})
}

// fix makes a suggested fix of edits of the tag, or none if the literal cannot
// hold them.
func (f *field) fix(message string, edits ...tags.Edit) []analysis.SuggestedFix {
	if len(edits) == 0 {
		return nil
	}
	fix := analysis.SuggestedFix{Message: message}
	for _, e := range edits {
		text, ok := f.lit.Spell(e.New)
		if !ok {
			return nil
		}
		fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{Pos: f.lit.Pos(e.Start), End: f.lit.Pos(e.End), NewText: []byte(text)})
	}
	return []analysis.SuggestedFix{fix}
}

// part gives the offsets in the tag of a part of a pair's value. A value with
// escapes is taken as a whole.
func part(pair *tags.Pair, p tags.Part) (start, end int) {
	if pair.Escaped {
		return pair.ValueStart, pair.ValueEnd
	}
	return pair.ValueStart + p.Start, pair.ValueStart + p.Start + len(p.Text)
}

// replacePart makes the fix that writes something else for a part of a value; if
// the text is empty, the comma before the part goes too.
func (f *field) replacePart(pair *tags.Pair, p tags.Part, text string) []analysis.SuggestedFix {
	if pair.Escaped {
		return nil
	}
	start, end := part(pair, p)
	if text == "" {
		return f.fix(fmt.Sprintf("remove %q", p.Text), tags.Edit{Start: start - 1, End: end})
	}
	return f.fix(fmt.Sprintf("write %q", text), tags.Edit{Start: start, End: end, New: text})
}
