package tags

import (
	"strings"
	"unicode"
)

// Distance returns the number of insertions, deletions, substitutions and
// transpositions of neighbours that make b of a (optimal string alignment), or
// limit+1 if it is more than limit.
func Distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return min(prev[len(b)], limit+1)
}

// Fold reduces a name to its letters and digits in lower case, so that spellings
// of one name in different styles are equal.
func Fold(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// Words splits a Go name or a name in a tag into its words, in lower case. A run
// of capitals is one word, whose last letter belongs to the next word if a small
// letter follows.
func Words(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush(i)
		}
	}
	flush(len(runes))
	return words
}

// Fits tells whether a name in a tag is derived from the Go name: one contains the
// other, whatever the style. One or two letters prove nothing.
func Fits(name, goName string) bool {
	n, g := Fold(name), Fold(goName)
	return n == g || len(n) > 2 && strings.Contains(g, n) || len(g) > 2 && strings.Contains(n, g)
}

// Nearest returns the word of the list that a misspelt word must mean: one that
// differs in style alone or is at most limit edits away. It returns "" if none is
// near or if the word itself is in the list.
func Nearest(word string, list []string, limit int) string {
	best, bestDistance := "", limit+1
	folded := Fold(word)
	for _, w := range list {
		if w == word {
			return ""
		}
		fw := Fold(w)
		d := Distance(folded, fw, limit)
		if d == 0 {
			return w
		}
		// A short word is near to too many others.
		if d < bestDistance && 4*d <= max(len(folded), len(fw)) && min(len(folded), len(fw)) >= 3 {
			best, bestDistance = w, d
		}
	}
	return best
}

// Abbreviates returns the word of the list that word is the beginning of, or that
// is the beginning of word, with at least four letters in common.
func Abbreviates(word string, list []string) string {
	folded := Fold(word)
	for _, w := range list {
		if fw := Fold(w); min(len(folded), len(fw)) >= 4 && (strings.HasPrefix(fw, folded) || strings.HasPrefix(folded, fw)) {
			return w
		}
	}
	return ""
}
