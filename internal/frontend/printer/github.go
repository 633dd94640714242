package printer

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// GitHub writes workflow commands, which GitHub shows as annotations of the lines
// of a pull request. See "Workflow commands for GitHub Actions" in its manual.
func GitHub(w io.Writer, d *Document) error {
	out := bufio.NewWriter(w)
	for _, f := range d.Findings {
		command := map[finding.Severity]string{finding.Error: "error", finding.Note: "notice"}[f.Severity]
		if command == "" {
			command = "warning"
		}
		fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d", command, githubProperty(d.Names.Slash(f.Start.File)), f.Start.Line, f.Start.Col)
		if f.End.Line >= f.Start.Line && f.End.Line > 0 {
			fmt.Fprintf(out, ",endLine=%d", f.End.Line)
			if f.End.Line == f.Start.Line {
				fmt.Fprintf(out, ",endColumn=%d", f.End.Col)
			}
		}
		message := f.Message
		for _, r := range f.Related {
			message += "\n" + position(r.Start, d.Names) + ": " + r.Message
		}
		fmt.Fprintf(out, ",title=%s::%s\n", githubProperty(f.ID()), githubData(message))
	}
	return out.Flush()
}

var (
	githubDataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubPropertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func githubData(s string) string     { return githubDataEscapes.Replace(s) }
func githubProperty(s string) string { return githubPropertyEscapes.Replace(s) }
