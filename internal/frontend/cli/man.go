package cli

import (
	_ "embed"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/version"
)

// ManualPage is where the repository has the manual page, generated from [Manual] by
// "go generate ./docs".
const ManualPage = "internal/frontend/cli/heapvet.1"

//go:embed heapvet.1
var manualPage string

// versionMark stands for the version in the manual page.
const versionMark = "VERSION"

// manCommand is "heapvet man".
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "print the manual page",
		Example: `  heapvet man >heapvet.1 && man ./heapvet.1`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.stdout, strings.Replace(manualPage, versionMark, version.Get().Version, 1))
			return err
		},
	}
}

// Manual returns the manual page in the Markdown that md2man reads, with a mark for
// the version. The program has it as a page already: what makes the page of it would
// be initialised at every start of the vet tool.
func Manual(checks []*check.Check, flags func(*flag.FlagSet)) string {
	a := &app{checks: checks, flags: flags, stdout: io.Discard, stderr: io.Discard}
	root := a.rootCommand()
	var md strings.Builder
	fmt.Fprintf(&md, "%% HEAPVET 1 \"\" \"heapvet %s\"\n\n# NAME\n\nheapvet - %s\n\n", versionMark, root.Short)
	md.WriteString("# SYNOPSIS\n\n**heapvet** [*flags*] [*packages*]\n\n**heapvet** *command* [*arguments*]\n\n")
	fmt.Fprintf(&md, "# DESCRIPTION\n\n%s\n\n", root.Long)
	fmt.Fprintf(&md, "# FLAGS\n\n%s\n", manFlags(root))
	md.WriteString("# COMMANDS\n\n")
	for _, sub := range root.Commands() {
		if sub.IsAvailableCommand() {
			manCommandText(&md, "heapvet ", sub)
		}
	}
	md.WriteString("# FORMATS\n\n")
	for _, f := range printer.Formats() {
		fmt.Fprintf(&md, "**%s**\n: %s\n\n", f.Name, f.Title)
	}
	md.WriteString("# CHECKS\n\n**heapvet explain** *check* tells more.\n\n")
	for _, c := range a.checks {
		fmt.Fprintf(&md, "**%s**\n: %s\n\n", c.Name, c.Title)
	}
	md.WriteString("# FILES\n\n**.heapvet.yaml**\n: the configuration, found from the working directory upwards\n\n")
	md.WriteString("# ENVIRONMENT\n\n**NO_COLOR**\n: if not empty, no colour\n\nThe go command's variables, such as **GOFLAGS**, **GOOS** and **GOCACHE**, count as for go vet.\n\n")
	md.WriteString("# SEE ALSO\n\n**go**(1), <https://github.com/heapvet/heapvet>\n")
	return md.String()
}

func manCommandText(md *strings.Builder, parent string, cmd *cobra.Command) {
	text := cmd.Long
	if text == "" {
		text = strings.ToUpper(cmd.Short[:1]) + cmd.Short[1:] + "."
	}
	fmt.Fprintf(md, "## %s%s\n\n%s\n\n", parent, cmd.Use, text)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(md, "**%s**\n: %s\n\n", sub.Use, sub.Short)
		}
	}
	if own := cmd.LocalFlags(); cmd.Name() == "gate" && own.HasAvailableFlags() {
		md.WriteString(manFlags(cmd) + "\n")
	}
}

// manFlags is the flags as a list of definitions.
func manFlags(cmd *cobra.Command) string {
	var md strings.Builder
	for _, l := range usageLines(cmd.LocalFlags()) {
		name, value, _ := strings.Cut(l.flag, " ")
		if value != "" {
			value = " *" + value + "*"
		}
		fmt.Fprintf(&md, "**%s**%s\n: %s\n\n", name, value, l.text)
	}
	return md.String()
}
