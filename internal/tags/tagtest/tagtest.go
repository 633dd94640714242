// Package tagtest helps to ask encoders what they make of a struct tag: it makes
// types for reflect and their counterparts for go/types, and values of them.
package tagtest

import (
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"math/rand/v2"
	"reflect"
	"strings"
)

// FromReflect makes the go/types form of a type.
func FromReflect(t reflect.Type) types.Type {
	if t.Name() != "" && t.PkgPath() != "" {
		return namedFromReflect(t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(FromReflect(t.Elem()))
	case reflect.Slice:
		return types.NewSlice(FromReflect(t.Elem()))
	case reflect.Array:
		return types.NewArray(FromReflect(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(FromReflect(t.Key()), FromReflect(t.Elem()))
	case reflect.Chan:
		return types.NewChan(types.SendRecv, FromReflect(t.Elem()))
	case reflect.Func:
		return types.NewSignatureType(nil, nil, nil, nil, nil, false)
	case reflect.Interface:
		return types.NewInterfaceType(nil, nil)
	case reflect.Struct:
		return StructFromReflect(t)
	}
	for _, b := range types.Typ {
		if b.Name() == t.Kind().String() {
			return b
		}
	}
	panic(t.String())
}

func StructFromReflect(t reflect.Type) *types.Struct {
	var fields []*types.Var
	var tags []string
	for i := range t.NumField() {
		f := t.Field(i)
		fields = append(fields, types.NewField(token.NoPos, nil, f.Name, FromReflect(f.Type), f.Anonymous))
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
		n.SetUnderlying(types.NewSlice(FromReflect(t.Elem())))
	case reflect.Map:
		n.SetUnderlying(types.NewMap(FromReflect(t.Key()), FromReflect(t.Elem())))
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

// Fill makes a value in which nothing is nil or empty.
func Fill(v reflect.Value) {
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
		Fill(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte("7"))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		Fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			Fill(v.Index(i))
		}
	case reflect.Map:
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		Fill(key)
		Fill(elem)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, elem)
	case reflect.Chan:
		v.Set(reflect.MakeChan(v.Type(), 0))
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), nil))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				Fill(v.Field(i))
			}
		}
	}
}

// Holder makes a struct with one field F.
func Holder(t reflect.Type, tag string) reflect.Value {
	s := reflect.StructOf([]reflect.StructField{{Name: "F", Type: t, Tag: reflect.StructTag(tag)}})
	return reflect.New(s).Elem()
}

// RandomStruct makes a struct of int fields with names in their tags, some of them
// in embedded structs. Within one struct that is not the outermost each name is
// there once, as clashes there are its own.
func RandomStruct(r *rand.Rand, key, prefix string, depth int) reflect.Type {
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
			f.Type, f.Anonymous = RandomStruct(r, key, f.Name, depth-1), true
			if key == "yaml" || key == "bson" {
				f.Tag = reflect.StructTag(key + `:",inline"`)
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

// Number gives every int of a struct another value, from 1 up, and returns the
// fields' values by their paths.
func Number(v reflect.Value, path string, values map[string]int) {
	for i := range v.NumField() {
		at := fmt.Sprintf("%s.%d", path, i)
		if v.Field(i).Kind() == reflect.Struct {
			Number(v.Field(i), at, values)
			continue
		}
		values[at] = len(values) + 1
		v.Field(i).SetInt(int64(values[at]))
	}
}
