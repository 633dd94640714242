package config

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/heapvet/heapvet/internal/check"
)

// An Error is what is wrong in a configuration file, with the line.
type Error struct {
	File      string
	Line, Col int
	Message   string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
}

// Read reads a configuration file. The error joins all that is wrong in it, each
// an [*Error] whose File is the name given.
func Read(name string, checks []*check.Check) (*Config, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c, err := parse(name, data, checks)
	if err != nil {
		return nil, err
	}
	c.File, err = filepath.Abs(name)
	return c, err
}

func parse(name string, data []byte, checks []*check.Check) (*Config, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntaxError(name, err)
	}
	schema, err := Schema(checks)
	if err != nil {
		return nil, err
	}
	v := &validator{file: name}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			v.value(doc.Body, schema, "the file")
		}
	}
	if len(v.errs) > 0 {
		return nil, errors.Join(v.errs...)
	}
	c := &Config{}
	text, err := yaml.YAMLToJSON(data)
	if err != nil {
		return nil, syntaxError(name, err)
	}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, &Error{File: name, Message: err.Error()}
	}
	return c, c.checkSettings(name, file, checks)
}

// checkSettings tries the settings on the checks' flags.
func (c *Config) checkSettings(name string, file *ast.File, checks []*check.Check) error {
	var errs []error
	for _, ch := range checks {
		ch.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
			value, ok := c.Checks[ch.Name].Settings[f.Name]
			if !ok {
				return
			}
			if err := f.Value.Set(flagSyntax(value)); err != nil {
				e := &Error{File: name, Message: fmt.Sprintf("%s of %s: %v", f.Name, ch.Name, err)}
				if path, perr := yaml.PathString(fmt.Sprintf("$.checks.%s.%s", ch.Name, f.Name)); perr == nil {
					if node, nerr := path.FilterFile(file); nerr == nil {
						e.Line, e.Col = position(node)
					}
				}
				errs = append(errs, e)
			}
		})
	}
	return errors.Join(errs...)
}

// syntaxError turns an error of the YAML parser into one with a line.
func syntaxError(name string, err error) error {
	var y yaml.Error
	if !errors.As(err, &y) || y.GetToken() == nil {
		return &Error{File: name, Message: err.Error()}
	}
	pos := y.GetToken().Position
	return &Error{File: name, Line: pos.Line, Col: pos.Column, Message: y.GetMessage()}
}

// Flags returns the vet tool's flags that the configuration amounts to, sorted.
func (c *Config) Flags() []string {
	var flags []string
	for name, ch := range c.Checks {
		if ch.Enabled != nil && !*ch.Enabled {
			flags = append(flags, "-"+name+"=false")
		}
		for setting, value := range ch.Settings {
			flags = append(flags, "-"+name+"."+setting+"="+flagSyntax(value))
		}
	}
	slices.SortFunc(flags, strings.Compare)
	return flags
}

// YAML writes the configuration as a file that would read as it.
func (c *Config) YAML() (string, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	out, err := yaml.JSONToYAML(text)
	return string(out), err
}
