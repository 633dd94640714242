// Package explain prints the documentation of checks for a terminal.
package explain

import (
	"bufio"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// A Printer writes documentation, in colour or without.
type Printer struct {
	out                                                   *bufio.Writer
	title, rule, wrong, right, code, keyword, text, faint *color.Color
}

// New returns a printer that writes to w.
func New(w io.Writer, useColor bool) *Printer {
	p := &Printer{
		out:     bufio.NewWriter(w),
		title:   color.New(color.Bold),
		rule:    color.New(color.Bold, color.FgMagenta),
		wrong:   color.New(color.Bold, color.FgRed),
		right:   color.New(color.Bold, color.FgGreen),
		code:    color.New(color.FgCyan),
		keyword: color.New(color.FgMagenta),
		text:    color.New(color.FgGreen),
		faint:   color.New(color.Faint),
	}
	for _, c := range []*color.Color{p.title, p.rule, p.wrong, p.right, p.code, p.keyword, p.text, p.faint} {
		if useColor {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return p
}

// List writes one line for each check, and with rules one for each of its rules.
func (p *Printer) List(checks []*check.Check, rules bool) error {
	width := 0
	for _, c := range checks {
		width = max(width, len(c.Name))
		for _, r := range c.Rules {
			if rules {
				width = max(width, len(r.Name)+2)
			}
		}
	}
	for _, c := range checks {
		fmt.Fprintf(p.out, "  %s%s  %s\n", p.title.Sprint(c.Name), strings.Repeat(" ", width-len(c.Name)), c.Title)
		for i := range c.Rules {
			if r := &c.Rules[i]; rules {
				fmt.Fprintf(p.out, "    %s%s  %s%s\n", r.Name, strings.Repeat(" ", width-2-len(r.Name)), p.faint.Sprint(r.Title), off(c, r))
			}
		}
	}
	return p.out.Flush()
}

// Check writes all that there is to know about a check.
func (p *Printer) Check(c *check.Check) error {
	fmt.Fprintf(p.out, "%s: %s\n\n", p.title.Sprint(c.Name), c.Title)
	p.markdown(c.Text, "")
	fmt.Fprintf(p.out, "\n%s\n", p.title.Sprint("Rules"))
	for i := range c.Rules {
		fmt.Fprintln(p.out)
		p.ruleText(c, &c.Rules[i], "  ")
	}
	fmt.Fprintf(p.out, "\n%s\n", p.title.Sprint("Flags"))
	fmt.Fprintf(p.out, "  %s\n\trun only this check; -%s=false runs all others\n", p.code.Sprint("-"+c.Name), c.Name)
	c.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
		value, use := flag.UnquoteUsage(f)
		fmt.Fprintf(p.out, "  %s %s\n\t%s\n", p.code.Sprint("-"+c.Name+"."+f.Name), value, use)
	})
	return p.links(c)
}

// Rule writes what there is to know about one rule.
func (p *Printer) Rule(c *check.Check, r *check.Rule) error {
	p.ruleText(c, r, "")
	fmt.Fprintf(p.out, "\nIt belongs to the check %s: %s.\nSwitch it off with    %s\nor at one place with  %s\n",
		c.Name, c.Title, p.code.Sprintf("-%s.disable=%s", c.Name, r.Name), p.code.Sprintf("//go:vet-ignore=%s/%s why", c.Name, r.Name))
	return p.links(c)
}

func (p *Printer) links(c *check.Check) error {
	fmt.Fprintf(p.out, "\nOn the web: %s\n", c.Analyzer.URL)
	return p.out.Flush()
}

func (p *Printer) ruleText(c *check.Check, r *check.Rule, indent string) {
	fmt.Fprintf(p.out, "%s%s: %s%s\n", indent, p.rule.Sprint(c.Name+"/"+r.Name), r.Title, off(c, r))
	if r.Text != "" {
		fmt.Fprintln(p.out)
		p.markdown(r.Text, indent+"  ")
	}
	p.example(p.wrong.Sprint("Wrong"), r.Wrong, indent+"  ")
	p.example(p.right.Sprint("Right"), r.Right, indent+"  ")
}

func off(c *check.Check, r *check.Rule) string {
	if !r.Off {
		return ""
	}
	return fmt.Sprintf(" (off by default; -%s.enable=%s)", c.Name, r.Name)
}

func (p *Printer) example(title, code, indent string) {
	if code = strings.Trim(code, "\n"); code == "" {
		return
	}
	fmt.Fprintf(p.out, "\n%s%s\n", indent, title)
	p.lines(p.highlight(code), indent+"    ")
}

// lines writes text with every line indented that is not blank.
func (p *Printer) lines(text, indent string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			fmt.Fprintln(p.out)
			continue
		}
		fmt.Fprintf(p.out, "%s%s\n", indent, strings.ReplaceAll(line, "\t", "    "))
	}
}

var (
	inlineCode = lazyregexp.New("`([^`]+)`")
	link       = lazyregexp.New(`\[([^\]]+)\]\([^)]+\)`)
)

// markdown writes the little Markdown that descriptions use: code in backquotes
// gets the colour of code, links their text, and blocks of code stay as they are.
func (p *Printer) markdown(text, indent string) {
	fenced := false
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
			continue
		case strings.TrimSpace(line) == "":
			fmt.Fprintln(p.out)
			continue
		case fenced:
			line = "    " + p.code.Sprint(line)
		case strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"):
			line = p.code.Sprint(line)
		default:
			line = link.ReplaceAllString(line, "$1")
			line = inlineCode.ReplaceAllStringFunc(line, func(s string) string { return p.code.Sprint(strings.Trim(s, "`")) })
		}
		fmt.Fprintf(p.out, "%s%s\n", indent, strings.ReplaceAll(line, "\t", "    "))
	}
}

// highlight colours Go code.
func (p *Printer) highlight(code string) string {
	src := []byte(code)
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	var out strings.Builder
	done := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		var c *color.Color
		switch {
		case tok.IsKeyword():
			c = p.keyword
		case tok == token.STRING, tok == token.CHAR:
			c = p.text
		case tok == token.COMMENT:
			c = p.faint
		default:
			continue
		}
		at := file.Offset(pos)
		out.WriteString(code[done:at])
		out.WriteString(c.Sprint(lit))
		done = at + len(lit)
	}
	out.WriteString(code[done:])
	return out.String()
}
