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
	if commands := commandUsages(cmd); commands != "" {
		fmt.Fprintf(w, "\nCommands:\n%s", commands)
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if flags := flagUsages(cmd.LocalFlags()); flags != "" {
		fmt.Fprintf(w, "\nFlags:\n%s", flags)
	}
	return nil
}

// commandUsages lists the commands below a command, with what they do.
func commandUsages(cmd *cobra.Command) string {
	var lines []usageLine
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			use := strings.Replace(sub.Use, " [flags]", "", 1)
			lines = append(lines, usageLine{cmd.CommandPath() + " " + use, sub.Short})
		}
	}
	return align(lines)
}

// A usageLine describes a flag or a command: how it is written, and what it does.
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
	return align(usageLines(flags))
}

// align writes lines in two columns.
func align(lines []usageLine) string {
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
