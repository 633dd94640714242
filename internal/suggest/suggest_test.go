package suggest

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"heaplock", "heapuse", "fieldtag", "C", "tags"}
	for word, want := range map[string]string{
		"heaplok": "heaplock", "headuse": "heapuse", "tag": "tags", "feildtag": "fieldtag",
		"vet": "", "c": "", "": "", "lock": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
