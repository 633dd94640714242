package checkflags_test

import (
	"flag"
	"io"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/checkflags"
)

func TestEnabled(t *testing.T) {
	for args, want := range map[string]string{
		"":                   "a b c",
		"-a":                 "a",
		"-a=true -c=1":       "a c",
		"-a=false":           "b c",
		"-a -b=false":        "a",
		"-a=false -a":        "a",
		"-b.x=5":             "a b c",
		"-a=0 -b=F -c=false": "",
		"-r":                 "r",
		"-a -r=true":         "a r",
		"-b=false -r=false":  "a c",
	} {
		a, b, c := &analysis.Analyzer{Name: "a"}, &analysis.Analyzer{Name: "b"}, &analysis.Analyzer{Name: "c"}
		x := b.Flags.Int("x", 0, "")
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		s := checkflags.Add(fs, []*analysis.Analyzer{a, b, c}, &analysis.Analyzer{Name: "r"})
		if err := fs.Parse(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, a := range s.Enabled() {
			names = append(names, a.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: enabled are %q, want %q", args, got, want)
		}
		if strings.Contains(args, "-b.x") != (*x == 5) {
			t.Errorf("%s: b.x is %d", args, *x)
		}
		if got := fs.Lookup("a").Value.String(); got != map[bool]string{true: "false", false: "true"}[strings.HasSuffix(args, "-a=false") || strings.HasPrefix(args, "-a=0")] {
			t.Errorf("%s: the value of -a is %s", args, got)
		}
	}
}

func TestBadValue(t *testing.T) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	checkflags.Add(fs, []*analysis.Analyzer{{Name: "a"}})
	if err := fs.Parse([]string{"-a=perhaps"}); err == nil || !strings.Contains(err.Error(), "want true or false") {
		t.Errorf("error %v", err)
	}
}
