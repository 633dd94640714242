package lesscapture_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/analyzers/lesscapture"
)

func TestRules(t *testing.T) {
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, lesscapture.Analyzer, "lesscapture/variables", "lesscapture/tables",
		"lesscapture/fields", "lesscapture/stale", "lesscapture/lifetime", "lesscapture/oldloops")
}
