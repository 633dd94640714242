package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// needs checks that a command has at least one argument and, unless most is negative,
// not more than that; what says what is to stand there.
func needs(most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s needs %s", cmd.Name(), what)
		}
		if most >= 0 && len(args) > most {
			return fmt.Errorf("%s takes no more than %d: %s", cmd.Name(), most, strings.Join(args, " "))
		}
		return nil
	}
}

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
