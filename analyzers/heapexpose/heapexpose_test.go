package heapexpose_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/analyzers/heapexpose"
)

func Test(t *testing.T) {
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, heapexpose.Analyzer, "heapexpose/out", "heapexpose/quiet", "heapexpose/pools",
		"heapexpose/elements", "heapexpose/shared", "heapexpose/hooks", "heapexpose/kept", "heapexpose/encoded")
}

func TestFixes(t *testing.T) {
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.RunWithSuggestedFixes(t, dir, heapexpose.Analyzer, "heapexpose/fixes")
}
