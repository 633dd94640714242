package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"
)

// settings is a repository with two modules. Lines to be found end in the word FIND
// and the name of the build that they belong to.
const settings = `
-- m/go.mod --
module example.com/m

go 1.24
-- m/queue.go --
package m

import (
	"container/heap"
	"sync"
)

type Queue struct {
	mu    sync.Mutex
	items ints
}

func (q *Queue) Add(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, n)
}

func (q *Queue) Next() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return heap.Pop(&q.items).(int)
}

func (q *Queue) Len() int { return q.items.Len() } // FIND all

type ints []int

func (s ints) Len() int           { return len(s) }
func (s ints) Less(i, j int) bool { return s[i] < s[j] }
func (s ints) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *ints) Push(x any)        { *s = append(*s, x.(int)) }
func (s *ints) Pop() any {
	x := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return x
}
-- m/queue_windows.go --
package m

import "container/heap"

func (q *Queue) Drop() { heap.Pop(&q.items) } // FIND windows
-- m/queue_darwin_arm64.go --
package m

import "container/heap"

func (q *Queue) Drop() { heap.Pop(&q.items) } // FIND darwin/arm64
-- m/extra.go --
//go:build extra

package m

import "container/heap"

func (q *Queue) Extra() { heap.Pop(&q.items) } // FIND extra
-- m/tags_test.go --
package m

type inside struct {
	A string ${BQ}json: "a"${BQ} // FIND all
}
-- m/x_test.go --
package m_test

type outside struct {
	A string ${BQ}json: "a"${BQ} // FIND all
}
-- other/go.mod --
module example.com/other

go 1.24
-- other/other.go --
package other

type T struct {
	A string ${BQ}json: "a"${BQ} // FIND other
}
`

// TestSettings: whatever the go command's settings make part of the build is
// analysed, and nothing else, in both ways of use.
func TestSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("cross analysis compiles the standard library for other systems")
	}
	dir := t.TempDir()
	extract(t, dir, settings)
	for _, test := range []struct {
		name, dir string
		env       []string
		args      []string
		want      []string // builds
	}{
		{name: "module", dir: "m", want: []string{"all"}},
		{name: "tags", dir: "m", args: []string{"-tags=extra"}, want: []string{"all", "extra"}},
		{name: "GOFLAGS", dir: "m", env: []string{"GOFLAGS=-tags=extra"}, want: []string{"all", "extra"}},
		{name: "windows", dir: "m", env: []string{"GOOS=windows", "GOARCH=amd64"}, want: []string{"all", "windows"}},
		{name: "darwin", dir: "m", env: []string{"GOOS=darwin", "GOARCH=arm64"}, want: []string{"all", "darwin/arm64"}},
		{name: "workspace", dir: ".", env: []string{"GOWORK=" + filepath.Join(dir, "go.work")}, args: []string{"-fieldtag.tests", "./m", "./other"}, want: []string{"all", "other"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "workspace" {
				extract(t, dir, "-- go.work --\ngo 1.24\n\nuse (\n\t./m\n\t./other\n)\n")
			}
			want := markedFor(test.dir, test.want)
			wantFound(t, filepath.Join(dir, test.dir), test.env, test.args, want)
		})
	}
}

// TestVendor: what is in the vendor directory is used and not reported on.
func TestVendor(t *testing.T) {
	dir := t.TempDir()
	extract(t, dir, `
-- go.mod --
module example.com/m

go 1.24

require example.com/dep v1.0.0
-- m.go --
package m

import "example.com/dep"

type T struct {
	dep.D
	A string ${BQ}json: "a"${BQ}
}
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.24
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

type D struct {
	B string ${BQ}json: "b"${BQ}
}
`)
	wantFound(t, dir, nil, nil, []string{"m.go:7"})
	wantFound(t, dir, nil, []string{"-mod=vendor"}, []string{"m.go:7"})
}

// TestToolchain: a module may be built by a newer Go than the one that heapvet was
// built with.
func TestToolchain(t *testing.T) {
	const toolchain = "go1.27.0"
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	cmd := exec.Command("go", "version")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+toolchain)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	dir := t.TempDir()
	extract(t, dir, settings)
	wantFound(t, filepath.Join(dir, "m"), []string{"GOTOOLCHAIN=" + toolchain}, nil, markedFor("m", []string{"all"}))
}

// TestGoTool: heapvet as a tool of a module, which go.mod pins.
func TestGoTool(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	extract(t, dir, settings)
	dir = filepath.Join(dir, "other")
	// As go get -tool would write it, but for the directory: heapvet, and what it needs.
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	mod := "module example.com/other\n\ngo " + file.Go.Version + "\n\ntool github.com/heapvet/heapvet/cmd/heapvet\n\n" +
		"require github.com/heapvet/heapvet v0.0.0\nreplace github.com/heapvet/heapvet => " + root + "\n"
	for _, r := range file.Require {
		mod += "require " + r.Mod.Path + " " + r.Mod.Version + " // indirect\n"
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	extract(t, dir, "-- go.mod --\n"+mod+"-- go.sum --\n"+string(sum))
	for _, command := range []string{"go tool heapvet -f short ./...", "go vet -vettool=$(go tool -n heapvet) ./..."} {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "other.go:4:") {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

// TestGateIgnoresEvidence: a finding's message says how often the lock is held; that it
// says so of other uses does not make the finding new.
func TestGateIgnoresEvidence(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	extract(t, dir, settings)
	commit(t, dir)
	extract(t, dir, `
-- m/more.go --
package m

import "container/heap"

func (q *Queue) Drop() { heap.Pop(&q.items) }
func (q *Queue) Fix()  { heap.Fix(&q.items, 0) }
func (q *Queue) Init() bool { return q.items.Less(0, 1) }
`)
	cmd := exec.Command(self, "gate", "-base=HEAD", "-f=short", "./...")
	cmd.Dir = filepath.Join(dir, "m")
	cmd.Env = append(os.Environ(), asHeapvet+"=1", "GOWORK=off", "GOFLAGS=", "XDG_CACHE_HOME="+t.TempDir())
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "more.go:5:") || strings.Contains(string(out), "queue.go") {
		t.Errorf("%v\n%s", err, out)
	}
}

// extract writes out an archive, in which ${BQ} is a back quote.
func extract(t *testing.T, dir, archive string) {
	t.Helper()
	fsys, err := txtar.FS(txtar.Parse([]byte(strings.ReplaceAll(archive, "${BQ}", "`"))))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range txtar.Parse([]byte(archive)).Files {
		_ = os.Remove(filepath.Join(dir, name.Name)) // CopyFS does not replace files
	}
	if err := os.CopyFS(dir, fsys); err != nil {
		t.Fatal(err)
	}
}

// markedFor returns the file:line of the lines of the archive that are marked for the
// builds, seen from dir.
func markedFor(dir string, builds []string) []string {
	var list []string
	for _, f := range txtar.Parse([]byte(settings)).Files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			if _, build, ok := strings.Cut(line, "// FIND "); ok && slices.Contains(builds, build) {
				rel, _ := filepath.Rel(dir, f.Name)
				list = append(list, filepath.ToSlash(rel)+":"+strconv.Itoa(i+1))
			}
		}
	}
	slices.Sort(list)
	return list
}

// wantFound checks what both ways of use find in dir.
func wantFound(t *testing.T, dir string, env, args, want []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(args, "./m") {
		args = append(slices.Clone(args), "-fieldtag.tests", "./...")
	}
	for _, way := range [][]string{{self, "-f=short"}, {"go", "vet", "-vettool=" + self}} {
		cmd := exec.Command(way[0], append(slices.Clone(way[1:]), args...)...)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=", asHeapvet+"=1"), env...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("%s %v: %v", way[0], args, err)
		}
		if diff := cmp.Diff(want, positions(string(out))); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s\n%s", way[0], args, diff, out)
		}
	}
}
