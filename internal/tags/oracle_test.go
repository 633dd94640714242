package tags

import (
	"bytes"
	"encoding/asn1"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"

	"github.com/heapvet/heapvet/internal/tags/tagtest"
)

// The tests of this file ask the libraries themselves: they build a type twice, for
// reflect and for go/types, let the library encode a value, and compare with what
// this package says about the type.

type (
	micros  int64
	flag    bool
	plain   struct{ A int }
	text    string
	textKey struct{ A int }
	strs    []string
)

func (k textKey) MarshalText() ([]byte, error)  { return fmt.Appendf(nil, "k%d", k.A), nil }
func (k *textKey) UnmarshalText(b []byte) error { return nil }

// samples are types of every kind that the rules tell apart.
var samples = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[int64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[complex128](),
	reflect.TypeFor[micros](), reflect.TypeFor[flag](), reflect.TypeFor[text](), reflect.TypeFor[plain](), reflect.TypeFor[strs](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[big.Int](),
	reflect.TypeFor[json.RawMessage](), reflect.TypeFor[json.Number](), reflect.TypeFor[any](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[[0]int](), reflect.TypeFor[[2]int](), reflect.TypeFor[[2]byte](), reflect.TypeFor[[]byte](), reflect.TypeFor[[]int64](), reflect.TypeFor[[]string](),
	reflect.TypeFor[*int64](), reflect.TypeFor[**int64](), reflect.TypeFor[*string](), reflect.TypeFor[*[]int](), reflect.TypeFor[*plain](),
	reflect.TypeFor[map[string]int](), reflect.TypeFor[map[int]string](), reflect.TypeFor[map[text]int](), reflect.TypeFor[map[bool]int](), reflect.TypeFor[map[float64]int](),
	reflect.TypeFor[map[plain]int](), reflect.TypeFor[map[textKey]int](), reflect.TypeFor[map[string]chan int](), reflect.TypeFor[map[string]map[bool]int](),
	reflect.TypeFor[chan int](), reflect.TypeFor[func()](), reflect.TypeFor[[]chan int](), reflect.TypeFor[*func()](), reflect.TypeFor[[]complex64](), reflect.TypeFor[[2]func()](),
}

func encode(key string, v any) (out string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	var b []byte
	switch key {
	case "json":
		b, err = json.Marshal(v)
	case "yaml":
		b, err = yaml.Marshal(v)
	case "xml":
		var buf bytes.Buffer
		err = xml.NewEncoder(&buf).EncodeElement(v, xml.StartElement{Name: xml.Name{Local: "x"}})
		b = buf.Bytes()
	case "toml":
		var buf bytes.Buffer
		err = toml.NewEncoder(&buf).Encode(v)
		b = buf.Bytes()
	}
	return string(b), err
}

func TestOmitEmptyAsEncoded(t *testing.T) {
	for _, typ := range samples {
		for _, key := range []string{"json", "xml"} {
			v := tagtest.Holder(typ, key+`:"f,omitempty"`)
			out, err := encode(key, v.Interface())
			if err != nil {
				continue
			}
			kept := strings.Contains(out, "f")
			if plain, _ := encode(key, tagtest.Holder(typ, key+`:"f"`).Interface()); !strings.Contains(plain, "f") {
				continue // nothing there to be left out, as with a nil for xml
			}
			if useless := OmitEmptyUseless(tagtest.FromReflect(typ), key); useless != kept {
				t.Errorf("%s, %s: OmitEmptyUseless says %t, but the zero value is encoded as %s", key, typ, useless, out)
			}
		}
	}
}

func TestStringAsEncoded(t *testing.T) {
	for _, typ := range samples {
		with, without := tagtest.Holder(typ, `json:"f,string"`), tagtest.Holder(typ, `json:"f"`)
		tagtest.Fill(with)
		tagtest.Fill(without)
		a, err := encode("json", with.Interface())
		b, err2 := encode("json", without.Interface())
		if err != nil || err2 != nil || typ == reflect.TypeFor[any]() {
			continue
		}
		if quotable := Quotable(tagtest.FromReflect(typ)); quotable != (a != b) {
			t.Errorf("%s: Quotable says %t, but it is encoded as %s with the option and as %s without", typ, quotable, a, b)
		}
	}
}

func TestTypesAsEncoded(t *testing.T) {
	for _, typ := range samples {
		for _, key := range []string{"json", "xml", "yaml"} {
			v := tagtest.Holder(typ, key+`:"f"`)
			tagtest.Fill(v)
			_, err := encode(key, v.Interface())
			if bad := Unencodable(tagtest.FromReflect(typ), key); (bad != nil) != (err != nil) {
				t.Errorf("%s, %s: Unencodable says %v, the library says %v", key, typ, bad, err)
			}
		}
	}
}

func TestNamesAsEncoded(t *testing.T) {
	for _, name := range []string{"a", "a b", " a", "a.b", "@id", "$x", "a/b", `a\\b`, `a\"b`, "a'b", "a`b", "é", "1", "-", "_", "a\u00a0b", "名", "a\\tb"} {
		tag := `json:"` + name + `,"`
		v := tagtest.Holder(reflect.TypeFor[int](), tag)
		out, err := encode("json", v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		written := reflect.StructTag(tag).Get("json")
		written = strings.TrimSuffix(written, ",")
		if taken := !strings.Contains(out, `"F"`); taken != ValidJSONName(written) {
			t.Errorf("%q: ValidJSONName says %t, encoded as %s", written, !taken, out)
		}
	}
}

func TestDashAsEncoded(t *testing.T) {
	for _, key := range []string{"json", "yaml", "toml"} {
		v := tagtest.Holder(reflect.TypeFor[int](), key+`:"-,omitempty"`)
		tagtest.Fill(v)
		out, err := encode(key, v.Interface())
		if named, want := err == nil && strings.Contains(out, "-"), LookupKey(key).DashName; named != want {
			t.Errorf(`%s: "-,omitempty" is encoded as %s, %v, but DashName is %t`, key, out, err, want)
		}
	}
}

func TestUnknownOptionAsEncoded(t *testing.T) {
	plain, _ := encode("json", tagtest.Holder(reflect.TypeFor[int](), `json:"f"`).Interface())
	for _, key := range []string{"json", "toml", "xml"} {
		for _, option := range LookupKey(key).Foreign {
			if strings.Contains(option, "=") {
				continue
			}
			if _, err := encode(key, tagtest.Holder(reflect.TypeFor[int](), key+`:"f,`+option+`"`).Interface()); err != nil {
				t.Errorf("%s does not ignore %s: %v", key, option, err)
			}
		}
	}
	for _, option := range []string{"omitempy", "requird", ""} {
		if out, _ := encode("json", tagtest.Holder(reflect.TypeFor[int](), `json:"f,`+option+`"`).Interface()); out != plain {
			t.Errorf("json does something about %s: %s", option, out)
		}
		if _, err := encode("yaml", tagtest.Holder(reflect.TypeFor[int](), `yaml:"f,`+option+`"`).Interface()); err == nil {
			t.Errorf("yaml does not refuse %s", option)
		}
	}
}

func pathOf(e Entry) string {
	var b strings.Builder
	for _, i := range e.Path {
		fmt.Fprintf(&b, ".%d", i)
	}
	return b.String()
}

// reflect keeps every type for ever.
const rounds = 2000

// TestClashesAsEncodedJSON checks which field gets a name, and that both are lost
// where we say so.
func TestClashesAsEncodedJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	clashes := 0
	for range rounds {
		typ := tagtest.RandomStruct(r, "json", "", 2)
		v := reflect.New(typ).Elem()
		values := map[string]int{}
		tagtest.Number(v, "", values)
		b, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]int
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		for _, c := range Clashes(tagtest.StructFromReflect(typ), LookupKey("json")) {
			clashes++
			value, ok := got[c.Field.Name]
			switch {
			case c.Effect == BothLost && ok:
				t.Fatalf("%s: both %q are said to be lost, but the output is %s", typ, c.Field.Name, b)
			case c.Effect == UntaggedLost && value != values[pathOf(c.Other)]:
				t.Fatalf("%s: the untagged %q is said to be lost, but the output is %s", typ, c.Field.Name, b)
			}
		}
		checkComplete(t, typ, got, b)
	}
	if clashes < rounds/20 {
		t.Errorf("%d clashes in %d structs: the test does not test", clashes, rounds)
	}
}

// checkComplete checks that a name that is lost is in a clash.
func checkComplete(t *testing.T, typ reflect.Type, got map[string]int, output []byte) {
	t.Helper()
	s := tagtest.StructFromReflect(typ)
	clashing := map[string]bool{}
	for _, c := range Clashes(s, LookupKey("json")) {
		clashing[c.Field.Name] = true
	}
	for _, group := range byName(promoted(s, "json")) {
		name := group[0].Name
		if _, ok := got[name]; ok || clashing[name] {
			continue
		}
		roots := map[int]bool{}
		for _, e := range group {
			roots[e.Root()] = true
		}
		if len(roots) > 1 {
			t.Fatalf("%s: %q is lost, but no clash: %s", typ, name, output)
		}
	}
}

// TestClashesAsEncodedYAMLAndXML checks that the library refuses exactly the types
// that we say it refuses.
func TestClashesAsEncodedYAMLAndXML(t *testing.T) {
	for _, key := range []string{"yaml", "xml"} {
		r := rand.New(rand.NewPCG(3, 4))
		refused := 0
		for range rounds {
			typ := tagtest.RandomStruct(r, key, "", 1)
			_, err := encode(key, reflect.New(typ).Elem().Interface())
			var path *xml.TagPathError
			if key == "xml" && err != nil && !errors.As(err, &path) {
				t.Fatalf("%s: %v", typ, err)
			}
			if err != nil {
				refused++
			}
			if clashes := Clashes(tagtest.StructFromReflect(typ), LookupKey(key)); (len(clashes) > 0) != (err != nil) {
				t.Fatalf("%s: %d clashes, but the library says %v", typ, len(clashes), err)
			}
		}
		if refused < rounds/20 {
			t.Errorf("%s refused %d of %d structs: the test does not test", key, refused, rounds)
		}
	}
}

// TestClashesAsDecodedTOML checks that a name that two fields have reaches neither.
func TestClashesAsDecodedTOML(t *testing.T) {
	var v struct {
		A int `toml:"x"`
		B int `toml:"x"`
	}
	if _, err := toml.Decode("x = 1", &v); err != nil || v.A != 0 || v.B != 0 {
		t.Errorf("decoded to %+v, %v", v, err)
	}
	clashes := Clashes(tagtest.StructFromReflect(reflect.TypeOf(v)), LookupKey("toml"))
	if len(clashes) != 1 || clashes[0].Effect != BothLost {
		t.Errorf("clashes: %+v", clashes)
	}
}

// TestOptionsAsEncodedASN1 checks that encoding/asn1 passes over what it does not
// know, and that each option that it is said to know changes something.
func TestOptionsAsEncodedASN1(t *testing.T) {
	str, num, list, at := reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[[]int](), reflect.TypeFor[time.Time]()
	marshal := func(typ reflect.Type, options string, zero bool) (string, error) {
		v := tagtest.Holder(typ, `asn1:"`+options+`"`)
		if !zero && typ != at {
			tagtest.Fill(v)
		} else if typ == at {
			v.Field(0).Set(reflect.ValueOf(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)))
		}
		b, err := asn1.Marshal(v.Interface())
		return string(b), err
	}
	for _, typ := range []reflect.Type{str, num, list, at} {
		plain, err := marshal(typ, "", false)
		if err != nil {
			t.Fatal(err)
		}
		for _, option := range []string{"optinal", "printabel", "utf-8", " optional", " set", "tag:x", "tag: 1", "Set", "tag", "-"} {
			if LookupKey("asn1").HasOption(option) && !strings.HasPrefix(option, "tag:") {
				t.Errorf("asn1 is said to know %q", option)
			}
			if got, err := marshal(typ, option, false); got != plain || err != nil {
				t.Errorf("asn1 does something about %q on %s: %q, %v", option, typ, got, err)
			}
		}
	}
	effects := []struct {
		options, without string
		typ              reflect.Type
		zero             bool
	}{
		{"optional", "", num, true}, {"explicit,tag:1", "tag:1", num, false}, {"application,tag:1", "tag:1", num, false},
		{"private,tag:1", "tag:1", num, false}, {"set", "", list, false}, {"omitempty", "", list, true}, {"generalized", "", at, false},
		{"utc", "generalized", at, false}, {"ia5", "printable", str, false}, {"printable", "utf8", str, false}, {"numeric", "", str, false},
		{"utf8", "numeric", str, false}, {"tag:1", "", num, false}, {"optional,default:7", "optional", num, false},
	}
	tested := map[string]bool{}
	for _, e := range effects {
		a, err := marshal(e.typ, e.options, e.zero)
		b, err2 := marshal(e.typ, e.without, e.zero)
		if err != nil || err2 != nil || a == b {
			t.Errorf("asn1:%q is encoded as %q (%v), asn1:%q as %q (%v)", e.options, a, err, e.without, b, err2)
		}
		for option := range strings.SplitSeq(e.options, ",") {
			if name, _, ok := strings.Cut(option, ":"); ok {
				option = name + ":"
			}
			tested[option] = true
		}
	}
	for _, option := range LookupKey("asn1").Options {
		if !tested[option] {
			t.Errorf("the option %s is not tested", option)
		}
	}
}
