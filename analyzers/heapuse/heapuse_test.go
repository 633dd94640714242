package heapuse_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/analyzers/heapuse"
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

func TestRules(t *testing.T) {
	analysistest.Run(t, testdata(t), heapuse.Analyzer, "heapuse/direct", "heapuse/initialize", "heapuse/fix", "heapuse/index",
		"heapuse/empty", "heapuse/order", "heapuse/iterate", "heapuse/copies", "heapuse/dup")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, testdata(t), heapuse.Analyzer, "heapuse/fixes")
	checktest.Fixed(t, heapuse.Analyzer, filepath.Join(testdata(t), "src", "heapuse", "fixes", "fixes.go.golden"))
}
