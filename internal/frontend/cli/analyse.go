package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/source"
	"github.com/heapvet/heapvet/internal/frontend/version"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

// analyse runs the checks on the packages and prints what they find.
func (a *app) analyse(cmd *cobra.Command, o *runOptions, patterns []string) error {
	p, err := a.plan(o, cmd.Flags())
	if err != nil {
		return err
	}
	result, err := a.vet(cmd.Context(), p, patterns)
	if err != nil {
		return err
	}
	doc := a.document(p, result)
	if err := a.write(p.outputs, doc); err != nil {
		return err
	}
	a.judge(p, doc.Findings)
	return a.failures(result)
}

// vet runs the analysis of the packages in the plan's directory.
func (a *app) vet(ctx context.Context, p *plan, patterns []string) (*vetrun.Result, error) {
	tool, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	opts := vetrun.Options{
		Tool: tool, Dir: p.runDir, BuildFlags: p.buildFlags, ToolFlags: p.toolFlags, Patterns: patterns,
		Text: func(line string) { fmt.Fprintln(a.stderr, line) },
	}
	if p.debug != "" {
		raw, err := os.Create(p.debug)
		if err != nil {
			return nil, fmt.Errorf("-debug: %w", err)
		}
		defer raw.Close()
		opts.Raw = raw
	}
	p.tell(a, "run go %s in %s", opts.CommandLine(), p.runDir)
	result, err := vetrun.Run(ctx, opts)
	if err != nil {
		return nil, err
	}
	p.tell(a, "%d compilation units analysed in %s", result.Units, result.Elapsed.Round(time.Millisecond))
	return result, nil
}

// tell says something on standard error if -v asks for it.
func (p *plan) tell(a *app, format string, args ...any) {
	if p.verbose {
		fmt.Fprintf(a.stderr, "heapvet: "+format+"\n", args...)
	}
}

// document applies the configuration to the findings and completes them.
func (a *app) document(p *plan, result *vetrun.Result) *printer.Document {
	doc := &printer.Document{
		Failures: result.Failures, Checks: a.checks, Names: finding.Names{Dir: p.workDir}, Source: &source.Cache{},
		Color: a.useColor(p.color), LinkBase: p.linkBase, Version: version.Get().Version,
		Started: time.Now().Add(-result.Elapsed), Elapsed: result.Elapsed, Failed: result.Failed,
	}
	for _, f := range result.Findings {
		if !*p.config.Test && f.InTest() {
			continue
		}
		f.Severity = p.config.SeverityOf(f.Check, f.Rule)
		if p.config.Excluded(f) {
			f.Suppressed = "excluded by the configuration"
			doc.Suppressed = append(doc.Suppressed, f)
			continue
		}
		doc.Findings = append(doc.Findings, f)
	}
	return doc
}

// judge sets the exit status that the findings call for.
func (a *app) judge(p *plan, findings []*finding.Finding) {
	for _, f := range findings {
		if p.config.Fails(f.Severity) {
			a.status = exitFindings
			return
		}
	}
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
	return errors.New("the packages could not all be analysed: put right what the go command says above, and run again")
}
