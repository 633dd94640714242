package vetrun

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

func TestReadStream(t *testing.T) {
	const object = `{
	"p [p.test]": {
		"heaplock": [
			{
				"category": "unheld",
				"posn": "/src/p/a.go:7:3",
				"end": "/src/p/a.go:7:9",
				"message": "no lock",
				"related": [{"posn": "C:\\src\\a.go:2:1", "end": "", "message": "}"}]
			}
		],
		"other": {
			"error": "it broke"
		}
	}
}
`
	found := []string{"unit p", "p heaplock/unheld a.go:7:3-9 no lock [C:\\src\\a.go:2 }]", "failure p other it broke"}
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"clean units", "{}\n{\"p_test [p.test]\": {}}\n", []string{"unit", "unit p_test"}},
		{"findings", object, found},
		{"before Go 1.26, objects below the name of their package", "# p\n" + object, found},
		{
			"build errors keep the name of their package",
			"go: downloading x\n# p\n{}\n# q\nq.go:1:1: wrong\n# r\n{}\n",
			[]string{"go: downloading x", "unit", "# q", "q.go:1:1: wrong", "unit"},
		},
		{"no newline at the end", "{}\nq.go:1:1: wrong", []string{"unit", "q.go:1:1: wrong"}},
		{"compact", `{"p":{"c":{"error":"e"}}}` + "\n{}\r\n", []string{"unit p", "failure p c e", "unit"}},
		{
			"dependencies", `{"p":{"facts-only":[]}}` + "\n" + `{"q [p.test]":{"facts-only":[]}}` + "\n",
			[]string{"unit p", "facts only", "unit", "facts only"},
		},
		{"two headers", "# p\n# q\ntext\n", []string{"# p", "# q", "text"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			err := readStream(strings.NewReader(test.in), handler{
				text: func(line string) { got = append(got, line) },
				unit: func(u Unit) { got = append(got, describe(u)...) },
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func describe(u Unit) []string {
	out := []string{strings.TrimSpace("unit " + u.Package)}
	for _, f := range u.Findings {
		s := fmt.Sprintf("%s %s %s:%d:%d-%d %s", f.Package, f.ID(), strings.TrimPrefix(f.Start.File, "/src/p/"),
			f.Start.Line, f.Start.Col, f.End.Col, f.Message)
		for _, r := range f.Related {
			s += fmt.Sprintf(" [%s:%d %s]", r.Start.File, r.Start.Line, r.Message)
		}
		out = append(out, s)
	}
	if u.FactsOnly {
		out = append(out, "facts only")
	}
	for _, f := range u.Failures {
		out = append(out, fmt.Sprintf("failure %s %s %s", f.Package, f.Check, f.Message))
	}
	return out
}

func TestReadStreamBroken(t *testing.T) {
	for _, in := range []string{"{\n\t\"p\": {\n", "{\n!\n}\n", `{"p":{"c":7}}` + "\n"} {
		err := readStream(strings.NewReader(in), handler{unit: func(Unit) {}, text: func(string) {}})
		if err == nil {
			t.Errorf("no error for %q", in)
		}
	}
}

func TestParsePosition(t *testing.T) {
	for in, want := range map[string]finding.Position{
		"":              {},
		"-":             {},
		"a.go":          {File: "a.go"},
		"a.go:3":        {File: "a.go", Line: 3},
		"a.go:3:4":      {File: "a.go", Line: 3, Col: 4},
		`C:\a b.go:3:4`: {File: `C:\a b.go`, Line: 3, Col: 4},
	} {
		if got := parsePosition(in); got != want {
			t.Errorf("parsePosition(%q) = %+v, want %+v", in, got, want)
		}
	}
}
