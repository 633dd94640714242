// Package config reads heapvet's configuration file, .heapvet.yaml.
//
// The front end alone reads it: what changes the analysis is turned into flags of
// the vet tool, because the go command's cache knows flags and source files only;
// the rest (exclusions, severities) is applied to the findings afterwards.
//
// [Config] is the one description of the file: the JSON schema is generated from
// it ([Schema]), and the file is checked against that schema.
package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// FileName is the name under which the file is found.
const FileName = ".heapvet.yaml"

// Config is the content of a configuration file.
type Config struct {
	Checks   map[string]Check            `json:"checks,omitempty" jsonschema:"the checks by name: false or true, or an object with their settings; checks that are not named run"`
	Models   Models                      `json:"models,omitzero" jsonschema:"heap and lock types of libraries that heapvet does not know"`
	Exclude  []Exclusion                 `json:"exclude,omitempty" jsonschema:"findings that are not reported"`
	Severity map[string]finding.Severity `json:"severity,omitempty" jsonschema:"severities by check or check/rule, or default for all others; without an entry it is warning"`
	FailOn   FailOn                      `json:"fail-on,omitempty" jsonschema:"the least severity of a finding that makes the exit status 1; never makes it 0 whatever is found; note if not given"`
	Test     *bool                       `json:"test,omitempty" jsonschema:"whether findings in test files are reported; true if not given"`
	Tags     []string                    `json:"tags,omitempty" jsonschema:"build tags"`

	// File is the absolute path of the file that was read, "" if there is none.
	File string `json:"-"`
}

// Check is the configuration of one check.
type Check struct {
	// Enabled is nil if the file does not say.
	Enabled *bool
	// Settings are values of the check's flags by flag name, as JSON has them:
	// text, numbers, booleans, or lists of those.
	Settings map[string]any
}

// Models are additional models of libraries.
type Models struct {
	Heaps []Model `json:"heaps,omitempty" jsonschema:"heap types: their methods are the operations init, push, pop, fix, remove, peek and len"`
	Locks []Model `json:"locks,omitempty" jsonschema:"lock types: their methods are the operations lock, unlock, rlock, runlock, trylock and tryrlock"`
}

// A Model says which methods of a type are which operations.
type Model struct {
	Package string            `json:"package" jsonschema:"import path"`
	Type    string            `json:"type" jsonschema:"name of the type"`
	Locked  bool              `json:"locked,omitempty" jsonschema:"the type locks inside: any goroutine may call its methods"`
	Methods map[string]string `json:"methods" jsonschema:"method names to operations"`
}

// An Exclusion drops the findings that match all of its fields.
type Exclusion struct {
	Checks  []string `json:"checks,omitempty" jsonschema:"names of checks, or check/rule"`
	Path    Regexp   `json:"path,omitempty" jsonschema:"regular expression for the file, relative to the configuration file, with forward slashes"`
	Message Regexp   `json:"message,omitempty" jsonschema:"regular expression for the message"`
	Reason  string   `json:"reason,omitempty" jsonschema:"why; for the reader"`
}

// Regexp is a regular expression in RE2 syntax.
type Regexp string

// FailOn is a severity, or never.
type FailOn string

// Never is the FailOn that no finding reaches.
const Never FailOn = "never"

// Find looks for a configuration file in dir and the directories above. It
// returns "" if there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		file := filepath.Join(dir, FileName)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// UnmarshalJSON takes true, false or an object: its key "enabled" and the check's
// flags.
func (c *Check) UnmarshalJSON(data []byte) error {
	var on bool
	if json.Unmarshal(data, &on) == nil {
		c.Enabled = &on
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&c.Settings); err != nil {
		return err
	}
	if on, ok := c.Settings["enabled"].(bool); ok {
		c.Enabled = &on
	}
	delete(c.Settings, "enabled")
	return nil
}

// MarshalJSON is the inverse of UnmarshalJSON.
func (c Check) MarshalJSON() ([]byte, error) {
	if len(c.Settings) == 0 {
		return json.Marshal(c.Enabled == nil || *c.Enabled)
	}
	keys := maps.Clone(c.Settings)
	if c.Enabled != nil {
		keys["enabled"] = *c.Enabled
	}
	return json.Marshal(keys)
}

// flagSyntax turns a setting into a flag's value: lists are joined by commas.
func flagSyntax(setting any) string {
	list, ok := setting.([]any)
	if !ok {
		return fmt.Sprint(setting)
	}
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, ",")
}

// SeverityOf returns the severity of the findings of a rule.
func (c *Config) SeverityOf(check, rule string) finding.Severity {
	for _, key := range []string{check + "/" + rule, check, "default"} {
		if s, ok := c.Severity[key]; ok {
			return s
		}
	}
	return finding.Warning
}

// Fails tells whether findings of that severity make the run fail.
func (c *Config) Fails(s finding.Severity) bool {
	switch c.FailOn {
	case Never:
		return false
	case "":
		return true
	}
	return s.Rank() >= finding.Severity(c.FailOn).Rank()
}

// Excluded tells whether an exclusion drops the finding.
func (c *Config) Excluded(f *finding.Finding) bool {
	names := finding.Names{Dir: filepath.Dir(c.File)}
	for i := range c.Exclude {
		if c.Exclude[i].matches(f, names) {
			return true
		}
	}
	return false
}

func (e *Exclusion) matches(f *finding.Finding, names finding.Names) bool {
	if len(e.Checks) > 0 {
		named := false
		for _, n := range e.Checks {
			named = named || n == f.Check || n == f.ID()
		}
		if !named {
			return false
		}
	}
	return e.Path.matches(names.Slash(f.Start.File)) && e.Message.matches(f.Message)
}

// matches tells whether r, which [Read] has found to be well-formed, is in s. The
// empty expression is in every string.
func (r Regexp) matches(s string) bool {
	return r == "" || compile(r).MatchString(s)
}

var compile = func() func(Regexp) *regexp.Regexp {
	cache := map[Regexp]*regexp.Regexp{}
	return func(r Regexp) *regexp.Regexp {
		if cache[r] == nil {
			cache[r] = regexp.MustCompile(string(r))
		}
		return cache[r]
	}
}()
