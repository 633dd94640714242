package tags

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// xmlField is what encoding/xml makes of a field (typeinfo.go there).
type xmlField struct {
	mode    string // "element", or the options that say otherwise, sorted
	space   string
	name    string
	parents []string
	entry   Entry
}

var xmlModes = []string{"any", "attr", "cdata", "chardata", "comment", "innerxml"}

// CheckXML reports why encoding/xml refuses the tag of a field, in words that
// follow the name of the tag, or "".
func CheckXML(f *types.Var, value string) string {
	_, fault := readXML(f, value)
	return fault
}

// readXML is encoding/xml's structFieldInfo.
func readXML(f *types.Var, value string) (x xmlField, fault string) {
	x.space, x.name, _ = strings.Cut(value, " ")
	if !strings.Contains(value, " ") {
		x.space, x.name = "", value
	}
	name, options := SplitOptions(x.name)
	x.name = name
	isXMLName := f.Name() == "XMLName"
	if fault := x.setMode(options, isXMLName); fault != "" {
		return x, fault
	}
	switch {
	case x.space != "" && x.name == "":
		return x, "a name space without a name"
	case isXMLName:
		return x, ""
	case x.name == "":
		x.name = f.Name()
		if inner := xmlNameOf(f.Type()); inner != nil {
			x.space, x.name = inner.space, inner.name
		}
		return x, ""
	}
	return x, x.setPath(f)
}

func (x *xmlField) setMode(options []Part, isXMLName bool) string {
	var modes []string
	omitEmpty := false
	for _, o := range options {
		if slices.Contains(xmlModes, o.Text) && !slices.Contains(modes, o.Text) {
			modes = append(modes, o.Text)
		}
		omitEmpty = omitEmpty || o.Text == "omitempty"
	}
	slices.Sort(modes)
	x.mode = strings.Join(modes, ",")
	switch {
	case x.mode == "":
		x.mode = "element"
		return ""
	case len(modes) > 1 && x.mode != "any,attr":
		return fmt.Sprintf("%s exclude each other", strings.Join(modes, " and "))
	case isXMLName:
		return fmt.Sprintf("XMLName cannot be %s", x.mode)
	case x.name != "" && x.mode != "attr":
		return fmt.Sprintf("%s does not go with a name", x.mode)
	case omitEmpty && x.mode != "any" && x.mode != "attr" && x.mode != "any,attr":
		return fmt.Sprintf("omitempty does not go with %s", x.mode)
	}
	return ""
}

func (x *xmlField) setPath(f *types.Var) string {
	path := strings.Split(x.name, ">")
	if path[0] == "" {
		path[0] = f.Name()
	}
	x.name = path[len(path)-1]
	x.parents = path[:len(path)-1]
	element := x.mode == "element" || x.mode == "any"
	switch {
	case x.name == "":
		return "a path cannot end in >"
	case len(x.parents) > 0 && !element:
		return fmt.Sprintf("a path does not go with %s", x.mode)
	}
	if inner := xmlNameOf(f.Type()); element && inner != nil && inner.name != x.name {
		return fmt.Sprintf("the name %q conflicts with %q, which the XMLName field of %s says", x.name, inner.name, typeName(f.Type()))
	}
	return ""
}

func typeName(t types.Type) string {
	if n, ok := deref(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "its type"
}

// xmlNameOf is encoding/xml's lookupXMLName.
func xmlNameOf(t types.Type) *xmlField {
	for {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range s.NumFields() {
		if s.Field(i).Name() == "XMLName" {
			if x, fault := readXML(s.Field(i), tagValue(s, i, "xml")); fault == "" && x.name != "" {
				return &x
			}
			return nil
		}
	}
	return nil
}

// xmlClashes is encoding/xml's getTypeInfo: it finds the pairs of fields that make
// it refuse the type.
func xmlClashes(t *types.Struct) []Clash {
	var clashes []Clash
	var fields []xmlField
	for _, x := range xmlFields(t, nil, nil) {
		var conflicts []int
		for i := range fields {
			if fields[i].conflicts(&x) {
				conflicts = append(conflicts, i)
			}
		}
		if slices.ContainsFunc(conflicts, func(i int) bool { return len(fields[i].entry.Path) < len(x.entry.Path) }) {
			continue
		}
		for _, i := range conflicts {
			old := fields[i].entry
			if len(old.Path) == len(x.entry.Path) && old.Root() != x.entry.Root() && (old.Tagged || x.entry.Tagged) {
				clashes = append(clashes, Clash{x.entry, old, Refused})
				break
			}
		}
		for _, i := range slices.Backward(conflicts) {
			fields = slices.Delete(fields, i, i+1)
		}
		fields = append(fields, x)
	}
	return clashes
}

func (x *xmlField) conflicts(y *xmlField) bool {
	if x.mode != y.mode && !(x.isElement() && y.isElement()) {
		return false
	}
	if x.space != "" && y.space != "" && x.space != y.space {
		return false
	}
	shared := min(len(x.parents), len(y.parents))
	if !slices.Equal(x.parents[:shared], y.parents[:shared]) {
		return false
	}
	switch {
	case len(x.parents) > shared:
		return x.parents[shared] == y.name
	case len(y.parents) > shared:
		return y.parents[shared] == x.name
	}
	return x.name == y.name && x.space == y.space
}

func (x *xmlField) isElement() bool { return x.mode == "element" }

func xmlFields(t *types.Struct, path []int, outer []*types.Struct) []xmlField {
	if slices.Contains(outer, t) {
		return nil
	}
	outer = append(outer, t)
	var fields []xmlField
	for i := range t.NumFields() {
		f := t.Field(i)
		value := tagValue(t, i, "xml")
		if !f.Exported() && !f.Embedded() || value == "-" {
			continue
		}
		at := append(slices.Clone(path), i)
		if inner := embeddedStruct(f); inner != nil {
			fields = append(fields, xmlFields(inner, at, outer)...)
			continue
		}
		x, fault := readXML(f, value)
		if fault != "" || f.Name() == "XMLName" {
			continue
		}
		x.entry = Entry{x.name, value != "", f, at}
		fields = append(fields, x)
	}
	return fields
}
