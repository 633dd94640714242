package vetrun

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestRootsByPath(t *testing.T) {
	top := t.TempDir()
	for _, f := range txtar.Parse([]byte(`
-- m/go.mod --
module example.com/m
-- m/a/a.go --
-- m/a/b/b.go --
-- m/a/b_test/b.go --
-- m/nested/go.mod --
module example.com/m/nested
-- m/nested/n/n.go --
-- work/go.work --
-- work/m/go.mod --
module example.com/w
-- std/go.mod --
module std
`)).Files {
		file := filepath.Join(top, f.Name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, dir string
		patterns  []string
		said      []string // what the tool said something of
		unknown   bool     // the go command must be asked
		in, out   []string
	}{
		{
			name: "all", dir: "m", patterns: []string{"./..."}, said: []string{"example.com/m/a", "example.com/other"},
			in: []string{"example.com/m", "example.com/m_test", "example.com/m/a", "example.com/m/a_test"}, out: []string{"example.com/mm", "fmt"},
		},
		{
			name: "below", dir: "m/a", patterns: []string{"./..."},
			in: []string{"example.com/m/a", "example.com/m/a/b"}, out: []string{"example.com/m"},
		},
		{
			name: "one", dir: "m/a", patterns: []string{".", "../a/b"},
			in: []string{"example.com/m/a", "example.com/m/a/b"}, out: []string{"example.com/m", "example.com/m/a/b/c"},
		},
		{name: "package that is called a test", dir: "m", patterns: []string{"./..."}, said: []string{"example.com/m/a/b_test"}, in: []string{"example.com/m/a/b_test"}},
		{name: "module below", dir: "m", patterns: []string{"./..."}, said: []string{"example.com/m/nested/n"}, unknown: true},
		{name: "module elsewhere with such a path", dir: "m", patterns: []string{"./..."}, said: []string{"example.com/m/gone"}, unknown: true},
		{name: "module below, not asked for", dir: "m", patterns: []string{"./a"}, said: []string{"example.com/m/nested/n"}, in: []string{"example.com/m/a"}},
		{name: "import path", dir: "m", patterns: []string{"example.com/m/a"}, unknown: true},
		{name: "dots inside", dir: "m", patterns: []string{"./.../b"}, unknown: true},
		{name: "files", dir: "m", patterns: []string{"./a/a.go"}, unknown: true},
		{name: "outside", dir: "m", patterns: []string{"../work/..."}, unknown: true},
		{name: "in a workspace", dir: "work/m", patterns: []string{"./..."}, in: []string{"example.com/w"}},
		{name: "above the modules of a workspace", dir: "work", patterns: []string{"./..."}, unknown: true},
		{name: "standard library", dir: "std", patterns: []string{"./..."}, unknown: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := rootsByPath(Options{Dir: filepath.Join(top, test.dir), Patterns: test.patterns})
			result := &Result{said: map[string]bool{}}
			for _, s := range test.said {
				result.said[s] = true
			}
			if unknown := r == nil || r.unclear(result); unknown != test.unknown {
				t.Fatalf("unknown is %v, want %v", unknown, test.unknown)
			}
			for _, unit := range test.in {
				if !r.has(unit) {
					t.Errorf("%s is not among those to report on", unit)
				}
			}
			for _, unit := range test.out {
				if r.has(unit) {
					t.Errorf("%s is among those to report on", unit)
				}
			}
		})
	}
}
