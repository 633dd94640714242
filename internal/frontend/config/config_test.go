package config

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/finding"
)

var checks = []*check.Check{
	check.New(check.Check{
		Name: "lock", Title: "t", Text: "t",
		Rules: []check.Rule{{Name: "unheld", Title: "t"}, {Name: "split", Title: "t"}},
		Flags: func(f *flag.FlagSet) {
			f.Int("min", 2, "least `number`")
			f.Bool("tests", false, "look at tests")
		},
		Run: func(*analysis.Pass) error { return nil },
	}),
	check.New(check.Check{
		Name: "tags", Title: "t", Text: "t",
		Rules: []check.Rule{{Name: "dup", Title: "t"}},
		Run:   func(*analysis.Pass) error { return nil },
	}),
}

const full = `
checks:
  tags: false
  lock:
    disable: [split]
    min: 3
    tests: true
models:
  heaps:
    - package: example.com/pq
      type: Queue
      methods: {Add: push, Next: pop}
exclude:
  - path: ^gen/
  - checks: [lock/unheld, tags]
    message: 'of old'
    reason: they go next week
severity:
  default: note
  lock: warning
  lock/unheld: error
fail-on: warning
test: false
tags: [integration]
`

func TestParse(t *testing.T) {
	c, err := parse("x.yaml", []byte(full), checks)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"-lock.disable=split", "-lock.min=3", "-lock.tests=true", "-tags=false"}
	if diff := cmp.Diff(want, c.Flags()); diff != "" {
		t.Errorf("flags: %s", diff)
	}
	for rule, want := range map[string]finding.Severity{"unheld": finding.Error, "split": finding.Warning} {
		if got := c.SeverityOf("lock", rule); got != want {
			t.Errorf("severity of lock/%s is %s, want %s", rule, got, want)
		}
	}
	if got := c.SeverityOf("tags", "dup"); got != finding.Note {
		t.Errorf("severity of tags/dup is %s", got)
	}
	if c.Fails(finding.Note) || !c.Fails(finding.Warning) || !c.Fails(finding.Error) {
		t.Error("fail-on: warning is not respected")
	}
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := parse("y.yaml", []byte(text), checks)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(c, again); diff != "" {
		t.Errorf("printed and read again: %s", diff)
	}
}

func TestParseEmpty(t *testing.T) {
	for _, in := range []string{"", "# nothing\n", "---\n"} {
		c, err := parse("x.yaml", []byte(in), checks)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if len(c.Flags()) > 0 || c.SeverityOf("lock", "split") != finding.Warning || !c.Fails(finding.Note) {
			t.Errorf("%q: defaults are not in force", in)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"unknown key", "\nchekcs:\n  lock: true\n", []string{`x.yaml:2:1: unknown key "chekcs" in the file; did you mean "checks"?`}},
		{"unknown check", "checks:\n  tags: true\n  lokc: true\n", []string{`x.yaml:3:3: unknown key "lokc" in checks; did you mean "lock"?`}},
		{"unknown setting", "checks:\n  lock:\n    mn: 3\n", []string{`x.yaml:3:5: unknown key "mn" in lock; it can be enabled, `}},
		{"unknown rule", "checks:\n  lock:\n    disable: [unhold]\n", []string{`x.yaml:3:15: an entry of disable cannot be "unhold"; did you mean "unheld"?`}},
		{"bad value of a flag", "checks:\n  lock:\n    min: many\n", []string{`x.yaml:3:10: min of lock: parse error`}},
		{"bad kind", "checks:\n  lock: 3\n", []string{"x.yaml:2:9: lock must be true or false or a set of keys, not a number"}},
		{"bad severity", "severity:\n  lock/split: warn\n", []string{`x.yaml:2:15: lock/split cannot be "warn"; it can be note, warning, error`}},
		{"bad regexp", "exclude:\n  - path: '('\n", []string{"x.yaml:2:11: path is no regular expression: "}},
		{"bad fail-on", "fail-on: nevr\n", []string{`x.yaml:1:10: fail-on cannot be "nevr"; did you mean "never"?`}},
		{"null", "tags:\n", []string{"x.yaml:1:7: tags must be a list, not empty"}},
		{"missing key", "models:\n  heaps:\n    - package: p\n      methods: {}\n", []string{`x.yaml:3:7: an entry of heaps lacks the key "type"`}},
		{"bad operation", "models:\n  locks:\n    - package: p\n      type: T\n      methods: {M: push}\n", []string{`x.yaml:5:20: M cannot be "push"`}},
		{"syntax", "checks: [\n", []string{"x.yaml:1:"}},
		{"all at once", "tst: true\nfail-on: 3\n", []string{"x.yaml:1:1:", "x.yaml:2:10:"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := parse("x.yaml", []byte(test.in), checks)
			if err == nil {
				t.Fatal("no error")
			}
			lines := strings.Split(err.Error(), "\n")
			for i, want := range test.want {
				if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
					t.Errorf("got\n%v\nwant\n%s", err, want)
				}
			}
		})
	}
}

func TestExcluded(t *testing.T) {
	c, err := parse("x.yaml", []byte(full), checks)
	if err != nil {
		t.Fatal(err)
	}
	c.File = filepath.FromSlash("/repo/.heapvet.yaml")
	mk := func(file, check, rule, message string) *finding.Finding {
		return &finding.Finding{Check: check, Rule: rule, Message: message, Start: finding.Position{File: filepath.FromSlash(file)}}
	}
	for f, want := range map[*finding.Finding]bool{
		mk("/repo/gen/a.go", "tags", "dup", "m"):        true,
		mk("/repo/x/gen/a.go", "tags", "dup", "m"):      false,
		mk("/repo/a.go", "lock", "unheld", "is of old"): true,
		mk("/repo/a.go", "tags", "dup", "is of old"):    true,
		mk("/repo/a.go", "lock", "split", "is of old"):  false,
	} {
		if got := c.Excluded(f); got != want {
			t.Errorf("excluded = %v for %+v", got, *f)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(below, 0o777); err != nil {
		t.Fatal(err)
	}
	if file, err := Find(below); file != "" || err != nil {
		t.Fatalf("found %q, %v where there is none", file, err)
	}
	want := filepath.Join(dir, FileName)
	if err := os.WriteFile(want, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if file, err := Find(below); file != want || err != nil {
		t.Errorf("found %q, %v, want %q", file, err, want)
	}
}

// The schema must accept what the reader accepts.
func TestSchemaAccepts(t *testing.T) {
	schema, err := Schema(checks)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var good any
	if err := json.Unmarshal([]byte(`{"checks": {"lock": {"disable": ["split"], "min": 3}, "tags": false}, "fail-on": "error"}`), &good); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(good); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{`{"check": {}}`, `{"checks": {"lock": 3}}`, `{"checks": {"nil": true}}`, `{"severity": {"lock": "bad"}}`} {
		var value any
		if err := json.Unmarshal([]byte(bad), &value); err != nil {
			t.Fatal(err)
		}
		if resolved.Validate(value) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
	if order := schema.PropertyOrder; !slices.Contains(order, "fail-on") {
		t.Errorf("order of keys: %v", order)
	}
}
