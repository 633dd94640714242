package checktest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

var wants = regexp.MustCompile(`// want .*`)

// Fixed tests that the code compiles which a check's fixes lead to, and that the
// check has nothing left to report there. The golden file is one that
// [analysistest.RunWithSuggestedFixes] compares with.
func Fixed(t *testing.T, a *analysis.Analyzer, golden string) {
	t.Helper()
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	src := filepath.Join(dir, "src", "fixed")
	if err := os.MkdirAll(src, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(src, "fixed.go"), wants.ReplaceAll(text, nil), 0o666); err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, a, "fixed")
}
