// Package near finds the word that a misspelt one was meant to be.
package near

// Of returns the candidate closest to word, or "" if none is close: at most one
// edit for every three letters of word, and at least one. An edit inserts, deletes
// or replaces a letter, or exchanges two that stand side by side. The first of
// equally close candidates wins.
func Of(word string, candidates []string) string {
	best, limit := "", max(1, len(word)/3)
	for _, c := range candidates {
		if d := Distance(word, c); d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

// Distance is the number of edits between a and b (optimal string alignment), in
// bytes.
func Distance(a, b string) int {
	// The last two rows and the one being filled of the usual table.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
