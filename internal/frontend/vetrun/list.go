package vetrun

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Units returns the import paths of the compilation units that the packages of the
// patterns have: a package with its internal tests is one, its external tests, at
// the import path with _test, are another.
func Units(ctx context.Context, o Options) ([]string, error) {
	return list(ctx, o, "{{if or .GoFiles .CgoFiles .TestGoFiles}}{{.ImportPath}}\n{{end}}{{if .XTestGoFiles}}{{.ImportPath}}_test\n{{end}}")
}

// list runs go list and returns the lines that are not empty. With -find it does
// not look at imports, and is quick.
func list(ctx context.Context, o Options, format string) ([]string, error) {
	args := append([]string{"list", "-e", "-find", "-f", format}, o.BuildFlags...)
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), o.Patterns...)...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return strings.Fields(string(out)), nil
}
