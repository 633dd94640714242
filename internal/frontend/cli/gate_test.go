package cli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A repository is a git repository for a test, with its own place for the gate's
// worktrees.
type repository struct {
	t   *testing.T
	dir string
	env []string
}

// newRepository makes a repository with one commit of the archive's files.
func newRepository(t *testing.T, archive string) *repository {
	t.Helper()
	r := &repository{t: t, dir: tree(t, archive)}
	r.init()
	return r
}

func (r *repository) init() {
	r.t.Helper()
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		r.t.Fatal(err)
	}
	cache := r.t.TempDir()
	r.env = []string{"XDG_CACHE_HOME=" + cache, "HOME=" + cache, "GOCACHE=" + strings.TrimSpace(string(goCache)), "GOPROXY=off"}
	r.git("init", "--quiet", "--initial-branch=main")
	r.commit("first")
	r.t.Cleanup(r.checkNothingLeft)
}

// checkNothingLeft checks that the gate has taken away all that it made.
func (r *repository) checkNothingLeft() {
	if list := r.git("worktree", "list"); strings.Count(list, "\n") > 0 {
		r.t.Errorf("worktrees left:\n%s", list)
	}
	left, _ := filepath.Glob(filepath.Join(r.cache(), "heapvet", "*"))
	if len(left) > 0 {
		r.t.Errorf("directories left: %v", left)
	}
}

func (r *repository) cache() string { return strings.TrimPrefix(r.env[0], "XDG_CACHE_HOME=") }

func (r *repository) git(args ...string) string {
	r.t.Helper()
	return gitIn(r.t, r.dir, args...)
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repository) commit(message string) {
	r.t.Helper()
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", message)
}

// write writes the archive's files over those that are there.
func (r *repository) write(archive string) {
	r.t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(r.t, filepath.Join(r.dir, f.Name), string(f.Data))
	}
}

func (r *repository) remove(name string) {
	r.t.Helper()
	if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) gate(args ...string) outcome {
	r.t.Helper()
	return heapvet(r.t, r.dir, r.env, append([]string{"gate", "-f=short", "-base=main~0"}, args...)...)
}

const gateModule = `
-- go.mod --
module example.com/m

go 1.24
-- a/a.go --
package a

func bad() {}

func Old() {
	bad()
}
-- b/b.go --
package b

func B() {}
`

func TestGate(t *testing.T) {
	const newInB = "b/b.go:5:12: bad is called (calls/bad)\n"
	const badB = "-- b/b.go --\npackage b\n\nfunc bad() {}\n\nfunc B() { bad() }\n"
	tests := []struct {
		name   string
		change func(*repository)
		args   []string
		status int
		stdout string
	}{
		{"nothing", func(r *repository) {}, nil, exitClean, ""},
		{"new, committed", func(r *repository) { r.write(badB); r.commit("bad") }, nil, exitFindings, newInB},
		{"new, not committed", func(r *repository) { r.write(badB) }, nil, exitFindings, newInB},
		{"new, in a file that git does not know", func(r *repository) {
			r.write("-- b/c.go --\npackage b\n\nfunc bad() {}\n\nfunc C() { bad() }\n")
		}, nil, exitFindings, "b/c.go:5:12: bad is called (calls/bad)\n"},
		{"new package by its name", func(r *repository) {
			r.write("-- c/c.go --\npackage c\n\nfunc bad() {}\n\nfunc C() { bad() }\n")
		}, []string{"./c"}, exitFindings, "c/c.go:5:12: bad is called (calls/bad)\n"},
		{"lines shift", func(r *repository) {
			r.write("-- a/a.go --\npackage a\n\n// Bad.\nfunc bad() {}\n\n// More.\n\nfunc Old() {\n\tif true {\n\t\tbad()\n\t}\n}\n")
		}, nil, exitClean, ""},
		{"one more in the same function", func(r *repository) {
			r.write("-- a/a.go --\npackage a\n\nfunc bad() {}\n\nfunc Old() {\n\tbad()\n\tbad()\n}\n")
		}, nil, exitFindings, "a/a.go:7:2: bad is called (calls/bad)\n"},
		{"function renamed", func(r *repository) {
			r.write("-- a/a.go --\npackage a\n\nfunc bad() {}\n\nfunc New() {\n\tbad()\n}\n")
		}, nil, exitClean, ""},
		{"fixed here and made there", func(r *repository) {
			r.write("-- a/a.go --\npackage a\n\nfunc bad() {}\n\nfunc Old() {\n}\n\nfunc New() {\n\tbad()\n}\n")
		}, nil, exitFindings, "a/a.go:9:2: bad is called (calls/bad)\n"},
		{"file renamed", func(r *repository) { r.git("mv", "a/a.go", "a/z.go") }, nil, exitClean, ""},
		{"package renamed", func(r *repository) {
			r.git("mv", "a", "z")
			r.write("-- z/a.go --\npackage z\n\nfunc bad() {}\n\nfunc Old() {\n\tbad()\n}\n")
		}, nil, exitClean, ""},
		{"package deleted", func(r *repository) { r.remove("a") }, nil, exitClean, ""},
		{"fixed", func(r *repository) {
			r.write("-- a/a.go --\npackage a\n\nfunc Old() {}\n")
		}, []string{"-f=text", "-color=never"}, exitClean,
			"fixed: a/a.go:6:2: bad is called (calls/bad)\nheapvet against main~0 (HASH): 0 new, 1 fixed, 0 unchanged\n"},
		{"unchanged", func(r *repository) {}, []string{"-f=text"}, exitClean,
			"heapvet against main~0 (HASH): 0 new, 0 fixed, 1 unchanged\n"},
		{"affected", func(r *repository) { r.write(badB) }, []string{"-affected"}, exitFindings, newInB},
		{"affected, none", func(r *repository) { r.write("-- README --\nx\n") }, []string{"-affected"}, exitClean, ""},
		{"new, but not of that weight", func(r *repository) { r.write(badB) }, []string{"-fail-on=error"}, exitClean, newInB},
		{"directory", func(r *repository) { r.write(badB) }, []string{"-C", "b", "."}, exitFindings, newInB},
		{"directory that is new", func(r *repository) {
			r.write("-- d/d.go --\npackage d\n\nfunc bad() {}\n\nfunc D() { bad() }\n")
		}, []string{"-C", "d", "./..."}, exitFindings, "d/d.go:5:12: bad is called (calls/bad)\n"},
		{"module that is new", func(r *repository) {
			r.write("-- n/go.mod --\nmodule example.com/n\n-- n/n.go --\npackage n\n\nfunc bad() {}\n\nfunc N() { bad() }\n")
		}, []string{"-C", "n"}, exitFindings, "n/n.go:5:12: bad is called (calls/bad)\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRepository(t, gateModule)
			base := r.git("rev-parse", "HEAD")
			r.git("switch", "--quiet", "--create", "work")
			test.change(r)
			before := r.git("status", "--porcelain")
			r.gate(test.args...).want(t, test.status, strings.ReplaceAll(test.stdout, "HASH", base[:12]))
			if after := r.git("status", "--porcelain"); after != before {
				t.Errorf("the work tree was %q and is %q", before, after)
			}
		})
	}
}

// The merge base counts, and not what happened on the other branch since.
func TestGateAgainstBranchThatMovedOn(t *testing.T) {
	r := newRepository(t, gateModule)
	r.git("switch", "--quiet", "--create", "work")
	r.write("-- b/b.go --\npackage b\n\nfunc bad() {}\n\nfunc B() { bad() }\n")
	r.commit("bad on the branch")
	r.git("switch", "--quiet", "main")
	r.write("-- a/a.go --\npackage a\n")
	r.commit("fixed on main")
	r.git("switch", "--quiet", "work")
	r.gate("-base=main").want(t, exitFindings, "b/b.go:5:12: bad is called (calls/bad)\n")
}

func TestGateAgainstBrokenBase(t *testing.T) {
	r := newRepository(t, gateModule+"-- c/c.go --\npackage c\n\nfunc bad() {}\n\nfunc C() int { return undefined }\n")
	r.write("-- c/c.go --\npackage c\n\nfunc bad() {}\n\nfunc C() { bad() }\n")
	const found = "c/c.go:5:12: bad is called (calls/bad)\n"
	r.gate().wantFailure(t, "the base ", "undefined: undefined", "-base-broken=all")
	r.gate("-base-broken=all").want(t, exitFindings, found)
	r.gate("-base-broken=none").want(t, exitClean, "")
	r.gate("-base-broken=some").wantFailure(t, "all or none")
}

func TestGateOfBrokenTree(t *testing.T) {
	r := newRepository(t, gateModule)
	r.write("-- b/b.go --\npackage b\n\nvar x = undefined\n")
	r.gate().wantFailure(t, "b/b.go:3:9: undefined: undefined", "could not all be analysed")
}

func TestGateInShallowClone(t *testing.T) {
	r := newRepository(t, gateModule)
	r.git("switch", "--quiet", "--create", "work")
	r.write("-- b/b.go --\npackage b\n\nfunc bad() {}\n\nfunc B() { bad() }\n")
	r.commit("second")
	clone := &repository{t: t, dir: filepath.Join(t.TempDir(), "clone"), env: r.env}
	gitIn(t, t.TempDir(), "clone", "--quiet", "--depth=1", "--branch=work", "file://"+r.dir, clone.dir)
	clone.gate("-base=origin/main").wantFailure(t, "git does not know origin/main", "shallow", "git fetch --unshallow origin main")
	gitIn(t, clone.dir, "fetch", "--quiet", "--depth=1", "origin", "main:refs/remotes/origin/main")
	clone.gate("-base=origin/main").wantFailure(t, "shallow", "git fetch --unshallow", "fetch-depth: 0")
	gitIn(t, clone.dir, "fetch", "--quiet", "--unshallow", "origin")
	clone.gate("-base=origin/main").want(t, exitFindings, "b/b.go:5:12: bad is called (calls/bad)\n")
	clone.gate("-base=main").wantFailure(t, "origin/main: use that")
}

func TestGateWithSubmodule(t *testing.T) {
	lib := newRepository(t, "-- go.mod --\nmodule example.com/lib\n-- lib.go --\npackage lib\n\nfunc F() {}\n")
	r := newRepository(t, `
-- go.mod --
module example.com/m

go 1.24

require example.com/lib v0.0.0

replace example.com/lib => ./lib
-- m.go --
package m

import "example.com/lib"

func bad() {}

func M() { lib.F() }
`)
	r.git("submodule", "--quiet", "add", lib.dir, "lib")
	r.commit("with a submodule")
	r.write("-- m.go --\npackage m\n\nimport \"example.com/lib\"\n\nfunc bad() {}\n\nfunc M() { lib.F(); bad() }\n")
	r.gate("-base=HEAD").want(t, exitFindings, "m.go:7:21: bad is called (calls/bad)\n")
}

func TestGateInWorkspace(t *testing.T) {
	const modules = `
-- m/go.mod --
module example.com/m

go 1.24

require example.com/lib v0.0.0
-- m/m.go --
package m

import "example.com/lib"

func bad() {}

func M() { lib.F(); bad() }
-- lib/go.mod --
module example.com/lib

go 1.24
-- lib/lib.go --
package lib

func F() {}
`
	const work = "go 1.24\n\nuse (\n\t./m\n\t./lib\n)\n"
	change := func(r *repository) {
		r.write("-- lib/lib.go --\npackage lib\n\nfunc bad() {}\n\nfunc F() { bad() }\n")
	}
	const found = "lib/lib.go:5:12: bad is called (calls/bad)\n"
	t.Run("tracked", func(t *testing.T) {
		r := newRepository(t, modules+"-- go.work --\n"+work)
		change(r)
		r.gate("./m/...", "./lib/...").want(t, exitFindings, found)
	})
	t.Run("not tracked", func(t *testing.T) {
		r := newRepository(t, modules)
		write(t, filepath.Join(r.dir, "go.work"), work)
		change(r)
		r.gate("./m/...", "./lib/...").want(t, exitFindings, found)
	})
	t.Run("outside", func(t *testing.T) {
		parent := t.TempDir()
		r := &repository{t: t, dir: filepath.Join(parent, "repo")}
		if err := os.Rename(tree(t, modules), r.dir); err != nil {
			t.Fatal(err)
		}
		r.init()
		write(t, filepath.Join(parent, "go.work"), strings.ReplaceAll(work, "./", "./repo/"))
		change(r)
		r.gate("./m/...", "./lib/...").want(t, exitFindings, found)
	})
}

// A module may use another that lies beside the repository.
func TestGateWithModuleOutside(t *testing.T) {
	parent := t.TempDir()
	write(t, filepath.Join(parent, "lib", "go.mod"), "module example.com/lib\n\ngo 1.24\n")
	write(t, filepath.Join(parent, "lib", "lib.go"), "package lib\n\nfunc F() {}\n")
	r := &repository{t: t, dir: filepath.Join(parent, "repo")}
	if err := os.Rename(tree(t, `
-- sub/go.mod --
module example.com/m

go 1.24

require example.com/lib v0.0.0

replace example.com/lib => ../../lib
-- sub/m.go --
package m

import "example.com/lib"

func bad() {}

func M() { lib.F() }
`), r.dir); err != nil {
		t.Fatal(err)
	}
	r.init()
	r.write("-- sub/m.go --\npackage m\n\nimport \"example.com/lib\"\n\nfunc bad() {}\n\nfunc M() { lib.F(); bad() }\n")
	r.gate("-C", "sub").want(t, exitFindings, "sub/m.go:7:21: bad is called (calls/bad)\n")
}

// An interrupt in the middle of the base's analysis must leave nothing behind.
func TestGateInterrupted(t *testing.T) {
	r := newRepository(t, gateModule+"-- s/s.go --\npackage s\n\nfunc slow() {}\n\nfunc S() { slow() }\n")
	r.write("-- s/s.go --\npackage s\n")
	cmd := command(t, r.dir, r.env, "gate", "-v", "-base=HEAD")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := ""
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said += lines.Text() + "\n"
		if strings.Contains(lines.Text(), "compilation units analysed") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != exitInterrupted || !strings.Contains(said, "interrupted") {
		t.Errorf("exit status %d\n%s", got, said)
	}
}

// What a killed gate left behind must not be in the way of the next.
func TestGateAfterKill(t *testing.T) {
	r := newRepository(t, gateModule)
	r.gate().want(t, exitClean, "")
	cmd := command(t, r.dir, r.env, "gate", "-v", "-base=HEAD")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if strings.Contains(lines.Text(), "laid out in") {
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait()
	if left, _ := filepath.Glob(filepath.Join(r.cache(), "heapvet", "base-*")); len(left) != 1 {
		t.Fatalf("the killed gate left %v", left)
	}
	r.gate().want(t, exitClean, "")
}

func TestGateCouldNotRun(t *testing.T) {
	r := newRepository(t, gateModule)
	heapvet(t, r.dir, r.env, "gate").wantFailure(t, "gate needs -base REV")
	r.gate("-base=nowhere").wantFailure(t, "git does not know nowhere", "git fetch origin nowhere")
	r.gate("-base=--all").wantFailure(t, "is no revision")
	r.git("switch", "--quiet", "--orphan", "other")
	r.commit("unrelated")
	r.gate("-base=main").wantFailure(t, "no common ancestor")
	r.git("switch", "--quiet", "main")

	outside := tree(t, gateModule)
	heapvet(t, outside, append(r.env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(outside)), "gate", "-base=main").
		wantFailure(t, "not in a git work tree")
	heapvet(t, r.dir, append(r.env, "PATH="), "gate", "-base=main").wantFailure(t, "no git command")
}
