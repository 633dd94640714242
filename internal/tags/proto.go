package tags

import (
	"go/types"
	"strconv"
	"strings"
)

// A ProtoTag is a protobuf tag: wire type, field number, label and settings.
type ProtoTag struct {
	Wire   string
	Number int // 0 if there is none
	Label  string
	Name   string // of name=
	custom bool
}

// ParseProto reads a protobuf tag. It reports false for one without the first two
// parts, such as the "-" of a field that is left out.
func ParseProto(value string) (ProtoTag, bool) {
	parts := strings.Split(value, ",")
	if len(parts) < 2 {
		return ProtoTag{}, false
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		return ProtoTag{}, false
	}
	tag := ProtoTag{Wire: parts[0], Number: number}
	for _, p := range parts[2:] {
		switch name, setting, ok := strings.Cut(p, "="); {
		case !ok && (p == "opt" || p == "req" || p == "rep"):
			tag.Label = p
		case name == "name":
			tag.Name = setting
		case name == "customtype", name == "stdtime", name == "stdduration", name == "wktptr":
			tag.custom = true
		}
	}
	return tag, true
}

// The largest field number, and the numbers that the implementation keeps for
// itself (protobuf language guide, "Assigning Field Numbers").
const (
	maxProtoNumber              = 1<<29 - 1
	firstReserved, lastReserved = 19000, 19999
)

// ValidNumber tells whether the language allows the field number.
func (p *ProtoTag) ValidNumber() bool {
	return p.Number >= 1 && p.Number <= maxProtoNumber && (p.Number < firstReserved || p.Number > lastReserved)
}

// WireTypes returns the wire types that fit a Go type, or nil if that cannot be
// said.
func (p *ProtoTag) WireTypes(t types.Type) []string {
	if p.custom {
		return nil
	}
	t = deref(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return wireOfBasic(u)
	case *types.Struct, *types.Map:
		return []string{"bytes", "group"}
	case *types.Slice:
		elem := u.Elem()
		if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return []string{"bytes"}
		}
		// A named slice can be a message of its own, as in the Kubernetes API.
		if _, named := t.(*types.Named); named || p.Label != "rep" {
			return nil
		}
		return p.WireTypes(elem)
	}
	return nil
}

func wireOfBasic(b *types.Basic) []string {
	switch b.Kind() {
	case types.Bool:
		return []string{"varint"}
	case types.Int32, types.Uint32:
		return []string{"varint", "zigzag32", "fixed32"}
	case types.Int64, types.Uint64:
		return []string{"varint", "zigzag64", "fixed64"}
	case types.Int, types.Uint, types.Int8, types.Int16, types.Uint8, types.Uint16:
		return []string{"varint", "zigzag32", "zigzag64", "fixed32", "fixed64"}
	case types.Float32:
		return []string{"fixed32"}
	case types.Float64:
		return []string{"fixed64"}
	case types.String:
		return []string{"bytes"}
	}
	return nil
}
