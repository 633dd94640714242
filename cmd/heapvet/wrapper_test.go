package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A package with no heap of its own is analysed if it uses the wrapper heap of
// another, also at one remove, through the files by which facts travel.
func TestWrapperHeap(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(`
-- go.mod --
module example.com/m

go 1.24
-- pq/pq.go --
package pq

import "container/heap"

type PQ[T any] struct{ h *items[T] }

func (p *PQ[T]) Push(x T) { heap.Push(p.h, x) }
func (p *PQ[T]) Pop() T   { return heap.Pop(p.h).(T) }

type items[T any] struct {
	list []T
	less func(a, b T) bool
}

func (s *items[T]) Len() int           { return len(s.list) }
func (s *items[T]) Less(i, j int) bool { return s.less(s.list[i], s.list[j]) }
func (s *items[T]) Swap(i, j int)      { s.list[i], s.list[j] = s.list[j], s.list[i] }
func (s *items[T]) Push(x any)         { s.list = append(s.list, x.(T)) }
func (s *items[T]) Pop() any {
	last := len(s.list) - 1
	x := s.list[last]
	s.list = s.list[:last]
	return x
}
-- tasks/tasks.go --
package tasks

import "example.com/m/pq"

type Tasks struct{ Names pq.PQ[string] }

func (t *Tasks) Add(name string) { t.Names.Push(name) }
func (t *Tasks) Take() string    { return t.Names.Pop() }
-- owner/owner.go --
package owner

import (
	"sync"

	"example.com/m/tasks"
)

type Owner struct {
	mu    sync.Mutex
	tasks tasks.Tasks
}

func (o *Owner) Add(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tasks.Add(name)
}

func (o *Owner) Take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.tasks.Take()
}

func (o *Owner) Steal() string {
	return o.tasks.Take()
}
`)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, dir, self, "-f=short", "./owner")
	if !strings.HasPrefix(out, "owner/owner.go:27:") || !strings.Contains(out, "Tasks.Take of Owner.tasks.Names without o.mu, which guards it (held at 2 of its 3 uses)") || strings.Count(out, "\n") != 1 {
		t.Errorf("found:\n%s", out)
	}
}
