package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/frontend/config"
)

// TestSchema: the schema of the configuration is what the Go type and the checks say.
func TestSchema(t *testing.T) {
	want, err := config.SchemaFile(analyzers.Checks())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("heapvet.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("heapvet.schema.json is out of step; run go generate ./docs (-want +got):\n%s", diff)
	}
}

// TestConfigurationExample: the example in the documentation is a right file.
func TestConfigurationExample(t *testing.T) {
	page, err := os.ReadFile("configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	example, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("no example in configuration.md")
	}
	file := filepath.Join(t.TempDir(), config.FileName)
	if err := os.WriteFile(file, []byte(example), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Read(file, analyzers.Checks()); err != nil {
		t.Error(err)
	}
}
