// Package gate analyses the base of a change: the commit that the work tree's
// changes started from, in a worktree of its own and with the same flags.
package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/heapvet/heapvet/internal/frontend/affected"
	"github.com/heapvet/heapvet/internal/frontend/compare"
	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/git"
	"github.com/heapvet/heapvet/internal/frontend/source"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

// A Base is the state that a change is compared with, laid out for analysis.
type Base struct {
	// Commit is the commit's hash.
	Commit string
	// Repo is the user's work tree, Tree the base's.
	Repo *git.Repo
	Tree *git.Worktree
	// Changes are the work tree's differences from the base.
	Changes *git.Changes
	// Dir is the directory of the base that corresponds to the user's. It may not
	// be there.
	Dir string
	// Env is the environment for the go command.
	Env []string
}

// Open lays out the merge base of HEAD and rev for the analysis of dir. Whoever
// calls must call Close.
func Open(ctx context.Context, dir, rev string) (*Base, error) {
	repo, err := git.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	b := &Base{Repo: repo}
	if b.Commit, err = repo.MergeBase(ctx, rev); err != nil {
		return nil, err
	}
	if b.Changes, err = repo.Changes(ctx, b.Commit); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(repo.Top, real)
	if err != nil {
		return nil, err
	}
	if b.Tree, err = repo.AddWorktree(ctx, b.Commit); err != nil {
		return nil, err
	}
	b.Dir = filepath.Join(b.Tree.Dir, rel)
	if err := errors.Join(b.linkReplacements(), b.setWorkspace(ctx, dir)); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// linkReplacements puts links where the base's module replaces others by directories
// outside of the repository, to the directories that the user's module means.
func (b *Base) linkReplacements() error {
	root := b.Dir
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if root == b.Tree.Dir || root == filepath.Dir(root) {
			return nil
		}
		root = filepath.Dir(root)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil // the go command will say what is wrong
	}
	for _, r := range file.Replace {
		if !modfile.IsDirectoryPath(r.New.Path) || filepath.IsAbs(r.New.Path) {
			continue
		}
		link := filepath.Join(root, filepath.FromSlash(r.New.Path))
		if !b.Tree.Outside(link) {
			continue
		}
		target := filepath.Join(b.here(root), filepath.FromSlash(r.New.Path))
		if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
			return err
		}
		if err := os.Symlink(target, link); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// Close takes away what Open laid out.
func (b *Base) Close() { b.Tree.Remove() }

// setWorkspace gives the base the workspace that the user's directory has. A
// go.work that git tracks is in the base as it was; one that git does not track
// is copied; one outside of the repository is rewritten so that it uses the base's
// modules.
func (b *Base) setWorkspace(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "env", "GOWORK")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go env GOWORK: %w", err)
	}
	work := strings.TrimSpace(string(out))
	if work == "" || work == "off" {
		b.Env = append(os.Environ(), "GOWORK=off")
		return nil
	}
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return err
	}
	rel, err := filepath.Rel(b.Repo.Top, work)
	switch inside := err == nil && filepath.IsLocal(rel); {
	case inside && b.Repo.Tracked(ctx, work):
		in := filepath.Join(b.Tree.Dir, rel)
		if _, err := os.Stat(in); errors.Is(err, fs.ErrNotExist) {
			in = "off"
		}
		b.Env = append(os.Environ(), "GOWORK="+in)
	case inside:
		b.Env = append(os.Environ(), "GOWORK="+filepath.Join(b.Tree.Dir, rel))
		return b.copyWork(work, filepath.Join(b.Tree.Dir, rel))
	default:
		in := filepath.Join(filepath.Dir(b.Tree.Dir), "go.work")
		b.Env = append(os.Environ(), "GOWORK="+in)
		return b.copyWork(work, in)
	}
	return nil
}

// copyWork copies a go.work and its go.work.sum. Modules of the repository become
// those of the base, and those that the base does not have are left out.
func (b *Base) copyWork(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	file, err := modfile.ParseWork(from, text, nil)
	if err != nil {
		return err
	}
	abs := func(path string) string {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(from), path)
		}
		if rel, err := filepath.Rel(b.Repo.Top, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(b.Tree.Dir, rel)
		}
		return path
	}
	var uses []*modfile.Use
	for _, u := range file.Use {
		dir := abs(u.Path)
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			uses = append(uses, &modfile.Use{Path: filepath.ToSlash(dir), ModulePath: u.ModulePath})
		}
	}
	file.SetUse(uses)
	for _, r := range file.Replace {
		if modfile.IsDirectoryPath(r.New.Path) {
			if err := file.AddReplace(r.Old.Path, r.Old.Version, abs(r.New.Path), ""); err != nil {
				return err
			}
		}
	}
	file.Cleanup()
	if err := os.WriteFile(to, modfile.Format(file.Syntax), 0o666); err != nil {
		return err
	}
	sum, err := os.ReadFile(from + ".sum")
	if err != nil {
		return nil // there need not be one
	}
	return os.WriteFile(to+".sum", sum, 0o666)
}

// Analyse runs the analysis on the base. Patterns that name nothing there are left
// out: their packages are new. Findings are identified and have the file names
// that correspond to them in the user's work tree.
func (b *Base) Analyse(ctx context.Context, opts vetrun.Options) (*vetrun.Result, error) {
	patterns, err := b.patterns(ctx, opts)
	if err != nil {
		return nil, err
	}
	if len(patterns) == 0 {
		return &vetrun.Result{}, nil
	}
	opts.Dir, opts.Env, opts.Patterns, opts.Text = b.Dir, b.Env, patterns, nil
	result, err := vetrun.Run(ctx, opts)
	if err != nil {
		return nil, err
	}
	compare.Identify(result.Findings, &source.Cache{})
	for _, f := range result.Findings {
		f.Start.File, f.End.File = b.here(f.Start.File), b.here(f.End.File)
		for i := range f.Related {
			r := &f.Related[i]
			r.Start.File, r.End.File = b.here(r.Start.File), b.here(r.End.File)
		}
	}
	return result, nil
}

// here maps a file of the base to where it is, or would be, in the user's tree.
func (b *Base) here(file string) string {
	if rel, err := filepath.Rel(b.Tree.Dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.Join(b.Repo.Top, rel)
	}
	return file
}

// patterns are those of opts that match something in the base.
func (b *Base) patterns(ctx context.Context, opts vetrun.Options) ([]string, error) {
	if info, err := os.Stat(b.Dir); err != nil || !info.IsDir() {
		return nil, nil
	}
	var candidates []string
	for _, p := range opts.Patterns {
		if filepath.IsAbs(p) {
			p = b.there(p)
		}
		candidates = append(candidates, p)
	}
	args := append([]string{"list", "-e", "-json=ImportPath,Match,Error,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles"}, opts.BuildFlags...)
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), candidates...)...)
	cmd.Dir, cmd.Env = b.Dir, b.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		if noModule(stderr.String()) {
			return nil, nil // the module itself is new
		}
		return nil, fmt.Errorf("the base cannot be loaded: %s", strings.TrimSpace(stderr.String()))
	}
	matched := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		if p.exists() {
			for _, m := range p.Match {
				matched[m] = true
			}
		}
	}
	var patterns []string
	for _, p := range candidates {
		if matched[p] {
			patterns = append(patterns, p)
		}
	}
	return patterns, nil
}

// there maps an absolute pattern in the user's tree to the base.
func (b *Base) there(pattern string) string {
	if rel, err := filepath.Rel(b.Repo.Top, pattern); err == nil && filepath.IsLocal(rel) {
		return filepath.Join(b.Tree.Dir, rel)
	}
	return pattern
}

// noModule tells whether the go command says that there is no module to load.
func noModule(stderr string) bool {
	return strings.Contains(stderr, "does not contain main module") || strings.Contains(stderr, "cannot find main module") ||
		strings.Contains(stderr, "go.mod file not found") || strings.Contains(stderr, "no modules were found")
}

// listed is what go list says of a package.
type listed struct {
	ImportPath                                   string
	Match                                        []string
	Error                                        *struct{ Err string }
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
}

// exists tells whether there is such a package, right or wrong.
func (p *listed) exists() bool {
	return len(p.GoFiles)+len(p.CgoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) > 0
}

// Moves tells what became of the base's code in the user's work tree.
func (b *Base) Moves() compare.Moves {
	return compare.Moves{Renamed: b.Changes.Renamed, Gone: Gone()}
}

// Gone returns a function that tells whether a finding's declaration is no longer
// in its package's directory.
func Gone() func(*finding.Finding) bool {
	decls := map[string]map[string]bool{} // directory → declarations
	return func(f *finding.Finding) bool {
		dir := filepath.Dir(f.Start.File)
		if decls[dir] == nil {
			decls[dir] = declsIn(dir)
		}
		return !decls[dir][f.Decl]
	}
}

func declsIn(dir string) map[string]bool {
	names := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	src := &source.Cache{}
	for _, file := range files {
		for _, d := range src.File(file).Decls() {
			names[d] = true
		}
	}
	return names
}

// Affected returns the import paths of the base's packages that the change can
// affect, of those that the patterns name.
func (b *Base) Affected(ctx context.Context, buildFlags, patterns []string) ([]string, error) {
	var changed []string
	for _, file := range b.Changes.Files {
		changed = append(changed, b.there(file))
	}
	patterns, err := b.patterns(ctx, vetrun.Options{BuildFlags: buildFlags, Patterns: patterns})
	if len(patterns) == 0 || err != nil {
		return nil, err
	}
	paths, all, err := affected.Packages(ctx, affected.Options{
		Dir: b.Dir, Env: b.Env, BuildFlags: buildFlags, Patterns: patterns,
	}, changed)
	if all {
		return patterns, err
	}
	return paths, err
}
