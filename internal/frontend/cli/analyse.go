package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

// analyseOptions are the flags that every command has that analyses packages.
type analyseOptions struct {
	dir  string
	tags string
	mod  string
	test bool
	json bool
}

func (o *analyseOptions) addTo(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVarP(&o.dir, "C", "C", "", "run as if started in `dir`")
	flags.StringVar(&o.tags, "tags", "", "comma-separated build `tags`")
	flags.StringVar(&o.mod, "mod", "", "module download `mode`: readonly, vendor or mod")
	flags.BoolVar(&o.test, "test", true, "report findings in test files")
	flags.BoolVar(&o.json, "json", false, "print findings as JSON")
}

func (o *analyseOptions) buildFlags() []string {
	var flags []string
	if o.tags != "" {
		flags = append(flags, "-tags="+o.tags)
	}
	if o.mod != "" {
		flags = append(flags, "-mod="+o.mod)
	}
	return flags
}

// analyse runs the checks on the packages and prints what they find.
func (a *app) analyse(cmd *cobra.Command, o *analyseOptions, patterns []string) error {
	result, err := a.vet(cmd.Context(), o, toolFlags(cmd.Flags()), patterns)
	if err != nil {
		return err
	}
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	print := printer.Short
	if o.json {
		print = printer.JSON
	}
	if err := print(a.stdout, result.Findings, finding.Names{Dir: wd}); err != nil {
		return err
	}
	if len(result.Findings) > 0 {
		a.status = exitFindings
	}
	return a.failures(result)
}

// vet runs the analysis and drops what the flags keep out.
func (a *app) vet(ctx context.Context, o *analyseOptions, toolFlags, patterns []string) (*vetrun.Result, error) {
	tool, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(o.dir); o.dir != "" && (err != nil || !info.IsDir()) {
		return nil, fmt.Errorf("-C %s: no such directory", o.dir)
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	result, err := vetrun.Run(ctx, vetrun.Options{
		Tool: tool, Dir: o.dir, BuildFlags: o.buildFlags(), ToolFlags: toolFlags, Patterns: patterns,
		Text: func(line string) { fmt.Fprintln(a.stderr, line) },
	})
	if err != nil {
		return nil, err
	}
	if !o.test {
		result.Findings = slices.DeleteFunc(result.Findings, (*finding.Finding).InTest)
	}
	return result, nil
}

// failures tells what could not be analysed; an error is what kept the go command
// from doing all of its work.
func (a *app) failures(result *vetrun.Result) error {
	for _, f := range result.Failures {
		fmt.Fprintf(a.stderr, "heapvet: %s could not analyse %s: %s\n", f.Check, f.Package, f.Message)
		a.status = exitFailed
	}
	if !result.Failed {
		return nil
	}
	if advice := result.Advice(); advice != "" {
		return fmt.Errorf("the packages could not all be analysed: %s", advice)
	}
	return fmt.Errorf("the packages could not all be analysed: put right what the go command says above, and run again")
}
