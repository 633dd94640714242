package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usage prints a command's usage in the style of Go's tools: flags with one dash.
func usage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %s %s\n", cmd.Name(), sub.Use)
			}
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if flags := flagUsages(cmd.LocalFlags()); flags != "" {
		fmt.Fprintf(w, "\nFlags:\n%s", flags)
	}
	return nil
}

var (
	doubleDash = regexp.MustCompile(`(?m)^(\s+(?:-\w, )?)--`)
	sameTwice  = regexp.MustCompile(`(?m)^(\s+)-(\w), -(\w) `)
)

// flagUsages lists flags with one dash.
func flagUsages(flags *pflag.FlagSet) string {
	text := doubleDash.ReplaceAllString(flags.FlagUsages(), "$1-")
	// A flag of one letter is its own shorthand.
	return sameTwice.ReplaceAllStringFunc(text, func(s string) string {
		m := sameTwice.FindStringSubmatch(s)
		if m[2] != m[3] {
			return s
		}
		return m[1] + "-" + m[2] + "     "
	})
}

// oneLine returns the first line of s.
func oneLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
