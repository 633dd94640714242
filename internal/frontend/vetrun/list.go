package vetrun

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Count returns the number of compilation units that the packages have: what
// [Result.Units] will be, unless something fails.
func Count(ctx context.Context, o Options) (int, error) {
	lines, err := list(ctx, o, "{{if or .GoFiles .CgoFiles .TestGoFiles}}x\n{{end}}{{if .XTestGoFiles}}x\n{{end}}")
	return len(lines), err
}

// Packages returns the import paths of the packages that the patterns name; those
// of external tests are among them.
func Packages(ctx context.Context, o Options) ([]string, error) {
	return list(ctx, o, "{{.ImportPath}}\n{{if .XTestGoFiles}}{{.ImportPath}}_test\n{{end}}")
}

// list runs go list -e and returns the lines that are not empty.
func list(ctx context.Context, o Options, format string) ([]string, error) {
	args := append([]string{"list", "-e", "-f", format}, o.BuildFlags...)
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), o.Patterns...)...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return strings.Fields(string(out)), nil
}
