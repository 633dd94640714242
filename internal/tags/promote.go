package tags

import (
	"go/types"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// An Entry is a field that a library reaches from a struct, through embedded
// structs too, under a name.
type Entry struct {
	Name string
	// Tagged reports whether the name comes from a tag.
	Tagged bool
	Field  *types.Var
	// Path holds the index of the field of the outer struct through which it is
	// reached, and so on down to the field itself.
	Path []int
}

// Root is the index in the outer struct.
func (e *Entry) Root() int { return e.Path[0] }

// Effect is what a library does when two fields have one name.
type Effect int

// The effects of a clash.
const (
	// BothLost: neither field is encoded or decoded, without a word.
	BothLost Effect = iota + 1
	// UntaggedLost: the field whose name does not come from a tag is left out.
	UntaggedLost
	// Refused: the library returns an error or panics when it sees the type.
	Refused
	// OneLost: one of both gets the value; which is an accident.
	OneLost
)

// A Clash is a name that two fields have at once.
type Clash struct {
	// Field is the later of both, or the one that is lost; Other is the other.
	Field, Other Entry
	Effect       Effect
}

// Clashes returns the clashes between fields of t, in the order of the fields, by
// the rules of the library that reads the key. Clashes within one embedded
// struct are that struct's own and left out, as are those between names of which
// none comes from a tag.
func Clashes(t *types.Struct, key *Key) []Clash {
	var clashes []Clash
	switch key.Name {
	case "json", "toml", "cbor":
		effect := BothLost
		if key.Name == "cbor" {
			effect = OneLost
		}
		clashes = dominated(promoted(t, key.Name), effect)
	case "yaml":
		clashes = repeated(inlined(t, key.Name, nil, nil), Refused)
	case "bson":
		clashes = dominated(inlined(t, key.Name, nil, nil), Refused)
	case "xml":
		clashes = xmlClashes(t)
	default:
		clashes = repeated(direct(t, key.Name), OneLost)
	}
	sort.SliceStable(clashes, func(i, j int) bool { return clashes[i].Field.Root() < clashes[j].Field.Root() })
	return clashes
}

// ClashesJSONv2 is Clashes for encoding/json/v2, which refuses a type in which two
// fields of one struct have one name. Between embedded structs it follows the rules
// of its first version.
func ClashesJSONv2(t *types.Struct) []Clash {
	entries := promoted(t, jsonV2)
	var clashes []Clash
	first := map[string]Entry{}
	for _, e := range entries {
		if len(e.Path) > 1 {
			continue
		}
		if other, ok := first[e.Name]; ok {
			clashes = append(clashes, Clash{e, other, Refused})
			continue
		}
		first[e.Name] = e
	}
	for _, c := range dominated(entries, BothLost) {
		if len(c.Field.Path) > 1 || len(c.Other.Path) > 1 {
			clashes = append(clashes, c)
		}
	}
	sort.SliceStable(clashes, func(i, j int) bool { return clashes[i].Field.Root() < clashes[j].Field.Root() })
	return clashes
}

// tagValue returns what reflect returns for the key in the tag of field i.
func tagValue(t *types.Struct, i int, key string) string {
	return reflect.StructTag(t.Tag(i)).Get(key)
}

// direct returns the fields of t that have a name in their tag.
func direct(t *types.Struct, key string) []Entry {
	var entries []Entry
	for i := range t.NumFields() {
		f := t.Field(i)
		name := Name(tagValue(t, i, key))
		if key == "gorm" {
			name = column(tagValue(t, i, key))
		}
		if name != "" && name != "-" && f.Exported() {
			entries = append(entries, Entry{name, true, f, []int{i}})
		}
	}
	return entries
}

// column returns the column that the settings of gorm name, or "" if there is none or
// if the field is not both read and written.
func column(value string) string {
	name := ""
	for _, setting := range Split(value, ';') {
		key, v, _ := strings.Cut(strings.TrimSpace(setting.Text), ":")
		switch {
		case strings.EqualFold(key, "column"):
			name = strings.TrimSpace(v)
		case strings.ContainsAny(key, "-<>"):
			return ""
		}
	}
	return name
}

// jsonV2 stands for the key json as encoding/json/v2 reads it.
const jsonV2 = "json/v2"

// promoted returns the fields of t by the rules of encoding/json: fields of
// embedded structs without a name of their own count as fields of the outer one,
// breadth first, and a type that is met again on a deeper level is not entered.
func promoted(t *types.Struct, key string) []Entry {
	nameOf := Name
	if key == jsonV2 {
		key, nameOf = "json", nameV2
	}
	type level struct {
		t    *types.Struct
		path []int
	}
	var entries []Entry
	visited := map[types.Type]bool{}
	for next := []level{{t, nil}}; len(next) > 0; {
		current := next
		next = nil
		for _, l := range current {
			for i := range l.t.NumFields() {
				f := l.t.Field(i)
				value := tagValue(l.t, i, key)
				inner := embeddedStruct(f)
				if value == "-" || !f.Exported() && inner == nil {
					continue
				}
				name := nameOf(value)
				if key == "json" && !ValidJSONName(name) {
					name = ""
				}
				path := append(slices.Clone(l.path), i)
				if name != "" || inner == nil {
					tagged := name != ""
					if !tagged {
						name = f.Name()
					}
					entries = append(entries, Entry{name, tagged, f, path})
					continue
				}
				if typ := deref(f.Type()); !visited[typ] {
					visited[typ] = true
					next = append(next, level{inner, path})
				}
			}
		}
	}
	return entries
}

// JSONNames returns the names that the fields of t have for encoding/json.
func JSONNames(t *types.Struct) []string {
	var names []string
	for _, e := range promoted(t, "json") {
		names = append(names, e.Name)
	}
	return names
}

// inlined returns the fields of t by the rules of yaml and bson: a struct is
// flattened only with the option inline, and names default to small letters.
func inlined(t *types.Struct, key string, path []int, outer []*types.Struct) []Entry {
	if slices.Contains(outer, t) {
		return nil
	}
	outer = append(outer, t)
	var entries []Entry
	for i := range t.NumFields() {
		f := t.Field(i)
		value := tagValue(t, i, key)
		if value == "-" || !f.Exported() && !f.Embedded() {
			continue
		}
		at := append(slices.Clone(path), i)
		name, options := SplitOptions(value)
		if slices.ContainsFunc(options, func(p Part) bool { return p.Text == "inline" }) || key == "bson" && name == "inline" {
			if inner := StructOf(f.Type()); inner != nil {
				entries = append(entries, inlined(inner, key, at, outer)...)
			}
			continue
		}
		tagged := name != ""
		if !tagged {
			name = strings.ToLower(f.Name())
		}
		entries = append(entries, Entry{name, tagged, f, at})
	}
	return entries
}

// dominated applies Go's rule for promoted fields: the shallowest field of a name
// wins; among several, the one that has it from a tag; else all are lost.
func dominated(entries []Entry, effect Effect) []Clash {
	var clashes []Clash
	for _, group := range byName(entries) {
		depth := len(group[0].Path)
		for _, e := range group {
			depth = min(depth, len(e.Path))
		}
		group = slices.DeleteFunc(group, func(e Entry) bool { return len(e.Path) != depth })
		var tagged []Entry
		for _, e := range group {
			if e.Tagged {
				tagged = append(tagged, e)
			}
		}
		if len(tagged) == 1 && effect == BothLost {
			for _, e := range group {
				if !e.Tagged && e.Root() != tagged[0].Root() {
					clashes = append(clashes, Clash{e, tagged[0], UntaggedLost})
				}
			}
			continue
		}
		clashes = append(clashes, repeated(group, effect)...)
	}
	return clashes
}

// repeated makes a clash of every entry but the first of a name.
func repeated(entries []Entry, effect Effect) []Clash {
	var clashes []Clash
	for _, group := range byName(entries) {
		if !slices.ContainsFunc(group, func(e Entry) bool { return e.Tagged }) {
			continue
		}
		for _, e := range group[1:] {
			if e.Root() != group[0].Root() {
				clashes = append(clashes, Clash{e, group[0], effect})
			}
		}
	}
	return clashes
}

// byName groups the entries, in the order in which their names appear.
func byName(entries []Entry) [][]Entry {
	index := map[string]int{}
	var groups [][]Entry
	for _, e := range entries {
		i, ok := index[e.Name]
		if !ok {
			i = len(groups)
			index[e.Name] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// embeddedStruct returns the struct that an embedded field is or points to.
func embeddedStruct(f *types.Var) *types.Struct {
	if !f.Embedded() {
		return nil
	}
	return StructOf(f.Type())
}

// StructOf returns the struct that t is or points to, or nil.
func StructOf(t types.Type) *types.Struct {
	s, _ := deref(t).Underlying().(*types.Struct)
	return s
}

// deref returns the type that t points to, if it is a pointer without a name.
func deref(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}
