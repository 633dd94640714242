// Package git asks git about a repository, and lays out revisions of it.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Repo is a work tree.
type Repo struct {
	// Top is the work tree's root, absolute and without symbolic links.
	Top string
	env []string // added to the environment of git
}

// ErrNoRepo says that a directory is in no git work tree.
var ErrNoRepo = errors.New("not in a git work tree")

// Open finds the work tree that dir is in.
func Open(ctx context.Context, dir string) (*Repo, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("no git command on PATH")
	}
	r := &Repo{Top: dir}
	top, err := r.run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoRepo)
	}
	if r.Top, err = filepath.EvalSymlinks(filepath.FromSlash(top)); err != nil {
		return nil, err
	}
	return r, nil
}

// run runs git in the work tree and returns what it prints, without the last
// newline. The error has what git says.
func (r *Repo) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.Top
	cmd.Env = append(append(os.Environ(), "GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C"), r.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		said := strings.TrimSpace(stderr.String())
		if said == "" {
			said = err.Error()
		}
		return "", fmt.Errorf("git %s: %s", args[0], said)
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

// MergeBase returns the commit that the work on HEAD started from: the newest
// common ancestor of HEAD and rev. The errors say what to do.
func (r *Repo) MergeBase(ctx context.Context, rev string) (string, error) {
	if strings.HasPrefix(rev, "-") {
		return "", fmt.Errorf("%q is no revision", rev)
	}
	commit, err := r.run(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return "", r.unknown(ctx, rev)
	}
	if _, err := r.run(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return "", errors.New("there is no commit yet to compare with")
	}
	base, err := r.run(ctx, "merge-base", commit, "HEAD")
	switch {
	case err == nil:
		return base, nil
	case r.shallow(ctx):
		return "", fmt.Errorf("this clone is shallow and does not reach back to where HEAD left %s; fetch the history with: git fetch --unshallow (in a GitHub workflow: actions/checkout with fetch-depth: 0)", rev)
	}
	return "", fmt.Errorf("HEAD and %s have no common ancestor", rev)
}

// unknown is the error for a revision that git does not know.
func (r *Repo) unknown(ctx context.Context, rev string) error {
	if _, err := r.run(ctx, "rev-parse", "--verify", "--quiet", "origin/"+rev+"^{commit}"); err == nil {
		return fmt.Errorf("git does not know %s, but it does know origin/%s: use that", rev, rev)
	}
	branch := strings.TrimPrefix(rev, "origin/")
	if r.shallow(ctx) {
		return fmt.Errorf("git does not know %s, and this clone is shallow; fetch it with: git fetch --unshallow origin %s (in a GitHub workflow: actions/checkout with fetch-depth: 0)", rev, branch)
	}
	return fmt.Errorf("git does not know %s; if it is a branch of the remote, fetch it with: git fetch origin %s", rev, branch)
}

func (r *Repo) shallow(ctx context.Context) bool {
	out, err := r.run(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}

// Changes are the differences of the work tree, with all that is not committed,
// from a revision. File names are absolute, in the work tree.
type Changes struct {
	// Files are the files that were added, changed, renamed or deleted, under
	// their old and their new names.
	Files []string
	// Renamed maps new names to old ones.
	Renamed map[string]string
}

// Changes compares the work tree with a commit.
func (r *Repo) Changes(ctx context.Context, commit string) (*Changes, error) {
	out, err := r.run(ctx, "diff", "--name-status", "-M", "-z", "--ignore-submodules=none", commit, "--")
	if err != nil {
		return nil, err
	}
	c := &Changes{Renamed: map[string]string{}}
	abs := func(name string) string { return filepath.Join(r.Top, filepath.FromSlash(name)) }
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		name := abs(fields[i+1])
		c.Files = append(c.Files, name)
		if strings.HasPrefix(fields[i], "R") && i+2 < len(fields) {
			to := abs(fields[i+2])
			c.Renamed[to] = name
			c.Files = append(c.Files, to)
			i++
		}
	}
	untracked, err := r.run(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(untracked, "\x00") {
		if name != "" {
			c.Files = append(c.Files, abs(name))
		}
	}
	return c, nil
}

// Tracked tells whether git tracks the file.
func (r *Repo) Tracked(ctx context.Context, file string) bool {
	_, err := r.run(ctx, "ls-files", "--error-unmatch", "--", file)
	return err == nil
}
