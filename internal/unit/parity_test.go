package unit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// buildTool builds a test tool with the driver of that name.
func buildTool(t *testing.T, driver string) string {
	t.Helper()
	exe := filepath.Join(toolDir(), driver)
	cmd := exec.Command("go", "build", "-ldflags=-X main.driver="+driver, "-o", exe, "./internal/testtool")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the test tool: %v\n%s", err, out)
	}
	return exe
}

// toolDir is where test tools are built; TestMain removes it.
var toolDir = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "unit-test-")
	if err != nil {
		panic(err)
	}
	return dir
})

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(toolDir())
	os.Exit(code)
}

// module writes out the module of a txtar file of testdata.
func module(t *testing.T, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	fsys, err := txtar.FS(ar)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "m")
	if err := os.CopyFS(dir, fsys); err != nil {
		t.Fatal(err)
	}
	return dir
}

// goVet runs go vet with the tool in dir.
func goVet(t *testing.T, tool, dir string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + tool}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), errs.String(), exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), 0
}

// results decodes what go vet -json prints: one object a package, and in older
// releases lines that name the package between them.
func results(t *testing.T, out string) map[string]map[string]json.RawMessage {
	t.Helper()
	var clean strings.Builder
	for line := range strings.Lines(workDir.ReplaceAllString(out, "$$WORK")) {
		if !strings.HasPrefix(line, "#") {
			clean.WriteString(line)
		}
	}
	all := map[string]map[string]json.RawMessage{}
	for dec := json.NewDecoder(strings.NewReader(clean.String())); dec.More(); {
		var tree map[string]map[string]json.RawMessage
		if err := dec.Decode(&tree); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		// Ours names a package also where there is nothing to say of it.
		for id, analyzers := range tree {
			delete(analyzers, "facts-only")
			if len(analyzers) > 0 {
				all[id] = analyzers
			}
		}
	}
	return all
}

// Both drivers find the same in the same packages, with facts of objects, of
// packages and of generics that come over several packages, in tests, with cgo,
// with a module in the vendor directory.
func TestSameAsXTools(t *testing.T) {
	ours, theirs := buildTool(t, "ours"), buildTool(t, "xtools")
	for _, test := range []struct {
		module string
		flags  []string
	}{
		{"facts", nil},
		{"facts", []string{"-mark"}},
		{"facts", []string{"-mark=false"}},
		{"facts", []string{"-mark.suffix=!"}},
		{"cgo", nil},
		{"vendor", nil},
	} {
		t.Run(test.module+strings.Join(test.flags, " "), func(t *testing.T) {
			dir := module(t, test.module)
			args := append([]string{"-json"}, append(test.flags, "./...")...)
			got, text, _ := goVet(t, ours, dir, args...)
			want, _, _ := goVet(t, theirs, dir, args...)
			g, w := results(t, got), results(t, want)
			if len(w) == 0 {
				t.Fatalf("no results of x/tools; ours: %s %s", got, text)
			}
			if d := cmp.Diff(w, g, cmp.Transformer("json", asJSON)); d != "" {
				t.Errorf("x/tools -, ours +:\n%s\n%s", d, text)
			}
		})
	}
}

// workDir is the go command's working directory, which has another name each time.
var workDir = regexp.MustCompile(`[^"]*go-build[0-9]+`)

// asJSON decodes a value.
func asJSON(raw json.RawMessage) any {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err.Error()
	}
	return v
}

// The facts module's findings are what they must be, so that both drivers are not
// wrong together.
func TestFacts(t *testing.T) {
	dir := module(t, "facts")
	out, text, _ := goVet(t, buildTool(t, "ours"), dir, "-json", "-mark", "./...")
	var got []string
	for _, analyzers := range results(t, out) {
		var findings []struct{ Posn, Message string }
		if err := json.Unmarshal(analyzers["mark"], &findings); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		for _, f := range findings {
			if posn, err := filepath.Rel(dir, f.Posn); err == nil {
				got = append(got, filepath.ToSlash(posn)+" "+f.Message)
			}
		}
	}
	for _, want := range wantFacts(t, dir) {
		if !contains(got, want) {
			t.Errorf("missing: %s", want)
		}
	}
	if t.Failed() {
		t.Logf("got:\n%s", strings.Join(got, "\n"))
	}
}

// wantFacts reads the comments of the form "// want: message" in the sources.
func wantFacts(t *testing.T, dir string) []string {
	t.Helper()
	var wants []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			if _, msg, ok := strings.Cut(line, "// want: "); ok {
				wants = append(wants, filepath.ToSlash(rel)+" "+strings.TrimSpace(msg))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(wants) == 0 {
		t.Fatal("no expectations in the sources")
	}
	return wants
}

// contains tells whether a finding in a file with that message is in the list,
// wherever in the file it is.
func contains(got []string, want string) bool {
	file, msg, _ := strings.Cut(want, " ")
	for _, g := range got {
		posn, m, _ := strings.Cut(g, " ")
		if strings.HasPrefix(posn, file+":") && m == msg {
			return true
		}
	}
	return false
}
