package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// The copies that heapexpose suggests, made by go vet, compile and leave nothing to
// report.
func TestCopiesByGoVet(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(`
-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

import "sync"

type Names struct {
	mu    sync.Mutex
	all   []string
	count map[string]int
}

func New(all []string) *Names {
	return &Names{all: all, count: map[string]int{}}
}

func (n *Names) Add(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, name)
	n.count[name]++
}

func (n *Names) All() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all
}

func (n *Names) Count() map[string]int {
	n.mu.Lock()
	count := n.count
	n.mu.Unlock()
	return count
}
`)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	exe := build(t)
	vet := func(args ...string) string {
		cmd := exec.Command("go", append([]string{"vet", "-vettool=" + exe}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := vet("./..."); strings.Count(out, "m.go:") < 3 {
		t.Fatalf("nothing to mend:\n%s", out)
	}
	if out := vet("-fix", "./..."); out != "" {
		t.Errorf("go vet -fix:\n%s", out)
	}
	if out := vet("./..."); out != "" {
		content, _ := os.ReadFile(filepath.Join(dir, "m.go"))
		t.Errorf("after the copies:\n%s\n%s", out, content)
	}
}
