// Package suggest finds the word that a user may have meant.
package suggest

import "github.com/agnivade/levenshtein"

// Nearest returns the known word nearest to word, the first of several equally
// near, or "" if none is near enough to be a slip of the finger: one edit in every
// three letters begun (two letters in the wrong order are two edits).
func Nearest(word string, known []string) string {
	best, bestDist := "", (len(word)+2)/3+1
	if len(word) < 3 {
		return ""
	}
	for _, k := range known {
		if d := levenshtein.ComputeDistance(word, k); d < bestDist {
			best, bestDist = k, d
		}
	}
	return best
}
