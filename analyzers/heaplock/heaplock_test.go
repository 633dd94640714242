package heaplock_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/analyzers/heaplock"
	"github.com/heapvet/heapvet/internal/check/checktest"
)

func testdata(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func Test(t *testing.T) {
	// One run for all packages: what they import is loaded once.
	analysistest.Run(t, testdata(t), heaplock.Analyzer,
		"heaplock/unheld", "heaplock/rlock", "heaplock/wrong", "heaplock/path", "heaplock/escape",
		"heaplock/leak", "heaplock/split", "heaplock/unguarded", "heaplock/elem", "heaplock/confined", "heaplock/quiet",
		"heaplock/foreign", "heaplock/foreignheap", "heaplock/owners")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, testdata(t), heaplock.Analyzer, "heaplock/fixes")
	checktest.Fixed(t, heaplock.Analyzer, filepath.Join(testdata(t), "src", "heaplock", "fixes", "fixes.go.golden"))
}

// Where a lock, or a stronger one, might be waited for by who holds it, nothing is
// suggested.
func TestNoFixes(t *testing.T) {
	for _, r := range analysistest.Run(t, testdata(t), heaplock.Analyzer, "heaplock/nofix") {
		for _, d := range r.Diagnostics {
			if len(d.SuggestedFixes) > 0 {
				t.Errorf("%s: %s: a fix is suggested", r.Pass.Fset.Position(d.Pos), d.Message)
			}
		}
	}
}
