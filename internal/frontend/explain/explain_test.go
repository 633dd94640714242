package explain

import (
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
)

var sample = check.New(check.Check{
	Name: "lock", Title: "heaps without their lock",
	Text: "A heap needs `mu`, see [the page](x.md).\n\n- one\n- two\n\n```go\nx := 1\n```",
	Rules: []check.Rule{
		{Name: "unheld", Title: "no lock", Wrong: "\nfunc f() {\n\t// no\n\tpop(\"x\")\n}\n", Right: "lock()"},
		{Name: "rare", Title: "seldom", Text: "Noise.", Off: true},
	},
	Flags: func(f *flag.FlagSet) { f.Int("min", 2, "the least `number`") },
	Run:   func(*analysis.Pass) error { return nil },
})

func TestCheck(t *testing.T) {
	var out strings.Builder
	if err := New(&out, false).Check(sample); err != nil {
		t.Fatal(err)
	}
	want := `lock: heaps without their lock

A heap needs mu, see the page.

- one
- two

    x := 1

Rules

  lock/unheld: no lock

    Wrong
        func f() {
            // no
            pop("x")
        }

    Right
        lock()

  lock/rare: seldom (off by default; -lock.enable=rare)

    Noise.

Flags
`
	if got := out.String(); !strings.HasPrefix(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	for _, s := range []string{"  -lock\n\trun only this check", "  -lock.min number\n\tthe least number", "/checks/lock.md"} {
		if !strings.Contains(out.String(), s) {
			t.Errorf("no %q in\n%s", s, out.String())
		}
	}
}

func TestRuleInColour(t *testing.T) {
	var out strings.Builder
	if err := New(&out, true).Rule(sample, sample.Rule("unheld")); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"\x1b[35mfunc\x1b[", "-lock.disable=unheld", "//go:vet-ignore=lock/unheld"} {
		if !strings.Contains(out.String(), s) {
			t.Errorf("no %q in\n%s", s, out.String())
		}
	}
}

func TestList(t *testing.T) {
	var out strings.Builder
	if err := New(&out, false).List([]*check.Check{sample}, true); err != nil {
		t.Fatal(err)
	}
	want := `  lock      heaps without their lock
    unheld  no lock
    rare    seldom (off by default; -lock.enable=rare)
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
