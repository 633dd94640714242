package progress

import (
	"strings"
	"testing"
	"time"
)

func TestText(t *testing.T) {
	now := time.Now()
	l := &Line{what: "heapvet", start: now.Add(-2340 * time.Millisecond)}
	want := func(s string) {
		t.Helper()
		if got := l.text(now); got != s {
			t.Errorf("got %q, want %q", got, s)
		}
	}
	want("heapvet: loading and building, 2.3s")
	l.Done()
	want("heapvet: 1 packages, 2.3s")
	l.ask(func() int { return 7 })
	want("heapvet: 1 of 7 packages, 2.3s")
}

func TestPrintClearsTheLine(t *testing.T) {
	var out strings.Builder
	l := &Line{w: &out, shown: true}
	l.Print(&out, "text")
	l.Print(&out, "more")
	if got, want := out.String(), "\r\x1b[Ktext\nmore\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNil(t *testing.T) {
	var out strings.Builder
	var l *Line
	l.Done()
	l.Print(&out, "text")
	l.Stop()
	if out.String() != "text\n" {
		t.Errorf("got %q", out.String())
	}
}

// Short runs show nothing, and a stopped line stays stopped.
func TestStop(t *testing.T) {
	var out strings.Builder
	l := Start(&out, "heapvet", nil)
	l.Stop()
	if out.String() != "" {
		t.Errorf("got %q", out.String())
	}
}
