package cli

import "strings"

// goStyle rewrites arguments so that flags may be written with one dash, as the
// go command and vet tools have them, or with two: -json is --json. Flags of one
// letter stay as they are, and so does all that follows "--".
func goStyle(args []string) []string {
	out := make([]string, len(args))
	copy(out, args)
	for i, arg := range out {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && len(name) > 1 {
			out[i] = "-" + arg
		}
	}
	return out
}
