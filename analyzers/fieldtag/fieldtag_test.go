package fieldtag

import (
	"path/filepath"
	"strings"
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

// topics are the packages that run with the flags as they are.
var topics = []string{
	"syntax", "keys", "names", "options", "effects", "duplicates", "unexported", "inline", "swap", "mismatch",
	"types", "validate", "proto", "xmltags", "xmlencode", "jsonv2", "k8s", "k8stypes", "k8sinternal",
}

func TestRules(t *testing.T) {
	var patterns []string
	for _, topic := range topics {
		patterns = append(patterns, "fieldtag/"+topic)
	}
	analysistest.Run(t, dir(t), Analyzer, patterns...)
}

// set sets a flag of the analyzer for one test.
func set(t *testing.T, name, value string) {
	t.Helper()
	f := Analyzer.Flags.Lookup(name)
	old := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Value.Set(old); err != nil {
			t.Fatal(err)
		}
	})
}

func TestConflict(t *testing.T) {
	set(t, "enable", "conflict")
	analysistest.Run(t, dir(t), Analyzer, "fieldtag/conflict")
}

func TestOwnKeys(t *testing.T) {
	set(t, "keys", "cfg,meta:hot|cold")
	analysistest.Run(t, dir(t), Analyzer, "fieldtag/own")
}

// findings counts the findings of rules that begin so, in a run that expects none.
func findings(t *testing.T, topic, rule string) int {
	t.Helper()
	n := 0
	for _, r := range analysistest.Run(ignoreUnexpected{t}, dir(t), Analyzer, "fieldtag/"+topic) {
		for _, d := range r.Diagnostics {
			if strings.HasPrefix(d.Category, rule) {
				n++
			}
		}
	}
	return n
}

// ignoreUnexpected drops the errors about findings that no source expects.
type ignoreUnexpected struct{ *testing.T }

func (ignoreUnexpected) Errorf(string, ...any) {}

func TestGeneratedAndTests(t *testing.T) {
	if n := findings(t, "generated", ""); n != 0 {
		t.Errorf("%d findings in generated and test files", n)
	}
	set(t, "generated", "true")
	without := findings(t, "generated", "")
	set(t, "tests", "true")
	with := findings(t, "generated", "")
	if without == 0 || with <= without {
		t.Errorf("%d findings in generated files, %d with test files", without, with)
	}
}

func TestKubernetesFlag(t *testing.T) {
	if n := findings(t, "swap", "k8s-"); n != 0 {
		t.Errorf("%d findings in a package that is none of Kubernetes", n)
	}
	set(t, "k8s", "true")
	if n := findings(t, "swap", "k8s-"); n == 0 {
		t.Error("no findings with -k8s")
	}
	set(t, "k8s", "false")
	if n := findings(t, "k8s", "k8s-"); n != 0 {
		t.Errorf("%d findings with -k8s=false", n)
	}
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, dir(t), Analyzer, "fieldtag/fixes", "fieldtag/fixchoice")
}
