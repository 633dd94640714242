package vetignore

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text  string
		names string // as String gives them, "*" for all
		why   string
		fault string // a part of the message
		fix   string
	}{
		{text: "//go:vet-ignore", names: "*"},
		{text: "//go:vet-ignore reason here", names: "*", why: "reason here"},
		{text: "//go:vet-ignore\treason", names: "*", why: "reason"},
		{text: "//heapvet:ignore  ", names: "*"},
		{text: "//heapvet:ignore=heaplock", names: "heaplock"},
		{text: "//go:vet-ignore=heaplock,fieldtag/syntax why = not", names: "heaplock fieldtag/syntax", why: "why = not"},

		{text: "//go:vet-ignore=", fault: "empty list"},
		{text: "//go:vet-ignore= heaplock", why: "heaplock", fault: "empty list"},
		{text: "//go:vet-ignore=,,", fault: "empty list"},
		{text: "//go:vet-ignore=a,,b", names: "a b", fault: "empty name"},
		{text: "//go:vet-ignore=,b", names: "b", fault: "empty name"},
		{text: "//go:vet-ignore=a, b", names: "a", why: "b", fault: "no blank may follow a comma"},
		{text: "//go:vet-ignore=a/", fault: `"a/" is neither`},
		{text: "//go:vet-ignore=/b,c", names: "c", fault: `"/b" is neither`},
		{text: "//go:vet-ignore=a/b/c", fault: `"a/b/c" is neither`},
		{text: "//go:vet-ignore:heaplock x", fault: "follows an equals sign", fix: "//go:vet-ignore=heaplock x"},
		{text: "//go:vet-ignore:", fault: "follows an equals sign"},
		{text: "//heapvet:ignore(heaplock)", fault: "follows an equals sign"},
		{text: "//heapvet:ignored", fault: "did you mean //heapvet:ignore?", fix: "//heapvet:ignore"},
		{text: "//heapvet:disable=a", fault: "unknown directive //heapvet:disable"},
		{text: "//heapvet:", fault: "unknown directive //heapvet:"},
		{text: "//go:vetignore=a", fault: "did you mean //go:vet-ignore?", fix: "//go:vet-ignore=a"},
		{text: "//go:vet_ignore a", fault: "did you mean //go:vet-ignore?", fix: "//go:vet-ignore a"},
		{text: "// go:vet-ignore=a", fault: "no blank after the slashes", fix: "//go:vet-ignore=a"},
		{text: "//  heapvet:ignore", fault: "no blank after the slashes", fix: "//heapvet:ignore"},
		{text: "// heapvet:ignore because", fault: "no blank after the slashes", fix: "//heapvet:ignore because"},
		{text: "/*heapvet:ignore*/", fault: "is a // comment"},
		{text: "/* go:vet-ignore=a why */", fault: "is a // comment"},

		{text: "//nolint", names: "*"},
		{text: "// nolint // reason", names: "*"},
		{text: "//nolint:all", names: "*"},
		{text: "//nolint:a,all", names: "*"},
		{text: "//nolint:HeapLock, errcheck // why", names: "heaplock errcheck", why: "why"},
		{text: "//nolint:heaplock/rlock", names: "heaplock/rlock"},
		{text: "//lint:ignore heaplock,SA1000 why not", names: "heaplock sa1000", why: "why not"},
		{text: "//lint:ignore heaplock", names: "heaplock", fault: "a reason must follow"},
		{text: "//lint:ignore", fault: "a reason must follow"},
		{text: "//lint:file-ignore heap* why", names: "heap*", why: "why"},
	} {
		s := Parse(tt.text, true)
		if s == nil {
			t.Errorf("%s: no directive", tt.text)
			continue
		}
		names := "*"
		if !s.All {
			var list []string
			for _, n := range s.Names {
				list = append(list, n.String())
			}
			names = strings.Join(list, " ")
		}
		if names != tt.names {
			t.Errorf("%s: names %q, want %q", tt.text, names, tt.names)
		}
		if s.Spelling != Nolint && s.Reason != tt.why && s.Fault == nil {
			t.Errorf("%s: reason %q, want %q", tt.text, s.Reason, tt.why)
		}
		var message, fix string
		if s.Fault != nil {
			message, fix = s.Fault.Message, s.Fault.Fix
		}
		if (tt.fault == "") != (message == "") || !strings.Contains(message, tt.fault) {
			t.Errorf("%s: fault %q, want %q", tt.text, message, tt.fault)
		}
		if fix != tt.fix {
			t.Errorf("%s: fix %q, want %q", tt.text, fix, tt.fix)
		}
	}
}

// TestParseOther has comments that are no directives of ours.
func TestParseOther(t *testing.T) {
	for _, text := range []string{
		"",
		"//",
		"/**/",
		"// A comment.",
		"//go:build linux",
		"//go:generate go run .",
		"//go:noinline",
		"//go:vet",
		"// go:generate x",
		"//nolintlint",
		"//lint:ignored a b",
		"//lint:",
		"//heap:ignore",
		"// The directive go:vet-ignore",
		"//\tgo:vet-ignore=a",
		"// go:vet-ignored",
		"/*\nheapvet:ignore\nand more */",
	} {
		if s := Parse(text, true); s != nil {
			t.Errorf("%q: taken for %+v", text, s)
		}
	}
	if s := Parse("// heapvet:ignore suppresses findings", false); s != nil {
		t.Errorf("running text taken for %+v", s)
	}
	if s := Parse("// heapvet:ignore=a", false); s == nil {
		t.Error("a directive among other comments is not recognised")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"//go:vet-ignore", "//go:vet-ignore=a,b/c why", "//heapvet:ignore=,a", "//heapvet:x",
		"//nolint:a, b // c", "//nolint", "//lint:ignore a,b c", "//lint:file-ignore a b",
		"// go:vet-ignore=a", "/*heapvet:ignore=a*/", "//go:vet-ignore:a", "//go:vet-ignore=a, b",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, alone bool) {
		s := Parse(text, alone)
		if s == nil {
			return
		}
		if s.All && len(s.Names) > 0 {
			t.Errorf("%q covers all checks and has a list", text)
		}
		if s.Fault != nil && s.All {
			t.Errorf("%q has a fault and covers all checks", text)
		}
		for _, n := range s.Names {
			if n.Check == "" {
				t.Errorf("%q has an empty name", text)
			}
			// Names that are compared without case may change their length in lower case.
			if !s.Spelling.Foreign() && !strings.HasPrefix(text[n.Offset:], n.String()) {
				t.Errorf("%q: %s is not at %d", text, n, n.Offset)
			}
			if n.Offset < 0 || n.Offset > len(text) {
				t.Errorf("%q: %s is at %d", text, n, n.Offset)
			}
		}
		if s.Fault != nil && s.Fault.Fix != "" {
			fixed := Parse(s.Fault.Fix, true)
			if fixed == nil || fixed.Spelling != s.Spelling {
				t.Errorf("%q: the fix %q is no such directive", text, s.Fault.Fix)
			}
		}
	})
}
