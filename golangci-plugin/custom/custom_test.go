package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/check/checktest"
)

// The binaries under test, built once.
var bin struct{ custom, heapvet, config string }

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "custom-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		bin.custom, bin.heapvet = filepath.Join(dir, "custom-gcl"), filepath.Join(dir, "heapvet")
		// heapvet is built in its own module: the versions may differ.
		for exe, from := range map[string][2]string{bin.custom: {".", "."}, bin.heapvet: {"../..", "./cmd/heapvet"}} {
			build := exec.Command("go", "build", "-o", exe, from[1])
			build.Dir = from[0]
			if out, err := build.CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "building %s: %v\n%s", exe, err, out)
				return 1
			}
		}
		if bin.config, err = filepath.Abs("../example/.golangci.yml"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		// Results of an earlier build of the plugin must not be found.
		os.Setenv("GOLANGCI_LINT_CACHE", filepath.Join(dir, "cache"))
		os.Setenv("GOFLAGS", "")
		os.Setenv("GOWORK", "off")
		return m.Run()
	}())
}

// run runs a command in dir and returns its output and exit status.
func run(t *testing.T, dir, exe string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), errs.String(), exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), 0
}

// lint returns the findings of golangci-lint in dir, sorted, as
// "file:line:col: check: message".
func lint(t *testing.T, dir, exe, config string, flags ...string) []string {
	t.Helper()
	args := append([]string{"run", "-c", config, "--output.json.path=stdout", "--show-stats=false", "--allow-parallel-runners"}, flags...)
	out, text, status := run(t, dir, exe, append(args, "./...")...)
	var report struct {
		Issues []struct {
			Text string
			Pos  struct {
				Filename     string
				Line, Column int
			}
		}
	}
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&report); err != nil {
		t.Fatalf("golangci-lint: status %d, %v\n%s\n%s", status, err, out, text)
	}
	set := map[string]bool{}
	for _, i := range report.Issues {
		file := i.Pos.Filename
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(config), file)
			if _, err := os.Stat(file); err != nil {
				file = filepath.Join(dir, i.Pos.Filename)
			}
		}
		text := evidence.ReplaceAllString(i.Text, "")
		set[fmt.Sprintf("%s:%d:%d: %s", relative(t, dir, file), i.Pos.Line, i.Pos.Column, text)] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// evidence is what the plugin adds to a message in place of related positions.
var evidence = regexp.MustCompile(` \[[\w./-]+\.go:\d+: .*\]$`)

func relative(t *testing.T, dir, file string) string {
	t.Helper()
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

// vet returns the findings of heapvet in the same form.
func vet(t *testing.T, dir string, flags ...string) []string {
	t.Helper()
	args := append([]string{"vet", "-json", "-vettool=" + bin.heapvet}, flags...)
	out, text, status := run(t, dir, "go", append(args, "./...")...)
	if status != 0 {
		t.Fatalf("go vet: status %d\n%s", status, text)
	}
	set := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var tree map[string]map[string][]struct{ Posn, Message string }
		if err := dec.Decode(&tree); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		for _, checks := range tree {
			for check, findings := range checks {
				for _, f := range findings {
					set[fmt.Sprintf("%s: %s: %s", relative(t, dir, f.Posn), check, f.Message)] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// sample makes a module of the checks' examples and the given files.
func sample(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	checktest.Module(t, dir, "example.com/sample", analyzers.Checks()...)
	dir = filepath.Join(dir, "src")
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// heap is a package with a heap whose Less is no strict order.
const heap = `package queue

import "container/heap"

type Item struct{ Priority int }

type Queue []*Item

func (q Queue) Len() int           { return len(q) }
func (q Queue) Less(i, j int) bool { return q[i].Priority <= q[j].Priority }%s
func (q Queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *Queue) Push(x any)        { *q = append(*q, x.(*Item)) }
func (q *Queue) Pop() any {
	old := *q
	n := len(old)
	x := old[n-1]
	old[n-1] = nil
	*q = old[:n-1]
	return x
}

func Add(q *Queue, x *Item) { heap.Push(q, x) }
`

// golangci-lint finds in the examples of all checks what heapvet finds, with an
// empty cache and with a full one.
func TestParity(t *testing.T) {
	dir := sample(t, nil)
	want := vet(t, dir)
	for _, c := range analyzers.Checks() {
		if c.Name != "vetignore" && !slices.ContainsFunc(want, func(f string) bool { return strings.Contains(f, ": "+c.Name+": ") }) {
			t.Errorf("nothing found by %s", c.Name)
		}
	}
	for _, cache := range []string{"empty", "full"} {
		if d := gocmp.Diff(want, lint(t, dir, bin.custom, bin.config)); d != "" {
			t.Errorf("%s cache: heapvet -, golangci-lint +:\n%s", cache, d)
		}
	}
}

func TestSuppression(t *testing.T) {
	files := map[string]string{"plain/q.go": fmt.Sprintf(heap, "")}
	for name, directive := range map[string]string{
		"nolint":    "//nolint:heapvet // known",
		"check":     "//nolint:lessorder // known",
		"heapvet":   "//heapvet:ignore=lessorder",
		"unrelated": "//nolint:govet",
	} {
		files[name+"/q.go"] = fmt.Sprintf(heap, " "+directive)
	}
	dir := sample(t, files)
	for _, found := range [][]string{vet(t, dir, "-lessorder"), lint(t, dir, bin.custom, bin.config)} {
		for _, name := range []string{"plain", "nolint", "check", "heapvet", "unrelated"} {
			got := slices.ContainsFunc(found, func(f string) bool {
				return strings.HasPrefix(f, name+"/q.go:10:") && strings.Contains(f, ": lessorder: ")
			})
			if want := name == "plain" || name == "unrelated"; got != want {
				t.Errorf("%s: found %v, want %v in\n%s", name, got, want, strings.Join(found, "\n"))
			}
		}
	}
}

// config writes a configuration that is the example with changes.
func config(t *testing.T, changes ...string) string {
	t.Helper()
	data, err := os.ReadFile(bin.config)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("no %q in the example configuration", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	name := filepath.Join(t.TempDir(), ".golangci.yml")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestSettings(t *testing.T) {
	dir := sample(t, map[string]string{"q/q.go": fmt.Sprintf(heap, "")})
	off := config(t, "heaplock: true", "lessorder: false")
	if d := gocmp.Diff(vet(t, dir, "-lessorder=false"), lint(t, dir, bin.custom, off)); d != "" {
		t.Errorf("lessorder off: heapvet -, golangci-lint +:\n%s", d)
	}
	rule := config(t, "heaplock: true", "lessorder: {disable: [order]}")
	if d := gocmp.Diff(vet(t, dir, "-lessorder.disable=order"), lint(t, dir, bin.custom, rule)); d != "" {
		t.Errorf("a rule off: heapvet -, golangci-lint +:\n%s", d)
	}
	excluded := config(t, "issues:", "  exclusions:\n    rules:\n      - linters: [heapvet]\n        path: (^|/)q/q[.]go$\n\nissues:")
	for _, f := range lint(t, dir, bin.custom, excluded, "--path-mode=abs") {
		if strings.HasPrefix(f, "q/") {
			t.Errorf("not excluded: %s", f)
		}
	}
	for change, want := range map[string]string{
		"heaplok: true":               `did you mean "heaplock"?`,
		"heaplock: {disabel: [path]}": `unknown setting "disabel" of heaplock`,
	} {
		_, text, status := run(t, dir, bin.custom, "run", "--allow-parallel-runners", "-c", config(t, "heaplock: true", change), "./...")
		if status == 0 || !strings.Contains(text, want) {
			t.Errorf("%s: status %d, want %q in\n%s", change, status, want, text)
		}
	}
}

// Both apply the same fixes, up to layout: golangci-lint formats the files that it
// fixes, heapvet those that were formatted before.
func TestFix(t *testing.T) {
	files := map[string]string{"q/q.go": fmt.Sprintf(heap, "")}
	ours, theirs := sample(t, files), sample(t, files)
	if _, text, status := run(t, ours, "go", "vet", "-fix", "-vettool="+bin.heapvet, "./..."); status != 0 {
		t.Fatalf("go vet -fix: status %d\n%s", status, text)
	}
	lint(t, theirs, bin.custom, bin.config, "--fix")
	if d := gocmp.Diff(sources(t, ours), sources(t, theirs)); d != "" {
		t.Errorf("go vet -fix -, golangci-lint --fix +:\n%s", d)
	}
	if got := sources(t, ours)["q/q.go"]; got == files["q/q.go"] || !strings.Contains(got, "Priority < q[j]") {
		t.Errorf("not fixed:\n%s", got)
	}
}

// sources returns the formatted Go files below dir by relative name.
func sources(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := format.Source(data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all[relative(t, dir, path)] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The Go plugin, in a golangci-lint of the same build, finds the same.
func TestGoPlugin(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Go plugins are for few systems")
	}
	if _, err := exec.LookPath(cmp.Or(os.Getenv("CC"), "gcc")); err != nil {
		t.Skip("Go plugins need cgo: ", err)
	}
	temp := t.TempDir()
	host, so := filepath.Join(temp, "golangci-lint"), filepath.Join(temp, "heapvet.so")
	t.Setenv("CGO_ENABLED", "1")
	for _, args := range [][]string{
		{"build", "-o", host, "github.com/golangci/golangci-lint/v2/cmd/golangci-lint"},
		{"build", "-buildmode=plugin", "-o", so, "github.com/heapvet/heapvet/golangci-plugin/goplugin"},
	} {
		if out, text, status := run(t, ".", "go", args...); status != 0 {
			t.Fatalf("go %v: %s%s", args, out, text)
		}
	}
	dir := sample(t, nil)
	cfg := config(t, "type: module", "path: "+so)
	if d := gocmp.Diff(vet(t, dir), lint(t, dir, host, cfg)); d != "" {
		t.Errorf("heapvet -, golangci-lint +:\n%s", d)
	}
}

// The example for golangci-lint's own builder is about the version of
// golangci-lint and the package that are tested here.
func TestCustomGCL(t *testing.T) {
	data, err := os.ReadFile("../example/.custom-gcl.yml")
	if err != nil {
		t.Fatal(err)
	}
	out, text, status := run(t, ".", "go", "list", "-m", "-f", "{{.Version}}", "github.com/golangci/golangci-lint/v2")
	if status != 0 {
		t.Fatal(text)
	}
	for _, want := range []string{"version: " + strings.TrimSpace(out) + "\n", "import: github.com/heapvet/heapvet/golangci-plugin\n"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %q in .custom-gcl.yml", want)
		}
	}
}
