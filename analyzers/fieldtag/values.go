package fieldtag

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/tags"
)

// checkType reports a field whose type the library cannot encode.
func (f *field) checkType(pair *tags.Pair) {
	name, opts := tags.SplitOptions(pair.Value)
	if !f.v.Exported() || name == "-" || pair.Value == "" || f.s.encodesItself(pair.Key) {
		return
	}
	// omitzero leaves out the nil that such a field is before it is set; xml has
	// modes in which any type will do.
	for _, o := range opts {
		if o.Text == "omitzero" || pair.Key == "xml" && o.Text != "omitempty" || o.Text == "inline" || o.Text == "unknown" {
			return
		}
	}
	if pair.Key == "json" && f.s.p.jsonV2() {
		return
	}
	bad := tags.Unencodable(f.v.Type(), pair.Key)
	if bad == nil {
		return
	}
	f.reportPair("type", pair, nil, "%s cannot encode %s: %s", library(tags.LookupKey(pair.Key)), f.name(), badType(bad, f.s.p.pass.Pkg))
}

func badType(t types.Type, in *types.Package) string {
	name := types.TypeString(t, types.RelativeTo(in))
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return name + " is a channel"
	case *types.Signature:
		return name + " is a function"
	case *types.Map:
		if _, ok := u.Key().Underlying().(*types.Basic); !ok || strings.HasPrefix(name, "map[") {
			return name + " is a map that it does not take"
		}
	}
	return "it does not take " + name
}

// encodesItself tells whether the type has its own way for the key, so that the
// tags of its fields need not be what the library reads.
func (s *structure) encodesItself(key string) bool {
	return s.named != nil && tags.HasMethod(s.named, "Marshal"+strings.ToUpper(key))
}

// decodesItself is the same for decoding.
func (s *structure) decodesItself(key string) bool {
	return s.named != nil && tags.HasMethod(s.named, "Unmarshal"+strings.ToUpper(key))
}

// checkXML reports tags that encoding/xml refuses, and prefixes that its decoder
// never sees.
func (f *field) checkXML(pair *tags.Pair) {
	if !f.v.Exported() || pair.Value == "-" {
		return
	}
	if inner := tags.StructOf(f.v.Type()); f.v.Embedded() && inner != nil {
		return // its fields are taken, whatever the tag says
	}
	if fault := tags.CheckXML(f.v, pair.Value); fault != "" {
		f.reportPair("xml", pair, nil, "encoding/xml refuses the tag of %s: %s", f.name(), fault)
		return
	}
	name := tags.Name(pair.Value)
	prefix, local, ok := strings.Cut(name, ":")
	if !ok || strings.ContainsAny(name, " /") || prefix == "" || local == "" || f.s.declaresPrefixes() || !f.s.p.onlyDecodesXML() {
		return
	}
	f.reportPair("xml", pair, nil, "the decoder compares local names, so nothing is ever %q for %s: write the name space, a blank and %q", name, f.name(), local)
}

// declaresPrefixes tells whether the struct has an attribute xmlns:..., as those
// that are encoded with prefixes have.
func (s *structure) declaresPrefixes() bool {
	for _, f := range s.fields {
		if value, ok := f.value("xml"); ok && strings.HasPrefix(value, "xmlns") {
			return true
		}
	}
	return false
}

// uses says what the package does with encoding/xml.
type uses struct{ encodes, decodes bool }

// onlyDecodesXML tells whether the package decodes XML and does not encode it.
func (p *pkg) onlyDecodesXML() bool {
	if p.uses == nil {
		p.uses = &uses{}
		for _, file := range p.pass.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					p.noteUse(id)
				}
				return true
			})
		}
	}
	return p.uses.decodes && !p.uses.encodes
}

func (p *pkg) noteUse(id *ast.Ident) {
	switch id.Name {
	case "Marshal", "MarshalIndent", "NewEncoder", "Unmarshal", "NewDecoder":
	default:
		return
	}
	obj := p.pass.TypesInfo.Uses[id]
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != "encoding/xml" {
		return
	}
	if strings.HasPrefix(id.Name, "Un") || strings.HasSuffix(id.Name, "Decoder") {
		p.uses.decodes = true
	} else {
		p.uses.encodes = true
	}
}

// checkRules judges a value of a validator's key.
func (f *field) checkRules(pair *tags.Pair) {
	if freeRules(pair.Value) {
		return
	}
	parts := tags.Split(pair.Value, ',')
	if pair.Key != "valid" && f.lostComma(pair, parts) {
		return
	}
	for _, p := range parts {
		if pair.Key != "valid" && f.blankRule(pair, p) {
			continue
		}
		for _, alternative := range strings.Split(p.Text, "|") {
			f.misspeltRule(pair, p, tags.RuleName(alternative))
		}
	}
	f.requiredBool(pair, parts)
}

// freeRules tells whether a value has regular expressions or messages in it, in
// which commas and words need not be rules.
func freeRules(value string) bool {
	for _, s := range []string{"regex", "matches", "pattern", "~", "("} {
		if strings.Contains(value, s) {
			return true
		}
	}
	return false
}

// blankRule reports a blank before or behind a rule: the validator takes it for a part
// of the rule's name and panics.
func (f *field) blankRule(pair *tags.Pair, p tags.Part) bool {
	trimmed := strings.TrimLeft(p.Text, " ")
	if name, _, _ := strings.Cut(trimmed, "="); trimmed == p.Text && strings.TrimRight(name, " ") == name || !tags.IsValidatorRule(strings.TrimSpace(name)) {
		return false
	}
	name, param, hasParam := strings.Cut(trimmed, "=")
	text := strings.TrimSpace(name)
	if hasParam {
		text += "=" + param
	}
	f.reportPart("validate", pair, p, f.replacePart(pair, p, text), "blank in the rule %q of %s, which the validator takes for a part of its name", p.Text, f.name())
	return true
}

func (f *field) misspeltRule(pair *tags.Pair, p tags.Part, rule string) {
	if len(rule) < 4 || slices.Contains(tags.ValidatorRuleNames(), rule) || slices.Contains(tags.GovalidatorRules, rule) {
		return
	}
	meant := tags.Nearest(rule, tags.RulesOf(pair.Key), 2)
	// Words that differ in a digit, a plural or the style alone can be somebody's
	// own rules, such as iso3166_1_alpha4.
	if meant == "" || tags.Fold(meant) == tags.Fold(rule) || !misspelling(rule, meant) || f.s.p.mentions(rule) {
		return
	}
	at := tags.Part{Text: rule, Start: p.Start + strings.Index(p.Text, rule)}
	f.reportPart("validate", pair, at, f.replacePart(pair, at, meant), "no validator has a rule %s as %s has; it must be %s", rule, f.name(), meant)
}

func misspelling(word, meant string) bool {
	return digits(word) == digits(meant) && !strings.HasPrefix(word, meant) && !strings.HasSuffix(word, meant) && !strings.HasPrefix(meant, word) && !strings.HasSuffix(meant, word)
}

// lostComma reports a comma that was meant for the parameter of a rule: what
// follows it is no rule.
func (f *field) lostComma(pair *tags.Pair, parts []tags.Part) bool {
	for i, p := range parts[1:] {
		rule, param, _ := strings.Cut(parts[i].Text, "=")
		if !tags.TakesText(rule) || plausibleRule(p.Text) && strings.Count(param, "'")%2 == 0 {
			continue
		}
		f.reportPart("validate", pair, p, f.writtenComma(pair, p), "the comma ends the parameter of %s of %s, and %s is taken for a rule: write it as 0x2C", rule, f.name(), strconv.Quote(p.Text))
		return true
	}
	return false
}

func (f *field) writtenComma(pair *tags.Pair, p tags.Part) []analysis.SuggestedFix {
	if pair.Escaped {
		return nil
	}
	at := pair.ValueStart + p.Start
	return f.fix("write the comma as 0x2C", tags.Edit{Start: at - 1, End: at, New: "0x2C"})
}

// plausibleRule tells whether a part of a validation tag can be a rule.
func plausibleRule(p string) bool {
	name, _, _ := strings.Cut(p, "=")
	for alternative := range strings.SplitSeq(name, "|") {
		alternative = strings.TrimSpace(alternative)
		if alternative == "" || strings.ContainsFunc(alternative, func(r rune) bool {
			return r != '_' && r != '-' && r != '!' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
		}) {
			return false
		}
	}
	return true
}

// requiredBool reports required on a plain boolean: false counts as missing.
func (f *field) requiredBool(pair *tags.Pair, parts []tags.Part) {
	b, ok := f.v.Type().Underlying().(*types.Basic)
	if !ok || b.Kind() != types.Bool {
		return
	}
	i := slices.IndexFunc(parts, func(p tags.Part) bool { return p.Text == "required" })
	if i < 0 || f.isConsent() {
		return
	}
	f.reportPart("validate", pair, parts[i], nil, "required on the boolean %s refuses false, which counts as missing; a pointer can tell them apart", f.name())
}

// isConsent tells whether the name speaks of something that must be true.
func (f *field) isConsent() bool {
	name := strings.ToLower(f.v.Name())
	for _, word := range []string{"accept", "agree", "terms", "consent", "confirm", "policy", "tos", "ack", "privacy", "gdpr", "eula", "license", "approve"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
