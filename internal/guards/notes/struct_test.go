package notes

import (
	"fmt"
	"go/types"
	"testing"
)

// TestStruct checks what every field of struct T gets from comments of locks, of
// groups and of the struct.
func TestStruct(t *testing.T) {
	for _, c := range []struct {
		name, decl string
		want       map[string]string
	}{
		{"below up to a blank line", `type T struct {
	x  int
	mu sync.Mutex // protects following fields
	a  int
	b  int

	c int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"below with paragraphs", `type T struct {
	// mu guards the fields below.
	mu sync.Mutex

	// a is one
	a int

	// b is two
	b int
	rw sync.RWMutex
	c int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"everything below", `type T struct {
	mu sync.Mutex // protects everything below
	a  int

	b int

	other sync.Mutex
	c int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"a count", `type T struct {
	mu sync.Mutex // guards the following 2 fields
	a  int
	b  int
	c  int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"names", `type T struct {
	// mu guards items and index.
	mu    sync.Mutex
	items []int
	index map[int]int
	other int
}`, map[string]string{"items": "T.mu", "index": "T.mu"}},
		{"names in a list", `type T struct {
	mu sync.Mutex // protects a, b, and c
	a, b int
	c, d int
}`, map[string]string{"a": "T.mu", "b": "T.mu", "c": "T.mu"}},
		{"access to a name", `type T struct {
	items []int
	mu sync.Mutex // protects access to the items slice from other goroutines
}`, map[string]string{"items": "T.mu"}},
		{"above", `type T struct {
	x int

	a int
	b int
	mu sync.Mutex // protects the above
	c int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"all fields", `type T struct {
	a int

	mu sync.Mutex // guards all fields
	b int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"held when accessing", `type T struct {
	heap int
	mu sync.Mutex // must be held when accessing heap
}`, map[string]string{"heap": "T.mu"}},
		{"fields below, said first", `type T struct {
	// All the fields below are protected by this mutex.
	sync.Mutex
	a int
}`, map[string]string{"a": "T.Mutex"}},
		{"embedded", `type T struct {
	sync.RWMutex // protects the fields below
	a int
}`, map[string]string{"a": "T.RWMutex"}},
		{"by the embedded mutex", `type T struct {
	sync.Mutex
	a int // protected by the embedded mutex
	b int // guarded by T.Mutex
	c int // protected by the lock
}`, map[string]string{"a": "T.Mutex", "b": "T.Mutex", "c": "T.Mutex"}},
		{"a comment on its own", `type T struct {
	mu sync.Mutex
	x int

	// The following fields are guarded by mu.

	a int
	b int

	c int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"a comment on the group's first field", `type T struct {
	mu sync.Mutex

	// The fields below are guarded by mu.
	a int
	b int

	c int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"the struct's doc", `// T is a queue. All fields are protected by mu.
type T struct {
	mu sync.Mutex
	a int
}`, map[string]string{"a": "T.mu"}},
		{"the struct's doc with names", `// T is a queue. mu guards a and b.
type T struct {
	mu sync.Mutex
	a, b, c int
}`, map[string]string{"a": "T.mu", "b": "T.mu"}},
		{"nested", `type T struct {
	mu sync.Mutex
	state struct {
		a int // guarded by mu
		l sync.Mutex // guards b
		b int
	}
}`, map[string]string{"state.a": "T.mu", "state.b": "T.state.l"}},
		{"elements of a slice", `type T struct {
	mu sync.Mutex
	shards []struct {
		a int // guarded by T.mu
	}
}`, map[string]string{}},
		{"generic", `type T[E any] struct {
	mu sync.Mutex // guards a
	a []E
}`, map[string]string{"a": "T.mu"}},
		{"wrapped mutex", `type lock struct { sync.Mutex }
type T struct {
	mu lock
	a int // guarded by mu
}`, map[string]string{"a": "T.mu.Mutex"}},
		{"another type's lock", `type S struct { mu sync.Mutex }
type T struct {
	a int // protected by S.mu
	b int // protected by the S mutex
}`, map[string]string{"a": "S.mu", "b": "S.mu"}},

		{"against something", `type T struct {
	mu sync.Mutex // guards against a being closed twice
	a int
}`, map[string]string{}},
		{"only some", `type T struct {
	mu sync.Mutex // does not protect a
	a int
}`, map[string]string{}},
		{"of something else", `type T struct {
	mu sync.Mutex // protects the state of the connection while a is set
	a int
}`, map[string]string{}},
		{"no comment", `type T struct {
	mu sync.Mutex
	a int
}`, map[string]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			pkg, notes := load(t, "package p\n\nimport \"sync\"\n\n"+c.decl)
			typ := pkg.Scope().Lookup("T").Type()
			got := map[string]string{}
			collect(notes, typ.Underlying().(*types.Struct), "", got)
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// collect fills in the notes of the struct's fields by their path.
func collect(notes *Notes, st *types.Struct, prefix string, got map[string]string) {
	for f := range st.Fields() {
		if all := showAll(notes.Field(f)); all != "" {
			got[prefix+f.Name()] = all
		}
		if inner, ok := f.Type().(*types.Struct); ok {
			collect(notes, inner, prefix+f.Name()+".", got)
		}
	}
}

func TestHat(t *testing.T) {
	pkg, notes := load(t, `package p

import "sync"

type T struct {
	before int

	mu    sync.Mutex
	items int
	index int

	apart int

	a      sync.Mutex
	b      sync.RWMutex
	two    int
	heapMu sync.Mutex
	after  int

	heap int
}
`)
	for name, want := range map[string]string{
		"before": "[]", "items": "[mu]", "index": "[mu]", "apart": "[]",
		"two": "[b a]", "after": "[heapMu]", "heap": "[heapMu]",
	} {
		var got []string
		for _, v := range notes.Hat(field(pkg, "T", name)) {
			got = append(got, v.Name())
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestName(t *testing.T) {
	const src = `package p

import "sync"

type Queue struct { mu sync.Mutex; n int }

func (q *Queue) SENTENCE() bool { BODY; return true }
`
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"popLocked", "q.n++", true},
		{"PopLocked", "q.n++", true},
		{"pop_locked", "q.n++", true},
		{"popLocked", "q.mu.Unlock(); q.mu.Lock()", true},
		{"popWithLockHeld", "q.n++", true},
		{"popUnderLock", "q.n++", true},
		{"popWithoutLock", "q.n++", true},
		{"popNoLock", "q.n++", true},
		{"popUnlocked", "q.n++", true},
		{"popWithLock", "q.n++", true},
		{"popWithLock", "q.mu.Lock(); q.mu.Unlock()", false},
		{"popLocked", "q.mu.Lock(); q.mu.Unlock()", false},
		{"popLocked", "go func() { q.mu.Lock(); q.mu.Unlock() }()", true},
		{"isLocked", "q.n++", false},
		{"IsFileLocked", "q.n++", false},
		{"setLocked", "q.n++", false},
		{"Locked", "q.n++", false},
		{"blocked", "q.n++", false},
		{"popBlocked", "q.n++", false},
		{"unlock", "q.n++", false},
		{"Unlock", "q.n++", false},
		{"pop", "q.n++", false},
	} {
		pkg, notes := load(t, replace(replace(src, "SENTENCE", c.name), "BODY", c.body))
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup("Queue").Type()), true, pkg, c.name)
		got, ok := notes.Func(obj.(*types.Func))
		if ok != c.want {
			t.Errorf("%s with body %q: got %v, want %v", c.name, c.body, ok, c.want)
		}
		if ok && (showAll(got) != "$0.mu" || got[0].Source != Name || got[0].Lock != "") {
			t.Errorf("%s: got %+v", c.name, got)
		}
	}
}
