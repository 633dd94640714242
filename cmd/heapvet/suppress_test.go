package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

// asHeapvet, set in the environment, makes the test binary behave as heapvet.
const asHeapvet = "HEAPVET_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if vetrun.IsToolCall(os.Args[1:]) || os.Getenv(asHeapvet) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestSuppression: in both ways of use the findings are those of the lines that
// say so, wherever directives stand.
func TestSuppression(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join("..", "..", "testdata", "modules", "suppress")
	patterns := []string{"./..."}
	if !hasCgo() {
		t.Log("no C compiler: the package with cgo is left out")
		patterns = []string{"./statement", "./file", "./tests", "./lines", "./tags", "./gen", "./idle"}
	}
	want := marked(t, module, patterns)
	for _, way := range []struct {
		name string
		args []string
	}{
		{"heapvet", []string{self}},
		{"go vet", []string{"go", "vet", "-vettool=" + self}},
	} {
		t.Run(way.name, func(t *testing.T) {
			args := append(way.args[1:], patterns...)
			got := positions(run(t, module, way.args[0], args...))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func hasCgo() bool {
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	enabled, cc, ok := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || !ok || enabled != "1" {
		return false
	}
	_, err = exec.LookPath(strings.Fields(cc)[0])
	return err == nil
}

// run returns the output of a command that must find something.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asHeapvet+"=1", "GOWORK=off", "GOFLAGS=")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out.String())
	}
	return out.String()
}

var position = regexp.MustCompile(`(?m)^([^\s:#]+\.(?:go|y):\d+):\d+: [^\t]`)

// positions returns the file:line of all findings, sorted, each once. Related
// positions, which follow their finding behind a tab, are left out.
func positions(out string) []string {
	var list []string
	for _, m := range position.FindAllStringSubmatch(out, -1) {
		list = append(list, filepath.ToSlash(m[1]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// marked returns the file:line of the lines with FIND in the packages.
func marked(t *testing.T, dir string, patterns []string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if patterns[0] != "./..." && !slices.Contains(patterns, "./"+strings.SplitN(rel, "/", 2)[0]) {
			return nil
		}
		for i, line := range strings.Split(string(data), "\n") {
			if strings.HasSuffix(line, "// FIND") || strings.Contains(line, "/* FIND */") {
				list = append(list, fmt.Sprintf("%s:%d", rel, i+1))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}
