// Package printer writes findings in the formats that people and programs read.
package printer

import (
	"bufio"
	"fmt"
	"io"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// Short writes one line for each finding, and below it, indented, one for each
// related position.
func Short(w io.Writer, findings []*finding.Finding, names finding.Names) error {
	out := bufio.NewWriter(w)
	for _, f := range findings {
		fmt.Fprintf(out, "%s: %s (%s)\n", show(f.Start, names), f.Message, f.ID())
		for _, r := range f.Related {
			fmt.Fprintf(out, "\t%s: %s\n", show(r.Start, names), r.Message)
		}
	}
	return out.Flush()
}

// show writes a position as editors and terminals recognise it.
func show(p finding.Position, names finding.Names) string {
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
