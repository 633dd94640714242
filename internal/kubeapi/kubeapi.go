// Package kubeapi knows the conventions of Kubernetes API types as far as they
// show in Go source: the markers in comments and the names in json tags.
package kubeapi

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode"

	"github.com/heapvet/heapvet/internal/tags"
)

// A Marker is a comment line such as `// +kubebuilder:default=1`.
type Marker struct {
	Name  string // kubebuilder:default
	Value string // 1
	Pos   token.Pos
}

// Markers returns the markers in comments.
func Markers(groups ...*ast.CommentGroup) []Marker {
	var found []Marker
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			if m, ok := parseMarker(c); ok {
				found = append(found, m)
			}
		}
	}
	return found
}

func parseMarker(c *ast.Comment) (Marker, bool) {
	text, ok := strings.CutPrefix(c.Text, "//")
	if !ok {
		return Marker{}, false
	}
	text, ok = strings.CutPrefix(strings.TrimSpace(text), "+")
	if !ok || text == "" || !unicode.IsLetter(rune(text[0])) {
		return Marker{}, false
	}
	end := strings.IndexAny(text, "= \t")
	if end < 0 {
		end = len(text)
	}
	return Marker{
		Name:  text[:end],
		Value: strings.Trim(strings.TrimPrefix(strings.TrimSpace(text[end:]), "="), "\"` "),
		Pos:   c.Pos() + token.Pos(strings.IndexByte(c.Text, '+')),
	}, true
}

// MarksAPI tells whether a file with the marker belongs to a package of API types.
// Those of controllers (rbac, webhook, scaffold) say nothing about types.
func (m *Marker) MarksAPI() bool {
	switch {
	case m.Name == "groupName", strings.HasPrefix(m.Name, "k8s:deepcopy-gen"), strings.HasPrefix(m.Name, "k8s:openapi-gen"):
		return true
	case strings.HasPrefix(m.Name, "kubebuilder:object"), strings.HasPrefix(m.Name, "kubebuilder:validation"),
		strings.HasPrefix(m.Name, "kubebuilder:resource"), strings.HasPrefix(m.Name, "kubebuilder:subresource"):
		return true
	}
	return false
}

// Field is what the markers of a field say.
type Field struct {
	Markers            []Marker
	Optional, Required *Marker
	// Default is the value of a default marker.
	Default *Marker
	// ListType and ListMapKeys describe a list.
	ListType    *Marker
	ListMapKeys []Marker
}

// ReadField reads the markers of a field.
func ReadField(groups ...*ast.CommentGroup) Field {
	f := Field{Markers: Markers(groups...)}
	for i := range f.Markers {
		m := &f.Markers[i]
		switch m.Name {
		case "optional", "kubebuilder:validation:Optional", "k8s:optional":
			f.Optional = m
		case "required", "kubebuilder:validation:Required", "k8s:required":
			f.Required = m
		case "default", "kubebuilder:default", "k8s:default":
			f.Default = m
		case "listType", "k8s:listType":
			f.ListType = m
		case "listMapKey", "k8s:listMapKey":
			f.ListMapKeys = append(f.ListMapKeys, *m)
		}
	}
	return f
}

// ExcludesZero tells whether a marker keeps the field from having its zero value: a
// least length or number, an enumeration, or the validation that Kubernetes generates
// from k8s:required, which refuses zero values; it may be limited to a stage, as in
// k8s:beta(since: "1.37")=+k8s:required.
func (f *Field) ExcludesZero() bool {
	for _, m := range f.Markers {
		if m.Name == "k8s:required" || strings.HasPrefix(m.Name, "k8s:") && strings.HasSuffix(m.Value, "+k8s:required") {
			return true
		}
		name := m.Name[strings.LastIndexByte(m.Name, ':')+1:]
		switch strings.ToLower(name) {
		case "minlength", "minitems", "minproperties", "minimum":
			return m.Value != "0"
		case "enum", "pattern", "format", "xvalidation":
			return true
		}
	}
	return false
}

// IsLowerCamel tells whether a json name is in lowerCamelCase. Names such as $ref and
// x-kubernetes-list-type belong to formats that somebody else has defined.
func IsLowerCamel(name string) bool {
	if strings.HasPrefix(name, "$") || strings.HasPrefix(name, "x-") {
		return true
	}
	for i, r := range name {
		if i == 0 && (r < 'a' || r > 'z') || (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') {
			return false
		}
	}
	return name != ""
}

// Style is a way to write a name of several words.
type Style int

// The styles. A single word in small letters can be of any but Pascal.
const (
	OneWord Style = iota
	Camel
	Pascal
	Snake
	Kebab
	Dotted
	OtherStyle
)

// StyleOf returns the style of a name.
func StyleOf(name string) Style {
	lower := strings.ToLower(name)
	switch {
	case name == "":
		return OtherStyle
	case strings.Contains(name, "_"):
		return Snake
	case strings.Contains(name, "-"):
		return Kebab
	case strings.Contains(name, "."):
		return Dotted
	case name[0] >= 'A' && name[0] <= 'Z':
		return Pascal
	case !IsLowerCamel(name):
		return OtherStyle
	case name == lower:
		return OneWord
	}
	return Camel
}

// LowerCamel returns the json name that the conventions want for a Go name: its
// first word, initials included, in small letters.
func LowerCamel(goName string) string {
	words := tags.Words(goName)
	if len(words) == 0 {
		return goName
	}
	first := len(words[0])
	// A plural s belongs to the initials: IPs, CIDRs.
	return strings.ToLower(goName[:min(first, len(goName))]) + goName[min(first, len(goName)):]
}

// knownMarkers are the markers that are worth a suggestion for a misspelt one.
var knownMarkers = strings.Fields(`
optional required nullable default listType listMapKey mapType structType groupName union unionDiscriminator
patchStrategy patchMergeKey
kubebuilder:validation:Optional kubebuilder:validation:Required kubebuilder:default kubebuilder:example
kubebuilder:validation:Minimum kubebuilder:validation:Maximum kubebuilder:validation:MinLength
kubebuilder:validation:MaxLength kubebuilder:validation:MinItems kubebuilder:validation:MaxItems
kubebuilder:validation:MinProperties kubebuilder:validation:MaxProperties kubebuilder:validation:Pattern
kubebuilder:validation:Enum kubebuilder:validation:Format kubebuilder:validation:Type
kubebuilder:validation:UniqueItems kubebuilder:validation:MultipleOf kubebuilder:validation:ExclusiveMaximum
kubebuilder:validation:ExclusiveMinimum kubebuilder:validation:XValidation
kubebuilder:validation:XPreserveUnknownFields kubebuilder:validation:XIntOrString
kubebuilder:validation:XEmbeddedResource kubebuilder:validation:EmbeddedResource kubebuilder:validation:Schemaless
kubebuilder:pruning:PreserveUnknownFields kubebuilder:validation:OneOf kubebuilder:validation:AnyOf
kubebuilder:validation:AllOf kubebuilder:validation:items:Pattern kubebuilder:validation:items:Enum
kubebuilder:validation:items:MinLength kubebuilder:validation:items:MaxLength kubebuilder:object:root
kubebuilder:object:generate kubebuilder:subresource:status kubebuilder:subresource:scale
kubebuilder:printcolumn kubebuilder:resource kubebuilder:storageversion kubebuilder:skip kubebuilder:skipversion
kubebuilder:unservedversion kubebuilder:deprecatedversion kubebuilder:metadata kubebuilder:selectablefield
kubebuilder:validation:ExactlyOneOf kubebuilder:validation:AtMostOneOf kubebuilder:validation:AtLeastOneOf
kubebuilder:title kubebuilder:externalDocs kubebuilder:webhook kubebuilder:rbac kubebuilder:scaffold kubebuilder:conversion
k8s:deepcopy-gen k8s:openapi-gen k8s:conversion-gen k8s:defaulter-gen k8s:optional k8s:required k8s:listType
k8s:listMapKey k8s:protobuf-gen k8s:deepcopy-gen:interfaces k8s:deepcopy-gen:nonpointer-interfaces
k8s:validation-gen k8s:prerelease-lifecycle-gen k8s:openapi-model-package k8s:minimum k8s:maximum k8s:maxLength k8s:format
genclient genclient:nonNamespaced genclient:noStatus genclient:onlyVerbs genclient:skipVerbs genclient:method genclient:readonly genclient:noVerbs`)

// Misspelt returns the marker that a misspelt one must mean, or "". Markers that
// are unknown are common; only a slip of the hand in a long name counts.
func (m *Marker) Misspelt() string {
	for _, known := range knownMarkers {
		if m.Name == known || strings.HasPrefix(m.Name, known+":") {
			return ""
		}
	}
	best := ""
	for _, known := range knownMarkers {
		if len(known) < 6 || len(m.Name) < 6 {
			continue
		}
		limit := 1
		if len(known) >= 8 {
			limit = 2
		}
		if strings.EqualFold(m.Name, known) {
			return known
		}
		if strings.HasPrefix(m.Name, known) || strings.HasPrefix(known, m.Name) {
			continue
		}
		if best == "" && tags.Distance(m.Name, known, limit) <= limit {
			best = known
		}
	}
	return best
}
