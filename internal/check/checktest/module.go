package checktest

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/heapvet/heapvet/internal/check"
)

// Module writes the wrong examples of the checks' documentation to dir, as the
// packages of a module of that path: src/CHECK/RULE/wrong. Examples that import
// other modules, or that the compiler refuses, are left out.
func Module(t *testing.T, dir, path string, checks ...*check.Check) {
	t.Helper()
	for _, c := range checks {
		for i := range c.Rules {
			for _, e := range examplesOf(t, c, &c.Rules[i]) {
				if e.wrong && e.standalone(t) {
					e.write(t, dir)
				}
			}
		}
	}
	// The packages are below src, as in a GOPATH.
	mod := fmt.Sprintf("module %s\n\ngo 1.26\n", path)
	if err := os.WriteFile(filepath.Join(dir, "src", "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	dropBroken(t, filepath.Join(dir, "src"), path)
}

// dropBroken removes the packages of the module that do not compile.
func dropBroken(t *testing.T, dir, path string) {
	t.Helper()
	cmd := exec.Command("go", "build", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	// Before the errors of a package stands a line "# package".
	for line := range strings.Lines(string(out)) {
		if pkg, ok := strings.CutPrefix(strings.TrimSpace(line), "# "+path+"/"); ok {
			if err := os.RemoveAll(filepath.Join(dir, pkg)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// standalone tells whether the example imports the standard library only.
func (e *example) standalone(t *testing.T) bool {
	t.Helper()
	for _, source := range e.files {
		f, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly)
		if err != nil {
			t.Fatalf("%s: %v", e.path, err)
		}
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatalf("%s: %v", e.path, err)
			}
			if host, _, _ := strings.Cut(path, "/"); strings.Contains(host, ".") {
				return false
			}
		}
	}
	return true
}
