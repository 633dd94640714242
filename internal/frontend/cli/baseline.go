package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/heapvet/heapvet/internal/frontend/baseline"
	"github.com/heapvet/heapvet/internal/frontend/compare"
	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/gate"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

// subtract takes the findings of a baseline out of the document.
func (a *app) subtract(ctx context.Context, p *plan, doc *printer.Document, file string) error {
	known, dir, err := readBaseline(file)
	if err != nil {
		return err
	}
	r := compare.Compare(known.Entries(dir), doc.Findings, compare.Moves{Gone: gate.Gone()})
	stale, err := p.analysed(ctx, r.Fixed)
	if err != nil {
		return err
	}
	for _, f := range r.Unchanged {
		f.Suppressed = "in the baseline " + file
		doc.Suppressed = append(doc.Suppressed, f)
	}
	slices.SortStableFunc(doc.Suppressed, finding.Compare)
	doc.Findings = r.New
	doc.Comparison = &printer.Comparison{Against: file, Fixed: stale, Unchanged: len(r.Unchanged)}
	if len(stale) > 0 && !doc.Failed {
		fmt.Fprintf(a.stderr, "heapvet: %d of the findings in %s no longer occur; take them out with: heapvet baseline prune %s\n", len(stale), file, file)
	}
	return nil
}

func readBaseline(file string) (*baseline.Baseline, string, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, "", err
	}
	b, err := baseline.Read(abs)
	return b, filepath.Dir(abs), err
}

// analysed returns those of the findings that are in packages which the plan
// analyses, or in packages which are gone.
func (p *plan) analysed(ctx context.Context, findings []*finding.Finding) ([]*finding.Finding, error) {
	if len(findings) == 0 || p.nothing {
		return nil, nil
	}
	opts, err := p.options()
	if err != nil {
		return nil, err
	}
	paths, err := vetrun.Units(ctx, opts)
	if err != nil {
		return nil, err
	}
	in := map[string]bool{}
	for _, path := range paths {
		in[path] = true
	}
	gone := gate.Gone()
	var out []*finding.Finding
	for _, f := range findings {
		if in[f.Package] || gone(f) {
			out = append(out, f)
		}
	}
	return out, nil
}

// baselineCommand is "heapvet baseline".
func (a *app) baselineCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline write|update|prune FILE [flags] [packages]",
		Short: "keep known findings in a file",
		Long: `baseline writes the findings that there are to a file, for heapvet -baseline FILE
to report only others. The file is sorted and has no lines or counts in it, so
that it changes only when the findings do.

  write   the findings of the packages, and no others
  update  takes in what is new and takes out what no longer occurs, in the packages
  prune   only takes out what no longer occurs in the packages`,
		Example: `  heapvet baseline write .heapvet-baseline.yaml ./...
  heapvet -baseline .heapvet-baseline.yaml ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return fmt.Errorf("baseline needs to know what to do: write, update or prune")
		},
	}
	for _, sub := range []struct {
		name, short string
		merge       func(old, found []*finding.Finding, r compare.Result, stale map[*finding.Finding]bool) []*finding.Finding
	}{
		{"write", "write the findings that there are", nil},
		{"update", "take in what is new and take out what no longer occurs", updated},
		{"prune", "take out what no longer occurs", pruned},
	} {
		var o runOptions
		c := &cobra.Command{
			Use: sub.name + " FILE [flags] [packages]", Short: sub.short, Args: needs(-1, "the file, as in heapvet baseline "+sub.name+" .heapvet-baseline.yaml ./..."),
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.rebase(cmd, &o, args[0], args[1:], sub.merge)
			},
		}
		o.addTo(c.Flags())
		a.addCheckFlags(c.Flags())
		cmd.AddCommand(c)
	}
	return cmd
}

// updated is the content of a baseline with all findings that are known now.
func updated(old, found []*finding.Finding, _ compare.Result, stale map[*finding.Finding]bool) []*finding.Finding {
	analysed := map[string]bool{}
	for _, f := range found {
		analysed[f.Package] = true
	}
	var out []*finding.Finding
	for _, f := range old {
		if !stale[f] && !analysed[f.Package] {
			out = append(out, f)
		}
	}
	return append(out, found...)
}

// pruned is the content of a baseline without what no longer occurs. Findings that
// have moved are in it as they are now.
func pruned(old, _ []*finding.Finding, r compare.Result, stale map[*finding.Finding]bool) []*finding.Finding {
	out := slices.Clone(r.Unchanged)
	for _, f := range r.Fixed {
		if !stale[f] {
			out = append(out, f)
		}
	}
	return out
}

// rebase writes a baseline anew. merge says what is in it; nil is what was found.
func (a *app) rebase(cmd *cobra.Command, o *runOptions, file string, patterns []string,
	merge func(old, found []*finding.Finding, r compare.Result, stale map[*finding.Finding]bool) []*finding.Finding,
) error {
	p, err := a.plan(o, cmd.Flags(), patterns)
	if err != nil {
		return err
	}
	var old []*finding.Finding
	if merge != nil {
		known, dir, err := readBaseline(file)
		if err != nil {
			return err
		}
		old = known.Entries(dir)
	}
	result, err := a.vet(cmd.Context(), p)
	if err != nil {
		return err
	}
	doc := a.document(p, result)
	if err := a.failures(result); err != nil || a.status != exitClean {
		// Findings of what could not be analysed would get lost.
		return err
	}
	content := doc.Findings
	if merge != nil {
		r := compare.Compare(old, doc.Findings, compare.Moves{Gone: gate.Gone()})
		gone, err := p.analysed(cmd.Context(), r.Fixed)
		if err != nil {
			return err
		}
		stale := map[*finding.Finding]bool{}
		for _, f := range gone {
			stale[f] = true
		}
		content = merge(old, doc.Findings, r, stale)
	}
	return a.writeBaseline(file, content)
}

func (a *app) writeBaseline(file string, findings []*finding.Finding) error {
	abs, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	text, err := baseline.New(findings, filepath.Dir(abs)).Marshal()
	if err != nil {
		return err
	}
	if err := writeFile(abs, text); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "heapvet: %s has %d findings\n", file, len(findings))
	return nil
}
