package unit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Two machines with clean caches of their own share findings and facts by a
// GOCACHEPROG: the second does not run the tool at all.
func TestSharedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a part of the standard library")
	}
	tool := buildTool(t, "ours")
	prog := filepath.Join(toolDir(), "cacheprog")
	if out, err := exec.Command("go", "build", "-o", prog, "./internal/cacheprog").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir, remote := module(t, "vendor"), t.TempDir()
	machine := func() (found any, runs int) {
		t.Setenv("GOCACHEPROG", strings.Join([]string{prog, t.TempDir(), remote}, " "))
		t.Setenv("GOCACHE", t.TempDir())
		out, text, status := goVet(t, tool, dir, "-json", "-x", "./...")
		if status != 0 {
			t.Fatalf("status %d\n%s", status, text)
		}
		return results(t, out), strings.Count(text, "vet.cfg"+"\n")
	}
	first, ran := machine()
	if ran == 0 || cmp.Equal(first, results(t, "")) {
		t.Fatalf("the tool ran on %d packages on the first machine, and found %v", ran, first)
	}
	second, ran := machine()
	if ran != 0 {
		t.Errorf("the tool ran on %d packages on the second machine", ran)
	}
	if d := cmp.Diff(first, second); d != "" {
		t.Errorf("first machine -, second +:\n%s", d)
	}
	if entries, err := os.ReadDir(remote); err != nil || len(entries) == 0 {
		t.Errorf("nothing is shared: %v", err)
	}
}
