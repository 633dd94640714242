package baseline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/internal/frontend/compare"
	"github.com/heapvet/heapvet/internal/frontend/finding"
)

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	mk := func(file, decl, code, message string, line int) *finding.Finding {
		return &finding.Finding{
			Check: "lock", Rule: "unheld", Package: "example.com/p", Decl: decl, Code: code, Message: message,
			Start: finding.Position{File: filepath.Join(dir, file), Line: line},
		}
	}
	findings := []*finding.Finding{
		mk("b/b.go", "F", "heap.Pop(&q)", "held at 7 of 8: no", 4),
		mk("a/a.go", "(*T).M", "x[0] = '#': \"y\"", "z", 3),
		mk("b/b.go", "F", "heap.Pop(&q)", "held at 9 of 9: no", 5),
		mk("../other.go", "", "", "- [x]", 5),
	}
	b := New(findings, dir)
	text, err := b.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	want := header + `version: 1
findings:
- file: ../other.go
  rule: lock/unheld
  message: "- [x]"
  package: example.com/p
- file: a/a.go
  in: (*T).M
  rule: lock/unheld
  code: "x[0] = '#': \"y\""
  message: z
  package: example.com/p
- file: b/b.go
  in: F
  rule: lock/unheld
  code: heap.Pop(&q)
  message: "held at # of #: no"
  package: example.com/p
  count: 2
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	file := filepath.Join(dir, "baseline.yaml")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	again, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	r := compare.Compare(again.Entries(dir), findings, compare.Moves{})
	if len(r.New)+len(r.Fixed) > 0 || len(r.Unchanged) != len(findings) {
		t.Errorf("read again: %d new, %d fixed, %d unchanged", len(r.New), len(r.Fixed), len(r.Unchanged))
	}
}

// Whatever the code and the message are, they must come back as they were.
func TestRoundTripOfAnyText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "baseline.yaml")
	property := func(code, message string) bool {
		f := &finding.Finding{
			Check: "c", Rule: "r", Code: strings.Join(strings.Fields(strings.ToValidUTF8(code, "?")), " "), Message: strings.ToValidUTF8(message, "?"),
			Start: finding.Position{File: "a.go"},
		}
		text, err := New([]*finding.Finding{f}, "").Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := Read(file)
		if err != nil {
			t.Errorf("%v in\n%s", err, text)
			return false
		}
		return len(b.Findings) == 1 && b.Findings[0].Code == f.Code && b.Findings[0].Message == compare.Message(f.Message)
	}
	for _, s := range []string{"", " x", "x ", "# x", "x # y", "x: y", "- x", "{", "!x", "&x", "*x", "|", "> x", "null", "1", "true", "'", "\"", "\\n", "a\tb", "世界", "@x", "`x`", "%x", "?", "[", "~", "0x1f", "2001-01-01", "\u00a0", "=", "<<"} {
		if !property(s, s) {
			t.Errorf("%q does not come back", s)
		}
	}
	if err := quick.Check(property, nil); err != nil {
		t.Error(err)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"version: 2\nfindings: []\n":             "version 2",
		"findings: []\n":                         "version 0",
		"version: 1\nfindings:\n- fil: x\n":      "[3:3]",
		"version: 1\nfindings: [\n":              "is no baseline",
		"version: 1\nfindings:\n- count: many\n": "[3:10]",
	} {
		file := filepath.Join(t.TempDir(), "b.yaml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
