package fieldtag

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/tags"
)

// checkProto judges the parts of a protobuf tag.
func (f *field) checkProto(pair *tags.Pair) {
	tag, ok := tags.ParseProto(pair.Value)
	if !ok {
		return
	}
	if !tag.ValidNumber() {
		f.reportPair("proto", pair, nil, "%d is no number for the field %s: numbers go from 1 to 536870911, without 19000 to 19999", tag.Number, f.name())
	}
	if wires := tag.WireTypes(f.v.Type()); wires != nil && !slices.Contains(wires, tag.Wire) {
		f.reportPair("proto", pair, f.wireFix(pair, tag.Wire, wires), "the wire type %s does not fit the type of %s, %s; it must be %s",
			tag.Wire, f.name(), f.typeString(), strings.Join(wires, " or "))
	}
}

func (f *field) wireFix(pair *tags.Pair, wire string, wires []string) []analysis.SuggestedFix {
	return f.replacePart(pair, tags.Part{Text: wire}, wires[0])
}

// checkProtoNumbers reports field numbers and names that are there twice.
func (s *structure) checkProtoNumbers() {
	first, byName := map[int]*field{}, map[string]*field{}
	for _, f := range s.fields {
		pair := f.tag.Lookup("protobuf")
		if pair == nil {
			continue
		}
		tag, ok := tags.ParseProto(pair.Value)
		if !ok {
			continue
		}
		if other := first[tag.Number]; other != nil {
			f.reportPair("proto", pair, nil, "%s has the field number %d of %s: on the wire one overwrites the other", f.name(), tag.Number, other.name())
			continue
		}
		first[tag.Number] = f
		if other := byName[tag.Name]; other != nil && tag.Name != "" {
			f.reportPair("proto", pair, nil, "%s has the protobuf name %q of %s", f.name(), tag.Name, other.name())
			continue
		}
		byName[tag.Name] = f
	}
}
