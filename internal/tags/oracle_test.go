package tags

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"
)

// The tests of this file ask the libraries themselves: they build a type twice, for
// reflect and for go/types, let the library encode a value, and compare with what
// this package says about the type.

// fromReflect makes the go/types form of a type.
func fromReflect(t reflect.Type) types.Type {
	if t.Name() != "" && t.PkgPath() != "" {
		return namedFromReflect(t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(fromReflect(t.Elem()))
	case reflect.Slice:
		return types.NewSlice(fromReflect(t.Elem()))
	case reflect.Array:
		return types.NewArray(fromReflect(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(fromReflect(t.Key()), fromReflect(t.Elem()))
	case reflect.Chan:
		return types.NewChan(types.SendRecv, fromReflect(t.Elem()))
	case reflect.Func:
		return types.NewSignatureType(nil, nil, nil, nil, nil, false)
	case reflect.Interface:
		return types.NewInterfaceType(nil, nil)
	case reflect.Struct:
		return structFromReflect(t)
	}
	for _, b := range types.Typ {
		if b.Name() == t.Kind().String() {
			return b
		}
	}
	panic(t.String())
}

func structFromReflect(t reflect.Type) *types.Struct {
	var fields []*types.Var
	var tags []string
	for i := range t.NumField() {
		f := t.Field(i)
		fields = append(fields, types.NewField(token.NoPos, nil, f.Name, fromReflect(f.Type), f.Anonymous))
		tags = append(tags, string(f.Tag))
	}
	return types.NewStruct(fields, tags)
}

var namedTypes = map[reflect.Type]*types.Named{}

// namedFromReflect keeps the kind of a named type and the names of its methods; the
// fields of a struct are dropped, as no rule looks at them here.
func namedFromReflect(t reflect.Type) types.Type {
	if n := namedTypes[t]; n != nil {
		return n
	}
	n := types.NewNamed(types.NewTypeName(token.NoPos, nil, t.Name(), nil), nil, nil)
	namedTypes[t] = n
	switch t.Kind() {
	case reflect.Struct:
		n.SetUnderlying(types.NewStruct(nil, nil))
	case reflect.Slice:
		n.SetUnderlying(types.NewSlice(fromReflect(t.Elem())))
	case reflect.Map:
		n.SetUnderlying(types.NewMap(fromReflect(t.Key()), fromReflect(t.Elem())))
	default:
		for _, b := range types.Typ {
			if b.Name() == t.Kind().String() {
				n.SetUnderlying(b)
			}
		}
	}
	pointer := reflect.PointerTo(t)
	for i := range pointer.NumMethod() {
		recv := types.NewVar(token.NoPos, nil, "", types.NewPointer(n))
		sig := types.NewSignatureType(recv, nil, nil, nil, nil, false)
		n.AddMethod(types.NewFunc(token.NoPos, nil, pointer.Method(i).Name, sig))
	}
	return n
}

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

// fill makes a value in which nothing is nil or empty.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(7)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(7)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(7)
	case reflect.String:
		v.SetString("7")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte("7"))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(elem)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, elem)
	case reflect.Chan:
		v.Set(reflect.MakeChan(v.Type(), 0))
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), nil))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// holder makes a struct with one field F.
func holder(t reflect.Type, tag string) reflect.Value {
	s := reflect.StructOf([]reflect.StructField{{Name: "F", Type: t, Tag: reflect.StructTag(tag)}})
	return reflect.New(s).Elem()
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
			v := holder(typ, key+`:"f,omitempty"`)
			out, err := encode(key, v.Interface())
			if err != nil {
				continue
			}
			kept := strings.Contains(out, "f")
			if plain, _ := encode(key, holder(typ, key+`:"f"`).Interface()); !strings.Contains(plain, "f") {
				continue // nothing there to be left out, as with a nil for xml
			}
			if useless := OmitEmptyUseless(fromReflect(typ), key); useless != kept {
				t.Errorf("%s, %s: OmitEmptyUseless says %t, but the zero value is encoded as %s", key, typ, useless, out)
			}
		}
	}
}

func TestStringAsEncoded(t *testing.T) {
	for _, typ := range samples {
		with, without := holder(typ, `json:"f,string"`), holder(typ, `json:"f"`)
		fill(with)
		fill(without)
		a, err := encode("json", with.Interface())
		b, err2 := encode("json", without.Interface())
		if err != nil || err2 != nil || typ == reflect.TypeFor[any]() {
			continue
		}
		if quotable := Quotable(fromReflect(typ)); quotable != (a != b) {
			t.Errorf("%s: Quotable says %t, but it is encoded as %s with the option and as %s without", typ, quotable, a, b)
		}
	}
}

func TestTypesAsEncoded(t *testing.T) {
	for _, typ := range samples {
		for _, key := range []string{"json", "xml", "yaml"} {
			v := holder(typ, key+`:"f"`)
			fill(v)
			_, err := encode(key, v.Interface())
			if bad := Unencodable(fromReflect(typ), key); (bad != nil) != (err != nil) {
				t.Errorf("%s, %s: Unencodable says %v, the library says %v", key, typ, bad, err)
			}
		}
	}
}

func TestNamesAsEncoded(t *testing.T) {
	for _, name := range []string{"a", "a b", " a", "a.b", "@id", "$x", "a/b", `a\\b`, `a\"b`, "a'b", "a`b", "é", "1", "-", "_", "a\u00a0b", "名", "a\\tb"} {
		tag := `json:"` + name + `,"`
		v := holder(reflect.TypeFor[int](), tag)
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
		v := holder(reflect.TypeFor[int](), key+`:"-,omitempty"`)
		fill(v)
		out, err := encode(key, v.Interface())
		if named, want := err == nil && strings.Contains(out, "-"), LookupKey(key).DashName; named != want {
			t.Errorf(`%s: "-,omitempty" is encoded as %s, %v, but DashName is %t`, key, out, err, want)
		}
	}
}

func TestUnknownOptionAsEncoded(t *testing.T) {
	plain, _ := encode("json", holder(reflect.TypeFor[int](), `json:"f"`).Interface())
	for _, key := range []string{"json", "toml", "xml"} {
		for _, option := range LookupKey(key).Foreign {
			if strings.Contains(option, "=") {
				continue
			}
			if _, err := encode(key, holder(reflect.TypeFor[int](), key+`:"f,`+option+`"`).Interface()); err != nil {
				t.Errorf("%s does not ignore %s: %v", key, option, err)
			}
		}
	}
	for _, option := range []string{"omitempy", "requird", ""} {
		if out, _ := encode("json", holder(reflect.TypeFor[int](), `json:"f,`+option+`"`).Interface()); out != plain {
			t.Errorf("json does something about %s: %s", option, out)
		}
		if _, err := encode("yaml", holder(reflect.TypeFor[int](), `yaml:"f,`+option+`"`).Interface()); err == nil {
			t.Errorf("yaml does not refuse %s", option)
		}
	}
}

// randomStruct makes a struct of int fields with names in their tags, some of them
// in embedded structs. Within one struct that is not the outermost each name is
// there once, as clashes there are its own.
func randomStruct(r *rand.Rand, key, prefix string, depth int) reflect.Type {
	names := []string{"a", "b", "c", "A0", "a0", "b>c", "b>d", "c>b", "b,attr", "c,attr"}
	if key != "xml" {
		names = names[:5]
	}
	used := map[string]bool{}
	var fields []reflect.StructField
	for i := range 1 + r.IntN(4) {
		f := reflect.StructField{Name: fmt.Sprintf("%sF%d", prefix, i), Type: reflect.TypeFor[int]()}
		if depth > 0 && r.IntN(3) == 0 {
			f.Name = fmt.Sprintf("%sE%d", prefix, i)
			f.Type, f.Anonymous = randomStruct(r, key, f.Name, depth-1), true
			if key == "yaml" {
				f.Tag = `yaml:",inline"`
			}
			fields = append(fields, f)
			continue
		}
		name := names[r.IntN(len(names))]
		if prefix != "" && used[strings.Split(name, ">")[0]] {
			continue
		}
		used[strings.Split(name, ">")[0]] = true
		if r.IntN(6) > 0 {
			f.Tag = reflect.StructTag(fmt.Sprintf(`%s:"%s"`, key, name))
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

// number gives every int of a struct another value, from 1 up, and returns the
// fields' values by their paths.
func number(v reflect.Value, path string, values map[string]int) {
	for i := range v.NumField() {
		at := fmt.Sprintf("%s.%d", path, i)
		if v.Field(i).Kind() == reflect.Struct {
			number(v.Field(i), at, values)
			continue
		}
		values[at] = len(values) + 1
		v.Field(i).SetInt(int64(values[at]))
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
		typ := randomStruct(r, "json", "", 2)
		v := reflect.New(typ).Elem()
		values := map[string]int{}
		number(v, "", values)
		b, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]int
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		for _, c := range Clashes(structFromReflect(typ), LookupKey("json")) {
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
	s := structFromReflect(typ)
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
			typ := randomStruct(r, key, "", 1)
			_, err := encode(key, reflect.New(typ).Elem().Interface())
			var path *xml.TagPathError
			if key == "xml" && err != nil && !errors.As(err, &path) {
				t.Fatalf("%s: %v", typ, err)
			}
			if err != nil {
				refused++
			}
			if clashes := Clashes(structFromReflect(typ), LookupKey(key)); (len(clashes) > 0) != (err != nil) {
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
	clashes := Clashes(structFromReflect(reflect.TypeOf(v)), LookupKey("toml"))
	if len(clashes) != 1 || clashes[0].Effect != BothLost {
		t.Errorf("clashes: %+v", clashes)
	}
}
