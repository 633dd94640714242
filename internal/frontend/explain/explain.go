// Package explain prints the documentation of checks for a terminal.
package explain

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/heapvet/heapvet/internal/check"
)

// List writes one line for each check.
func List(w io.Writer, checks []*check.Check) error {
	out := bufio.NewWriter(w)
	width := 0
	for _, c := range checks {
		width = max(width, len(c.Name))
	}
	fmt.Fprintf(out, "\nChecks (heapvet help CHECK tells more):\n")
	for _, c := range checks {
		fmt.Fprintf(out, "  %-*s  %s\n", width, c.Name, c.Title)
	}
	return out.Flush()
}

// Check writes all that there is to know about a check.
func Check(w io.Writer, c *check.Check) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s\n\n", c.Name, c.Title)
	fmt.Fprintf(out, "%s\n\nRules:\n", strings.TrimSpace(c.Text))
	for i := range c.Rules {
		rule(out, c, &c.Rules[i])
	}
	fmt.Fprintf(out, "\nFlags:\n")
	fmt.Fprintf(out, "  -%s\n\trun only this check; -%[1]s=false runs all others\n", c.Name)
	c.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
		value, use := flag.UnquoteUsage(f)
		fmt.Fprintf(out, "  -%s.%s %s\n\t%s\n", c.Name, f.Name, value, use)
	})
	fmt.Fprintf(out, "\nOn the web: %s\n", c.Analyzer.URL)
	return out.Flush()
}

func rule(out io.Writer, c *check.Check, r *check.Rule) {
	off := ""
	if r.Off {
		off = fmt.Sprintf(" (off by default; -%s.enable=%s)", c.Name, r.Name)
	}
	fmt.Fprintf(out, "\n  %s/%s: %s%s\n", c.Name, r.Name, r.Title, off)
	if r.Text != "" {
		fmt.Fprintf(out, "\n%s\n", indent(r.Text, "    "))
	}
	if r.Wrong != "" {
		fmt.Fprintf(out, "\n    Wrong:\n%s\n", indent(r.Wrong, "        "))
	}
	if r.Right != "" {
		fmt.Fprintf(out, "\n    Right:\n%s\n", indent(r.Right, "        "))
	}
}

// indent puts prefix before every line of text that is not blank.
func indent(text, prefix string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = prefix + line
		}
	}
	return strings.Join(lines, "\n")
}
