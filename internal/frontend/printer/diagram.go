package printer

import (
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// What a message is about: a field, as Queue.items, which is no operation as
// heap.Pop; else the word that the operation is of.
var (
	aboutField = lazyregexp.New(`(?:^| )([A-Za-z_]\w*(?:\[[^\]\s]*\])?(?:\.[A-Za-z_]\w*)+)`)
	aboutData  = lazyregexp.New(`\b(?:of|on|to) (\w+)`)
)

// subject names the data that a message is about.
func subject(message string) string {
	for _, m := range aboutField.FindAllStringSubmatch(message, -1) {
		if !strings.HasPrefix(m[1], "heap.") {
			return m[1]
		}
	}
	if m := aboutData.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return "the data"
}

// Sizes of the drawing in pixels.
const (
	boxWidth, boxHeight = 256, 44
	gapX, gapY          = 74, 22
	rowHeight           = boxHeight + gapY
	topY                = 26
	maxHeld             = 5
	boxText             = 32 // letters that fit into a box
)

// diagram draws the path to a finding about locks, and beside it where the lock is
// held: who calls whom, where the lock is missing, where it is not. It is empty if
// the evidence is not of that kind.
func (p *htmlPrinter) diagram(f *finding.Finding) template.HTML {
	way := pathOf(f, p.doc.Source)
	held := way.Held
	if len(held) == 0 {
		return ""
	}
	data := subject(f.Message)
	lock, _, ok := strings.Cut(held[0].Message, " is held here")
	if !ok {
		lock = "the lock"
	}
	dr := &drawing{printer: p, rows: max(len(way.Steps), min(len(held), maxHeld))}
	dr.text(columnX(0), 14, "head", "without "+lock)
	dr.text(columnX(2), 14, "head", "with "+lock)
	dr.box(columnX(1), dr.rowY(1, 0), "data", data, "", "guarded by "+lock)
	dr.steps(way)
	dr.held(held)
	width, height := columnX(2)+boxWidth+2, topY+dr.rows*rowHeight
	return template.HTML(fmt.Sprintf( //nolint:gosec // all text is escaped
		`<div class="diagram" tabindex="0"><svg viewBox="-1 0 %d %d" role="img" aria-label="%s">%s</svg></div>`,
		width, height, template.HTMLEscapeString("who reaches "+data+" with and without "+lock), dr.out.String()))
}

// A label is what a box says of a place: the declaration that it is in, and its
// line with the code.
type label struct{ decl, line string }

func (p *htmlPrinter) label(pos finding.Position) label {
	file := p.doc.Source.File(pos.File)
	name := path.Base(p.doc.Names.Slash(pos.File))
	l := label{file.Decl(pos.Line), fmt.Sprintf("%s:%d  %s", name, pos.Line, strings.TrimSpace(file.Line(pos.Line)))}
	if l.decl == "" {
		l.decl = name
	}
	return l
}

// A drawing collects the elements of an SVG: three columns of boxes, the path to the
// data, the data, and the places that hold the lock.
type drawing struct {
	printer *htmlPrinter
	out     strings.Builder
	// rows is the number of boxes in the longest column.
	rows int
}

func columnX(column int) int { return column * (boxWidth + gapX) }

// rowY is the top of a box in a column of that many, which stands in the middle.
func (d *drawing) rowY(boxes, i int) int { return topY + (d.rows-boxes)*rowHeight/2 + i*rowHeight }

// steps draws the path that lacks the lock.
func (d *drawing) steps(way lockPath) {
	n := len(way.Steps)
	for i, step := range way.Steps {
		class, mark := "", ""
		if i == way.Finding {
			class, mark = "bad", "✗"
		}
		y := d.rowY(n, i)
		l := d.printer.label(step.Start)
		d.box(columnX(0), y, class, l.decl, mark, l.line)
		if i < n-1 {
			d.arrow(boxWidth/2, y+boxHeight, boxWidth/2, d.rowY(n, i+1), "")
		}
	}
	d.arrow(boxWidth, d.rowY(n, n-1)+boxHeight/2, columnX(1), d.rowY(1, 0)+boxHeight/2, "bad")
}

// held draws the places that have the lock.
func (d *drawing) held(places []finding.Related) {
	n := min(len(places), maxHeld)
	for i, h := range places[:n] {
		l := d.printer.label(h.Start)
		if i == n-1 && len(places) > n {
			l.line = fmt.Sprintf("and %d more places", len(places)-n+1)
		}
		y := d.rowY(n, i)
		d.box(columnX(2), y, "good", l.decl, "✓", l.line)
		d.arrow(columnX(2), y+boxHeight/2, columnX(1)+boxWidth, d.rowY(1, 0)+boxHeight/2, "good")
	}
}

func (d *drawing) text(x, y int, class, text string) {
	fmt.Fprintf(&d.out, `<text class="%s" x="%d" y="%d">%s</text>`, class, x, y, template.HTMLEscapeString(text))
}

// box draws a box with two lines of text, and a mark in its corner.
func (d *drawing) box(x, y int, class, title, mark, sub string) {
	fmt.Fprintf(&d.out, `<g class="%s"><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="6"/>`,
		class, template.HTMLEscapeString(title+"\n"+sub), x, y, boxWidth, boxHeight)
	room := boxText
	if mark != "" {
		room -= 2
		d.text(x+boxWidth-20, y+18, "", mark)
	}
	d.text(x+10, y+18, "", shorten(title, room))
	d.text(x+10, y+35, "sub", truncate(sub, boxText+4))
	d.out.WriteString("</g>")
}

// arrow draws a curve with a head, down if it goes straight down, else sideways.
func (d *drawing) arrow(x1, y1, x2, y2 int, class string) {
	const head = 7
	if x1 == x2 {
		fmt.Fprintf(&d.out, `<path class="%s" d="M%d %dV%d"/><polygon class="%s" points="%d,%d %d,%d %d,%d"/>`,
			class, x1, y1, y2-head, class, x2, y2, x2-4, y2-head, x2+4, y2-head)
		return
	}
	dir := 1
	if x2 < x1 {
		dir = -1
	}
	middle := (x1 + x2) / 2
	fmt.Fprintf(&d.out, `<path class="%s" d="M%d %dC%d %d %d %d %d %d"/><polygon class="%s" points="%d,%d %d,%d %d,%d"/>`,
		class, x1, y1, middle, y1, middle, y2, x2-dir*head, y2, class, x2, y2, x2-dir*head, y2-4, x2-dir*head, y2+4)
}

// shorten cuts text in its middle to n letters.
func shorten(text string, n int) string {
	letters := []rune(text)
	if len(letters) <= n {
		return text
	}
	return string(letters[:n-n/3-1]) + "…" + string(letters[len(letters)-n/3:])
}

// truncate cuts text at its end to n letters.
func truncate(text string, n int) string {
	if letters := []rune(text); len(letters) > n {
		return string(letters[:n-1]) + "…"
	}
	return text
}
