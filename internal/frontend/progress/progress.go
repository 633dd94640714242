// Package progress shows on a terminal how far a run is.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A Line is the last line of a terminal, written anew as the run goes on. Its
// methods may be called by several goroutines; those of a nil Line do nothing
// but pass text on.
type Line struct {
	w     io.Writer
	what  string
	count func() int
	stop  chan struct{}
	done  sync.WaitGroup

	mu         sync.Mutex
	start      time.Time
	units, all int
	shown      bool
}

// delay is how long a run may take before anything is shown, so that short runs do
// not flicker; interval is the time between two updates.
const (
	delay    = 500 * time.Millisecond
	interval = 100 * time.Millisecond
)

// Start begins to show the progress of what on w, which must be a terminal. If the
// run takes long enough for that, count is asked for the number of packages; zero is
// unknown.
func Start(w io.Writer, what string, count func() int) *Line {
	l := &Line{w: w, what: what, count: count, start: time.Now(), stop: make(chan struct{})}
	l.done.Go(l.run)
	return l
}

func (l *Line) run() {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-l.stop:
			return
		case now := <-tick.C:
			l.mu.Lock()
			if now.Sub(l.start) >= delay {
				if l.count != nil {
					go l.ask(l.count)
					l.count = nil
				}
				l.clear()
				fmt.Fprint(l.w, l.text(now))
				l.shown = true
			}
			l.mu.Unlock()
		}
	}
}

// text is the line: packages done, of how many, and the time.
func (l *Line) text(now time.Time) string {
	elapsed := now.Sub(l.start).Round(100 * time.Millisecond)
	switch {
	case l.all > 0 && l.units > 0:
		return fmt.Sprintf("%s: %d of %d packages, %s", l.what, min(l.units, l.all), l.all, elapsed)
	case l.units > 0:
		return fmt.Sprintf("%s: %d packages, %s", l.what, l.units, elapsed)
	}
	return fmt.Sprintf("%s: loading and building, %s", l.what, elapsed)
}

// clear takes the line away, for text to take its place.
func (l *Line) clear() {
	if l.shown {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.shown = false
	}
}

// ask finds out how many packages there are.
func (l *Line) ask(count func() int) {
	n := count()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = n
}

// Done counts a package that is done.
func (l *Line) Done() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.units++
}

// Print writes a line of text above the progress.
func (l *Line) Print(w io.Writer, text string) {
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.clear()
	}
	fmt.Fprintln(w, text)
}

// Stop takes the line away.
func (l *Line) Stop() {
	if l == nil {
		return
	}
	close(l.stop)
	l.done.Wait()
	l.clear()
}
