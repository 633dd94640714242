package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/heaplist"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
	"github.com/heapvet/heapvet/internal/inventory"
)

// heapsCommand is "heapvet heaps".
func (a *app) heapsCommand() *cobra.Command {
	o := runOptions{test: true, formats: "text", color: "auto"}
	cmd := &cobra.Command{
		Use:   "heaps [flags] [packages]",
		Short: "list the heaps of packages, and which lock guards each",
		Long: `heaps lists the heaps of the packages with what heapvet believes of each: its
owner, the lock that guards it and by what evidence, or why none does. Findings
of heaplock follow from it: who doubts one finds here what it rests on.

Exit status: 0 if the packages could be analysed, 2 if not.`,
		Example: `  heapvet heaps ./...
  heapvet heaps -json ./internal/queue`,
		Args: cobra.ArbitraryArgs,
	}
	var asJSON, uses bool
	o.addLoading(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with every use of each heap")
	cmd.Flags().BoolVar(&uses, "uses", false, "list every use of each heap, and whether the lock is held there")
	o.addRunning(cmd.Flags())
	a.addSharedFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := a.plan(&o, cmd.Flags(), args)
		if err != nil {
			return err
		}
		p.toolFlags = append(a.sharedOnly(p.toolFlags), "-"+inventory.Name)
		slices.Sort(p.toolFlags)
		result, err := a.vet(cmd.Context(), p)
		if err != nil {
			return err
		}
		list, err := heaplist.New(result.Findings, finding.Names{Dir: p.workDir})
		if err != nil {
			return err
		}
		if asJSON {
			err = list.JSON(a.stdout)
		} else {
			err = list.Table(a.stdout, uses)
		}
		if err != nil {
			return err
		}
		return a.failures(result)
	}
	return cmd
}

// addHeaps adds the list of heaps to the document if a format shows it. The page
// does without it if it cannot be had; the analysis of the findings has then said
// why.
func (a *app) addHeaps(ctx context.Context, p *plan, doc *printer.Document) {
	if p.nothing || !slices.ContainsFunc(p.outputs, func(o output) bool { return o.format.Name == "html" }) {
		return
	}
	list, err := a.inventory(ctx, p)
	if err != nil {
		p.tell(a, "the list of heaps cannot be had: %v", err)
		return
	}
	for _, h := range list.Heaps {
		doc.Heaps = append(doc.Heaps, printer.Heap{
			Package: h.Package, Name: h.Heap, Type: h.Type, Guard: h.Guard, State: string(h.State), Because: h.Because,
			With: h.With, Without: h.Without, Place: finding.Position{File: h.File, Line: h.Line, Col: h.Column},
		})
	}
}

// inventory lists the heaps of the plan's packages. The files have absolute names.
func (a *app) inventory(ctx context.Context, p *plan) (*heaplist.List, error) {
	opts, err := p.options()
	if err != nil {
		return nil, err
	}
	opts.ToolFlags = append(a.sharedOnly(opts.ToolFlags), "-"+inventory.Name)
	slices.Sort(opts.ToolFlags)
	result, err := vetrun.Run(ctx, opts)
	if err != nil {
		return nil, err
	}
	if result.Failed {
		return nil, errors.New("not all packages could be analysed")
	}
	return heaplist.New(result.Findings, finding.Names{})
}

// sharedOnly leaves out the tool flags that belong to a check.
func (a *app) sharedOnly(flags []string) []string {
	return slices.DeleteFunc(slices.Clone(flags), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		name, _, _ = strings.Cut(name, ".")
		return a.check(name) != nil
	})
}
