// Package plugin makes heapvet's checks a linter of golangci-lint.
//
// Importing it registers the linter "heapvet" with golangci-lint's module plugin
// system; a custom build of golangci-lint imports it (see the custom directory,
// and .custom-gcl.yml for golangci-lint's own way to make such a build).
package plugin

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/checkflags"
	"github.com/heapvet/heapvet/internal/frontend/config"
	"github.com/heapvet/heapvet/internal/suggest"
)

// Name is the name of the linter.
const Name = "heapvet"

func init() { register.Plugin(Name, New) }

// Settings are what .golangci.yml may say of the linter, below
// linters.settings.custom.heapvet.settings. They are the part of .heapvet.yaml
// that changes the analysis; exclusions, severities, build tags and test files
// are settings of golangci-lint itself.
type Settings struct {
	Checks map[string]config.Check `json:"checks"`
	Models config.Models           `json:"models"`
}

// New returns the linter with the given settings.
func New(conf any) (register.LinterPlugin, error) {
	list, err := Analyzers(conf)
	if err != nil {
		return nil, err
	}
	return linter{list}, nil
}

type linter struct{ analyzers []*analysis.Analyzer }

// BuildAnalyzers returns the analyzers of the checks that are on.
func (l linter) BuildAnalyzers() ([]*analysis.Analyzer, error) { return l.analyzers, nil }

// GetLoadMode asks for types.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }

// Analyzers returns the analyzers of the checks that the settings leave on, set
// up as the settings say. The settings are what golangci-lint decoded from YAML,
// or nil; any key in them that means nothing is an error.
func Analyzers(conf any) ([]*analysis.Analyzer, error) {
	s, err := register.DecodeSettings[Settings](conf)
	if err != nil {
		return nil, err
	}
	all := analyzers.All()
	if err := s.validate(all); err != nil {
		return nil, err
	}
	fs := flag.NewFlagSet(Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	selection := checkflags.Add(fs, all)
	c := config.Config{Checks: s.Checks, Models: s.Models}
	// golangci-lint honours //nolint:heapvet itself.
	if err := fs.Parse(append([]string{"-vetignore.nolint=false"}, c.Flags()...)); err != nil {
		return nil, err
	}
	foldAll(all)
	enabled := selection.Enabled()
	for _, a := range all {
		if !slices.Contains(enabled, a) {
			analyzers.Skip(a)
		}
	}
	return enabled, nil
}

// validate checks that the names in the settings are those of checks and of their
// flags.
func (s *Settings) validate(all []*analysis.Analyzer) error {
	byName := map[string]*analysis.Analyzer{}
	for _, a := range all {
		byName[a.Name] = a
	}
	for _, name := range slices.Sorted(maps.Keys(s.Checks)) {
		a := byName[name]
		if a == nil {
			return fmt.Errorf("unknown check %q in the settings of %s%s", name, Name, hint(name, slices.Sorted(maps.Keys(byName))))
		}
		for _, key := range slices.Sorted(maps.Keys(s.Checks[name].Settings)) {
			if a.Flags.Lookup(key) == nil {
				return fmt.Errorf("unknown setting %q of %s%s", key, name, hint(key, flagNames(a)))
			}
		}
	}
	return nil
}

func flagNames(a *analysis.Analyzer) []string {
	var names []string
	a.Flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// hint says what may have been meant.
func hint(word string, known []string) string {
	if near := suggest.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; there are " + strings.Join(known, ", ")
}
