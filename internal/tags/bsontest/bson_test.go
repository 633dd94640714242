// Package bsontest asks the MongoDB driver what it makes of bson tags. It is a
// module of its own, so that heapvet does not depend on the driver.
package bsontest

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/heapvet/heapvet/internal/tags"
	"github.com/heapvet/heapvet/internal/tags/tagtest"
)

// encode returns the document as its keys and values.
func encode(t *testing.T, v any) (bson.M, error) {
	t.Helper()
	b, err := bson.Marshal(v)
	if err != nil {
		return nil, err
	}
	var m bson.M
	if err := bson.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m, nil
}

func holder(t *testing.T, typ reflect.Type, tag string, full bool) (bson.M, error) {
	t.Helper()
	v := tagtest.Holder(typ, tag)
	if full {
		tagtest.Fill(v)
	}
	return encode(t, v.Interface())
}

// TestClashes checks that the driver refuses exactly the types that we say it
// refuses.
func TestClashes(t *testing.T) {
	const rounds = 2000
	r := rand.New(rand.NewPCG(7, 8))
	refused := 0
	for range rounds {
		typ := tagtest.RandomStruct(r, "bson", "", 1)
		_, err := bson.Marshal(reflect.New(typ).Elem().Interface())
		if err != nil {
			refused++
			if !strings.Contains(err.Error(), "duplicated key") {
				t.Fatalf("%s: %v", typ, err)
			}
		}
		if clashes := tags.Clashes(tagtest.StructFromReflect(typ), tags.LookupKey("bson")); (len(clashes) > 0) != (err != nil) {
			t.Fatalf("%s: %d clashes, but the driver says %v", typ, len(clashes), err)
		}
	}
	if refused < rounds/20 {
		t.Errorf("%d of %d structs refused: the test does not test", refused, rounds)
	}
}

// TestOptions checks that every option of the driver does something, and that it
// passes over all others.
func TestOptions(t *testing.T) {
	key := tags.LookupKey("bson")
	number := reflect.TypeFor[int64]()
	plain, _ := holder(t, number, `bson:"f"`, true)
	for _, option := range append([]string{"omitempy", "minsise", "Inline", " omitempty", ""}, key.Foreign...) {
		if got, err := holder(t, number, `bson:"f,`+option+`"`, true); err != nil || !reflect.DeepEqual(got, plain) {
			t.Errorf("the driver does something about %q: %v, %v", option, got, err)
		}
		if got, _ := holder(t, number, `bson:"f,`+option+`"`, false); len(got) != 1 {
			t.Errorf("%q leaves the field out", option)
		}
	}
	if got, _ := holder(t, number, `bson:"f,omitempty"`, false); len(got) != 0 {
		t.Errorf("omitempty: %v", got)
	}
	if got, _ := holder(t, number, `bson:"f,minsize"`, true); got["f"] != int32(7) {
		t.Errorf("minsize: %v", got)
	}
	if got, _ := holder(t, reflect.TypeFor[struct{ A int }](), `bson:",inline"`, true); got["a"] == nil {
		t.Errorf("inline: %v", got)
	}
	var cut struct {
		F int `bson:"f,truncate"`
	}
	half, _ := bson.Marshal(bson.M{"f": 1.5})
	if err := bson.Unmarshal(half, &cut); err != nil || cut.F != 1 {
		t.Errorf("truncate: %v, %v", cut, err)
	}
	if n := len(key.Options); n != 4 {
		t.Errorf("%d options are known, and 4 tested", n)
	}
}

// TestNames checks what becomes of a dash with a comma, of inline in the place of
// the name, of embedded structs without it, and of unexported fields.
func TestNames(t *testing.T) {
	number := reflect.TypeFor[int64]()
	got, _ := holder(t, number, `bson:"-,omitempty"`, true)
	if _, named := got["-"]; named != tags.LookupKey("bson").DashName {
		t.Errorf("a dash with a comma: %v", got)
	}
	type Inner struct {
		A int `bson:"a"`
	}
	if got, _ := encode(t, struct {
		Inner
		B int `bson:"b"`
	}{}); got["inner"] == nil || got["a"] != nil {
		t.Errorf("an embedded struct without inline: %v", got)
	}
	if got, _ := encode(t, struct {
		Inner `bson:"inline"`
	}{}); got["a"] == nil {
		t.Errorf("inline in the place of the name: %v", got)
	}
	if got, _ := encode(t, struct {
		hidden int `bson:"hidden"`
		B      int `bson:"b"`
	}{hidden: 1}); len(got) != 1 {
		t.Errorf("an unexported field: %v", got)
	}
}
