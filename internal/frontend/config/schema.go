package config

import (
	"encoding/json"
	"flag"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// SchemaURL is where editors find the schema.
const SchemaURL = "https://raw.githubusercontent.com/heapvet/heapvet/main/docs/heapvet.schema.json"

// Schema returns the JSON schema of the configuration file, generated from
// [Config] and from the checks' names, rules and flags.
func Schema(checks []*check.Check) (*jsonschema.Schema, error) {
	severity := &jsonschema.Schema{Type: "string", Enum: anys(finding.Severities())}
	schema, err := jsonschema.For[Config](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[finding.Severity](): severity,
		reflect.TypeFor[FailOn]():           {Type: "string", Enum: append(anys(finding.Severities()), any(string(Never)))},
		reflect.TypeFor[Regexp]():           {Type: "string", Format: "regex"},
		reflect.TypeFor[Check]():            {},
	}})
	if err != nil {
		return nil, err
	}
	schema.ID, schema.Schema = SchemaURL, "https://json-schema.org/draft/2020-12/schema"
	schema.Title = "Configuration of heapvet"
	stripNull(schema)

	properties := schema.Properties
	properties["checks"].Properties = map[string]*jsonschema.Schema{}
	properties["severity"].Properties = map[string]*jsonschema.Schema{"default": severity.CloneSchemas()}
	var names []string
	for _, c := range checks {
		properties["checks"].Properties[c.Name] = checkSchema(c)
		properties["checks"].PropertyOrder = append(properties["checks"].PropertyOrder, c.Name)
		names = append(names, c.Name)
		for _, r := range c.Rules {
			names = append(names, c.Name+"/"+r.Name)
		}
	}
	for _, name := range names {
		properties["severity"].Properties[name] = severity.CloneSchemas()
	}
	properties["severity"].PropertyOrder = append([]string{"default"}, names...)
	properties["severity"].AdditionalProperties = nothing()
	properties["checks"].AdditionalProperties = nothing()
	properties["exclude"].Items.Properties["checks"].Items.Enum = anys(names)
	operations(properties["models"].Properties["heaps"], "init", "push", "pop", "fix", "remove", "peek", "len")
	operations(properties["models"].Properties["locks"], "lock", "unlock", "rlock", "runlock", "trylock", "tryrlock")
	return schema, nil
}

// SchemaFile is the schema as the file that editors read.
func SchemaFile(checks []*check.Check) ([]byte, error) {
	schema, err := Schema(checks)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(schema, "", "  ")
	return append(text, '\n'), err
}

// checkSchema describes the settings of one check.
func checkSchema(c *check.Check) *jsonschema.Schema {
	settings := &jsonschema.Schema{
		Type: "object", AdditionalProperties: nothing(),
		Properties: map[string]*jsonschema.Schema{
			"enabled": {Type: "boolean", Description: "whether the check runs"},
		},
		PropertyOrder: []string{"enabled"},
	}
	c.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
		settings.Properties[f.Name] = flagSchema(c, f)
		settings.PropertyOrder = append(settings.PropertyOrder, f.Name)
	})
	return &jsonschema.Schema{
		Description: c.Title,
		AnyOf:       []*jsonschema.Schema{{Type: "boolean"}, settings},
	}
}

func flagSchema(c *check.Check, f *flag.Flag) *jsonschema.Schema {
	_, usage := flag.UnquoteUsage(f)
	if f.Name == "disable" || f.Name == "enable" {
		var rules []any
		for _, r := range c.Rules {
			rules = append(rules, r.Name)
		}
		return &jsonschema.Schema{Description: usage, Type: "array", Items: &jsonschema.Schema{Type: "string", Enum: rules}}
	}
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return &jsonschema.Schema{Description: usage, Type: "boolean"}
	}
	return &jsonschema.Schema{
		Description: usage, Types: []string{"string", "number", "array"}, Items: &jsonschema.Schema{Type: "string"},
	}
}

func operations(list *jsonschema.Schema, words ...string) {
	list.Items.Properties["methods"].AdditionalProperties = &jsonschema.Schema{Type: "string", Enum: anys(words)}
}

// nothing is the schema that no value has.
func nothing() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// stripNull takes out the type null, which the generator adds for pointers, slices
// and maps: a key without a value is a slip in this file.
func stripNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	for _, p := range s.Properties {
		stripNull(p)
	}
	stripNull(s.Items)
	stripNull(s.AdditionalProperties)
}

func anys[T ~string](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
