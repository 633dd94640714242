package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/heapvet/heapvet/internal/suggest"
)

// A validator checks a YAML tree against the schema. A general validator would do
// it on decoded values; this one knows the lines, and what may have been meant.
type validator struct {
	file string
	errs []error
}

func (v *validator) errorf(n ast.Node, format string, args ...any) {
	e := &Error{File: v.file, Message: fmt.Sprintf(format, args...)}
	e.Line, e.Col = position(n)
	v.errs = append(v.errs, e)
}

func position(n ast.Node) (line, col int) {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		n = m.Values[0].Key
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line, t.Position.Column
	}
	return 0, 0
}

// value checks a value that is called what in messages.
func (v *validator) value(n ast.Node, s *jsonschema.Schema, what string) {
	n = plain(n)
	kind := kindOf(n)
	for _, alternative := range s.AnyOf {
		if alternative.Type == kind {
			v.value(n, alternative, what)
			return
		}
	}
	if wants := kinds(s); len(wants) > 0 && !slices.Contains(wants, kind) {
		v.errorf(n, "%s must be %s, not %s", what, alternatives(wants), article(kind))
		return
	}
	switch kind {
	case "object":
		v.object(n, s, what)
	case "array":
		for _, item := range n.(*ast.SequenceNode).Values {
			v.value(item, s.Items, "an entry of "+what)
		}
	default:
		v.scalar(n, s, what)
	}
}

func (v *validator) scalar(n ast.Node, s *jsonschema.Schema, what string) {
	text := scalarText(n)
	if s.Format == "regex" {
		if _, err := regexp.Compile(text); err != nil {
			v.errorf(n, "%s is no regular expression: %v", what, err)
		}
	}
	if len(s.Enum) == 0 || slices.Contains(s.Enum, any(text)) {
		return
	}
	known := make([]string, len(s.Enum))
	for i, e := range s.Enum {
		known[i] = fmt.Sprint(e)
	}
	v.errorf(n, "%s cannot be %q; %s", what, text, hint(text, known))
}

func (v *validator) object(n ast.Node, s *jsonschema.Schema, what string) {
	seen := map[string]bool{}
	for _, entry := range entries(n) {
		key := scalarText(plain(entry.Key))
		seen[key] = true
		property := s.Properties[key]
		if property == nil && s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
			property = s.AdditionalProperties
		}
		if property == nil {
			v.errorf(entry.Key, "unknown key %q in %s; %s", key, what, hint(key, s.PropertyOrder))
			continue
		}
		v.value(entry.Value, property, key)
	}
	for _, key := range s.Required {
		if !seen[key] {
			v.errorf(n, "%s lacks the key %q", what, key)
		}
	}
}

// hint names the known word that may have been meant, or all of them.
func hint(word string, known []string) string {
	if near := suggest.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "it can be " + strings.Join(known, ", ")
}

// plain takes anchors, aliases and tags off a node.
func plain(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.AnchorNode:
		return plain(n.Value)
	case *ast.TagNode:
		return plain(n.Value)
	case *ast.MappingKeyNode:
		return plain(n.Value)
	}
	return n
}

// kindOf is the JSON type of a node.
func kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "object"
	case *ast.SequenceNode:
		return "array"
	case *ast.BoolNode:
		return "boolean"
	case *ast.IntegerNode, *ast.FloatNode:
		return "number"
	case *ast.NullNode:
		return "null"
	}
	return "string"
}

func kinds(s *jsonschema.Schema) []string {
	switch {
	case s.Type != "":
		return []string{s.Type}
	case len(s.Types) > 0:
		return s.Types
	}
	var out []string
	for _, a := range s.AnyOf {
		out = append(out, kinds(a)...)
	}
	return out
}

func entries(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

func scalarText(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	if l, ok := n.(*ast.LiteralNode); ok {
		return l.Value.Value
	}
	return n.String()
}

// alternatives lists kinds of values for a reader.
func alternatives(kinds []string) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = article(k)
	}
	return strings.Join(words, " or ")
}

func article(kind string) string {
	switch kind {
	case "object":
		return "a set of keys"
	case "array":
		return "a list"
	case "string":
		return "text"
	case "boolean":
		return "true or false"
	case "null":
		return "empty"
	}
	return "a " + kind
}
