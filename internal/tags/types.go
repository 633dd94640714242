package tags

import "go/types"

// OmitEmptyUseless tells whether omitempty has no effect on a type for the key json
// or xml: no struct and no array with elements is ever empty. encoding/xml asks the
// question for each element of an array that is not of bytes.
func OmitEmptyUseless(t types.Type, key string) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return true
	case *types.Array:
		elem, _ := u.Elem().Underlying().(*types.Basic)
		if key == "xml" && (elem == nil || elem.Kind() != types.Byte) {
			return u.Len() > 0 && OmitEmptyUseless(u.Elem(), key)
		}
		return u.Len() > 0
	}
	return false
}

// Quotable tells whether the option string of encoding/json has an effect on a
// type: strings, numbers and booleans, and a pointer to one of them.
func Quotable(t types.Type) bool {
	switch u := deref(t).Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0 || u.Kind() == types.Invalid
	case *types.Interface:
		return isTypeParam(deref(t))
	}
	return false
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// A Codec says which types a library cannot encode.
type Codec struct {
	// Methods are the methods by which a type encodes or decodes itself: one that
	// only decodes itself is part of a struct that is only decoded.
	Methods []string
	// Complex and Maps say that complex numbers and maps are encoded; StringKeys
	// that maps are, with keys that are strings or integers or encode themselves
	// as text.
	Complex, Maps, StringKeys bool
}

var codecs = map[string]Codec{
	"json": {Methods: []string{"MarshalJSON", "MarshalJSONTo", "MarshalText", "UnmarshalJSON", "UnmarshalJSONFrom", "UnmarshalText"}, StringKeys: true},
	"xml":  {Methods: []string{"MarshalXML", "MarshalXMLAttr", "MarshalText", "UnmarshalXML", "UnmarshalXMLAttr", "UnmarshalText"}},
	"yaml": {Methods: []string{"MarshalYAML", "MarshalText", "UnmarshalYAML", "UnmarshalText"}, Maps: true},
}

// Unencodable returns the part of t that the library of a key cannot encode,
// whatever the value, or nil. It does not look into structs.
func Unencodable(t types.Type, key string) types.Type {
	codec, ok := codecs[key]
	if !ok {
		return nil
	}
	return codec.unencodable(t, 0)
}

func (c *Codec) unencodable(t types.Type, depth int) types.Type {
	// Types such as `type T []T` go on for ever.
	if depth > 10 || isTypeParam(t) || c.encodesItself(t) {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return t
	case *types.Basic:
		if u.Info()&types.IsComplex != 0 && !c.Complex {
			return t
		}
	case *types.Pointer:
		return c.unencodable(u.Elem(), depth+1)
	case *types.Slice:
		return c.unencodable(u.Elem(), depth+1)
	case *types.Array:
		return c.unencodable(u.Elem(), depth+1)
	case *types.Map:
		if !c.Maps && !c.StringKeys || c.StringKeys && !c.goodKey(u.Key()) {
			return t
		}
		return c.unencodable(u.Elem(), depth+1)
	}
	return nil
}

func (c *Codec) encodesItself(t types.Type) bool {
	for _, m := range c.Methods {
		if HasMethod(t, m) {
			return true
		}
	}
	return false
}

func (c *Codec) goodKey(t types.Type) bool {
	if isTypeParam(t) || HasMethod(t, "MarshalText") {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Info()&(types.IsInteger|types.IsString) != 0 || b.Kind() == types.Invalid)
}

// HasMethod tells whether t or a pointer to it has a method of that name.
func HasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}
