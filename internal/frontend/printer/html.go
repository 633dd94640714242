package printer

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

var (
	//go:embed html/page.html
	htmlPage string
	//go:embed html/style.css
	htmlStyle string
	//go:embed html/script.js
	htmlScript string

	htmlTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(htmlPage)) })
)

// maxHTML bounds the findings on a page; browsers get slow with more.
const maxHTML = 2000

// The data of the template.
type (
	htmlData struct {
		Version, Headline, Against, More, Footer string
		Style                                    template.CSS
		Script                                   template.JS
		Failed                                   bool
		Rules                                    []htmlRule
		Packages                                 []htmlPackage
		Fixed                                    []htmlFinding
		Failures                                 []vetrun.Failure
		Heaps                                    []htmlHeaps
		HeapCount                                int
	}
	htmlHeaps struct {
		Path  string
		Heaps []htmlHeap
	}
	htmlHeap struct {
		Name, Type, ShortType, State, Guard, Because, Uses, Place, Link string
	}
	htmlRule struct {
		ID, Title string
		Count     int
	}
	htmlPackage struct {
		Path     string
		Findings []htmlFinding
	}
	htmlFinding struct {
		Anchor, ID, RuleTitle, URL, Message, Decl, Place, Link string
		Severity                                               finding.Severity
		Code                                                   []htmlLine
		Evidence                                               []htmlEvidence
		Diagram                                                template.HTML
		Fix                                                    *htmlFix
	}
	htmlLine struct {
		Number           int
		Marked, Evidence bool
		HTML             template.HTML
	}
	htmlEvidence struct {
		Place, Link, Message string
		Code                 template.HTML
	}
	htmlFix struct {
		Message string
		Lines   []htmlDiffLine
	}
	htmlDiffLine struct{ Class, Text string }
)

// HTML writes one page that needs nothing else: the findings by package, each with
// its code, and where the evidence is about locks, a drawing of it.
func HTML(w io.Writer, d *Document) error {
	p := &htmlPrinter{doc: d}
	data := htmlData{
		Version: d.Version, Headline: plural(len(d.Findings), "finding"), Failed: d.Failed,
		Style: template.CSS(htmlStyle), Script: template.JS(htmlScript), //nolint:gosec // our own files
		Rules: p.rules(), Failures: d.Failures, Heaps: p.heaps(), HeapCount: len(d.Heaps),
	}
	if !d.Started.IsZero() {
		data.Footer = fmt.Sprintf("Written by heapvet %s on %s; the analysis took %.1f s.", d.Version, d.Started.UTC().Format("2006-01-02 15:04 UTC"), d.Elapsed.Seconds())
	}
	if c := d.Comparison; c != nil {
		data.Headline = fmt.Sprintf("%s, %d fixed, %d unchanged", plural(len(d.Findings), "new finding"), len(c.Fixed), c.Unchanged)
		data.Against = c.Against
		for _, f := range c.Fixed {
			data.Fixed = append(data.Fixed, htmlFinding{Place: position(f.Start, d.Names), Message: f.Message, ID: f.ID()})
		}
	}
	data.Packages, data.More = p.packages()
	return htmlTemplate().Execute(w, data)
}

type htmlPrinter struct {
	doc *Document
	hl  highlighter
}

// rules counts the findings of each rule, in the order of the checks.
func (p *htmlPrinter) rules() []htmlRule {
	counts := map[string]int{}
	for _, f := range p.doc.Findings {
		counts[f.ID()]++
	}
	var rules []htmlRule
	for _, c := range p.doc.Checks {
		for _, r := range c.Rules {
			if id := c.Name + "/" + r.Name; counts[id] > 0 {
				rules = append(rules, htmlRule{id, r.Title, counts[id]})
			}
		}
	}
	return rules
}

// packages groups the findings by package, in the order of import paths.
func (p *htmlPrinter) packages() (list []htmlPackage, more string) {
	findings := slices.Clone(p.doc.Findings)
	slices.SortStableFunc(findings, func(a, b *finding.Finding) int { return strings.Compare(a.Package, b.Package) })
	if len(findings) > maxHTML {
		more = fmt.Sprintf("… and %d more, which this page leaves out", len(findings)-maxHTML)
		findings = findings[:maxHTML]
	}
	for i, f := range findings {
		if n := len(list); n == 0 || list[n-1].Path != f.Package {
			list = append(list, htmlPackage{Path: f.Package})
		}
		last := &list[len(list)-1]
		last.Findings = append(last.Findings, p.finding(f, i))
	}
	return list, more
}

// heaps groups the inventory by package.
func (p *htmlPrinter) heaps() []htmlHeaps {
	var list []htmlHeaps
	for _, h := range p.doc.Heaps {
		if n := len(list); n == 0 || list[n-1].Path != h.Package {
			list = append(list, htmlHeaps{Path: h.Package})
		}
		last := &list[len(list)-1]
		short := strings.TrimPrefix(h.Type, h.Package+".")
		last.Heaps = append(last.Heaps, htmlHeap{
			Name: h.Name, Type: h.Type, ShortType: short[strings.LastIndexByte(short, '/')+1:],
			State: h.State, Guard: h.Guard, Because: h.Because, Uses: uses(h),
			Place: position(h.Place, p.doc.Names), Link: p.doc.link(h.Place),
		})
	}
	return list
}

// uses says in how many places the guard is held; nothing if none needs one.
func uses(h Heap) string {
	switch {
	case h.Guard == "" || h.With+h.Without == 0:
		return ""
	case h.Without == 0:
		return "in " + plural(h.With, "place")
	}
	return fmt.Sprintf("in %d of %s", h.With, plural(h.With+h.Without, "place"))
}

func (p *htmlPrinter) finding(f *finding.Finding, i int) htmlFinding {
	h := htmlFinding{
		Anchor: fmt.Sprintf("f%d", i+1), ID: f.ID(), Message: f.Message, Decl: f.Decl, Severity: f.Severity,
		Place: position(f.Start, p.doc.Names), Link: p.doc.link(f.Start),
		Code: p.excerpt(f), Diagram: p.diagram(f), Fix: p.fix(f),
	}
	if h.Severity == "" {
		h.Severity = finding.Warning
	}
	if c, r := p.doc.rule(f); c != nil {
		h.URL = c.Analyzer.URL
		if r != nil {
			h.RuleTitle = r.Title
		}
	}
	for _, r := range f.Related {
		h.Evidence = append(h.Evidence, htmlEvidence{
			Place: position(r.Start, p.doc.Names), Link: p.doc.link(r.Start), Message: r.Message,
			Code: p.hl.line(p.doc.Source.File(r.Start.File), r.Start.Line, true),
		})
	}
	return h
}

// context is how many lines are shown before and after a finding.
const context = 4

// excerpt is the code around a finding, with its lines and those of evidence
// nearby marked.
func (p *htmlPrinter) excerpt(f *finding.Finding) []htmlLine {
	file := p.doc.Source.File(f.Start.File)
	if file == nil || f.Start.Line < 1 || f.Start.Line > len(file.Lines) {
		return nil
	}
	evidence := map[int]bool{}
	for _, r := range f.Related {
		if r.Start.File == f.Start.File {
			evidence[r.Start.Line] = true
		}
	}
	last := max(f.Start.Line, min(f.End.Line, f.Start.Line+20))
	var lines []htmlLine
	for n := max(1, f.Start.Line-context); n <= min(len(file.Lines), last+context); n++ {
		marked := f.Start.Line <= n && n <= last
		l := htmlLine{Number: n, Marked: marked, Evidence: evidence[n] && !marked, HTML: p.hl.line(file, n, false)}
		if n == f.Start.Line && last == n {
			l.HTML = p.hl.marked(file, n, f.Start.Col, f.End.Col)
		}
		lines = append(lines, l)
	}
	return lines
}

// fix is what the first fix does to the lines that it touches.
func (p *htmlPrinter) fix(f *finding.Finding) *htmlFix {
	if len(f.Fixes) == 0 {
		return nil
	}
	fix := &htmlFix{Message: f.Fixes[0].Message}
	for _, e := range f.Fixes[0].Edits {
		file := p.doc.Source.File(e.File)
		from, col, ok1 := file.Position(e.Start)
		to, endCol, ok2 := file.Position(e.End)
		if !ok1 || !ok2 || e.Start > e.End {
			return nil
		}
		for n := from; n <= to; n++ {
			fix.Lines = append(fix.Lines, htmlDiffLine{"del", "- " + file.Line(n)})
		}
		after := file.Line(from)[:col-1] + e.New + file.Line(to)[endCol-1:]
		for line := range strings.SplitSeq(after, "\n") {
			fix.Lines = append(fix.Lines, htmlDiffLine{"add", "+ " + line})
		}
	}
	return fix
}
