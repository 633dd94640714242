// Package affected finds the packages whose findings can differ after a change:
// those that have a changed file, and those that import such a package, directly or
// not, because facts of a dependency go into the analysis.
package affected

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Options say which packages to look at.
type Options struct {
	Dir        string
	Env        []string
	BuildFlags []string
	Patterns   []string
}

// Packages returns the import paths of those of the packages that the changed
// files can affect, sorted. all is true if the change is such that it can affect
// any: of a go.mod, go.sum or go.work, or of vendored packages.
func Packages(ctx context.Context, o Options, changed []string) (paths []string, all bool, err error) {
	dirs := map[string]bool{}
	for _, file := range changed {
		switch base := filepath.Base(file); {
		case base == "go.mod", base == "go.sum", base == "go.work", base == "go.work.sum",
			strings.HasSuffix(file, filepath.FromSlash("vendor/modules.txt")):
			return nil, true, nil
		}
		dirs[filepath.Dir(file)] = true
	}
	roots, err := packages.Load(&packages.Config{
		Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: o.BuildFlags, Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedEmbedFiles,
	}, o.Patterns...)
	if err != nil {
		return nil, false, fmt.Errorf("loading the packages: %w", err)
	}
	g := &graph{dirs: dirs, files: map[string]bool{}, known: map[*packages.Package]bool{}}
	for _, file := range changed {
		g.files[file] = true
	}
	for _, p := range roots {
		if g.affected(p) && !strings.HasSuffix(p.PkgPath, ".test") {
			paths = append(paths, strings.TrimSuffix(p.PkgPath, "_test"))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), false, nil
}

// A graph is the import graph with what is known of its packages.
type graph struct {
	dirs, files map[string]bool
	known       map[*packages.Package]bool
}

// affected tells whether p or a package that it imports has changed. Import
// graphs have no cycles, so that the recursion ends.
func (g *graph) affected(p *packages.Package) bool {
	if known, ok := g.known[p]; ok {
		return known
	}
	yes := g.changed(p)
	for _, imported := range p.Imports {
		yes = yes || g.affected(imported)
	}
	g.known[p] = yes
	return yes
}

// changed tells whether a file of p has changed, or one of its directory: a file
// that was deleted is in no package any more.
func (g *graph) changed(p *packages.Package) bool {
	for _, list := range [][]string{p.GoFiles, p.OtherFiles, p.EmbedFiles, p.IgnoredFiles} {
		for _, f := range list {
			if g.files[f] || g.dirs[filepath.Dir(f)] {
				return true
			}
		}
	}
	return false
}
