package unit

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/unit/internal/marks"
)

// A builder is a build system: it runs the tool on the packages of a module, one at
// a time, dependencies first, in this process.
type builder struct {
	t   *testing.T
	dir string
	out string
	// packages in the order of the build.
	packages []listed
	// noExportData leaves the compiler's export data out of the unit files.
	noExportData bool
	analyzers    []*analysis.Analyzer
	edit         func(*config)
}

// A listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, Export string
	Standard, DepOnly       bool
	GoFiles, Imports        []string
}

func newBuild(t *testing.T, files map[string]string) *builder {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" {
		writeFile(t, filepath.Join(dir, "go.mod"), "module m\n\ngo 1.26\n")
	}
	for name, content := range files {
		writeFile(t, filepath.Join(dir, name), content)
	}
	cmd := exec.Command("go", "list", "-deps", "-export", "-e", "-json", "./...")
	cmd.Dir = dir
	data, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	b := &builder{t: t, dir: dir, out: t.TempDir(), analyzers: marks.All}
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.ImportPath != "unsafe" {
			b.packages = append(b.packages, p)
		}
	}
	return b
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (b *builder) vetx(path string) string {
	return filepath.Join(b.out, strings.ReplaceAll(path, "/", "_")+".vetx")
}

// config is the unit file of a package.
func (b *builder) config(p *listed) *config {
	cfg := &config{
		ID:          p.ImportPath,
		Compiler:    "gc",
		ImportPath:  p.ImportPath,
		GoVersion:   "go1.26",
		ImportMap:   map[string]string{},
		PackageFile: map[string]string{},
		PackageVetx: map[string]string{},
		VetxOnly:    p.DepOnly,
		VetxOutput:  b.vetx(p.ImportPath),
	}
	for _, name := range p.GoFiles {
		cfg.GoFiles = append(cfg.GoFiles, filepath.Join(p.Dir, name))
	}
	for _, imp := range p.Imports {
		cfg.ImportMap[imp] = imp
		for _, dep := range b.packages {
			// The standard library's own vendored packages.
			if dep.ImportPath == imp || dep.ImportPath == "vendor/"+imp && p.Standard {
				cfg.ImportMap[imp] = dep.ImportPath
				cfg.PackageFile[dep.ImportPath] = dep.Export
				cfg.PackageVetx[dep.ImportPath] = b.vetx(dep.ImportPath)
			}
		}
	}
	if b.noExportData {
		cfg.PackageFile = nil
	}
	if b.edit != nil {
		b.edit(cfg)
	}
	return cfg
}

// A run is what came of one run of the tool.
type run struct {
	status         int
	stdout, stderr string
}

func (b *builder) tool(args ...string) run {
	b.t.Helper()
	var stdout, stderr bytes.Buffer
	tool := &Tool{
		Name:      "tool",
		Analyzers: b.analyzers,
		Relevant:  func(path string) bool { return path == "container/heap" },
		Stdout:    &stdout,
		Stderr:    &stderr,
	}
	status := tool.Main(args)
	return run{status, stdout.String(), stderr.String()}
}

// analyze runs the tool on all packages, and returns what it said of each of the
// module's own.
func (b *builder) analyze(flags ...string) map[string]run {
	b.t.Helper()
	runs := map[string]run{}
	for i := range b.packages {
		p := &b.packages[i]
		r := b.tool(append(slices.Clone(flags), b.write(b.config(p)))...)
		if !p.Standard {
			runs[p.ImportPath] = r
		} else if r != (run{}) {
			b.t.Fatalf("%s: status %d\n%s%s", p.ImportPath, r.status, r.stdout, r.stderr)
		}
	}
	return runs
}

// write writes a unit file.
func (b *builder) write(cfg *config) string {
	data, err := json.Marshal(cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	name := filepath.Join(b.out, "unit.cfg")
	writeFile(b.t, name, string(data))
	return name
}

// relative is a text without the names of directories in it.
func (b *builder) relative(text string) string {
	return strings.ReplaceAll(text, b.dir+string(filepath.Separator), "")
}

const markSource = `package mark

import "container/heap"

var _ = heap.Init

type Mark[T any] struct{ MarkField T }

func (m *Mark[T]) MarkMethod() {}

func hiddenMark() { (&Mark[string]{}).MarkMethod() }
`

func chain() map[string]string {
	return map[string]string{
		"mark/mark.go": markSource,
		"next/next.go": "package next\n\nimport \"m/mark\"\n\nfunc Get() *mark.Mark[int] { return nil }\n",
		"last/last.go": "package last\n\nimport \"m/next\"\n\nvar X = next.Get().MarkField\n",
		"end/end.go":   "package end\n\nimport \"m/last\"\n\nvar Y = last.X\n",
	}
}

const lastFinding = "last/last.go:5:20: MarkField is marked by m/mark"

func TestPlainOutput(t *testing.T) {
	b := newBuild(t, chain())
	r := b.analyze("-mark", "-c=0")["m/last"]
	want := lastFinding + "\n5\tvar X = next.Get().MarkField\nlast/last.go:1:9: \tin this file\n1\tpackage last\n"
	if r.status != exitFindings || b.relative(r.stderr) != want {
		t.Errorf("status %d, got\n%s\nwant\n%s", r.status, b.relative(r.stderr), want)
	}
}

// Where the build gives no export data, types come with the facts, with the same
// findings, in all of the packages, the standard library's among them.
func TestWithoutExportData(t *testing.T) {
	with, without := newBuild(t, chain()), newBuild(t, chain())
	without.noExportData = true
	got, want := without.analyze(), with.analyze()
	for _, path := range slices.Sorted(maps.Keys(want)) {
		g, w := got[path], want[path]
		g.stderr, w.stderr = without.relative(g.stderr), with.relative(w.stderr)
		if g != w {
			t.Errorf("%s:\n%+v\nwith export data:\n%+v", path, g, w)
		}
	}
	if !strings.Contains(got["m/last"].stderr, "MarkField is marked") {
		t.Errorf("not found: %s\n%+v", lastFinding, got["m/last"])
	}
}

// Facts go as far as the types that they are about, and no farther.
func TestFactsFiles(t *testing.T) {
	b := newBuild(t, chain())
	b.analyze()
	for path, want := range map[string]bool{"container/heap": false, "sort": false, "m/mark": true, "m/next": true, "m/last": false, "m/end": false} {
		data, err := os.ReadFile(b.vetx(path))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(data) > 0; got != want {
			t.Errorf("%s has facts: %v, want %v", path, got, want)
		}
	}
}

// A second process writes the same bytes.
func TestDeterminism(t *testing.T) {
	b := newBuild(t, chain())
	var first map[string]run
	for i := range 5 {
		runs := b.analyze("-json")
		if i == 0 {
			first = runs
		} else if !maps.Equal(first, runs) {
			t.Fatalf("output differs:\n%v\n%v", first, runs)
		}
	}
	exe := buildTestTool(t)
	for _, p := range b.packages {
		if p.Standard {
			continue
		}
		cfg := b.config(&p)
		cfg.VetxOutput = filepath.Join(b.out, "again")
		if out, err := exec.Command(exe, "-json", b.write(cfg)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		one, err := os.ReadFile(b.vetx(p.ImportPath))
		if err != nil {
			t.Fatal(err)
		}
		two, err := os.ReadFile(cfg.VetxOutput)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, two) {
			t.Errorf("%s: facts differ between processes", p.ImportPath)
		}
	}
}

func buildTestTool(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "tool")
	if out, err := exec.Command("go", "build", "-o", exe, "./internal/testtool").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return exe
}

// As a dependency, a package that can have no facts is answered without a look at
// its source.
func TestIdleDependency(t *testing.T) {
	b := newBuild(t, chain())
	b.analyze()
	missing := func(path string) *config {
		cfg := b.config(b.find(path))
		cfg.GoFiles = []string{filepath.Join(b.dir, "missing.go")}
		cfg.VetxOutput = filepath.Join(b.out, "dependency")
		return cfg
	}
	const fallback = "something else"
	for _, test := range []struct {
		name, path string
		flags      []string
		edit       func(*config)
		status     int
	}{
		{"dependency", "m/end", nil, func(c *config) { c.VetxOnly = true }, exitOK},
		{"root", "m/end", nil, func(*config) {}, exitFindings},
		{"types wanted", "m/end", nil, func(c *config) { c.VetxOnly, c.PackageFile = true, nil }, exitFindings},
	} {
		t.Run(test.name, func(t *testing.T) {
			cfg := missing(test.path)
			test.edit(cfg)
			writeFile(t, cfg.VetxOutput, fallback)
			r := b.tool(append(test.flags, b.write(cfg))...)
			data, err := os.ReadFile(cfg.VetxOutput)
			if err != nil {
				t.Fatal(err)
			}
			if r.status != test.status || (test.status == exitOK) != (len(data) == 0) {
				t.Errorf("status %d, want %d; facts %q\n%s", r.status, test.status, data, r.stderr)
			}
		})
	}
	tool := &Tool{Relevant: func(path string) bool { return path == "container/heap" }}
	for path, want := range map[string]bool{"m/mark": false, "m/next": false, "m/last": false, "m/end": true, "container/heap": true} {
		cfg := b.config(b.find(path))
		if got := tool.idle(cfg, factAnalyzers(marks.All)); got != want {
			t.Errorf("%s is idle: %v, want %v", path, got, want)
		}
		if !tool.idle(cfg, factAnalyzers([]*analysis.Analyzer{marks.Rename})) {
			t.Errorf("%s is not idle without an analyzer that has facts", path)
		}
	}
}

func (b *builder) find(path string) *listed {
	for i := range b.packages {
		if b.packages[i].ImportPath == path {
			return &b.packages[i]
		}
	}
	b.t.Fatalf("no package %s", path)
	return nil
}

// A fault in one analyzer is its own, and those that need it say so.
func TestFaultyAnalyzers(t *testing.T) {
	b := newBuild(t, map[string]string{
		"panics/p.go": "package panics\n\nimport \"container/heap\"\n\nvar _ = heap.Init\n\nfunc mark() { mark() }\n",
		"fails/f.go":  "package fails\n\nfunc mark() { mark() }\n",
	})
	for path, want := range map[string][]string{
		"m/panics": {"tool: internal error in boom, analysing package m/panics: boom", "failed prerequisites: boom", "7:15: mark is marked by m/panics"},
		"m/fails":  {"tool: not this one", "failed prerequisites: boom", "3:15: mark is marked by m/fails"},
	} {
		r := b.analyze()[path]
		if r.status != exitFindings {
			t.Errorf("%s: status %d", path, r.status)
		}
		for _, w := range want {
			if !strings.Contains(r.stderr, w) {
				t.Errorf("%s: want %q in:\n%s", path, w, r.stderr)
			}
		}
		var tree map[string]map[string]json.RawMessage
		if err := json.Unmarshal([]byte(b.analyze("-json")[path].stdout), &tree); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(tree[path]["boom"]), `"error"`) || !strings.Contains(string(tree[path]["mark"]), "is marked") {
			t.Errorf("%s: %s", path, tree[path])
		}
		cfg := b.config(b.find(path))
		cfg.VetxOnly = true
		if r := b.tool(b.write(cfg)); r != (run{}) {
			t.Errorf("%s as a dependency: %+v", path, r)
		}
	}
}

func TestErrorsInSource(t *testing.T) {
	b := newBuild(t, map[string]string{
		"syntax/a.go": "package syntax\n\nfunc {\n",
		"typed/a.go":  "package typed\n\nvar X int = \"\"\n",
		"heap/a.go":   "package heap\n\nimport \"container/heap\"\n\nvar _ = heap.Nothing\n",
	})
	tests := []struct {
		name, path, want string
		edit             func(*config)
	}{
		{"syntax", "m/syntax", "syntax/a.go:3:6: expected 'IDENT', found '{'\n", nil},
		{"type", "m/typed", "typed/a.go:3:13: cannot use \"\" (untyped string constant) as int value in variable declaration\n", nil},
		{"missing file", "m/typed", "tool: open nowhere.go: no such file or directory\n", func(c *config) { c.GoFiles = []string{"nowhere.go"} }},
		{"no files", "m/typed", "tool: package has no files: m/typed\n", func(c *config) { c.GoFiles = nil }},
		{"no import map", "m/heap", "heap/a.go:3:8: could not import container/heap (can't resolve import \"container/heap\")\n", func(c *config) { c.ImportMap = nil }},
		{"no package file", "m/heap", "heap/a.go:3:8: could not import container/heap (no package file for \"container/heap\")\n", func(c *config) { c.PackageFile = map[string]string{} }},
	}
	for i := range b.packages {
		if p := &b.packages[i]; p.Standard {
			b.tool(b.write(b.config(p)))
		}
	}
	for _, test := range tests {
		cfg := b.config(b.source(test.path))
		if test.edit != nil {
			test.edit(cfg)
		}
		for _, depOnly := range []bool{false, true} {
			cfg.VetxOnly = depOnly
			r := b.tool(b.write(cfg))
			switch {
			case depOnly && test.name == "no files":
			case depOnly:
				if r != (run{}) {
					t.Errorf("%s, as a dependency: %+v", test.name, r)
				}
			case r.status != exitFindings || b.relative(r.stderr) != test.want:
				t.Errorf("%s: status %d\n got %s\nwant %s", test.name, r.status, b.relative(r.stderr), test.want)
			}
		}
	}
	cfg := b.config(b.source("m/typed"))
	cfg.SucceedOnTypecheckFailure = true
	if r := b.tool(b.write(cfg)); r != (run{}) {
		t.Errorf("SucceedOnTypecheckFailure: %+v", r)
	}
}

// source is a package whose files go list may refuse to tell.
func (b *builder) source(path string) *listed {
	p := *b.find(path)
	p.Dir = filepath.Join(b.dir, strings.TrimPrefix(path, "m/"))
	p.GoFiles = []string{"a.go"}
	return &p
}

func TestUsage(t *testing.T) {
	b := &builder{t: t, analyzers: marks.All}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-nope", "x.cfg"}, "tool: flag provided but not defined: -nope\n"},
		{[]string{"-mark=perhaps", "x.cfg"}, "tool: invalid boolean value \"perhaps\" for -mark: want true or false\n"},
		{[]string{"-c=x", "x.cfg"}, "tool: invalid value \"x\" for flag -c: parse error\n"},
		{[]string{"-V=short"}, "tool: unsupported flag value -V=short (want full)\n"},
		{[]string{"-diff", "x.cfg"}, "tool: -diff requires -fix\n"},
		{[]string{}, "tool: want one unit file, as the go command gives it\n"},
	} {
		if r := b.tool(test.args...); r.status != exitUsage || r.stderr != test.want {
			t.Errorf("%v: %+v, want %q", test.args, r, test.want)
		}
	}
	if r := b.tool("missing.cfg"); r.status != exitFindings || !strings.Contains(r.stderr, "missing.cfg") {
		t.Errorf("missing unit file: %+v", r)
	}
}

func TestDescribe(t *testing.T) {
	b := &builder{t: t, analyzers: marks.All}
	r := b.tool("-V=full")
	if !regexp.MustCompile(`^tool version devel buildID=[0-9a-f]{64}\n$`).MatchString(r.stdout) || r.status != exitOK {
		t.Errorf("-V=full: %+v", r)
	}
	r = b.tool("-flags")
	var flags []struct {
		Name, Usage string
		Bool        bool
	}
	if err := json.Unmarshal([]byte(r.stdout), &flags); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, f := range flags {
		got[f.Name] = f.Bool
	}
	for name, isBool := range map[string]bool{"json": true, "diff": true, "mark": true, "boom": true, "mark.suffix": false, "c": false} {
		if b, ok := got[name]; !ok || b != isBool {
			t.Errorf("-flags: %s is there: %v, bool: %v", name, ok, b)
		}
	}
	if _, ok := got["fix"]; ok {
		t.Error("-flags lists -fix, which is the go command's own")
	}
}

func TestNoVetxOutput(t *testing.T) {
	b := newBuild(t, map[string]string{"p/p.go": "package p\n"})
	b.edit = func(c *config) { c.VetxOutput = "" }
	if r := b.analyze("-mark")["m/p"]; r != (run{}) {
		t.Errorf("%+v", r)
	}
}

func TestVetxFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	want := vetx{types: []byte("types"), facts: []byte("facts")}
	writeFile(t, name, string(want.encode()))
	got, err := readVetx(name)
	if err != nil || string(got.types) != "types" || string(got.facts) != "facts" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"x", "vetx12345678", string(want.encode()[:11]), "hvx1\xff\xff\xff\xff\xff\xff\xff\xffxx"} {
		writeFile(t, name, bad)
		if v, err := readVetx(name); err == nil {
			t.Errorf("%q: read %+v", bad, v)
		}
	}
	if _, err := readVetx(name + "missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}
