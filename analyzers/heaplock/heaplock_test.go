package heaplock_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/analyzers/heaplock"
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
		"heaplock/leak", "heaplock/split", "heaplock/unguarded", "heaplock/quiet",
		"heaplock/foreign", "heaplock/foreignheap")
}
