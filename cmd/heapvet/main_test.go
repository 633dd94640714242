package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// build builds the command.
func build(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "heapvet")
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// Models in the configuration reach the analysis: without them, neither the heap
// nor the lock of the module is one.
func TestModels(t *testing.T) {
	exe := build(t)
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(`
-- go.mod --
module example.com/m

go 1.24
-- sem/sem.go --
package sem

type Sem struct{ c chan struct{} }

func (s *Sem) Acquire() { s.c <- struct{}{} }
func (s *Sem) Release() { <-s.c }
-- m.go --
package m

import (
	"container/heap"

	"example.com/m/sem"
)

type Q struct {
	sem   sem.Sem
	items items
}

func (q *Q) Add(n int) {
	q.sem.Acquire()
	defer q.sem.Release()
	heap.Push(&q.items, n)
}

func (q *Q) Next() int {
	q.sem.Acquire()
	defer q.sem.Release()
	return heap.Pop(&q.items).(int)
}

func (q *Q) Drop() {
	heap.Pop(&q.items)
}

type items []int

func (s items) Len() int           { return len(s) }
func (s items) Less(i, j int) bool { return s[i] < s[j] }
func (s items) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *items) Push(x any)        { *s = append(*s, x.(int)) }
func (s *items) Pop() any {
	x := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return x
}
-- models.yaml --
models:
  locks:
    - package: example.com/m/sem
      type: Sem
      methods: {Acquire: lock, Release: unlock}
  heaps:
    - package: example.com/other
      type: Heap
      methods: {Add: push}
`)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		cmd := exec.Command(exe, append([]string{"-heaplock", "-f=short"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := run(); out != "" {
		t.Errorf("found without models:\n%s", out)
	}
	if out := run("-config=models.yaml"); !strings.HasPrefix(out, "m.go:27:") || !strings.Contains(out, "without q.sem") {
		t.Errorf("found with models:\n%s", out)
	}
}
