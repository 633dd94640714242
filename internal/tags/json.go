package tags

import (
	"go/types"
	"strings"
	"unicode"
)

// ValidJSONName tells whether encoding/json takes the name; it uses the field's
// own name instead of one that it does not take.
func ValidJSONName(name string) bool {
	if name == "" {
		return false
	}
	for _, r := range name {
		// Backslash and quotes are reserved; the list is encoding/json's.
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// nameV2 returns the name in a value for encoding/json/v2, which takes one in single
// quotes.
func nameV2(value string) string {
	name := Name(value)
	if n := len(name); n > 1 && name[0] == '\'' && name[n-1] == '\'' {
		return strings.ReplaceAll(name[1:n-1], `\'`, "'")
	}
	return name
}

// OmitEmptyUselessV2 tells whether omitempty has no effect on a type for
// encoding/json/v2, which leaves out what is encoded as null, "", {} or []: no
// number or boolean ever is.
func OmitEmptyUselessV2(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat) != 0 && !encodesItself(t)
}

// QuotableV2 tells whether the option string of encoding/json/v2 can have an effect
// on a type: numbers, at whatever depth.
func QuotableV2(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return !ok || b.Info()&(types.IsBoolean|types.IsString) == 0 || encodesItself(t)
}

func encodesItself(t types.Type) bool {
	codec := codecs["json"]
	return codec.encodesItself(t)
}
