package near

import "testing"

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"heaplock", "heaplok", 1},
		{"heaplock", "haeplock", 1},
		{"heaplock", "heapblock", 1},
		{"heaplock", "heapluck", 1},
		{"ca", "abc", 3},
		{"kitten", "sitting", 3},
	} {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}

func TestOf(t *testing.T) {
	words := []string{"heaplock", "heapuse", "fieldtag", "lessorder"}
	for _, tt := range []struct{ word, want string }{
		{"heaplok", "heaplock"},
		{"HeapLock", "heaplock"},
		{"heapuses", "heapuse"},
		{"filedtags", "fieldtag"},
		{"printf", ""},
		{"", ""},
		{"h", ""},
	} {
		if got := Of(tt.word, words); got != tt.want {
			t.Errorf("Of(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}
