package fieldtag

import (
	"go/types"
	"go/version"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/tags"
)

// checkOptions judges the options in a value of the form name,option,option.
func (f *field) checkOptions(pair *tags.Pair, key *tags.Key) {
	name, opts := tags.SplitOptions(pair.Value)
	for i, o := range opts {
		if o.Text == "" {
			if key.Name == "json" && name != "-" && f.s.p.onlyJSONv2() {
				f.reportPair("option", pair, f.replacePart(pair, o, ""), "encoding/json/v2 takes the comma in %q of %s for an empty option and refuses the whole type", pair.Value, f.name())
			}
			if key.Name == "yaml" && !f.s.p.imports("github.com/goccy/go-yaml") {
				f.reportPair("option", pair, f.replacePart(pair, o, ""), "yaml takes the comma in %q of %s for an empty option and refuses the whole type", pair.Value, f.name())
			}
			continue
		}
		if slices.ContainsFunc(opts[:i], func(p tags.Part) bool { return p.Text == o.Text }) {
			f.reportPart("option", pair, o, f.replacePart(pair, o, ""), "the %s option %s of %s is there twice", key.Name, o.Text, f.name())
			continue
		}
		if !key.HasOption(o.Text) {
			f.unknownOption(pair, key, o)
		}
	}
	switch key.Name {
	case "json":
		f.jsonEffects(pair, opts)
	case "xml":
		f.omitEmptyEffect(pair, opts, key)
	}
}

func (f *field) reportPart(rule string, pair *tags.Pair, p tags.Part, fixes []analysis.SuggestedFix, format string, args ...any) {
	start, end := part(pair, p)
	f.report(rule, start, end, fixes, format, args...)
}

// unknownOption reports an option that no reader of the key knows: always if it
// must be a misspelt one, else if the options of the key are known and no other
// key explains it.
func (f *field) unknownOption(pair *tags.Pair, key *tags.Key, o tags.Part) {
	if trimmed := strings.TrimSpace(o.Text); trimmed != o.Text && key.HasOption(trimmed) {
		consequence := "it is not read"
		if key.Name == "json" && f.s.p.onlyJSONv2() {
			consequence = "the whole type is refused"
		}
		f.reportPart("option", pair, o, f.replacePart(pair, o, trimmed), "blank in the %s option %q of %s, so %s", key.Name, o.Text, f.name(), consequence)
		return
	}
	if meant := f.meantOption(key, o.Text); meant != "" {
		f.reportPart("option", pair, o, f.replacePart(pair, o, meant), "%s does not know the option %s of %s; it must be %s", library(key), o.Text, f.name(), meant)
		return
	}
	if key.Open || strings.ContainsAny(o.Text, "=: ") || f.explained(key, o.Text) || f.s.p.mentions(o.Text) {
		return
	}
	f.reportPart("option", pair, o, nil, "%s does not know the option %s of %s", library(key), strconv.Quote(o.Text), f.name())
}

// meantOption returns the option that a misspelt one must mean, or "".
func (f *field) meantOption(key *tags.Key, option string) string {
	var plain []string
	for _, o := range key.Options {
		if !strings.HasSuffix(o, ":") && !strings.HasSuffix(o, "=") {
			plain = append(plain, o)
		}
	}
	meant := tags.Nearest(option, plain, 2)
	if meant == "" && !key.Open {
		meant = tags.Abbreviates(option, plain)
	}
	return meant
}

// explained tells whether another key of the tag has the option, from which it was
// copied along with the rest.
func (f *field) explained(key *tags.Key, option string) bool {
	for i := range f.tag.Pairs {
		if other := lookupKey(f.tag.Pairs[i].Key); other != nil && other.Name != key.Name && other.HasOption(option) {
			return true
		}
	}
	return false
}

// jsonEffects reports options that encoding/json knows and that do nothing on a
// field of this type.
func (f *field) jsonEffects(pair *tags.Pair, opts []tags.Part) {
	for _, o := range opts {
		switch o.Text {
		case "string":
			if f.s.p.onlyJSONv2() && !tags.QuotableV2(f.v.Type()) {
				f.reportPart("effect", pair, o, f.replacePart(pair, o, ""),
					"string has no effect on %s: encoding/json/v2 quotes numbers only, not %s", f.name(), f.typeString())
			}
			if !f.s.p.jsonV2() && !tags.Quotable(f.v.Type()) {
				f.reportPart("effect", pair, o, f.replacePart(pair, o, ""),
					"string has no effect on %s: encoding/json quotes strings, numbers, booleans and pointers to them only, not %s", f.name(), f.typeString())
			}
		case "inline":
			f.jsonInline(pair, o)
		}
	}
	f.omitEmptyEffect(pair, opts, tags.LookupKey("json"))
	f.omitEmptyV2(pair, opts)
	f.lostDefault(pair, opts)
}

func (f *field) typeString() string {
	return types.TypeString(f.v.Type(), types.RelativeTo(f.s.p.pass.Pkg))
}

// jsonInline reports the option inline where encoding/json nests the field
// nevertheless: on a field with a name of its own.
func (f *field) jsonInline(pair *tags.Pair, o tags.Part) {
	name := tags.Name(pair.Value)
	if f.s.p.jsonV2() || f.v.Embedded() && name == "" {
		return
	}
	if _, isMap := f.v.Type().Underlying().(*types.Map); isMap {
		return
	}
	if f.v.Embedded() {
		f.reportPart("inline", pair, o, f.replacePart(pair, o, ""), "inline has no effect on the embedded %s: its name %q makes encoding/json nest it", f.name(), name)
		return
	}
	f.reportPart("inline", pair, o, nil, "encoding/json has no option inline and nests %s; only an embedded field is flattened", f.name())
}

// scaffolding are the fields of Kubernetes objects that everybody writes with an
// omitempty that does nothing.
var scaffolding = []string{"metadata", "spec", "status"}

// omitEmptyEffect reports omitempty on structs and arrays.
func (f *field) omitEmptyEffect(pair *tags.Pair, opts []tags.Part, key *tags.Key) {
	i := slices.IndexFunc(opts, func(p tags.Part) bool { return p.Text == "omitempty" })
	if i < 0 || f.s.p.jsonV2() || !tags.OmitEmptyUseless(f.v.Type(), key.Name) {
		return
	}
	name := tags.Name(pair.Value)
	zero := slices.ContainsFunc(opts, func(p tags.Part) bool { return p.Text == "omitzero" })
	if zero || f.v.Embedded() || key.Name == "json" && slices.Contains(scaffolding, name) || f.v.Name() == "_" {
		return
	}
	if f.s.optionalStruct(f) {
		return // the rule k8s-optional says more
	}
	if key.Name == "xml" && tags.HasMethod(f.v.Type(), "MarshalXML") {
		return // it may write nothing by itself
	}
	kind := "a struct"
	if _, isArray := f.v.Type().Underlying().(*types.Array); isArray {
		kind = "an array with elements"
	}
	f.reportPart("effect", pair, opts[i], f.omitEmptyFixes(pair, opts[i], key),
		"omitempty has no effect on %s: %s never takes %s for empty", f.name(), library(key), kind)
}

// omitEmptyV2 reports omitempty on numbers and booleans, which the first version of
// encoding/json leaves out and the second does not.
func (f *field) omitEmptyV2(pair *tags.Pair, opts []tags.Part) {
	i := slices.IndexFunc(opts, func(p tags.Part) bool { return p.Text == "omitempty" })
	zero := slices.ContainsFunc(opts, func(p tags.Part) bool { return p.Text == "omitzero" })
	if i < 0 || zero || !f.s.p.onlyJSONv2() || !tags.OmitEmptyUselessV2(f.v.Type()) {
		return
	}
	fixes := f.replacePart(pair, opts[i], "omitzero")
	if fixes != nil {
		fixes[0].Message = "write omitzero, which leaves the zero value out"
	}
	f.reportPart("effect", pair, opts[i], fixes,
		"omitempty has no effect on %s: encoding/json/v2 leaves out what is encoded as null or as an empty string, object or array, which %s never is", f.name(), f.typeString())
}

// omitEmptyFixes offers to take the option away, which changes nothing, and to
// write omitzero, which does what must have been meant.
func (f *field) omitEmptyFixes(pair *tags.Pair, o tags.Part, key *tags.Key) []analysis.SuggestedFix {
	fixes := f.replacePart(pair, o, "")
	if fixes != nil {
		fixes[0].Message = "remove omitempty, which changes nothing"
	}
	file := f.s.p.fileVersion(f)
	if key.Name == "json" && (file == "" || version.Compare(file, "go1.24") >= 0) {
		if more := f.replacePart(pair, o, "omitzero"); more != nil {
			more[0].Message = "write omitzero, which leaves the zero value out"
			fixes = append(fixes, more...)
		}
	}
	return fixes
}

// fileVersion returns the Go version of the file of a field, or "".
func (p *pkg) fileVersion(f *field) string {
	for _, file := range p.pass.Files {
		if file.FileStart <= f.decl.Pos() && f.decl.Pos() < file.FileEnd {
			return p.pass.TypesInfo.FileVersions[file]
		}
	}
	return ""
}

// lostDefault reports omitempty on a plain boolean or number that has another
// default than zero: zero cannot be sent, as the reader fills in the default.
func (f *field) lostDefault(pair *tags.Pair, opts []tags.Part) {
	i := slices.IndexFunc(opts, func(p tags.Part) bool { return p.Text == "omitempty" })
	value, ok := f.value("default")
	basic, isBasic := f.v.Type().Underlying().(*types.Basic)
	if i < 0 || !ok || !isBasic || basic.Info()&(types.IsBoolean|types.IsNumeric) == 0 || isZeroText(value, basic) {
		return
	}
	f.reportPart("default", pair, opts[i], nil,
		"with omitempty %s cannot be sent as %s: it is left out, and the default %s takes its place", f.name(), zeroText(basic), value)
}

func zeroText(b *types.Basic) string {
	if b.Info()&types.IsBoolean != 0 {
		return "false"
	}
	return "0"
}

// isZeroText tells whether a default is the zero value, or no value at all.
func isZeroText(value string, b *types.Basic) bool {
	if b.Info()&types.IsBoolean != 0 {
		v, err := strconv.ParseBool(value)
		return err != nil || !v
	}
	v, err := strconv.ParseFloat(value, 64)
	return err != nil || v == 0
}

// checkASN1 judges a value of encoding/asn1, which ignores what it does not know.
func (f *field) checkASN1(pair *tags.Pair, key *tags.Key) {
	for _, o := range tags.Split(pair.Value, ',') {
		if number, ok := strings.CutPrefix(o.Text, "tag:"); ok {
			if _, err := strconv.Atoi(number); err != nil {
				f.reportPart("option", pair, o, nil, "the tag number %q of %s is no number, so encoding/asn1 does not read it", number, f.name())
			}
			continue
		}
		if o.Text == "" || o.Text == "-" || key.HasOption(o.Text) {
			continue
		}
		if trimmed := strings.TrimSpace(o.Text); trimmed != o.Text && key.HasOption(trimmed) {
			f.reportPart("option", pair, o, f.replacePart(pair, o, trimmed), "blank in the asn1 option %q of %s, so it is not read", o.Text, f.name())
			continue
		}
		meant := f.meantOption(key, o.Text)
		if meant == "" {
			f.reportPart("option", pair, o, nil, "encoding/asn1 does not know the option %s of %s", strconv.Quote(o.Text), f.name())
			continue
		}
		f.reportPart("option", pair, o, f.replacePart(pair, o, meant), "encoding/asn1 does not know the option %s of %s; it must be %s", o.Text, f.name(), meant)
	}
}

// checkSettings reports misspelt settings of a value of the form
// name:value;name:value.
func (f *field) checkSettings(pair *tags.Pair, key *tags.Key) {
	for _, setting := range tags.Split(pair.Value, ';') {
		name, _, _ := strings.Cut(setting.Text, ":")
		lead := len(name) - len(strings.TrimLeft(name, " "))
		name = strings.TrimSpace(name)
		if len(name) < 5 || strings.ContainsAny(name, " ,(<'") || slices.ContainsFunc(key.Options, func(o string) bool { return strings.EqualFold(o, name) }) {
			continue
		}
		meant := tags.Nearest(name, key.Options, 1)
		if meant == "" {
			continue
		}
		p := tags.Part{Text: name, Start: setting.Start + lead}
		f.reportPart("option", pair, p, f.replacePart(pair, p, meant), "%s does not know the setting %s of %s; it must be %s", library(key), name, f.name(), meant)
	}
}

// tagOf returns what reflect finds for a key in the tag of field i of a struct of
// whatever package.
func tagOf(t *types.Struct, i int, key string) string {
	return reflect.StructTag(t.Tag(i)).Get(key)
}
