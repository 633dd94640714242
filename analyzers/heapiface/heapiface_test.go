package heapiface_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/analyzers/heapiface"
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
	analysistest.Run(t, testdata(t), heapiface.Analyzer, "heapiface/receiver", "heapiface/pop", "heapiface/push",
		"heapiface/swap", "heapiface/length", "heapiface/leak", "heapiface/index")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, testdata(t), heapiface.Analyzer, "heapiface/fixes")
	checktest.Fixed(t, heapiface.Analyzer, filepath.Join(testdata(t), "src", "heapiface", "fixes", "fixes.go.golden"))
}
