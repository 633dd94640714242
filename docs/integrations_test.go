package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// read decodes a YAML file of the repository.
func read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// TestPreCommit runs the hooks as pre-commit does, without file names.
func TestPreCommit(t *testing.T) {
	var hooks []struct {
		ID, Entry string
		Args      []string
	}
	read(t, ".pre-commit-hooks.yaml", &hooks)
	bin, dir := t.TempDir(), project(t)
	command(t, "..", "go", "build", "-o", bin, "./cmd/heapvet")
	status := map[string]int{}
	for _, hook := range hooks {
		words := append(strings.Fields(hook.Entry), hook.Args...)
		cmd := exec.Command(filepath.Join(bin, words[0]), words[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		out, _ := cmd.CombinedOutput()
		if status[hook.ID] = cmd.ProcessState.ExitCode(); status[hook.ID] == 2 {
			t.Errorf("%s: %s", hook.ID, out)
		}
	}
	// The finding is an old one, which the commit does not bring in.
	if status["heapvet"] != 0 || status["heapvet-all"] != 1 {
		t.Errorf("exit statuses %v", status)
	}
}

// TestGitLab runs the script of the job, in a merge request and on the main branch.
func TestGitLab(t *testing.T) {
	var file struct {
		Heapvet struct {
			Variables map[string]string
			Script    []string
		}
	}
	read(t, "integrations/gitlab/heapvet.yml", &file)
	dir := project(t)
	command(t, "..", "go", "build", "-o", filepath.Join(dir, ".go", "bin", "heapvet"), "./cmd/heapvet")
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOWORK=off", "CI_PROJECT_DIR="+dir)
	for name, value := range file.Heapvet.Variables {
		env = append(env, name+"="+strings.ReplaceAll(value, "$CI_PROJECT_DIR", dir))
	}
	env = append(env, "GOCACHE="+strings.TrimSpace(string(goCache))) // ours is warm
	var script []string
	for _, s := range file.Heapvet.Script {
		if !strings.HasPrefix(s, "go install ") { // what is built above
			script = append(script, s)
		}
	}
	for _, test := range []struct {
		base   string
		status int
		issues int
	}{{"", 1, 1}, {"HEAD", 0, 0}} {
		cmd := exec.Command("sh", "-e", "-c", strings.Join(script, "\n"))
		cmd.Dir, cmd.Env = dir, append(env, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+test.base)
		out, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.ExitCode(); status != test.status {
			t.Errorf("base %q: exit status %d\n%s", test.base, status, out)
		}
		var issues []struct{ Description string }
		report, err := os.ReadFile(filepath.Join(dir, "gl-code-quality-report.json"))
		if err == nil {
			err = json.Unmarshal(report, &issues)
		}
		if err != nil || len(issues) != test.issues {
			t.Errorf("base %q: %v, %d issues in\n%s", test.base, err, len(issues), report)
		}
	}
}
