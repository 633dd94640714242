package printer

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/source"
)

// BenchmarkFormats shows that the time of each format grows with the number of
// findings and not with its square, in one large file and in many: ns/finding stays
// about the same.
func BenchmarkFormats(b *testing.B) {
	const perFile = 10
	dir := b.TempDir()
	for _, n := range []int{2_000, 20_000} {
		var findings []*finding.Finding
		for i := range n {
			name := filepath.Join(dir, fmt.Sprintf("p%d", i/perFile), "p.go")
			if i%2 == 0 {
				name = filepath.Join(dir, "large.go")
			}
			findings = append(findings, &finding.Finding{
				Check: "heaplock", Rule: "unheld", Package: "example.com/p", Message: "heap.Pop of Q.items without mu, which guards it",
				Fingerprint: fmt.Sprint(i), Severity: finding.Warning,
				Start: finding.Position{File: name, Line: 3 + 3*(i/2), Col: 2}, End: finding.Position{File: name, Line: 3 + 3*(i/2), Col: 9},
				Related: []finding.Related{{Start: finding.Position{File: name, Line: 2, Col: 1}, Message: "mu is held here"}},
			})
			if i%perFile == 1 {
				writeSource(b, name, perFile)
			}
		}
		writeSource(b, filepath.Join(dir, "large.go"), n)
		findings = finding.Sort(findings)
		for _, f := range Formats() {
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				for b.Loop() {
					d := &Document{Findings: findings, Checks: sampleChecks, Source: &source.Cache{}, Names: finding.Names{Dir: dir}}
					if err := f.Print(io.Discard, d); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/finding")
			})
		}
	}
}

func writeSource(b *testing.B, name string, functions int) {
	b.Helper()
	var src strings.Builder
	src.WriteString("package p\n\n")
	for i := range functions {
		fmt.Fprintf(&src, "func f%d() {\n\tcall(%d)\n}\n", i, i)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(src.String()), 0o666); err != nil {
		b.Fatal(err)
	}
}
