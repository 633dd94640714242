package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// As a vet tool, heapvet is started once for each package of a build. What a
// package of ours allocates before main is paid each time; tables and regular
// expressions are to be made when they are first used (see internal/lazyregexp).
func TestCheapStart(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "heapvet")
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(exe, "-flags")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	const most = 100 << 10 // bytes
	lines := 0
	for line := range strings.Lines(trace.String()) {
		m := initLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		lines++
		if n, err := strconv.Atoi(m[2]); err != nil || n > most {
			t.Errorf("initialising %s allocates %s bytes, more than %d", m[1], m[2], most)
		}
	}
	if lines == 0 {
		t.Error("no trace of initialisation")
	}
}

var initLine = regexp.MustCompile(`^init (github\.com/heapvet/\S+) .* (\d+) bytes`)
