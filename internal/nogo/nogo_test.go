// Package nogo tests the analyzers in Bazel's nogo: the sources of nogo itself, as
// rules_go has them, are built with the analyzers and driven as rules_go drives
// them, one package a process, facts from files, settings from a config file.
// Bazel is not needed.
package nogo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/check/checktest"
)

// rulesGo is the version of rules_go whose nogo is tested.
const rulesGo = "github.com/bazelbuild/rules_go@v0.65.0"

// nogoSources are the files of the rule nogo_srcs, without those for Go versions
// of long ago, and path.go, on which env.go depends.
var nogoSources = []string{"constants.go", "env.go", "flags.go", "nogo_fix.go", "nogo_goversions_go122.go", "nogo_main.go", "nogo_version.go", "nolint.go", "path.go", "path_windows.go"}

// generator makes the rest of nogo: the list of analyzers and the configuration.
const generator = `package main

import (
	"fmt"
	"os"
)

func main() {
	if err := genNogoMain(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`

func command(t *testing.T, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOARCH="+runtime.GOARCH)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func must(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, text, err := command(t, dir, args...)
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out, text)
	}
	return out
}

// buildNogo builds nogo with all checks, each from its own package, and the config
// file, and returns the binary.
func buildNogo(t *testing.T, config string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out, text, err := command(t, root, "go", "mod", "download", "-json", rulesGo)
	if err != nil {
		t.Skipf("rules_go cannot be downloaded: %s%s", out, text)
	}
	var mod struct{ Dir string }
	if err := json.Unmarshal([]byte(out), &mod); err != nil {
		t.Fatal(err)
	}
	builders := filepath.Join(mod.Dir, "go", "tools", "builders")
	dir := t.TempDir()
	copyFiles(t, builders, filepath.Join(dir, "nogo"), nogoSources...)
	copyFiles(t, builders, filepath.Join(dir, "generate"), "generate_nogo_main.go", "flags.go")
	write(t, filepath.Join(dir, "generate", "main.go"), generator)
	// By its path the module may use x/tools' internal packages, as nogo does.
	write(t, filepath.Join(dir, "go.mod"), strings.Join([]string{
		"module golang.org/x/tools/nogo", "go 1.26",
		"require github.com/heapvet/heapvet v0.0.0",
		"replace github.com/heapvet/heapvet => " + root,
	}, "\n\n"))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	write(t, filepath.Join(dir, "config.json"), config)
	args := []string{"go", "run", "./generate", "-output", "nogo/generated.go", "-config", "config.json"}
	for _, c := range analyzers.Checks() {
		args = append(args, "-analyzer_importpath", "github.com/heapvet/heapvet/analyzers/"+c.Name)
	}
	must(t, dir, args...)
	exe := filepath.Join(dir, "nogo.exe")
	must(t, dir, "go", "build", "-o", exe, "./nogo")
	return exe
}

func copyFiles(t *testing.T, from, to string, names ...string) {
	t.Helper()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, name), string(data))
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A target is a package to be analysed.
type target struct {
	ImportPath, Dir, Export string
	Standard                bool
	GoFiles, Imports        []string
}

func targets(t *testing.T, dir string) []target {
	t.Helper()
	out := must(t, dir, "go", "list", "-deps", "-export", "-json", "./...")
	var list []target
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var p target
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

var finding = regexp.MustCompile(`^(.*?:\d+:\d+): (.*) \((\w+)\)$`)

// analyze runs nogo on the packages of the module, dependencies first, the way
// rules_go does: the standard library has no facts. It returns the findings as
// "file:line:col: check: message", sorted, and the facts by package.
func analyze(t *testing.T, nogo, dir string) (found []string, facts map[string]string) {
	t.Helper()
	out := t.TempDir()
	set := map[string]bool{}
	facts = map[string]string{}
	exports := map[string]string{}
	for _, p := range targets(t, dir) {
		if p.Export != "" { // all but unsafe
			exports[p.ImportPath] = p.Export
		}
		if p.Standard {
			continue
		}
		var cfg strings.Builder
		for path, file := range exports {
			fmt.Fprintf(&cfg, "packagefile %s=%s\n", path, file)
		}
		importcfg := filepath.Join(out, "importcfg")
		write(t, importcfg, cfg.String())
		x := filepath.Join(out, strings.ReplaceAll(p.ImportPath, "/", "_")+".x")
		args := []string{nogo, "-p", p.ImportPath, "-importcfg", importcfg, "-go_version", "1.26", "-x", x}
		for _, imp := range p.Imports {
			if file := facts[imp]; file != "" {
				args = append(args, "-fact", imp+"="+file)
			}
		}
		for _, name := range p.GoFiles {
			args = append(args, filepath.Join(p.Dir, name))
		}
		_, text, err := command(t, dir, args...)
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 3) {
			t.Fatalf("%s: %v\n%s", p.ImportPath, err, text)
		}
		for line := range strings.Lines(text) {
			if m := finding.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				set[relative(t, dir, m[1])+": "+m[3]+": "+m[2]] = true
			} else if !strings.Contains(line, "errors found by nogo") {
				t.Errorf("%s: %s", p.ImportPath, line)
			}
		}
		facts[p.ImportPath] = x
	}
	return slices.Sorted(maps.Keys(set)), facts
}

func relative(t *testing.T, dir, file string) string {
	t.Helper()
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

// vet returns what heapvet finds in the module, in the same form.
func vet(t *testing.T, dir string, flags ...string) []string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), "heapvet")
	must(t, root, "go", "build", "-o", exe, "./cmd/heapvet")
	out := must(t, dir, append(append([]string{"go", "vet", "-json", "-vettool=" + exe}, flags...), "./...")...)
	set := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var tree map[string]map[string][]struct{ Posn, Message string }
		if err := dec.Decode(&tree); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		for _, checks := range tree {
			for check, list := range checks {
				for _, f := range list {
					set[relative(t, dir, f.Posn)+": "+check+": "+f.Message] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// config is a nogo configuration: settings of a check, and files to leave out.
const config = `{
  "_base": {"description": "files that nobody reads", "exclude_files": {"third_party/": "not ours"}},
  "lessorder": {"analyzer_flags": {"disable": "order"}}
}`

func TestSameAsVet(t *testing.T) {
	if testing.Short() {
		t.Skip("builds nogo")
	}
	dir := t.TempDir()
	checktest.Module(t, dir, "example.com/sample", analyzers.Checks()...)
	dir = filepath.Join(dir, "src")
	nogo := buildNogo(t, config)
	found, facts := analyze(t, nogo, dir)
	if len(found) == 0 {
		t.Error("nothing found")
	}
	if d := cmp.Diff(vet(t, dir, "-lessorder.disable=order"), found); d != "" {
		t.Errorf("go vet -, nogo +:\n%s", d)
	}
	again, more := analyze(t, nogo, dir)
	if d := cmp.Diff(found, again); d != "" {
		t.Errorf("a second run differs:\n%s", d)
	}
	for path := range facts {
		one, err := os.ReadFile(facts[path])
		if err != nil {
			t.Fatal(err)
		}
		two, err := os.ReadFile(more[path])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, two) {
			t.Errorf("%s: a second run has other facts", path)
		}
	}
}

// The documented target has all checks.
func TestDocumentedTarget(t *testing.T) {
	data, err := os.ReadFile("../../docs/bazel.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range analyzers.Checks() {
		if !strings.Contains(string(data), "//analyzers/"+c.Name+"\"") {
			t.Errorf("docs/bazel.md does not list %s", c.Name)
		}
	}
}
