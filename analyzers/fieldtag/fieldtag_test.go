package fieldtag

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// dir is the tree of test sources at the root of the repository.
func dir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRules(t *testing.T) {
	for _, topic := range []string{"syntax"} {
		t.Run(topic, func(t *testing.T) {
			analysistest.Run(t, dir(t), Analyzer, "fieldtag/"+topic)
		})
	}
}
