package checktest

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/heapvet/heapvet/internal/check"
)

// Module writes the wrong examples of the checks' documentation to dir, as the
// packages of a module of that path: CHECK/RULE/wrong. Examples that import other
// modules are left out.
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
