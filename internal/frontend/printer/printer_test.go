package printer

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"
	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/source"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

var update = flag.Bool("update", false, "write the golden files anew")

var sampleChecks = []*check.Check{
	check.New(check.Check{
		Name: "heaplock", Title: "heap operations without their lock",
		Text: "A heap that goroutines share needs its lock.",
		Rules: []check.Rule{{
			Name: "unheld", Title: "no lock is held", Text: "The `heap` is not guarded.",
			Wrong: "heap.Pop(&q.items)", Right: "q.mu.Lock()\nheap.Pop(&q.items)\nq.mu.Unlock()",
		}},
		Run: func(*analysis.Pass) error { return nil },
	}),
	check.New(check.Check{
		Name: "lessorder", Title: "comparators that are no order", Text: "Less must be a strict weak order.",
		Rules: []check.Rule{{Name: "order", Title: "no strict weak order"}},
		Run:   func(*analysis.Pass) error { return nil },
	}),
	check.New(check.Check{
		Name: "fieldtag", Title: "struct tags", Text: "Tags.",
		Rules: []check.Rule{{Name: "dup", Title: "duplicate names"}},
		Run:   func(*analysis.Pass) error { return nil },
	}),
}

// sample is a document with all that formats must cope with.
func sample(t testing.TB) *Document {
	t.Helper()
	dir, err := filepath.Abs("testdata/src")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "queue", "queue.go")
	at := func(line, col int) finding.Position { return finding.Position{File: file, Line: line, Col: col} }
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	less := strings.Index(string(text), "<=")
	return &Document{
		Names: finding.Names{Dir: dir}, Source: &source.Cache{}, Checks: sampleChecks, Version: "v1.2.3",
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Elapsed: 1500 * time.Millisecond,
		Findings: []*finding.Finding{
			{
				Check: "heaplock", Rule: "unheld", Package: "example.com/queue", Decl: "(*Queue).pop",
				Message:  "heap.Pop on q.items without q.mu, which is held at 1 of 2 operations; 100% <sure>",
				Severity: finding.Error, Fingerprint: "0123456789abcdef", Start: at(27, 9), End: at(27, 33),
				Related: []finding.Related{
					{Start: at(18, 2), End: at(18, 24), Message: "q.mu is held here"},
					{Start: at(23, 9), Message: "called from (*Queue).Next without the lock"},
				},
			},
			{
				Check: "lessorder", Rule: "order", Package: "example.com/queue", Decl: "items.Less",
				Message: "Less is true for equal elements", Severity: finding.Note, Fingerprint: "fedcba9876543210",
				Start: at(33, 45), End: at(33, 57),
				Fixes: []finding.Fix{{Message: "use <", Edits: []finding.Edit{{File: file, Start: less, End: less + 2, New: "<"}}}},
			},
		},
		Suppressed: []*finding.Finding{{
			Check: "fieldtag", Rule: "dup", Package: "example.com/queue", Message: "a: twice", Severity: finding.Warning,
			Start: at(10, 1), Suppressed: "excluded by the configuration",
		}},
		Heaps: []Heap{
			{Package: "example.com/queue", Name: "Queue.items", Type: "items", Guard: "mu", State: "guarded", Because: "held in 1 of 2 ways to it", With: 1, Without: 1, Place: at(11, 2)},
			{Package: "example.com/queue", Name: "h", Type: "example.com/other.Heap[int]", State: "local", Because: "Run makes it and gives it to nobody", Place: at(12, 2)},
		},
		Failures: []vetrun.Failure{{Check: "fieldtag", Package: "example.com/other", Message: "internal error"}},
	}
}

// compared is sample as a gate prints it.
func compared(t testing.TB) *Document {
	d := sample(t)
	d.LinkBase = "https://example.com/blob/main"
	d.Comparison = &Comparison{Against: "main", Fixed: d.Findings[1:], Unchanged: 7}
	d.Findings = d.Findings[:1]
	return d
}

func TestGolden(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			golden(t, f, sample(t), f.Name)
			golden(t, f, compared(t), f.Name+".compared")
			empty := sample(t)
			empty.Findings, empty.Suppressed, empty.Failures = nil, nil, nil
			golden(t, f, empty, f.Name+".clean")
		})
	}
	t.Run("colour", func(t *testing.T) {
		d := sample(t)
		d.Color = true
		golden(t, Format{Name: "text", Print: Text}, d, "text.colour")
	})
}

func golden(t *testing.T, f Format, d *Document, name string) {
	t.Helper()
	got := printed(t, f, d)
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-update writes it anew):\n%s", file, diff)
	}
}

func printed(t *testing.T, f Format, d *Document) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := f.Print(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSARIFSchema validates what is written against the official schema, and finds
// properties that SARIF does not know.
func TestSARIFSchema(t *testing.T) {
	schema := gojsonschema.NewStringLoader(sarifSchema(t))
	if r, err := gojsonschema.Validate(schema, gojsonschema.NewStringLoader(`{"version": "2.1.0"}`)); err != nil || r.Valid() {
		t.Fatalf("the validator accepts a log without runs (%v)", err)
	}
	for name, d := range map[string]*Document{"plain": sample(t), "compared": compared(t), "empty": {Source: &source.Cache{}}} {
		text := printed(t, Format{Print: SARIF}, d)
		result, err := gojsonschema.Validate(schema, gojsonschema.NewBytesLoader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range result.Errors() {
			t.Errorf("%s: %v", name, e)
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&sarif.Report{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sarifSchema is the official schema of SARIF 2.1.0. It comes with a library that
// has it as an unexported constant (and validates its own types only, after it
// has filled in what they lack).
func sarifSchema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", reflect.TypeFor[sarif.Report]().PkgPath()).Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	schema := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			schema, err = strconv.Unquote(lit.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(schema, "SARIF") {
		t.Fatalf("no schema in the library: %v", err)
	}
	return schema
}

// The column of SARIF counts UTF-16 code units, the go command bytes.
func TestSARIFColumns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte("世𝄞x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &sarifPrinter{doc: &Document{Source: &source.Cache{}}}
	for col, want := range map[int]int{0: 1, 1: 1, 4: 2, 8: 4, 9: 5, 50: 50} {
		if got := s.column(finding.Position{File: file, Line: 1, Col: col}); got != want {
			t.Errorf("column of byte %d is %d, want %d", col, got, want)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	text := printed(t, Format{Print: JSON}, compared(t))
	var report Report
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&report); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := encode(&again, report); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), again.String()); diff != "" {
		t.Error(diff)
	}
}

func TestXMLIsWellFormed(t *testing.T) {
	for _, print := range []Format{{Name: "checkstyle", Print: Checkstyle}, {Name: "junit", Print: JUnit}} {
		var v struct {
			Inner string `xml:",innerxml"`
		}
		if err := xml.Unmarshal(printed(t, print, sample(t)), &v); err != nil {
			t.Errorf("%s: %v", print.Name, err)
		}
	}
}

// GitLab drops all but one finding of the same fingerprint.
func TestGitLabFingerprintsAreUnique(t *testing.T) {
	d := sample(t)
	d.Findings = append(d.Findings, d.Findings...)
	var issues []gitlabIssue
	if err := json.Unmarshal(printed(t, Format{Print: GitLab}, d), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		seen[i.Fingerprint] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d fingerprints for 4 findings", len(seen))
	}
}

func TestLookup(t *testing.T) {
	if _, err := Lookup("sarfi"); err == nil || !strings.Contains(err.Error(), "did you mean sarif?") {
		t.Errorf("error %v", err)
	}
	if _, err := Lookup("nothing-like-it"); err == nil || !strings.Contains(err.Error(), "checkstyle") {
		t.Errorf("error %v", err)
	}
}
