package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfiguration(t *testing.T) {
	dir := tree(t, module+`
-- .heapvet.yaml --
exclude:
  - path: ^a/
    checks: [calls/bad]
tags: [more]
fail-on: error
`)
	const tagged = "tagged/more.go:5:12: bad is called (calls/bad)\n"
	heapvet(t, dir, nil, "-f=short").want(t, exitClean, tagged)
	heapvet(t, filepath.Join(dir, "tagged"), nil, "-f=short").want(t, exitClean, strings.TrimPrefix(tagged, "tagged/"))
	heapvet(t, dir, nil, "-f=short", "-fail-on=note").want(t, exitFindings, tagged)
	heapvet(t, dir, nil, "-f=short", "-tags=").want(t, exitClean, "")
	heapvet(t, dir, nil, "-f=short", "-config=none", "-test=false").want(t, exitFindings, "a/a.go:6:2: bad is called (calls/bad)\n")

	o := heapvet(t, dir, nil, "config", "-calls.disable=bad", "-fail-on=warning")
	for _, s := range []string{"# from " + filepath.Join(dir, ".heapvet.yaml"), "fail-on: warning\n", "# flag: -calls.disable=bad\n", "path: ^a/\n"} {
		if !strings.Contains(o.stdout, s) || o.status != exitClean {
			t.Errorf("exit status %d, no %q in\n%s%s", o.status, s, o.stdout, o.stderr)
		}
	}

	write(t, filepath.Join(dir, "bad.yaml"), "checks:\n  cals: false\n")
	heapvet(t, dir, nil, "-config=bad.yaml").wantFailure(t, `bad.yaml:2:3: unknown key "cals" in checks; did you mean "calls"?`)
	heapvet(t, dir, nil, "-config=none.yaml").wantFailure(t, "none.yaml")
	heapvet(t, dir, nil, "-fail-on=eror").wantFailure(t, "did you mean error?")
}

func TestOutputs(t *testing.T) {
	dir := tree(t, module)
	o := heapvet(t, dir, nil, "-f", "sarif=out.sarif,short,html=out.html", "./clean", "./tagged", "-tags=more")
	o.want(t, exitFindings, "tagged/more.go:5:12: bad is called (calls/bad)\n")
	for _, name := range []string{"out.sarif", "out.html"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), "bad is called") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".out*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	heapvet(t, dir, nil, "-f=short,json").wantFailure(t, "both go to standard output")
	heapvet(t, dir, nil, "-f=sarfi").wantFailure(t, "did you mean sarif?")
	heapvet(t, dir, nil, "-f=sarif=").wantFailure(t, "lacks the file")
	heapvet(t, dir, nil, "-f=short=none/x", "./clean").wantFailure(t, "there is no directory none")

	colour := heapvet(t, dir, nil, "-color=always", "-test=false", "./a")
	if !strings.Contains(colour.stdout, "\x1b[") {
		t.Errorf("no colour in\n%s", colour.stdout)
	}
	plain := heapvet(t, dir, nil, "-test=false", "./a")
	if strings.Contains(plain.stdout, "\x1b[") {
		t.Errorf("colour on a pipe:\n%s", plain.stdout)
	}
	raw := filepath.Join(dir, "raw")
	heapvet(t, dir, nil, "-v", "-debug="+raw, "./clean")
	if text, err := os.ReadFile(raw); err != nil || !strings.Contains(string(text), `"example.com/m/clean": {}`) {
		t.Errorf("raw stream: %v\n%s", err, text)
	}
}
