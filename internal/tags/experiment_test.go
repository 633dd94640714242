//go:build !goexperiment.jsonv2

package tags

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestJSONv2 runs the tests that ask encoding/json/v2, which only a toolchain with
// the experiment jsonv2 has.
func TestJSONv2(t *testing.T) {
	if testing.Short() {
		t.Skip("builds part of the standard library anew")
	}
	env := append(os.Environ(), "GOEXPERIMENT=jsonv2")
	list := exec.Command("go", "list", "encoding/json/v2")
	list.Env = env
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("the toolchain has no encoding/json/v2: %v: %s", err, out)
	}
	run := exec.Command("go", "test", "-count=1", "-v", "-run", "^TestV2", ".")
	run.Env = env
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "--- PASS: TestV2"); n < 3 {
		t.Errorf("%d tests ran:\n%s", n, out)
	}
}
