package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/heapvet/heapvet/internal/frontend/compare"
	"github.com/heapvet/heapvet/internal/frontend/gate"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

type gateOptions struct {
	runOptions
	base     string
	broken   string
	affected bool
}

// gateCommand is "heapvet gate".
func (a *app) gateCommand() *cobra.Command {
	var o gateOptions
	cmd := &cobra.Command{
		Use:   "gate -base REV [flags] [packages]",
		Short: "report only what a change brings in",
		Long: `gate analyses the work tree, with all that is not committed, and the commit that
it started from: the merge base of HEAD and REV, in a temporary git worktree. It
reports the findings that only the work tree has. A finding is the same if check,
rule, package, declaration, code and message are; lines do not matter, and code
that was moved or renamed is not new.

Exit status: 0 nothing new, 1 new findings, 2 the comparison could not be made.`,
		Example: `  heapvet gate -base origin/main ./...
  heapvet gate -base HEAD ./...             what is not committed yet
  heapvet gate -base origin/main -affected -f text,markdown=summary.md ./...`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.gate(cmd, &o, args) },
	}
	o.addTo(cmd.Flags())
	cmd.Flags().StringVar(&o.base, "base", "", "`revision` that the change is meant for, such as origin/main")
	cmd.Flags().StringVar(&o.broken, "base-broken", "", "if the base does not build: `which` findings that it is not known to have are new, all or none")
	cmd.Flags().BoolVar(&o.affected, "affected", false, "analyse only changed packages and those that import them")
	a.addCheckFlags(cmd.Flags())
	return cmd
}

func (a *app) gate(cmd *cobra.Command, o *gateOptions, patterns []string) error {
	ctx := cmd.Context()
	if o.base == "" {
		return errors.New("gate needs -base REV: the branch or commit that the change is meant for, such as -base origin/main")
	}
	if !slices.Contains([]string{"", "all", "none"}, o.broken) {
		return fmt.Errorf("-base-broken=%s: it can be all or none", o.broken)
	}
	p, err := a.plan(&o.runOptions, cmd.Flags(), patterns)
	if err != nil {
		return err
	}
	base, err := gate.Open(ctx, p.runDir, o.base)
	if err != nil {
		return err
	}
	defer base.Close()
	p.tell(a, "the base is %s, laid out in %s", base.Commit, base.Dir)
	given := p.patterns
	if o.affected {
		if err := a.narrowTo(ctx, p, base.Changes.Files); err != nil {
			return err
		}
	}
	now, err := a.vet(ctx, p)
	if err != nil {
		return err
	}
	doc := a.document(p, now)
	if now.Failed {
		return a.failures(now)
	}
	before, err := a.vetBase(ctx, p, o, base, given)
	if err != nil {
		return err
	}
	old, _ := p.filter(before.Findings)
	r := compare.Compare(old, doc.Findings, base.Moves())
	doc.Comparison = &printer.Comparison{
		Against: fmt.Sprintf("%s (%.12s)", o.base, base.Commit), Fixed: r.Fixed, Unchanged: len(r.Unchanged),
	}
	doc.Findings = r.New
	doc.Elapsed += before.Elapsed
	if before.Failed && o.broken == "none" {
		doc.Findings = nil
		doc.Comparison.Unchanged += len(r.New)
	}
	a.addHeaps(ctx, p, doc)
	if err := a.write(p.outputs, doc); err != nil {
		return err
	}
	a.judge(p, doc.Findings)
	return a.failures(now)
}

// vetBase analyses the base. It returns an error if the base does not build and
// the flags do not say what then.
func (a *app) vetBase(ctx context.Context, p *plan, o *gateOptions, base *gate.Base, given []string) (*vetrun.Result, error) {
	if p.nothing {
		return &vetrun.Result{}, nil
	}
	opts, err := p.options()
	if err != nil {
		return nil, err
	}
	if o.affected && !slices.Equal(given, p.patterns) {
		opts.Patterns, err = base.Affected(ctx, p.buildFlags, given)
		if err != nil {
			return nil, err
		}
	}
	line := a.progress(ctx, "heapvet on the base", &opts)
	result, err := base.Analyse(ctx, opts)
	line.Stop()
	if err != nil {
		return nil, err
	}
	p.tell(a, "%d compilation units of the base analysed in %s", result.Units, result.Elapsed.Round(time.Millisecond))
	if !result.Failed && len(result.Failures) == 0 {
		return result, nil
	}
	if o.broken != "" {
		p.tell(a, "the base does not build: %s", strings.Join(result.Text, "; "))
		result.Failed = true
		return result, nil
	}
	for _, f := range result.Failures {
		result.Text = append(result.Text, fmt.Sprintf("%s could not analyse %s: %s", f.Check, f.Package, f.Message))
	}
	return nil, fmt.Errorf("the base %.12s could not all be analysed, so that what is new cannot be told:\n    %s\nSay what is to happen then: -base-broken=all takes every finding that the base is not known to have for new, -base-broken=none takes none",
		base.Commit, strings.Join(result.Text, "\n    "))
}
