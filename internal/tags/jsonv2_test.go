//go:build goexperiment.jsonv2

package tags

import (
	"encoding/json/v2"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/heapvet/heapvet/internal/tags/tagtest"
)

// The tests of this file ask encoding/json/v2. TestJSONv2 runs them with the
// experiment that the package needs.

func encodeV2(v any) (out string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	b, err := json.Marshal(v)
	return string(b), err
}

func TestV2Clashes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	refused, lost := 0, 0
	for range rounds {
		typ := tagtest.RandomStruct(r, "json", "", 2)
		v := reflect.New(typ).Elem()
		values := map[string]int{}
		tagtest.Number(v, "", values)
		b, err := encodeV2(v.Interface())
		clashes := ClashesJSONv2(tagtest.StructFromReflect(typ))
		claim := false
		for _, c := range clashes {
			claim = claim || c.Effect == Refused
		}
		if claim != (err != nil) {
			t.Fatalf("%s: refused %t by us, but the library says %v", typ, claim, err)
		}
		if claim {
			refused++
			continue
		}
		var got map[string]int
		if err := json.Unmarshal([]byte(b), &got); err != nil {
			t.Fatal(err)
		}
		for _, c := range clashes {
			lost++
			value, ok := got[c.Field.Name]
			if c.Effect == BothLost && ok || c.Effect == UntaggedLost && value != values[pathOf(c.Other)] {
				t.Fatalf("%s: %q has the effect %d, but the output is %s", typ, c.Field.Name, c.Effect, b)
			}
		}
	}
	if refused < rounds/20 || lost < rounds/50 {
		t.Errorf("%d refused and %d lost in %d structs: the test does not test", refused, lost, rounds)
	}
}

func TestV2Options(t *testing.T) {
	plain, _ := encodeV2(tagtest.Holder(reflect.TypeFor[int](), `json:"f"`).Interface())
	for _, option := range []string{"omitempy", "requird", "required", "squash", "nocopy"} {
		if out, err := encodeV2(tagtest.Holder(reflect.TypeFor[int](), `json:"f,`+option+`"`).Interface()); out != plain || err != nil {
			t.Errorf("json/v2 does something about %s: %s, %v", option, out, err)
		}
	}
	for _, value := range []string{"f,", "f,,omitzero", "f, omitzero", "f,omitzero,omitzero", "-,", "-,omitempty", "-,omitzero"} {
		if out, err := encodeV2(tagtest.Holder(reflect.TypeFor[int](), `json:"`+value+`"`).Interface()); err == nil {
			t.Errorf("json/v2 does not refuse %q: %s", value, out)
		}
	}
}

func TestV2Effects(t *testing.T) {
	useless, quotes := 0, 0
	for _, typ := range samples {
		zero, plain := tagtest.Holder(typ, `json:"f,omitempty"`), tagtest.Holder(typ, `json:"f"`)
		out, err := encodeV2(zero.Interface())
		if err == nil && OmitEmptyUselessV2(tagtest.FromReflect(typ)) {
			useless++
			if !strings.Contains(out, "f") {
				t.Errorf("%s: OmitEmptyUselessV2 says that omitempty has no effect, but the zero value is encoded as %s", typ, out)
			}
		} else if err == nil && strings.Contains(out, "f") && typ.Kind() != reflect.Array && typ != reflect.TypeFor[time.Time]() {
			// What is kept all the same is not empty: it is not said to be left out.
			if b, _ := encodeV2(plain.Interface()); b != out {
				t.Errorf("%s: encoded as %s with omitempty and as %s without", typ, out, b)
			}
		}
		with := tagtest.Holder(typ, `json:"f,string"`)
		tagtest.Fill(with)
		tagtest.Fill(plain)
		a, err := encodeV2(with.Interface())
		b, err2 := encodeV2(plain.Interface())
		if err != nil || err2 != nil || QuotableV2(tagtest.FromReflect(typ)) {
			continue
		}
		quotes++
		if a != b {
			t.Errorf("%s: QuotableV2 says that string has no effect, but it is encoded as %s with it and as %s without", typ, a, b)
		}
	}
	if useless < 5 || quotes < 3 {
		t.Errorf("%d and %d claims: the test does not test", useless, quotes)
	}
}
