package plugin_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/heapvet/heapvet/analyzers"
	plugin "github.com/heapvet/heapvet/golangci-plugin"
)

func TestRegistered(t *testing.T) {
	newPlugin, err := register.GetPlugin("heapvet")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.BuildAnalyzers()
	if err != nil || !slices.Equal(list, analyzers.All()) {
		t.Errorf("%v, %v", list, err)
	}
	if p.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", p.GetLoadMode())
	}
	if err := analysis.Validate(list); err != nil {
		t.Error(err)
	}
}

func checks(settings map[string]any) map[string]any { return map[string]any{"checks": settings} }

func TestUnknown(t *testing.T) {
	for want, settings := range map[string]map[string]any{
		`unknown field "cheks"`:    {"cheks": nil},
		`did you mean "heaplock"?`: checks(map[string]any{"heaplok": true}),
		`unknown check "zzzzzz"`:   checks(map[string]any{"zzzzzz": false}),
		`unknown setting "disabel" of heaplock; did you mean "disable"?`: checks(map[string]any{"heaplock": map[string]any{"disabel": "rlock"}}),
		`has no rule`:       checks(map[string]any{"heaplock": map[string]any{"disable": "nonsense"}}),
		`decoding settings`: checks(map[string]any{"heaplock": "often"}),
	} {
		if _, err := plugin.New(settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", settings, err, want)
		}
	}
}

// A finding's evidence goes into its message, for golangci-lint would report each
// position as a finding of its own.
func TestEvidence(t *testing.T) {
	if _, err := plugin.New(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := plugin.New(nil); err != nil { // must not fold twice
		t.Fatal(err)
	}
	const src = `package p

import "encoding/json"

type T struct {
	A int ` + "`json:\"id\"`" + `
	B int ` + "`json:\"id\"`" + `
}

func f(t T) ([]byte, error) { return json.Marshal(t) }
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "p.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadAllSyntax}, ".")
	if err != nil {
		t.Fatal(err)
	}
	var fieldtag *analysis.Analyzer
	for _, a := range analyzers.All() {
		if a.Name == "fieldtag" {
			fieldtag = a
		}
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{fieldtag}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := graph.Roots[0].Diagnostics
	if len(found) != 1 || len(found[0].Related) != 0 || strings.Count(found[0].Message, " [p.go:6: ") != 1 {
		t.Errorf("%+v (error %v)", found, graph.Roots[0].Err)
	}
}

// The settings reach the flags of the checks, and a check that is off is not run.
func TestSettings(t *testing.T) {
	lock := analyzers.Checks()[0]
	rule := lock.Rules[0].Name
	list, err := plugin.Analyzers(checks(map[string]any{
		lock.Name:  map[string]any{"disable": []any{rule}},
		"fieldtag": false,
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := lock.Analyzer.Flags.Set("disable", ""); err != nil {
			t.Error(err)
		}
	})
	if lock.Reports(rule) {
		t.Errorf("%s/%s is not off", lock.Name, rule)
	}
	var got, want []string
	for _, a := range list {
		got = append(got, a.Name)
	}
	for _, a := range analyzers.All() {
		if a.Name != "fieldtag" {
			want = append(want, a.Name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
