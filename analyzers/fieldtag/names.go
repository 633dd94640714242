package fieldtag

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/tags"
)

// checkName judges the name in a value of the form name,option,option.
func (f *field) checkName(pair *tags.Pair, key *tags.Key) {
	name, opts := tags.SplitOptions(pair.Value)
	switch {
	case f.blankName(pair, key, name):
	case f.optionInName(pair, key, name):
	case name == "-" && len(opts) > 0 && key.DashName:
		f.dashName(pair, key, opts)
	case slices.Contains(key.OptionNames, name):
		f.optionName(pair, key, name, opts)
	case key.Name == "json" && name != "" && name != "-" && !tags.ValidJSONName(name) && f.s.p.jsonV2():
	case key.Name == "json" && name != "" && name != "-" && !tags.ValidJSONName(name):
		f.reportPair("name", pair, nil, "encoding/json does not take the name %q and uses %s instead", name, f.v.Name())
	}
}

// blankName reports a name with a blank at an end.
func (f *field) blankName(pair *tags.Pair, key *tags.Key, name string) bool {
	trimmed := strings.TrimSpace(name)
	if key.Name == "xml" {
		trimmed = trimXML(name)
	}
	if trimmed == name || !key.Strict {
		return false
	}
	where := "ends with a blank"
	if strings.HasPrefix(name, " ") {
		where = "begins with a blank"
	} else if key.Name == "xml" {
		where = "has a blank too many"
	}
	var fixes []analysis.SuggestedFix
	if !pair.Escaped {
		fixes = f.fix("remove the blank", tags.Edit{Start: pair.ValueStart, End: pair.ValueStart + len(name), New: trimmed})
	}
	f.reportPair("name", pair, fixes, "the %s name of %s %s: %q", key.Name, f.name(), where, name)
	return true
}

// optionInName reports an option that something else than a comma parts from the
// name, so that it belongs to the name.
func (f *field) optionInName(pair *tags.Pair, key *tags.Key, name string) bool {
	for _, option := range key.OptionNames {
		rest, ok := strings.CutSuffix(name, option)
		if !ok || rest == "" || tags.Fits(option, f.v.Name()) {
			continue
		}
		last, size := utf8.DecodeLastRuneInString(rest)
		if !strings.ContainsRune(";:.、，；: ", last) || key.Name == "xml" && last == ' ' {
			continue
		}
		var fixes []analysis.SuggestedFix
		if end := pair.ValueStart + len(rest); !pair.Escaped {
			fixes = f.fix("write a comma", tags.Edit{Start: end - size, End: end, New: ","})
		}
		f.reportPair("name", pair, fixes, "%q parts the option %s of %s from its name instead of a comma, so it belongs to the %s name", string(last), option, f.name(), key.Name)
		return true
	}
	return false
}

// trimXML takes the blanks away that do not part a name space from a name. One at
// the end makes all before it a name space, which the rule xml reports.
func trimXML(name string) string {
	space, local, ok := strings.Cut(strings.TrimLeft(name, " "), " ")
	if !ok {
		return space
	}
	if trimmed := strings.TrimSpace(local); trimmed != "" {
		return space + " " + trimmed
	}
	return name
}

// dashName reports a value such as "-,": it does not hide the field but names it.
func (f *field) dashName(pair *tags.Pair, key *tags.Key, opts []tags.Part) {
	for _, sibling := range f.s.fields {
		if value, ok := sibling.value(key.Name); ok && sibling != f && isPunctuation(tags.Name(value)) {
			return
		}
	}
	for _, word := range []string{"minus", "dash", "hyphen", "negative", "down", "remove"} {
		if strings.Contains(strings.ToLower(f.v.Name()), word) {
			return
		}
	}
	start := pair.ValueStart + 1
	fixes := f.fix(`write "-" to hide the field`, tags.Edit{Start: start, End: pair.ValueEnd})
	if key.Name == "json" && f.s.p.onlyJSONv2() {
		f.reportPair("name", pair, fixes, "%q does not hide %s: encoding/json/v2 refuses the whole type", pair.Value, f.name())
		return
	}
	f.reportPair("name", pair, fixes, "%q does not hide %s: with the comma its %s name is \"-\"", pair.Value, f.name(), key.Name)
}

// isPunctuation tells whether a name consists of signs and digits, as "+1" and "-1" of
// a vote do. (A dash alone or in quotes proves nothing: it may be the same mistake.)
func isPunctuation(name string) bool {
	return strings.ContainsAny(name, "+*/<>=!%&|^~0123456789") && !strings.ContainsFunc(name, unicode.IsLetter)
}

// optionName reports an option that stands where the name should: the comma before
// it is missing.
func (f *field) optionName(pair *tags.Pair, key *tags.Key, name string, opts []tags.Part) {
	if tags.Fits(name, f.v.Name()) && !f.v.Embedded() || !f.couldMean(key, name, opts) {
		return
	}
	fixes := f.fix("put a comma before it", tags.Edit{Start: pair.ValueStart, End: pair.ValueStart, New: ","})
	f.reportPair("name", pair, fixes, "%s names %s %q: the comma before the option is missing", key.Name, f.name(), name)
}

// couldMean tells whether an option that stands for the name could have been meant
// as one. For some, whose words serve as names as well, the type must fit.
func (f *field) couldMean(key *tags.Key, option string, opts []tags.Part) bool {
	switch option {
	case "string":
		return f.isNumber() && !f.s.hasTypeNames(key)
	case "flow", "flatten", "literal", "range", "required":
		return isComposite(f.v.Type())
	case "inline", "squash":
		if key.Name == "bson" {
			// The driver of today looks for inline in every part; that of old
			// (mgo) did not, and takes it for the name.
			return !f.v.Embedded() || len(opts) > 0
		}
	}
	return true
}

func (f *field) isNumber() bool {
	b, ok := f.v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// hasTypeNames tells whether the fields are named after types, as those of a
// variant are.
func (s *structure) hasTypeNames(key *tags.Key) bool {
	for _, f := range s.fields {
		value, _ := f.value(key.Name)
		switch tags.Name(value) {
		case "int", "integer", "number", "bool", "boolean", "float", "double", "array", "object", "bytes", "list", "map", "long":
			return true
		}
	}
	return false
}

func isComposite(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Slice, *types.Array, *types.Map, *types.Pointer:
		return true
	}
	return false
}

// checkUnexported reports a tag on a field that the library of its key cannot see.
func (f *field) checkUnexported(pair *tags.Pair, key *tags.Key) {
	if !key.Exported || f.v.Exported() || f.v.Embedded() {
		return
	}
	// Options on a field without a name, such as _ or _struct, are for the struct.
	if strings.HasPrefix(f.v.Name(), "_") && strings.HasPrefix(pair.Value, ",") {
		return
	}
	if name := tags.Name(pair.Value); pair.Value == "" || name == "-" || f.s.encodesItself(pair.Key) || f.s.decodesItself(pair.Key) {
		return
	}
	f.reportPair("unexported", pair, nil, "%s is not exported, so %s does not see it, whatever its tag says", f.name(), library(key))
}

// library is the reader of a key in messages.
func library(key *tags.Key) string {
	if key.Library == "" {
		return fmt.Sprintf("the reader of %s", key.Name)
	}
	return key.Library
}
