package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/internal/frontend/heaplist"
)

// heapsOf runs the heaps command in the sample module.
func heapsOf(t *testing.T, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{"heaps"}, args...)...)
	cmd.Dir = filepath.Join("..", "..", "testdata", "modules", "inventory")
	cmd.Env = append(os.Environ(), asHeapvet+"=1", "GOWORK=off", "GOFLAGS=")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("heapvet heaps %v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// TestHeaps: the inventory names every heap of the sample module, with its guard or
// why there is none.
func TestHeaps(t *testing.T) {
	const want = `example.com/inventory
  HEAP          GUARD         WITH  WITHOUT  DECLARED             BECAUSE
  Queue.items   mu            2     1        inventory.go:11:2    held in 2 of 3 ways to it; it is declared for items
  Actor.wait    (confined)    0     1        inventory.go:39:2    only (*Actor).Run uses it
  h             (local)       0     0        inventory.go:50:6    Smallest makes it and gives it to nobody
  Bare.top      (unlocked)    0     2        inventory.go:62:19   no lock is held at any use
  Scratch.ints  (documented)  0     2        inventory.go:68:22   the comment of Scratch says that it is not for several goroutines
  shared        sharedMu      2     0        inventory.go:75:2    held in 2 of 2 ways to it
  Rarely.h      (unknown)     1     4        inventory.go:93:2    mu is held in only 1 of 5 ways to it

example.com/inventory/outer
  HEAP          GUARD     WITH  WITHOUT  DECLARED              BECAUSE
  Owner.work.h  mu        1     1        outer/outer.go:11:22  held in 2 of 2 ways to it; it is declared for work
  Wrapper.h     (caller)  0     0        outer/outer.go:11:22  it is guarded as Owner.work.h

example.com/inventory/parts
  HEAP           GUARD           WITH  WITHOUT  DECLARED              BECAUSE
  new names      (construction)  0     0        parts/parts.go:24:13  Sorted uses it before anybody else can reach it
  Line.h         (caller)        0     0        parts/parts.go:30:19  it is confined as worker.line.h
  worker.line.h  (confined)      0     2        parts/parts.go:30:19  only the goroutine that Work starts uses it
  Locked         mu              3     0        parts/parts.go:56:6   held in 4 of 4 ways to it
  w              (local)         0     0        parts/parts.go:93:6   First makes it and gives it to nobody
`
	if diff := cmp.Diff(strings.Fields(want), strings.Fields(heapsOf(t))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHeapsAsJSON: each use is there, with how the guard is held.
func TestHeapsAsJSON(t *testing.T) {
	var list heaplist.List
	text := heapsOf(t, "-json", "./outer", ".")
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if list.Version != heaplist.JSONVersion || len(list.Heaps) != 9 {
		t.Fatalf("version %d, %d heaps", list.Version, len(list.Heaps))
	}
	q := list.Heaps[0]
	if q.Heap != "Queue.items" || q.Type != "ints" || q.Owner != "Queue" || q.State != "guarded" || q.Entries != 3 || q.EntriesWith != 2 {
		t.Errorf("first heap: %+v", q.Record)
	}
	var uses []string
	for _, u := range q.Uses {
		uses = append(uses, u.Position.String()+" "+u.What+" "+u.Func+" "+u.Held)
	}
	if diff := cmp.Diff([]string{
		"inventory.go:16:11 heap.Init NewQueue unshared",
		"inventory.go:23:11 heap.Push (*Queue).Add yes",
		"inventory.go:32:45 heap.Pop (*Queue).next yes",
		"inventory.go:34:38 read (*Queue).Len no",
	}, uses); diff != "" {
		t.Errorf("uses (-want +got):\n%s", diff)
	}
	if again := heapsOf(t, "-json", "./outer", "."); again != text {
		t.Errorf("another run says something else:\n%s", cmp.Diff(text, again))
	}
}

// TestHeapsOnPage: the page lists the heaps with their guards, also that of a gate.
func TestHeapsOnPage(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "modules", "inventory"))); err != nil {
		t.Fatal(err)
	}
	commit(t, dir)
	for _, args := range [][]string{{"./..."}, {"gate", "-base=HEAD", "./..."}} {
		cmd := exec.Command(self, append(args, "-f=html")...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), asHeapvet+"=1", "GOWORK=off", "GOFLAGS=", "XDG_CACHE_HOME="+t.TempDir())
		page, err := cmd.Output()
		if err != nil && cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v: %v", args, err)
		}
		for _, want := range []string{
			`<tr class="guarded"><td><code>Queue.items</code>`, `<code class="guard">mu</code>`,
			`<span class="place">inventory.go:11:2</span>`, "held in 2 of 3 ways to it", "in 2 of 3 places",
			`<tr class="confined"><td><code>Actor.wait</code>`, "only (*Actor).Run uses it",
		} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%v: the page lacks %s", args, want)
			}
		}
	}
}

// commit makes a repository of dir, with one commit of all.
func commit(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "."},
		{"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "first"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}
