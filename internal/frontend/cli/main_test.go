package cli

import (
	"bytes"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
	"github.com/heapvet/heapvet/internal/unit"
)

// asHeapvet, set in the environment, makes the test binary behave as heapvet with
// the checks below instead of running tests.
const asHeapvet = "HEAPVET_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	checks := []*check.Check{callsCheck}
	switch {
	case vetrun.IsToolCall(os.Args[1:]):
		tool := &unit.Tool{Name: "heapvet", Analyzers: []*analysis.Analyzer{callsCheck.Analyzer}, Stdout: os.Stdout, Stderr: os.Stderr}
		os.Exit(tool.Main(os.Args[1:]))
	case os.Getenv(asHeapvet) != "":
		os.Exit(Main(os.Args[1:], checks, nil))
	}
	os.Exit(m.Run())
}

// callsCheck reports calls by the name of the function called, so that a test's
// source says what is found in it: bad() is reported by the rule bad, panics()
// makes the check fail, slow() makes it take five seconds.
var callsCheck = check.New(check.Check{
	Name:  "calls",
	Title: "calls of functions with telling names",
	Text:  "The check reports calls by name.",
	Rules: []check.Rule{{Name: "bad", Title: "bad is called", Wrong: "bad()", Right: "good()"}},
	Run:   runCalls,
})

func runCalls(pass *analysis.Pass) error {
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.Ident)
			if !ok {
				return true
			}
			switch name.Name {
			case "slow":
				time.Sleep(5 * time.Second)
			case "panics":
				panic("asked to")
			case "bad":
				pass.Report(analysis.Diagnostic{
					Pos: call.Pos(), End: call.End(), Category: "bad", Message: "bad is called",
					Related: []analysis.RelatedInformation{{Pos: file.Name.Pos(), Message: "in this package"}},
					SuggestedFixes: []analysis.SuggestedFix{{
						Message:   "call good",
						TextEdits: []analysis.TextEdit{{Pos: name.Pos(), End: name.End(), NewText: []byte("good")}},
					}},
				})
			}
			return true
		})
	}
	return nil
}

// tree writes the files of a txtar archive into a new directory.
func tree(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	return dir
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// An outcome is what a run of the command left behind.
type outcome struct {
	stdout, stderr string
	status         int
}

// heapvet runs the command in dir, with env added to the environment.
func heapvet(t *testing.T, dir string, env []string, args ...string) outcome {
	t.Helper()
	cmd := command(t, dir, env, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// command is the command, ready to start.
func command(t *testing.T, dir string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=", asHeapvet+"=1")
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

func (o outcome) want(t *testing.T, status int, stdout string) {
	t.Helper()
	if o.status != status || o.stdout != stdout {
		t.Errorf("exit status %d, want %d\nstdout:\n%s\nwant:\n%s\nstderr:\n%s", o.status, status, o.stdout, stdout, o.stderr)
	}
}

// wantFailure checks that the command could not run and said why.
func (o outcome) wantFailure(t *testing.T, says ...string) {
	t.Helper()
	if o.status != exitFailed {
		t.Errorf("exit status %d, want %d\nstdout:\n%s\nstderr:\n%s", o.status, exitFailed, o.stdout, o.stderr)
	}
	for _, s := range says {
		if !strings.Contains(o.stderr, s) {
			t.Errorf("stderr does not say %q:\n%s", s, o.stderr)
		}
	}
}
