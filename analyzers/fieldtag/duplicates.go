package fieldtag

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/tags"
)

// uniqueKeys returns the keys of the struct and of the structs that it embeds, in the
// order of their first fields, under which each name may be there once.
func (s *structure) uniqueKeys() []*tags.Key {
	var found []*tags.Key
	for _, f := range s.fields {
		if inner := tags.StructOf(f.v.Type()); f.v.Embedded() && inner != nil {
			for _, name := range []string{"json", "xml", "toml"} {
				if key := tags.LookupKey(name); hasTag(inner, name) && !slices.Contains(found, key) {
					found = append(found, key)
				}
			}
		}
		for i := range f.tag.Pairs {
			if key := lookupKey(f.tag.Pairs[i].Key); key != nil && key.Unique && !slices.Contains(found, key) {
				found = append(found, key)
			}
		}
	}
	return found
}

// checkDuplicates reports fields that have the name of another one, by the rules of
// each key's library.
func (s *structure) checkDuplicates() {
	for _, key := range s.uniqueKeys() {
		clashes := tags.Clashes(s.typ, key)
		if key.Name == "json" && s.p.jsonV2() {
			clashes = tags.ClashesJSONv2(s.typ)
		}
		for _, clash := range clashes {
			s.reportClash(key, clash)
		}
	}
}

func (s *structure) reportClash(key *tags.Key, clash tags.Clash) {
	f, other := s.fields[clash.Field.Root()], s.fields[clash.Other.Root()]
	pos, end := f.decl.Pos(), f.decl.End()
	if pair := f.tag.Lookup(key.Name); pair != nil {
		pos, end = f.lit.Pos(pair.Start), f.lit.Pos(pair.End)
	}
	s.p.pass.Report(analysis.Diagnostic{
		Pos: pos, End: end, Category: "duplicate",
		Message: fmt.Sprintf("%s and %s are both %q for %s, %s",
			path(other, clash.Other), path(f, clash.Field), clash.Field.Name, library(key), consequence(key, clash, f)),
		Related: []analysis.RelatedInformation{{Pos: other.decl.Pos(), Message: fmt.Sprintf("the other %q", clash.Other.Name)}},
	})
}

// path names a field that is reached through an embedded one.
func path(root *field, e tags.Entry) string {
	if len(e.Path) == 1 {
		return root.name()
	}
	return root.name() + "..." + e.Field.Name()
}

// consequence says what happens to the two fields of a clash.
func consequence(key *tags.Key, clash tags.Clash, f *field) string {
	switch clash.Effect {
	case tags.BothLost:
		return "which leaves both out"
	case tags.UntaggedLost:
		return "which leaves " + path(f, clash.Field) + " out, whose name is no tag"
	case tags.Refused:
		return "which refuses the whole type"
	}
	return "so one of them gets the value of the other or none"
}

// checkInline reports embedded structs that a library nests although they are meant
// to be flattened: the option is missing that other fields have, or that the whole
// type would need.
func (s *structure) checkInline() {
	for _, f := range s.fields {
		if !f.v.Embedded() || f.lit != nil {
			continue
		}
		s.missingInline(f)
		s.unlikeOthers(f, "yaml", "inline")
		s.unlikeOthers(f, "mapstructure", "squash")
	}
}

// unlikeOthers reports an embedded struct without a tag if the package flattens other
// embedded structs for the key, by an option. Without such an example the struct may
// well be meant to be nested.
func (s *structure) unlikeOthers(f *field, key, option string) {
	inner := tags.StructOf(f.v.Type())
	if inner == nil || !s.allTagged(key) || !hasTag(inner, key) || !s.p.flattens(key, option) {
		return
	}
	s.p.reportAt("inline", f.decl, "%s nests the embedded %s, as it lacks the tag `%s:\",%s\"` that other embedded structs of the package have", library(tags.LookupKey(key)), f.name(), key, option)
}

// flattens tells whether an embedded field of the package has the option.
func (p *pkg) flattens(key, option string) bool {
	for _, s := range p.structs {
		for _, f := range s.fields {
			if value, _ := f.value(key); f.v.Embedded() && strings.Contains(value, ","+option) {
				return true
			}
		}
	}
	return false
}

func hasTag(s *types.Struct, key string) bool {
	for i := range s.NumFields() {
		if tagOf(s, i, key) != "" {
			return true
		}
	}
	return false
}

// missingInline judges an embedded field without a tag in a struct whose other
// fields have bson tags.
func (s *structure) missingInline(f *field) {
	inner := tags.StructOf(f.v.Type())
	if inner == nil || !f.v.Exported() || !s.allTagged("bson") || !hasTag(inner, "bson") {
		return
	}
	s.p.reportAt("inline", f.decl, "bson nests the embedded %s under %q, as it lacks the tag `bson:\",inline\"`", f.name(), strings.ToLower(f.v.Name()))
}

// allTagged tells whether all exported fields that are not embedded have the key.
func (s *structure) allTagged(key string) bool {
	n := 0
	for _, f := range s.fields {
		if f.v.Embedded() || !f.v.Exported() {
			continue
		}
		if _, ok := f.value(key); !ok {
			return false
		}
		n++
	}
	return n > 0
}
