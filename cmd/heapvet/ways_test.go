package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// newerGo is a release of Go after the one that heapvet is built with at least.
const newerGo = "go1.27.4"

// A setting is a way in which the go command can be told to build a module.
type setting struct {
	name string
	// files is a txtar archive in which lines with a finding end in "// BUG".
	files string
	env   []string
	args  []string
	// left are files whose findings are not to be reported.
	left []string
}

const tagged = "type T struct {\n\tA int `json:\"id\"`\n\tB int `json:\"id\"` // BUG\n}\n"

var settings = []setting{
	{
		name:  "module",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- p/p.go --\npackage p\n\n" + tagged,
		args:  []string{"./..."},
	},
	{
		name: "workspace",
		files: "-- go.work --\ngo 1.26\n\nuse (\n\t./a\n\t./b\n)\n-- a/go.mod --\nmodule m/a\n\ngo 1.26\n-- a/a.go --\npackage a\n\n" + tagged +
			"-- b/go.mod --\nmodule m/b\n\ngo 1.26\n-- b/b.go --\npackage b\n\nimport \"m/a\"\n\ntype X = a.T\n\n" + tagged,
		args: []string{"./a/...", "./b/..."},
	},
	{
		name: "vendor",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n\nrequire example.org/dep v1.0.0\n-- m.go --\npackage m\n\nimport \"example.org/dep\"\n\ntype X = dep.T\n\n" + tagged +
			"-- vendor/modules.txt --\n# example.org/dep v1.0.0\n## explicit; go 1.20\nexample.org/dep\n-- vendor/example.org/dep/d.go --\npackage dep\n\n" + tagged,
		args: []string{"./..."},
		left: []string{"vendor/example.org/dep/d.go"},
	},
	{
		name:  "tags",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- p.go --\npackage p\n-- extra.go --\n//go:build extra\n\npackage p\n\n" + tagged,
		args:  []string{"-tags=extra", "./..."},
	},
	{
		name:  "tags not given",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- p.go --\npackage p\n-- extra.go --\n//go:build extra\n\npackage p\n\n" + tagged,
		args:  []string{"./..."},
		left:  []string{"extra.go"},
	},
	{
		name:  "GOFLAGS",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- p.go --\npackage p\n-- extra.go --\n//go:build extra\n\npackage p\n\n" + tagged,
		env:   []string{"GOFLAGS=-tags=extra -trimpath"},
		args:  []string{"./..."},
	},
	{
		name: "tests",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- p/p.go --\npackage p\n-- p/in_test.go --\npackage p\n\n" + tagged +
			"-- p/out_test.go --\npackage p_test\n\nimport \"m/p\"\n\ntype X = p.T\n\n" + tagged,
		args: []string{"-fieldtag.tests", "./..."}, // quiet there by default
	},
	{
		name:  "cgo",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- p.go --\npackage p\n\n// int f(void) { return 1; }\nimport \"C\"\n\nvar X = C.f()\n\n" + tagged,
		args:  []string{"./..."},
	},
	{
		name: "windows",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- p.go --\npackage p\n-- p_windows.go --\npackage p\n\n" + tagged +
			"-- p_linux.go --\npackage p\n\n" + tagged,
		env:  []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"},
		args: []string{"./..."},
		left: []string{"p_linux.go"},
	},
	{
		name: "darwin",
		files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- p.go --\npackage p\n-- p_darwin_arm64.go --\npackage p\n\n" + tagged +
			"-- p_amd64.go --\npackage p\n\n" + tagged,
		env:  []string{"GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"},
		args: []string{"./..."},
		left: []string{"p_amd64.go"},
	},
	{
		name: "newer Go",
		files: "-- go.mod --\nmodule m\n\ngo 1.27\n-- q.go --\n" + `package q

import "container/heap"

type q []int

func (h q) Len() int           { return len(h) }
func (h q) Less(i, j int) bool { return h[i] <= h[j] } // BUG
func (h q) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *q) Push(x any)        { *h = append(*h, x.(int)) }
func (h *q) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

func Add(h *q, x int) { heap.Push(h, x) }
`,
		env:  []string{"GOTOOLCHAIN=" + newerGo},
		args: []string{"./..."},
	},
}

// heapvet finds the same as a vet tool and as a command, however the go command
// builds the packages.
func TestSettings(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			s.need(t)
			dir := extract(t, s.files)
			want := s.want()
			for _, args := range [][]string{{"go", "vet", "-vettool=" + self}, {self}} {
				out, status := s.run(t, dir, append(args, s.args...))
				if got := positions(out); !slices.Equal(got, want) || (len(want) > 0) != (status == 1) {
					t.Errorf("%s: status %d, findings (-want +got):\n%s\n%s", args[0], status, cmp.Diff(want, got), out)
				}
			}
		})
	}
}

// need skips a setting for which something is missing.
func (s *setting) need(t *testing.T) {
	t.Helper()
	switch s.name {
	case "cgo":
		if !hasCgo() {
			t.Skip("no C compiler")
		}
	case "newer Go":
		if testing.Short() {
			t.Skip("downloads a toolchain")
		}
		if out, status := s.run(t, t.TempDir(), []string{"go", "version"}); status != 0 {
			t.Skipf("%s cannot be had: %s", newerGo, out)
		}
	}
}

func extract(t *testing.T, files string) string {
	t.Helper()
	fsys, err := txtar.FS(txtar.Parse([]byte(files)))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "m")
	if err := os.CopyFS(dir, fsys); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run returns the output and the exit status of a command.
func (s *setting) run(t *testing.T, dir string, args []string) (string, int) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	// As a vet tool the test binary is known by its arguments.
	cmd.Env = append(os.Environ(), "GOFLAGS=", asHeapvet+"=1")
	cmd.Env = append(cmd.Env, s.env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), 0
}

// want returns file:line of the lines of the files with a finding, sorted.
func (s *setting) want() []string {
	var list []string
	for _, f := range txtar.Parse([]byte(s.files)).Files {
		if slices.Contains(s.left, f.Name) {
			continue
		}
		n := 0
		for line := range bytes.Lines(f.Data) {
			n++
			if bytes.Contains(line, []byte("// BUG")) {
				list = append(list, f.Name+":"+strconv.Itoa(n))
			}
		}
	}
	slices.Sort(list)
	return list
}

// heapvet runs as a tool that a module names in its go.mod.
func TestGoTool(t *testing.T) {
	if testing.Short() {
		t.Skip("builds heapvet")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	s := settings[0]
	s.files = strings.Replace(s.files, "go 1.26\n", "go 1.26\n\ntool github.com/heapvet/heapvet/cmd/heapvet\n\nrequire github.com/heapvet/heapvet v0.0.0\n\nreplace github.com/heapvet/heapvet => "+filepath.ToSlash(root)+"\n", 1)
	s.files += "-- go.sum --\n" + string(sum)
	s.env = []string{"GOWORK=off"}
	dir := extract(t, s.files)
	if out, status := s.run(t, dir, []string{"go", "mod", "tidy"}); status != 0 {
		t.Fatal(out)
	}
	out, status := s.run(t, dir, []string{"go", "tool", "heapvet", "./..."})
	if got := positions(out); status != 1 || !slices.Equal(got, s.want()) {
		t.Errorf("go tool heapvet: status %d\n%s", status, out)
	}
	path, status := s.run(t, dir, []string{"go", "tool", "-n", "heapvet"})
	if status != 0 {
		t.Fatalf("go tool -n: %s", path)
	}
	out, status = s.run(t, dir, []string{"go", "vet", "-vettool=" + strings.TrimSpace(path), "./..."})
	if got := positions(out); status != 1 || !slices.Equal(got, s.want()) {
		t.Errorf("go vet -vettool=$(go tool -n heapvet): status %d\n%s", status, out)
	}
}
