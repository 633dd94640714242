package notes

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// FuzzSentences feeds any text to the parsers: they must not panic, must stay
// within the lines they were given, and must not depend on anything but the text.
func FuzzSentences(f *testing.F) {
	for _, s := range []string{
		"mu guards a and b", "// +checklocks:mu", "must be called with (q.mu held", "GUARDED_BY(", "no lock",
		"the read or", "caller must hold either", "protected by", "- mu:\n- held", "the lock of", "q.mu's", "(((", "for reading or",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ls := textLines(text)
		first := parseAll(ls)
		for _, n := range first {
			if n < 0 || n >= len(ls) {
				t.Fatalf("line %d of %d", n, len(ls))
			}
		}
		second := parseAll(textLines(text))
		if len(first) != len(second) {
			t.Fatalf("parsed %d statements, then %d", len(first), len(second))
		}
	})
}

func textLines(text string) []line {
	var groups []*ast.CommentGroup
	for l := range strings.SplitSeq(text, "\n") {
		c := &ast.Comment{Slash: token.Pos(1), Text: "//" + l}
		groups = append(groups, &ast.CommentGroup{List: []*ast.Comment{c}})
	}
	return lines(groups...)
}

// parseAll returns the lines of all statements that any of the parsers finds.
func parseAll(ls []line) []int {
	var out []int
	for _, st := range functionStatements(ls, "f") {
		out = append(out, st.line)
	}
	for _, st := range fieldStatements(ls, false) {
		out = append(out, st.line)
	}
	for _, s := range sentences(ls) {
		if sc, n := guardScope(s, "mu"); !sc.empty() {
			out = append(out, n)
		}
		for _, found := range lockedScopes(s, true) {
			out = append(out, found.line)
		}
	}
	for _, l := range ls {
		annotationOf(l.text)
	}
	unsafeText(ls)
	return out
}
