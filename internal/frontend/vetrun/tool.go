package vetrun

import "strings"

// IsToolCall tells whether a program called with args is called as a vet tool, by
// the go command: it asks for the version (-V=full) and for the flags (-flags),
// and then names the description of one compilation unit, a .cfg file.
func IsToolCall(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return last == "-V=full" || last == "-flags" || strings.HasSuffix(last, ".cfg")
}
