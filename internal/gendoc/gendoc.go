// Package gendoc makes the reference pages of the checks from their descriptions,
// and the manual page.
package gendoc

import (
	"bytes"
	"flag"
	"fmt"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"

	"github.com/heapvet/heapvet/internal/check"
)

// note begins every page, for those who would edit it.
const note = "<!-- Generated from the check's description by \"go generate ./docs\". DO NOT EDIT. -->\n\n"

// Pages returns the pages of the checks and their index, README.md, by file name.
// The pages are Markdown; their links are relative to docs/checks.
func Pages(checks []*check.Check) map[string][]byte {
	pages := map[string][]byte{"README.md": index(checks)}
	for _, c := range checks {
		pages[c.Name+".md"] = page(c)
	}
	return pages
}

// Manual returns a manual page, written in Markdown, as roff.
func Manual(markdown string) []byte { return md2man.Render([]byte(markdown)) }

func index(checks []*check.Check) []byte {
	var b bytes.Buffer
	b.WriteString(note)
	b.WriteString("# Checks\n\n")
	b.WriteString("Each check has rules, whose names stand behind findings as `check/rule`. ")
	b.WriteString("`heapvet help CHECK` prints the same pages in the terminal.\n\n")
	b.WriteString("| check | finds | rules |\n|---|---|---|\n")
	for _, c := range checks {
		var rules []string
		for _, r := range c.Rules {
			rules = append(rules, fmt.Sprintf("[%s](%s.md#%s)", r.Name, c.Name, r.Name))
		}
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", c.Name, c.Name, cell(strings.TrimPrefix(c.Title, "find ")), strings.Join(rules, ", "))
	}
	b.WriteString("\nA finding that is wrong, or right and accepted, is [suppressed in the source](../suppressing.md).\n")
	return b.Bytes()
}

func page(c *check.Check) []byte {
	var b bytes.Buffer
	b.WriteString(note)
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", c.Name, sentence(c.Title))
	fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(c.Text))
	b.WriteString("| rule | finds |\n|---|---|\n")
	for _, r := range c.Rules {
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", r.Name, r.Name, cell(r.Title+off(&r)))
	}
	b.WriteString("\n")
	for i := range c.Rules {
		rule(&b, c, &c.Rules[i])
	}
	setup(&b, c.Setup)
	flags(&b, c)
	return b.Bytes()
}

func off(r *check.Rule) string {
	if r.Off {
		return " (off by default)"
	}
	return ""
}

func rule(b *bytes.Buffer, c *check.Check, r *check.Rule) {
	fmt.Fprintf(b, "## %s\n\n%s\n\n", r.Name, sentence(r.Title))
	if text := strings.TrimSpace(r.Text); text != "" {
		fmt.Fprintf(b, "%s\n\n", text)
	}
	if r.Off {
		fmt.Fprintf(b, "Off by default; `-%s.enable=%s` turns it on.\n\n", c.Name, r.Name)
	}
	code(b, "Wrong", r.Wrong)
	code(b, "Right", r.Right)
	setup(b, r.Setup)
}

// setup writes, folded, what the examples need to be whole.
func setup(b *bytes.Buffer, source string) {
	if source = strings.Trim(source, "\n"); source != "" {
		fmt.Fprintf(b, "<details><summary>The code around the examples</summary>\n\n```go\n%s\n```\n\n</details>\n\n", source)
	}
}

func code(b *bytes.Buffer, title, source string) {
	if source = strings.Trim(source, "\n"); source != "" {
		fmt.Fprintf(b, "%s:\n\n```go\n%s\n```\n\n", title, source)
	}
}

func flags(b *bytes.Buffer, c *check.Check) {
	b.WriteString("## Flags\n\n| flag | |\n|---|---|\n")
	fmt.Fprintf(b, "| `-%s` | run only this check; `-%[1]s=false` runs all others |\n", c.Name)
	c.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
		value, use := flag.UnquoteUsage(f)
		if value != "" {
			value = "=" + value
		}
		fmt.Fprintf(b, "| `-%s.%s%s` | %s |\n", c.Name, f.Name, value, cell(use))
	})
}

// sentence makes a title a sentence.
func sentence(title string) string {
	return strings.ToUpper(title[:1]) + title[1:] + "."
}

// cell is text that can stand in a table.
func cell(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	return strings.ReplaceAll(text, "|", "\\|")
}
