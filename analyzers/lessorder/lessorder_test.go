package lessorder_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/analyzers/lessorder"
)

func testdata(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRules(t *testing.T) {
	analysistest.Run(t, testdata(t), lessorder.Analyzer,
		"lessorder/order", "lessorder/overflow", "lessorder/nan", "lessorder/impure", "lessorder/panics")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, testdata(t), lessorder.Analyzer, "lessorder/fixes")
}
