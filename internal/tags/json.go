package tags

import (
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
