// Package finding holds what the front end knows of one finding of a check, and
// the order in which findings are told.
//
// Positions carry absolute file names as the go command reports them; how a name
// is shown is the business of whoever prints it (see [Names]).
package finding

import (
	"cmp"
	"slices"
	"strings"
)

// A Finding is one diagnostic of one check.
type Finding struct {
	// Check is the analyzer's name and Rule the diagnostic's category.
	Check, Rule string
	// Package is the import path of the package that was analysed, without the
	// mark of a test variant.
	Package string
	Message string
	// Start and End delimit the reported code; End is the zero Position if the
	// check gave no end.
	Start, End Position
	// Related is the evidence and the call path, in the check's order.
	Related []Related
	// Fixes are the ways of putting the code right that the check proposes.
	Fixes []Fix

	// What follows is not in the go command's output; the front end sets it.

	// Severity is what the configuration says of the rule.
	Severity Severity
	// Decl is the declaration that encloses the finding, as (*T).Method, F or T;
	// "" if it is in none.
	Decl string
	// Code is the reported code, or its first line, with white space evened out.
	Code string
	// Fingerprint identifies the finding across versions of the program.
	Fingerprint string
	// Suppressed, if not "", is why the finding is not reported.
	Suppressed string
}

// ID names the rule as users write it: check/rule.
func (f *Finding) ID() string { return f.Check + "/" + f.Rule }

// InTest tells whether the finding is in a test file.
func (f *Finding) InTest() bool { return strings.HasSuffix(f.Start.File, "_test.go") }

// A Position is a place in a source file. Line and Col count from one, Col in
// bytes; zero is unknown.
type Position struct {
	File      string
	Line, Col int
}

// A Related is a further place that explains a finding.
type Related struct {
	Start, End Position
	Message    string
}

// A Fix is a set of edits that belong together.
type Fix struct {
	Message string
	Edits   []Edit
}

// An Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// Compare orders positions by file, line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(
		cmp.Compare(p.File, q.File),
		cmp.Compare(p.Line, q.Line),
		cmp.Compare(p.Col, q.Col))
}

// Compare orders findings by position, then by rule and message.
func Compare(a, b *Finding) int {
	return cmp.Or(
		a.Start.Compare(b.Start),
		cmp.Compare(a.Check, b.Check),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Package, b.Package))
}

// Sort puts findings in order and drops repetitions. The same file is analysed
// more than once where several variants of a package contain it (its test variant
// does), and reports the same then; of such findings the one for the package with
// the shortest import path stays.
func Sort(all []*Finding) []*Finding {
	slices.SortStableFunc(all, Compare)
	return slices.CompactFunc(all, func(a, b *Finding) bool {
		return a.Start == b.Start && a.Check == b.Check && a.Rule == b.Rule && a.Message == b.Message
	})
}
