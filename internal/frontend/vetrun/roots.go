package vetrun

import (
	"context"
	"go/build"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// roots are the compilation units to report on: those of the packages that the
// patterns name.
type roots struct {
	// listed are the units that the go command lists for the patterns; nil if the
	// import paths tell enough.
	listed map[string]bool
	// dir and module are the root and the path of the module that the patterns are
	// in, and below are import paths: the package of a pattern ./dir, and with tree
	// those below it, as for ./dir/....
	dir, module string
	below       []subtree
}

type subtree struct {
	path string
	tree bool
}

// findRoots works out the units to report on. Patterns such as ./... are decided by
// import path, without asking the go command for the packages, which takes about a
// third of the processor time of a warm run. It is asked if the patterns are of
// another kind, or where something was said of other modules below.
func findRoots(ctx context.Context, o Options, result *Result) (*roots, error) {
	if r := rootsByPath(o); r != nil && !r.unclear(result) {
		return r, nil
	}
	units, err := Units(ctx, o)
	if err != nil {
		return nil, err
	}
	r := &roots{listed: map[string]bool{}}
	for _, u := range units {
		r.listed[u] = true
	}
	return r, nil
}

// rootsByPath returns nil if the patterns cannot be decided by import path.
func rootsByPath(o Options) *roots {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil
	}
	r := &roots{dir: moduleRoot(dir)}
	if r.dir == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "go.mod"))
	if err != nil {
		return nil
	}
	// The import paths of the standard library do not begin with its module's.
	if r.module = modfile.ModulePath(text); r.module == "" || r.module == "std" {
		return nil
	}
	for _, p := range o.Patterns {
		if !build.IsLocalImport(p) {
			return nil
		}
		below, tree := strings.CutSuffix(p, "/...")
		rel, err := filepath.Rel(r.dir, filepath.Join(dir, filepath.FromSlash(below)))
		if err != nil || !filepath.IsLocal(rel) || strings.Contains(below, "...") || strings.HasSuffix(below, ".go") {
			return nil
		}
		r.below = append(r.below, subtree{path.Join(r.module, filepath.ToSlash(rel)), tree})
	}
	return r
}

// moduleRoot returns the root of the module that dir is in, "" if there is none. A
// workspace makes no difference: ./... are then the packages below of all its
// modules, and another module below is unclear in any case.
func moduleRoot(dir string) string {
	for !exists(filepath.Join(dir, "go.mod")) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
	return dir
}

// unclear tells whether something was said of a unit that would be one to report on
// but may be in another module: one in a directory below, or one whose path only
// begins like that of this.
func (r *roots) unclear(result *Result) bool {
	own := map[string]bool{r.module: true} // whether packages are in this module
	var inModule func(importPath string) bool
	inModule = func(importPath string) bool {
		known, ok := own[importPath]
		if !ok {
			dir := filepath.Join(r.dir, filepath.FromSlash(strings.TrimPrefix(importPath, r.module+"/")))
			known = isDir(dir) && !exists(filepath.Join(dir, "go.mod")) && inModule(path.Dir(importPath))
			own[importPath] = known
		}
		return known
	}
	for unit := range result.said {
		inside := unit == r.module || strings.HasPrefix(unit, r.module+"/")
		if r.has(unit) && inside && !inModule(unit) && !inModule(strings.TrimSuffix(unit, "_test")) {
			return true
		}
	}
	return false
}

// has tells whether a unit is one to report on.
func (r *roots) has(unit string) bool {
	if r.listed != nil {
		return r.listed[unit]
	}
	for _, b := range r.below {
		if unit == b.path || unit == b.path+"_test" || b.tree && strings.HasPrefix(unit, b.path+"/") {
			return true
		}
	}
	return false
}

// missing are the units to report on of which no findings are known.
func (r *roots) missing(result *Result) []string {
	var out []string
	for unit := range r.listed {
		if !result.said[unit] {
			out = append(out, unit)
		}
	}
	if r.listed == nil {
		for unit, full := range result.said {
			if !full && r.has(unit) {
				out = append(out, unit)
			}
		}
	}
	return out
}

// units are all units to report on, sorted.
func (r *roots) units(result *Result) []string {
	var out []string
	for unit := range r.listed {
		out = append(out, unit)
	}
	if r.listed == nil {
		for unit := range result.said {
			if r.has(unit) {
				out = append(out, unit)
			}
		}
	}
	slices.Sort(out)
	return out
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
