package printer

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// maxMarkdown bounds the findings that a summary tells of: GitHub takes job
// summaries up to 1 MiB and comments up to 64 KiB.
const maxMarkdown = 100

// Markdown writes a summary for a pull request or a job's page.
func Markdown(w io.Writer, d *Document) error {
	m := &markdownPrinter{out: bufio.NewWriter(w), doc: d}
	m.headline()
	for i, f := range d.Findings {
		if i == maxMarkdown {
			fmt.Fprintf(m.out, "\n… and %d more\n", len(d.Findings)-i)
			break
		}
		m.finding(f)
	}
	for _, f := range d.Failures {
		fmt.Fprintf(m.out, "\n> [!CAUTION]\n> %s could not analyse `%s`\n", f.Check, f.Package)
	}
	if d.Comparison != nil {
		m.fixed(d.Comparison.Fixed)
	}
	return m.out.Flush()
}

type markdownPrinter struct {
	out *bufio.Writer
	doc *Document
}

func (m *markdownPrinter) headline() {
	n := len(m.doc.Findings)
	switch c := m.doc.Comparison; {
	case c != nil:
		fmt.Fprintf(m.out, "### heapvet: %s\n\n%d fixed, %d unchanged against `%s`.\n", plural(n, "new finding"), len(c.Fixed), c.Unchanged, c.Against)
	default:
		fmt.Fprintf(m.out, "### heapvet: %s\n", plural(n, "finding"))
	}
	if m.doc.Failed {
		fmt.Fprintf(m.out, "\n> [!CAUTION]\n> Not all packages could be analysed.\n")
	}
}

func (m *markdownPrinter) finding(f *finding.Finding) {
	fmt.Fprintf(m.out, "\n**%s** `%s`: %s\n", m.place(f.Start), f.ID(), markdownText(f.Message))
	if line := strings.TrimSpace(m.doc.Source.File(f.Start.File).Line(f.Start.Line)); line != "" {
		fmt.Fprintf(m.out, "\n```go\n%s\n```\n", line)
	}
	if len(f.Related) == 0 {
		return
	}
	fmt.Fprintf(m.out, "\n<details><summary>Evidence</summary>\n\n")
	for _, r := range f.Related {
		fmt.Fprintf(m.out, "- %s: %s\n", m.place(r.Start), markdownText(r.Message))
	}
	fmt.Fprintf(m.out, "\n</details>\n")
}

func (m *markdownPrinter) fixed(fixed []*finding.Finding) {
	if len(fixed) == 0 {
		return
	}
	fmt.Fprintf(m.out, "\n<details><summary>%s fixed</summary>\n\n", plural(len(fixed), "finding"))
	for i, f := range fixed {
		if i == maxMarkdown {
			fmt.Fprintf(m.out, "- … and %d more\n", len(fixed)-i)
			break
		}
		fmt.Fprintf(m.out, "- `%s` `%s`: %s\n", position(f.Start, m.doc.Names), f.ID(), markdownText(f.Message))
	}
	fmt.Fprintf(m.out, "\n</details>\n")
}

func (m *markdownPrinter) place(p finding.Position) string {
	shown := fmt.Sprintf("%s:%d", m.doc.Names.Slash(p.File), p.Line)
	if url := m.doc.link(p); url != "" {
		return fmt.Sprintf("[`%s`](%s)", shown, url)
	}
	return "`" + shown + "`"
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "`", "\\`")

func markdownText(s string) string { return markdownEscapes.Replace(s) }
