package git

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Worktree is a commit laid out in a directory of its own.
type Worktree struct {
	// Dir is the root of the commit's files, absolute and without symbolic links.
	Dir string
	// home is the directory around Dir that is removed with it.
	home string
	repo *Repo
}

// AddWorktree lays a commit out, with its submodules as far as their commits are
// at hand. The place is the same each time for the same repository, because the go
// command's cache keys on it; if another process uses it, it is a new one. Whoever
// calls must call Remove.
func (r *Repo) AddWorktree(ctx context.Context, commit string) (*Worktree, error) {
	home, err := r.claimHome(ctx)
	if err != nil {
		return nil, err
	}
	w := r.worktreeIn(home)
	// Hooks of the repository are for the user's own check-outs.
	if _, err := r.run(ctx, "-c", "core.hooksPath=/dev/null", "worktree", "add", "--quiet", "--force", "--detach", w.Dir, commit); err != nil {
		w.Remove()
		return nil, fmt.Errorf("the base cannot be checked out: %w", err)
	}
	if err := r.layOutSubmodules(ctx, commit, w.Dir); err != nil {
		w.Remove()
		return nil, err
	}
	return w, nil
}

// worktreeIn is the worktree that is laid out in a directory. It stands a few levels
// below, so that what the commit names outside of itself, as in ../../other, can be
// put there too and goes with it.
func (r *Repo) worktreeIn(home string) *Worktree {
	return &Worktree{Dir: filepath.Join(home, "around", "around", "around", "tree"), home: home, repo: r}
}

// Outside tells whether a path is outside of the worktree's files but among what
// Remove takes away.
func (w *Worktree) Outside(path string) bool {
	inTree, err1 := filepath.Rel(w.Dir, path)
	inHome, err2 := filepath.Rel(w.home, path)
	return err1 == nil && err2 == nil && !filepath.IsLocal(inTree) && filepath.IsLocal(inHome)
}

// Remove takes the worktree away, from disk and from git's list. It works after
// an interrupt too.
func (w *Worktree) Remove() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	// Errors leave something behind that the next run clears away.
	_, _ = w.repo.run(ctx, "worktree", "remove", "--force", "--force", w.Dir)
	_ = os.RemoveAll(w.home)
	_, _ = w.repo.run(ctx, "worktree", "prune")
}

// claimHome makes the directory for the worktree: the usual one of the
// repository, or a new one if a living process has that.
func (r *Repo) claimHome(ctx context.Context) (string, error) {
	parent, err := os.UserCacheDir()
	if err != nil {
		parent = os.TempDir()
	}
	parent = filepath.Join(parent, "heapvet")
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", err
	}
	if parent, err = filepath.EvalSymlinks(parent); err != nil {
		return "", err
	}
	home := filepath.Join(parent, fmt.Sprintf("base-%x", sha256.Sum256([]byte(r.Top)))[:len("base-")+16])
	if r.claim(home) {
		return home, nil
	}
	if !inUse(home) {
		r.worktreeIn(home).Remove()
		if r.claim(home) {
			return home, nil
		}
	}
	return os.MkdirTemp(parent, "base-")
}

// claim makes the directory and says in it whose it is.
func (r *Repo) claim(home string) bool {
	return os.Mkdir(home, 0o777) == nil &&
		os.WriteFile(filepath.Join(home, "pid"), []byte(strconv.Itoa(os.Getpid())), 0o666) == nil
}

// inUse tells whether the process that made the directory lives.
func inUse(home string) bool {
	text, err := os.ReadFile(filepath.Join(home, "pid"))
	if err != nil {
		// Made a moment ago, or by a process that was killed right then.
		info, serr := os.Stat(home)
		return serr == nil && time.Since(info.ModTime()) < time.Minute
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return err == nil && alive(pid)
}

// layOutSubmodules fills the directories of the commit's submodules from the
// repositories that the user's work tree has them in; a clone is not made. A
// submodule that is not there is left empty, as in the user's work tree.
func (r *Repo) layOutSubmodules(ctx context.Context, commit, dir string) error {
	out, err := r.run(ctx, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(out, "\x00") {
		meta, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		if !ok || len(fields) != 3 || fields[1] != "commit" {
			continue
		}
		sub := &Repo{Top: filepath.Join(r.Top, filepath.FromSlash(name))}
		if _, err := os.Stat(filepath.Join(sub.Top, ".git")); err != nil {
			continue
		}
		if err := sub.export(ctx, fields[2], filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("submodule %s: %w", name, err)
		}
	}
	return nil
}

// export writes a commit's files to dir, through an index of its own.
func (r *Repo) export(ctx context.Context, commit, dir string) error {
	if _, err := r.run(ctx, "cat-file", "-e", commit+"^{commit}"); err != nil {
		return errors.New("its commit " + commit + " of the base is not here; fetch it with: git submodule update --init, or git fetch in the submodule")
	}
	tmp, err := os.MkdirTemp("", "heapvet-index-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	own := &Repo{Top: r.Top, env: []string{"GIT_INDEX_FILE=" + filepath.Join(tmp, "index")}}
	if _, err := own.run(ctx, "read-tree", commit); err != nil {
		return err
	}
	if _, err := own.run(ctx, "checkout-index", "--all", "--force", "--prefix="+filepath.ToSlash(dir)+"/"); err != nil {
		return err
	}
	return r.layOutSubmodules(ctx, commit, dir)
}
