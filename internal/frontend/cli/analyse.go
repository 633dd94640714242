package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/heapvet/heapvet/internal/frontend/compare"
	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/progress"
	"github.com/heapvet/heapvet/internal/frontend/source"
	"github.com/heapvet/heapvet/internal/frontend/version"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

// analyse runs the checks on the packages and prints what they find.
func (a *app) analyse(cmd *cobra.Command, o *rootOptions, patterns []string) error {
	p, err := a.plan(&o.runOptions, cmd.Flags(), patterns)
	if err != nil {
		return err
	}
	if o.affected != "" {
		if err := a.narrow(cmd.Context(), p, o.affected); err != nil {
			return err
		}
	}
	result, err := a.vet(cmd.Context(), p)
	if err != nil {
		return err
	}
	doc := a.document(p, result)
	if o.baseline != "" {
		if err := a.subtract(cmd.Context(), p, doc, o.baseline); err != nil {
			return err
		}
	}
	if o.fix || o.diff {
		return a.fix(p, doc, result, o.diff)
	}
	a.addHeaps(cmd.Context(), p, doc)
	if err := a.write(p.outputs, doc); err != nil {
		return err
	}
	a.judge(p, doc.Findings)
	return a.failures(result)
}

// options are those of the analysis of the plan's packages.
func (p *plan) options() (vetrun.Options, error) {
	tool, err := os.Executable()
	return vetrun.Options{
		Tool: tool, Dir: p.runDir, BuildFlags: p.buildFlags, ToolFlags: p.toolFlags, Patterns: p.patterns,
	}, err
}

// vet runs the analysis of the plan's packages and tells what the go command says
// meanwhile.
func (a *app) vet(ctx context.Context, p *plan) (*vetrun.Result, error) {
	if p.nothing {
		return &vetrun.Result{}, nil
	}
	opts, err := p.options()
	if err != nil {
		return nil, err
	}
	if p.debug != "" {
		raw, err := os.Create(p.debug)
		if err != nil {
			return nil, fmt.Errorf("-debug: %w", err)
		}
		defer raw.Close()
		opts.Raw = raw
	}
	line := a.progress(ctx, "heapvet", &opts)
	defer line.Stop()
	opts.Text = func(text string) { line.Print(a.stderr, text) }
	p.tell(a, "run go %s in %s", opts.CommandLine(), p.runDir)
	result, err := vetrun.Run(ctx, opts)
	if err != nil {
		return nil, err
	}
	p.tell(a, "%d compilation units analysed in %s", result.Units, result.Elapsed.Round(time.Millisecond))
	return result, nil
}

// progress shows how far the analysis is, if standard error is a terminal.
func (a *app) progress(ctx context.Context, what string, opts *vetrun.Options) *progress.Line {
	if !isTerminal(a.stderr) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	listed := *opts
	line := progress.Start(a.stderr, what, func() int {
		units, err := vetrun.Units(ctx, listed)
		if err != nil {
			return 0
		}
		return len(units)
	})
	opts.Done = line.Done
	return line
}

// tell says something on standard error if -v asks for it.
func (p *plan) tell(a *app, format string, args ...any) {
	if p.verbose {
		fmt.Fprintf(a.stderr, "heapvet: "+format+"\n", args...)
	}
}

// document identifies the findings, applies the configuration to them, and makes
// of them what is to be printed.
func (a *app) document(p *plan, result *vetrun.Result) *printer.Document {
	doc := &printer.Document{
		Failures: result.Failures, Checks: a.checks, Names: finding.Names{Dir: p.workDir}, Source: &source.Cache{},
		Color: a.useColor(p.color), LinkBase: p.linkBase, Version: version.Get().Version,
		Started: time.Now().Add(-result.Elapsed), Elapsed: result.Elapsed, Failed: result.Failed,
	}
	compare.Identify(result.Findings, doc.Source)
	doc.Findings, doc.Suppressed = p.filter(result.Findings)
	return doc
}

// filter sets the findings' severities and takes out those that the configuration
// excludes.
func (p *plan) filter(findings []*finding.Finding) (kept, suppressed []*finding.Finding) {
	for _, f := range findings {
		if !*p.config.Test && f.InTest() {
			continue
		}
		f.Severity = p.config.SeverityOf(f.Check, f.Rule)
		if p.config.Excluded(f) {
			f.Suppressed = "excluded by the configuration"
			suppressed = append(suppressed, f)
			continue
		}
		kept = append(kept, f)
	}
	return kept, suppressed
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
