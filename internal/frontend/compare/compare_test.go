package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/source"
)

// mk makes a finding from "package declaration code message".
func mk(s string) *finding.Finding {
	w := strings.SplitN(s, " ", 4)
	return &finding.Finding{
		Check: "lock", Rule: "unheld", Package: w[0], Decl: w[1], Code: w[2], Message: w[3],
		Start: finding.Position{File: w[0] + "/a.go"},
	}
}

func mks(list ...string) []*finding.Finding {
	var out []*finding.Finding
	for _, s := range list {
		out = append(out, mk(s))
	}
	return out
}

func names(list []*finding.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s %s %s", f.Package, f.Decl, f.Code, f.Message))
	}
	return out
}

func TestCompare(t *testing.T) {
	gone := func(decls ...string) func(*finding.Finding) bool {
		return func(f *finding.Finding) bool {
			for _, d := range decls {
				if d == f.Package+"."+f.Decl {
					return true
				}
			}
			return false
		}
	}
	tests := []struct {
		name        string
		before, now []*finding.Finding
		moves       Moves
		new, fixed  []string
	}{
		{
			name:   "other uses of the heap change the evidence",
			before: mks("p F pop() without mu, which guards it (held at 7 of its 8 uses)"),
			now:    mks("p F pop() without mu, which guards it (held at 1 of its 3 uses; the comment of h says so)"),
		},
		{
			name:   "same",
			before: mks("p F pop() held at 7 of 8"), now: mks("p F pop() held at 8 of 9"),
		},
		{
			name:   "numbers in names count",
			before: mks("p F pop() no mu1"), now: mks("p F pop() no mu2"),
			new: []string{"p F pop() no mu2"}, fixed: []string{"p F pop() no mu1"},
		},
		{
			name:   "one more of the same",
			before: mks("p F pop() m"), now: mks("p F pop() m", "p F pop() m"),
			new: []string{"p F pop() m"},
		},
		{
			name:   "one fewer of the same",
			before: mks("p F pop() m", "p F pop() m"), now: mks("p F pop() m"),
			fixed: []string{"p F pop() m"},
		},
		{
			name:   "function renamed",
			before: mks("p F pop() m"), now: mks("p G pop() m"), moves: Moves{Gone: gone("p.F")},
		},
		{
			name:   "fixed in one function, made in another",
			before: mks("p F pop() m"), now: mks("p G pop() m"), moves: Moves{Gone: gone()},
			new: []string{"p G pop() m"}, fixed: []string{"p F pop() m"},
		},
		{
			name:   "moved to another package",
			before: mks("a/p F pop() p.T has m"), now: mks("a/q F pop() q.T has m"), moves: Moves{Gone: gone("a/p.F")},
		},
		{
			name:   "moved and renamed",
			before: mks("p F pop() m"), now: mks("q G pop() m"), moves: Moves{Gone: gone("p.F")},
			new: []string{"q G pop() m"}, fixed: []string{"p F pop() m"},
		},
		{
			name:   "moved and renamed with the file",
			before: mks("p F pop() m"), now: mks("q G pop() m"),
			moves: Moves{Gone: gone("p.F"), Renamed: map[string]string{"q/a.go": "p/a.go"}},
		},
		{
			name:   "exact matches go first",
			before: mks("p F pop() m", "p G pop() m"), now: mks("p G pop() m", "p H pop() m"), moves: Moves{Gone: gone("p.F")},
		},
		{name: "nothing before", now: mks("p F pop() m"), new: []string{"p F pop() m"}},
		{name: "nothing now", before: mks("p F pop() m"), fixed: []string{"p F pop() m"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := Compare(test.before, test.now, test.moves)
			if diff := cmp.Diff(test.new, names(r.New)); diff != "" {
				t.Errorf("new: %s", diff)
			}
			if diff := cmp.Diff(test.fixed, names(r.Fixed)); diff != "" {
				t.Errorf("fixed: %s", diff)
			}
			if len(r.Unchanged)+len(r.New) != len(test.now) || len(r.Unchanged)+len(r.Fixed) != len(test.before) {
				t.Errorf("%d unchanged of %d before and %d now", len(r.Unchanged), len(test.before), len(test.now))
			}
		})
	}
}

func TestIdentify(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	identify := func(text string, line, col, endLine, endCol int) *finding.Finding {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f := &finding.Finding{
			Start: finding.Position{File: file, Line: line, Col: col},
			End:   finding.Position{File: file, Line: endLine, Col: endCol},
		}
		Identify([]*finding.Finding{f}, &source.Cache{})
		return f
	}
	a := identify("package p\n\nfunc F() {\n\tg(1,  2) // x\n}\n", 4, 2, 4, 10)
	if a.Decl != "F" || a.Code != "g(1, 2)" {
		t.Errorf("%+v", a)
	}
	b := identify("package p\n\n// F does.\nfunc F() {\n\tif true {\n\t\tg(1, 2)\n\t}\n}\n", 6, 3, 6, 10)
	if a.Fingerprint != b.Fingerprint || a.Fingerprint == "" {
		t.Errorf("fingerprints %s, %s of the same code", a.Fingerprint, b.Fingerprint)
	}
	c := identify("package p\n\nfunc G() {\n\tg(1, 2)\n}\n", 4, 2, 4, 9)
	if a.Fingerprint == c.Fingerprint {
		t.Error("the same fingerprint in another function")
	}
	if d := identify("package p\n\nvar v = g(\n\t1)\n", 3, 9, 4, 4); d.Code != "var v = g(" || d.Decl != "v" {
		t.Errorf("%+v", d)
	}
	// A check may give no end.
	for _, line := range []string{"f(1)", "f(1) // why", "/* what */ f(1)", "\tf(1)\t/* open"} {
		if f := identify("package p\n\nfunc F() {\n"+line+"\n}\n", 4, 1, 0, 0); f.Code != "f(1)" {
			t.Errorf("the code of %q is %q", line, f.Code)
		}
	}
	if f := identify("package p\n\nfunc F() {\n\tg(\"//\")\n}\n", 4, 2, 0, 0); f.Code != `g("//")` {
		t.Errorf("%+v", f)
	}
	if e := identify("package p\n", 7, 9, 8, 4); e.Code != "" || e.Fingerprint == "" {
		t.Errorf("%+v", e)
	}
}

// BenchmarkCompare shows that the time grows with the number of findings, and not
// with its square: ns/op over n stays about the same.
func BenchmarkCompare(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		var before, now []*finding.Finding
		for i := range n {
			before = append(before, mk(fmt.Sprintf("p%d F%d pop() m", i%50, i)))
			now = append(now, mk(fmt.Sprintf("p%d G%d pop() m", i%50, i)))
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Compare(before, now, Moves{})
			}
		})
	}
}
