package cli

import (
	"fmt"
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

// A usageLine describes a flag: how it is written, and what it does.
type usageLine struct{ flag, text string }

func usageLines(flags *pflag.FlagSet) []usageLine {
	var lines []usageLine
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, text := pflag.UnquoteUsage(f)
		if f.Value.Type() == "bool" {
			value = ""
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
			text += " (default " + f.DefValue + ")"
		}
		lines = append(lines, usageLine{strings.TrimSpace("-" + f.Name + " " + value), text})
	})
	return lines
}

// flagUsages lists flags as Go's tools have them, with one dash.
func flagUsages(flags *pflag.FlagSet) string {
	lines := usageLines(flags)
	width := 0
	for _, l := range lines {
		width = max(width, len(l.flag))
	}
	var out strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&out, "  %-*s  %s\n", width, l.flag, l.text)
	}
	return out.String()
}
