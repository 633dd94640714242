// Package printer writes findings in the formats that people and programs read.
package printer

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/source"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
	"github.com/heapvet/heapvet/internal/suggest"
)

// A Document is what there is to print after a run.
type Document struct {
	// Findings are those to report, in order.
	Findings []*finding.Finding
	// Suppressed are those that the configuration or a baseline keeps from being
	// reported, for formats that list them.
	Suppressed []*finding.Finding
	// Failures are the checks that could not analyse a package.
	Failures []vetrun.Failure
	// Checks are all checks, for their documentation.
	Checks []*check.Check
	// Names shows file names.
	Names finding.Names
	// Source reads the code around a finding.
	Source *source.Cache
	// Color says that the text format may use colour.
	Color bool
	// LinkBase, if not "", is the address below which the files are found on the
	// web; formats for pull requests link to it.
	LinkBase string
	// Version is the program's version.
	Version string
	// Started and Elapsed say when the run began and how long it took.
	Started time.Time
	Elapsed time.Duration
	// Heaps is the inventory of heaps, for the html format; empty if nobody asked.
	Heaps []Heap
	// Comparison is what a gate found out, nil for a plain run.
	Comparison *Comparison
	// Failed says that not all packages could be analysed.
	Failed bool
}

// A Comparison says how the findings relate to those of an earlier state.
type Comparison struct {
	// Against names the earlier state: a revision or a baseline's file.
	Against string
	// Fixed are the earlier findings that are gone.
	Fixed []*finding.Finding
	// Unchanged is the number of findings that both states have.
	Unchanged int
}

// A Format is a way of writing a Document.
type Format struct {
	Name, Title string
	Print       func(io.Writer, *Document) error
}

// Formats lists the formats in the order of the documentation.
func Formats() []Format {
	return []Format{
		{"text", "findings with their code and evidence, for people", Text},
		{"short", "one line for each finding", Short},
		{"json", "all that is known, for programs", JSON},
		{"sarif", "SARIF 2.1.0, for code scanning services", SARIF},
		{"github", "annotations of GitHub workflows", GitHub},
		{"markdown", "a summary for pull requests and job pages", Markdown},
		{"gitlab", "GitLab's code quality report", GitLab},
		{"checkstyle", "Checkstyle's XML", Checkstyle},
		{"junit", "JUnit's XML", JUnit},
		{"rdjson", "reviewdog's diagnostic format", RDJSON},
		{"html", "one page to look at, without network", HTML},
	}
}

// FormatNames lists the names of the formats.
func FormatNames() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// Lookup returns the format of that name.
func Lookup(name string) (Format, error) {
	all := Formats()
	if i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name }); i >= 0 {
		return all[i], nil
	}
	if near := suggest.Nearest(name, FormatNames()); near != "" {
		return Format{}, fmt.Errorf("no format is called %q; did you mean %s?", name, near)
	}
	return Format{}, fmt.Errorf("no format is called %q; there are %s", name, strings.Join(FormatNames(), ", "))
}

// position writes a position as editors and terminals recognise it.
func position(p finding.Position, names finding.Names) string {
	switch {
	case p.File == "":
		return "-"
	case p.Line == 0:
		return names.Show(p.File)
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", names.Show(p.File), p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", names.Show(p.File), p.Line, p.Col)
}

// link is the web address of a position, "" if there is none.
func (d *Document) link(p finding.Position) string {
	if d.LinkBase == "" || p.File == "" {
		return ""
	}
	url := strings.TrimSuffix(d.LinkBase, "/") + "/" + d.Names.Slash(p.File)
	if p.Line > 0 {
		url += fmt.Sprintf("#L%d", p.Line)
	}
	return url
}

// rule returns the documentation of a finding's rule, nil if it has none.
func (d *Document) rule(f *finding.Finding) (*check.Check, *check.Rule) {
	for _, c := range d.Checks {
		if c.Name == f.Check {
			return c, c.Rule(f.Rule)
		}
	}
	return nil, nil
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	switch {
	case n == 0:
		return "no " + noun + "s"
	case n == 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
