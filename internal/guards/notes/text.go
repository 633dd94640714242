package notes

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// A line is one line of a comment, without its markers.
type line struct {
	text string
	pos  token.Pos
}

// lines returns the lines of comment groups, without comment markers. Directives
// of tools (//go:..., //nolint) are kept: they do no harm, and +checklocks is one.
func lines(groups ...*ast.CommentGroup) []line {
	var out []line
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			out = append(out, commentLines(c)...)
		}
		out = append(out, line{pos: g.End()}) // groups are paragraphs
	}
	return out
}

func commentLines(c *ast.Comment) []line {
	if strings.HasPrefix(c.Text, "//") {
		return []line{{text: c.Text[2:], pos: c.Pos()}}
	}
	var out []line
	body := strings.TrimSuffix(strings.TrimPrefix(c.Text, "/*"), "*/")
	offset := 2
	for l := range strings.SplitSeq(body, "\n") {
		out = append(out, line{
			text: strings.TrimLeft(l, " \t*"),
			pos:  c.Pos() + token.Pos(offset),
		})
		offset += len(l) + 1
	}
	return out
}

// A word is a token of prose: an identifier with its selectors ("q.mu"), a word,
// or a mark that ends a clause (",", ";", ":", "(", ")").
type word struct {
	text string // as written
	low  string // in lower case
	line int    // index of its line
	// first is set for the first word of a line that may start a sentence: prose
	// without full stops is common in short comments.
	first bool
	// owner is set for "caller's".
	owner bool
	// bare is the text without the method, in "mu.Lock".
	bare string
	// ident is set for identifiers, with selectors or not, and like for those that
	// are named like a lock.
	ident, like bool
}

// classify fills in what the phrases of locks ask of every word.
func (w *word) classify() {
	w.ident = identifier(w.text)
	w.bare = w.text
	if w.ident && strings.Contains(w.low, "lock") {
		w.bare = methods.ReplaceAllString(w.text, "")
	}
	w.like = w.ident && lockLike.MatchString(w.bare)
}

var (
	wordPattern = lazyregexp.New(`[\pL_][\pL\pN_]*(?:['’\-/][\pL\pN_]+)*(?:\.[\pL_][\pL\pN_]*)*(?:\(\))?|\pN+|[.,;:()!?—]|--?`)
	abbreviated = strings.NewReplacer("e.g.", "", "i.e.", "", "etc.", "", "->", ".", "w.r.t.", "")
	bullet      = lazyregexp.New(`^\s*(?:[-*•]|\d+[.)])\s`)
)

// hints are parts of the words without which a sentence says nothing of locks.
var hints = []string{"lock", "mu", "held", "hold", "guard", "gaurd", "gurad", "protect", "sync", "serial", "safe", "thread", "routine", "concurren", "parallel", "loop", "cover", "under"}

// relevant reports whether a word may belong to a statement about locks.
func relevant(w word) bool {
	for _, h := range hints {
		if strings.Contains(w.low, h) {
			return true
		}
	}
	return false
}

// sentences splits the prose of a comment into sentences of words, and leaves out
// those that cannot be about locks.
func sentences(lines []line) [][]word {
	var all [][]word
	var cur []word
	end := func() {
		if slices.ContainsFunc(cur, relevant) {
			for i := range cur {
				cur[i].classify()
			}
			all = append(all, cur)
		}
		cur = nil
	}
	for i, l := range lines {
		if strings.TrimSpace(l.text) == "" || bullet.MatchString(l.text) {
			end()
		}
		for j, t := range wordPattern.FindAllString(abbreviated.Replace(l.text), -1) {
			switch t {
			case ".", "!", "?":
				end()
				continue
			case "-", "--", "—":
				t = ";"
			}
			t = strings.TrimSuffix(t, "()")
			w := word{line: i, first: j == 0 && startsUpper(t)}
			w.text, w.owner = possessive(t)
			w.low = strings.ToLower(w.text)
			cur = append(cur, w)
		}
	}
	end()
	return all
}

// possessive cuts the ending of "caller's" and keeps "isn't".
func possessive(t string) (string, bool) {
	return strings.CutSuffix(strings.ReplaceAll(t, "’", "'"), "'s")
}

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

func (w word) mark() bool {
	switch w.text {
	case ",", ";", ":", "(", ")":
		return true
	}
	return false
}
