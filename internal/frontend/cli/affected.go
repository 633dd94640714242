package cli

import (
	"context"

	"github.com/heapvet/heapvet/internal/frontend/affected"
	"github.com/heapvet/heapvet/internal/frontend/git"
)

// narrow reduces the plan's patterns to the packages that the changes since the
// merge base with rev can affect.
func (a *app) narrow(ctx context.Context, p *plan, rev string) error {
	repo, err := git.Open(ctx, p.runDir)
	if err != nil {
		return err
	}
	base, err := repo.MergeBase(ctx, rev)
	if err != nil {
		return err
	}
	changes, err := repo.Changes(ctx, base)
	if err != nil {
		return err
	}
	return a.narrowTo(ctx, p, changes.Files)
}

// narrowTo reduces the plan's patterns to the packages that a change of the files
// can affect.
func (a *app) narrowTo(ctx context.Context, p *plan, changed []string) error {
	paths, all, err := affected.Packages(ctx, affected.Options{
		Dir: p.runDir, BuildFlags: p.buildFlags, Patterns: p.patterns,
	}, changed)
	switch {
	case err != nil:
		return err
	case all:
		p.tell(a, "the module's files have changed: every package is affected")
		return nil
	}
	p.tell(a, "%d packages are affected by the change", len(paths))
	p.patterns, p.nothing = paths, len(paths) == 0
	return nil
}
