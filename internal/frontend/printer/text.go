package printer

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// Short writes one line for each finding.
func Short(w io.Writer, d *Document) error {
	out := bufio.NewWriter(w)
	for _, f := range d.Findings {
		fmt.Fprintf(out, "%s: %s (%s)\n", position(f.Start, d.Names), f.Message, f.ID())
	}
	return out.Flush()
}

// Text writes for each finding its line, as Short does, and indented below it the
// code with the place marked, and each piece of evidence with its line of code.
func Text(w io.Writer, d *Document) error {
	t := &textPrinter{out: bufio.NewWriter(w), doc: d, style: newStyle(d.Color)}
	for _, f := range d.Findings {
		t.finding(f)
	}
	if d.Comparison != nil {
		t.comparison(d.Comparison)
	}
	return t.out.Flush()
}

// A style is the colours of the text format.
type style struct {
	place, message, rule, gutter, mark, note, good *color.Color
}

func newStyle(on bool) style {
	s := style{
		place:   color.New(color.Bold),
		message: color.New(color.FgRed, color.Bold),
		rule:    color.New(color.FgMagenta),
		gutter:  color.New(color.Faint),
		mark:    color.New(color.FgRed, color.Bold),
		note:    color.New(color.FgCyan),
		good:    color.New(color.FgGreen),
	}
	for _, c := range []*color.Color{s.place, s.message, s.rule, s.gutter, s.mark, s.note, s.good} {
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return s
}

type textPrinter struct {
	out   *bufio.Writer
	doc   *Document
	style style
}

func (t *textPrinter) finding(f *finding.Finding) {
	s := t.style
	fmt.Fprintf(t.out, "%s: %s (%s)\n", s.place.Sprint(position(f.Start, t.doc.Names)), s.message.Sprint(f.Message), s.rule.Sprint(f.ID()))
	t.excerpt(f)
	for _, r := range f.Related {
		fmt.Fprintf(t.out, "\t%s: %s\n", s.note.Sprint(position(r.Start, t.doc.Names)), r.Message)
		if code := strings.TrimSpace(t.doc.Source.File(r.Start.File).Line(r.Start.Line)); code != "" {
			fmt.Fprintf(t.out, "\t    %s\n", s.gutter.Sprint(code))
		}
	}
}

// maxMark bounds how many columns are underlined.
const maxMark = 200

// excerpt writes the line of code of a finding and marks the place in it.
func (t *textPrinter) excerpt(f *finding.Finding) {
	line := t.doc.Source.File(f.Start.File).Line(f.Start.Line)
	if strings.TrimSpace(line) == "" {
		return
	}
	number := fmt.Sprint(f.Start.Line)
	gutter := t.style.gutter
	fmt.Fprintf(t.out, "\t%s %s\n", gutter.Sprint(number+" |"), strings.ReplaceAll(line, "\t", "    "))
	if f.Start.Col < 1 || f.Start.Col > len(line)+1 {
		return
	}
	before, marked := line[:f.Start.Col-1], line[f.Start.Col-1:]
	if f.End.Line == f.Start.Line && f.End.Col > f.Start.Col && f.End.Col-1 <= len(line) {
		marked = line[f.Start.Col-1 : f.End.Col-1]
	} else if f.End.Line <= f.Start.Line {
		marked = ""
	}
	mark := "^" + strings.Repeat("~", max(0, min(width(marked), maxMark)-1))
	fmt.Fprintf(t.out, "\t%s %s%s\n", gutter.Sprint(strings.Repeat(" ", len(number))+" |"), strings.Repeat(" ", width(before)), t.style.mark.Sprint(mark))
}

// width is the number of columns that s takes, with tabs as four.
func width(s string) int {
	return utf8.RuneCountInString(s) + 3*strings.Count(s, "\t")
}

func (t *textPrinter) comparison(c *Comparison) {
	for _, f := range c.Fixed {
		fmt.Fprintf(t.out, "%s\n", t.style.good.Sprintf("fixed: %s: %s (%s)", position(f.Start, t.doc.Names), f.Message, f.ID()))
	}
	fmt.Fprintf(t.out, "%s against %s: %d new, %d fixed, %d unchanged\n",
		t.style.place.Sprint("heapvet"), c.Against, len(t.doc.Findings), len(c.Fixed), c.Unchanged)
}
