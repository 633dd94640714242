package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Fixes go through the go command, and leave nothing to report.
func TestFixes(t *testing.T) {
	for _, check := range []string{"heapiface", "heaplock", "heapuse", "lessorder"} {
		t.Run(check, func(t *testing.T) { fixes(t, check) })
	}
}

func fixes(t *testing.T, check string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	source := filepath.Join("..", "..", "testdata", "src", check, "fixes", "fixes.go")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "fixes.go": read(source)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	quiet := func(args ...string) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), asHeapvet+"=1", "GOWORK=off", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	quiet("vet", "-vettool="+self, "-"+check, "-fix", ".")
	if got, want := read(filepath.Join(dir, "fixes.go")), read(source+".golden"); got != want {
		t.Errorf("fixed:\n%s", got)
	}
	quiet("build", ".")
	quiet("vet", "-vettool="+self, "-"+check, ".")
}
