package tags

import (
	"go/ast"
	"go/token"
	"reflect"
	"sort"
	"strings"
	"testing"
)

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		tag   string
		kind  FaultKind
		fixed string // "" if the intention is not certain
	}{
		{`json: "a"`, BlankAfterColon, `json:"a"`},
		{`json :"a"`, BlankBeforeColon, `json:"a"`},
		{`json:a`, NoQuotes, `json:"a"`},
		{`json:a,omitempty xml:"b"`, NoQuotes, `json:"a,omitempty" xml:"b"`},
		{`json:a"`, NoQuotes, `json:"a"`},
		{`json: a`, NoQuotes, ``},
		{`json:'a'`, SingleQuotes, `json:"a"`},
		{`json: 'a'`, SingleQuotes, `json:"a"`},
		{`json:'a"`, SingleQuotes, `json:"a"`},
		{"json:`a`", BackQuotes, `json:"a"`},
		{`json:“a”`, CurlyQuotes, `json:"a"`},
		{`json:”a”`, CurlyQuotes, `json:"a"`},
		{`json"a"`, MissingColon, `json:"a"`},
		{`json":a"`, MisplacedQuote, `json:"a"`},
		{`json="a"`, EqualsSign, `json:"a"`},
		{`json=a`, EqualsSign, `json:"a"`},
		{`"json:a"`, QuotedPair, `json:"a"`},
		{`"json":"a"`, QuotedPair, `json:"a"`},
		{`json:"\d+\s"`, BadEscape, `json:"\\d+\\s"`},
		{`json:"a "b" c" xml:"d"`, InnerQuote, `json:"a \"b\" c" xml:"d"`},
		{`json:"a"" xml:"b"`, OutsideQuotes, `json:"a" xml:"b"`},
		{`json:"a"'`, OutsideQuotes, `json:"a"`},
		{`json:"a`, MissingCloseQuote, `json:"a"`},
		{`json:"a xml:"b"`, MissingCloseQuote, `json:"a" xml:"b"`},
		{`json:"a",xml:"b"`, BadSeparator, `json:"a" xml:"b"`},
		{`json:"a", xml:"b"`, BadSeparator, `json:"a" xml:"b"`},
		{`json:"a";xml:"b"`, BadSeparator, `json:"a" xml:"b"`},
		{"json:\"a\"\txml:\"b\"", BadSeparator, `json:"a" xml:"b"`},
		{"json:\"a\"\n\txml:\"b\"", BadSeparator, `json:"a" xml:"b"`},
		{"\tjson:\"a\"", BadSeparator, `json:"a"`},
		{`json:"a",`, BadSeparator, `json:"a"`},
		{`json:"a"xml:"b"`, NoSeparator, `json:"a" xml:"b"`},
		{`json:"a",omitempty`, OutsideQuotes, `json:"a,omitempty"`},
		{`json:"a",omitempty xml:"b"`, OutsideQuotes, `json:"a,omitempty" xml:"b"`},
		{`json:"a" omitempty`, BareWord, ``},
		{`:"a"`, EmptyKey, ``},
		{`json:`, NoValue, ``},
		{"\x01json:\"a\"", BadCharacter, ``},
	} {
		tag := Parse(c.tag)
		var fault *Fault
		for i := range tag.Pairs {
			if fault = tag.Pairs[i].Fault; fault != nil {
				break
			}
		}
		if fault == nil {
			t.Errorf("%s: no fault", c.tag)
			continue
		}
		if fault.Kind != c.kind {
			t.Errorf("%s: fault %d, want %d", c.tag, fault.Kind, c.kind)
		}
		if fixed := apply(c.tag, fault.Edits); c.fixed != "" && fixed != c.fixed || c.fixed == "" && len(fault.Edits) > 0 {
			t.Errorf("%s: fixed to %s, want %s", c.tag, fixed, c.fixed)
		}
	}
}

func apply(text string, edits []Edit) string {
	sort.Slice(edits, func(i, j int) bool { return edits[i].Start > edits[j].Start })
	for _, e := range edits {
		text = text[:e.Start] + e.New + text[e.End:]
	}
	return text
}

func TestNoFault(t *testing.T) {
	for _, tag := range []string{
		``, ` `, `json:"a"`, ` json:"a"  xml:"b" `, `json:"a" xml:"b"` + "\t", `json:""`, `x-y.z/1:"a"`, `ключ:"значение"`,
		`json:"a\"b\\"`, `json:"a b: c"`,
	} {
		parsed := Parse(tag)
		for _, p := range parsed.Pairs {
			if p.Fault != nil {
				t.Errorf("%q: fault %d at %s", tag, p.Fault.Kind, p.Key)
			}
		}
	}
}

// FuzzParse checks against reflect: Parse finds all that reflect finds, the
// offsets are in order and inside the tag, and a suggested fix makes the pair
// visible.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`json:"a" xml:"b"`, `json: "a"`, `json:'a'`, `json:"a "b" c" xml:"d"`, `json:"a",omitempty`, `a"b":c"`, `json:"\d"`, `"json:a"`,
		"json:\"a\"\txml:\"b\"", `json="a"`, `json:"a xml:"b"`, `,,;a:`, `:::""`, `json:“a”`, `json:"a"xml:"b`, `x:""json"""`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tag := Parse(text)
		last := 0
		for _, p := range tag.Pairs {
			if p.Start < last || p.End < p.Start || p.End > len(text) || p.ValueStart > p.ValueEnd || p.ValueEnd > len(text) {
				t.Fatalf("%q: pair %+v after %d", text, p, last)
			}
			last = p.End
			if p.Fault == nil {
				continue
			}
			for _, e := range p.Fault.Edits {
				if e.Start > e.End || e.End > len(text) || e.Start < 0 {
					t.Fatalf("%q: edit %+v", text, e)
				}
			}
		}
		for _, key := range keysOf(text) {
			value, ok := reflect.StructTag(text).Lookup(key)
			got := tag.Lookup(key)
			// A key with a separator in it is one for reflect alone.
			if strings.ContainsAny(key, ",;") {
				continue
			}
			if meant := tag.Meant(key); got == nil && meant != nil && truncated(meant.Fault) {
				continue
			}
			if ok != (got != nil) && !strings.ContainsAny(text, ",;") {
				t.Fatalf("%q: key %q: reflect finds it: %t, Parse: %t", text, key, ok, got != nil)
			}
			if ok && got != nil && got.Value != value && (got.Fault == nil || got.Fault.Kind == NoSeparator) {
				t.Fatalf("%q: key %q: value %q, want %q", text, key, got.Value, value)
			}
		}
	})
}

// truncated tells whether reflect finds the beginning of what must have been meant.
func truncated(f *Fault) bool {
	return f != nil && (f.Kind == InnerQuote || f.Kind == OutsideQuotes || f.Kind == MissingCloseQuote)
}

func keysOf(text string) []string {
	var keys []string
	for _, p := range Parse(text).Pairs {
		keys = append(keys, p.Key)
	}
	return append(keys, "json", "xml", "a")
}

func TestLiteral(t *testing.T) {
	for _, src := range []string{"`json:\"a\"`", `"json:\"a\" xml:\"\u00e9\" x:\"\\n\""`, "`a\r\nb`", `"é\x41\101"`} {
		lit := &ast.BasicLit{Kind: token.STRING, Value: src, ValuePos: 100}
		l := NewLiteral(lit)
		if l == nil {
			t.Fatalf("%s: no literal", src)
		}
		for off := range l.Value {
			at := int(l.Pos(off)) - 100
			if c := src[at]; c != l.Value[off] && c != '\\' && l.Value[off] < 0x80 {
				t.Errorf("%s: byte %d (%q) is said to be at %d (%q)", src, off, l.Value[off], at, c)
			}
		}
		if at := int(l.Pos(len(l.Value))) - 100; at != len(src)-1 {
			t.Errorf("%s: the end is said to be at %d", src, at)
		}
	}
}

func TestSpell(t *testing.T) {
	raw := NewLiteral(&ast.BasicLit{Kind: token.STRING, Value: "`a`"})
	if s, ok := raw.Spell(`"x"`); s != `"x"` || !ok {
		t.Errorf("raw: %s, %t", s, ok)
	}
	if _, ok := raw.Spell("`"); ok {
		t.Error("a raw string cannot hold a back quote")
	}
	interpreted := NewLiteral(&ast.BasicLit{Kind: token.STRING, Value: `"a"`})
	if s, ok := interpreted.Spell(`"x"`); s != `\"x\"` || !ok {
		t.Errorf("interpreted: %s, %t", s, ok)
	}
}
