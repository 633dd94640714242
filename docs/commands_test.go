package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// elsewhere are commands that this test does not run, by how they begin, with the
// reason.
var elsewhere = map[string]string{
	"go install ":                      "needs the network",
	"go get ":                          "needs the network",
	"go tool heapvet":                  "needs go get -tool",
	"go vet -vettool=$(go tool":        "needs go get -tool",
	"go vet -mod=vendor":               "needs a vendor directory",
	"go test ":                         "is what runs this test",
	"go run ./internal/":               "measures, which takes long",
	"go generate ":                     "has a test of its own in this package",
	"go build -C /tmp/before":          "needs a second work tree",
	"go build -o /tmp/heapvet-after":   "needs a second work tree",
	"git worktree ":                    "needs a second work tree",
	"for v in ":                        "needs a second work tree",
	"diff ":                            "needs a second work tree",
	".ci/run":                          "runs this test",
	"heapvet -f rdjson ./... | review": "needs reviewdog",
}

// TestCommands runs the commands that the documentation shows, in a module with
// findings that is a clone of another: they must run, whether they find something
// or not.
func TestCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin, project := t.TempDir(), project(t)
	command(t, root, "go", "build", "-o", bin, "./cmd/heapvet")
	env := append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "GOFLAGS=", "GOWORK=off")
	seen := map[string]bool{}
	for _, name := range markdownFiles(t, root) {
		if strings.HasPrefix(name, "docs/checks/") {
			continue
		}
		for _, line := range commands(t, filepath.Join(root, filepath.FromSlash(name))) {
			if seen[line] || reason(line) != "" {
				continue
			}
			seen[line] = true
			t.Run(line, func(t *testing.T) {
				cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", strings.ReplaceAll(line, "/path/to/project", project))
				cmd.Dir, cmd.Env = project, env
				if strings.Contains(line, "./cmd/heapvet") {
					cmd.Dir = root
				}
				out, err := cmd.CombinedOutput()
				status := cmd.ProcessState.ExitCode()
				if found := status == 1 && strings.Contains(line, "heapvet"); status != 0 && !found {
					t.Errorf("%s: %v\n%s", name, err, out)
				}
				// The go command has the status 1 for a wrong flag, too.
				if strings.Contains(string(out), "usage:") || strings.Contains(string(out), "flag provided but not defined") {
					t.Errorf("%s: %s", name, out)
				}
			})
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d commands found", len(seen))
	}
}

func reason(line string) string {
	if strings.Contains(line, "[flags]") {
		return "shows the form of a command"
	}
	for prefix, why := range elsewhere {
		if strings.HasPrefix(line, prefix) {
			return why
		}
	}
	return ""
}

var (
	commandLine = regexp.MustCompile(`^(?:[A-Z]+=\S+ )*(?:heapvet|go|git|\.ci/run|for|diff) `)
	remark      = regexp.MustCompile(`\s{2,}#.*$|\s+# .*$`)
)

// commands returns the lines of indented code, and of code blocks for a shell, that
// are commands.
func commands(t *testing.T, file string) []string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	err = ast.Walk(goldmark.New().Parser().Parse(text.NewReader(source)), func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		fenced, ok := n.(*ast.FencedCodeBlock)
		shell := ok && (string(fenced.Language(source)) == "sh" || string(fenced.Language(source)) == "bash")
		if enter && (n.Kind() == ast.KindCodeBlock || shell) {
			for i := range n.Lines().Len() {
				segment := n.Lines().At(i)
				line := remark.ReplaceAllString(strings.TrimSpace(string(segment.Value(source))), "")
				if commandLine.MatchString(line + " ") {
					list = append(list, line)
				}
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// project makes a module with a finding, as a clone of a repository that has a
// branch main.
func project(t *testing.T) string {
	t.Helper()
	origin, clone := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	files := map[string]string{
		"go.mod": "module example.com/project\n\ngo 1.26\n",
		"p.go":   "package project\n\ntype T struct {\n\tName string `json: \"name\"`\n}\n",
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(origin, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command(t, origin, "git", "init", "--quiet", "--initial-branch=main")
	command(t, origin, "git", "add", ".")
	command(t, origin, "git", "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "first")
	command(t, origin, "git", "clone", "--quiet", origin, clone)
	return clone
}

func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
