package cli

import (
	"strings"
	"testing"
)

func TestHelp(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		args []string
		says []string
	}{
		{[]string{"help"}, []string{"Usage:", "  -C dir  ", "  -tags tags  ", "heapvet gate -base REV [packages]  ", "report only what a change brings in", "calls  calls of functions"}},
		{[]string{"-h"}, []string{"Usage:", "-fail-on severity"}},
		{[]string{"help", "gate"}, []string{"heapvet gate -base REV", "-base-broken which", "Exit status"}},
		{[]string{"help", "formats"}, []string{"sarif", "html"}},
		{[]string{"help", "calls"}, []string{"calls/bad: bad is called", "Wrong", "-calls.disable rules"}},
		{[]string{"explain", "calls"}, []string{"calls/bad: bad is called", "Wrong", "-calls.disable rules"}},
		{[]string{"explain", "-color=always", "calls/bad"}, []string{"\x1b[", "Right"}},
		{[]string{"list"}, []string{"  calls  calls of functions", "    bad  bad is called"}},
		{[]string{"version"}, []string{"heapvet ", "built with go1."}},
		{[]string{"man"}, []string{".TH", "heapvet gate", "NO_COLOR", `\fB-base\fP \fIrevision\fP`}},
		{[]string{"completion", "bash"}, []string{"# bash completion"}},
		{[]string{"completion", "zsh"}, []string{"#compdef heapvet"}},
		{[]string{"completion", "fish"}, []string{"# fish completion"}},
		{[]string{"__complete", "explain", "cal"}, []string{"calls\n", "calls/bad\n"}},
	} {
		o := heapvet(t, dir, nil, test.args...)
		for _, s := range test.says {
			if !strings.Contains(o.stdout, s) || o.status != exitClean {
				t.Errorf("%v: exit status %d, no %q in\n%s%s", test.args, o.status, s, o.stdout, o.stderr)
			}
		}
	}
	heapvet(t, dir, nil, "help", "cals").wantFailure(t, "did you mean calls?")
	heapvet(t, dir, nil, "explain", "gaet").wantFailure(t, "did you mean gate?")
	heapvet(t, dir, nil, "explain", "calls/badd").wantFailure(t, "did you mean calls/bad?")
	heapvet(t, dir, nil, "explain", "calls/nothing").wantFailure(t, "it has bad")
	heapvet(t, dir, nil, "explain").wantFailure(t, "explain needs a check or a rule")
	heapvet(t, dir, nil, "explain", "calls", "calls/bad").wantFailure(t, "no more than 1")
	heapvet(t, dir, nil, "baseline", "write").wantFailure(t, "write needs the file")
}
