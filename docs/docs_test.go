package docs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/frontend/cli"
	"github.com/heapvet/heapvet/internal/gendoc"
)

// TestChecks: the pages of the checks are what their descriptions say.
func TestChecks(t *testing.T) {
	want := gendoc.Pages(analyzers.Checks())
	entries, err := os.ReadDir("checks")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if want[e.Name()] == nil {
			t.Errorf("checks/%s belongs to no check; run go generate ./docs", e.Name())
		}
	}
	for name, page := range want {
		got, err := os.ReadFile(filepath.Join("checks", name))
		if err != nil {
			t.Errorf("%v; run go generate ./docs", err)
			continue
		}
		if diff := cmp.Diff(string(page), string(got)); diff != "" {
			t.Errorf("checks/%s is out of step; run go generate ./docs (-want +got):\n%s", name, diff)
		}
	}
}

// TestManual: the manual page is what the commands say.
func TestManual(t *testing.T) {
	want := gendoc.Manual(cli.Manual(analyzers.Checks(), analyzers.Flags))
	got, err := os.ReadFile(filepath.Join("..", cli.ManualPage))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is out of step; run go generate ./docs (-want +got):\n%s", cli.ManualPage, diff)
	}
}
