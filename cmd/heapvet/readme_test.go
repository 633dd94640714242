package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the commands print into README.md")

// TestREADME runs the commands of README.md's transcripts, one after the other as a
// new user would, with git and go and the heapvet that the first one installs, and
// compares what they print.
func TestREADME(t *testing.T) {
	readme := filepath.Join("..", "..", "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	// /tmp/jobs of the transcript is a directory of the test's own.
	jobs := filepath.Join(t.TempDir(), "jobs")
	bin := t.TempDir()
	env := append(os.Environ(),
		"GOBIN="+bin, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1", "GOFLAGS=", "GOWORK=",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com",
		"GIT_CONFIG_GLOBAL="+os.DevNull)
	shell := &shell{t: t, dir: filepath.Join("..", ".."), env: env}

	var out strings.Builder
	rest := string(text)
	commands := 0
	for {
		before, block, ok := strings.Cut(rest, "```console\n")
		out.WriteString(before)
		if !ok {
			break
		}
		block, rest, ok = strings.Cut(block, "```\n")
		if !ok {
			t.Fatal("a block without an end")
		}
		out.WriteString("```console\n")
		for line := range strings.Lines(block) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				commands++
				out.WriteString(line)
				out.WriteString(shell.run(strings.ReplaceAll(command, "/tmp/jobs", jobs)))
			}
		}
		out.WriteString("```\n")
	}
	if commands < 10 {
		t.Errorf("only %d commands", commands)
	}
	if *update {
		if err := os.WriteFile(readme, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), out.String()); diff != "" {
		t.Errorf("the commands print something else; go test ./cmd/heapvet -run README -update writes it (-want +got):\n%s", diff)
	}
}

// A shell runs commands, each in the directory in which the one before ended.
type shell struct {
	t   *testing.T
	dir string
	env []string
}

// run returns what the command prints on standard output. Anything on standard
// error fails the test, and so does an exit status other than 0 and that of
// findings.
func (s *shell) run(command string) string {
	s.t.Helper()
	pwd := filepath.Join(s.t.TempDir(), "pwd")
	cmd := exec.Command("bash", "-c", fmt.Sprintf("%s\nstatus=$?; pwd >%q; exit $status", strings.TrimSuffix(command, "\n"), pwd))
	cmd.Dir, cmd.Env = s.dir, s.env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	findings := strings.HasPrefix(command, "heapvet ") && cmd.ProcessState.ExitCode() == 1
	if err != nil && !findings {
		s.t.Errorf("%s: %v", command, err)
	}
	if stderr.Len() > 0 {
		s.t.Errorf("%s: %s", command, stderr.String())
	}
	if dir, err := os.ReadFile(pwd); err == nil {
		s.dir = strings.TrimSpace(string(dir))
	}
	return stdout.String()
}
