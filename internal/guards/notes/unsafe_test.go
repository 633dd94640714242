package notes

import (
	"go/token"
	"testing"
)

func TestUnsafe(t *testing.T) {
	for text, want := range map[string]bool{
		"T is not safe for concurrent use.":                                       true,
		"It is not safe for concurrent use by multiple goroutines.":               true,
		"T is not thread-safe.":                                                   true,
		"T is not thread safe":                                                    true,
		"T isn't threadsafe.":                                                     true,
		"not goroutine-safe":                                                      true,
		"This is not concurrency-safe.":                                           true,
		"It is NOT safe to call concurrently.":                                    true,
		"T is not safe for use from multiple goroutines.":                         true,
		"Methods must not be called concurrently.":                                true,
		"Not safe to be used concurrently.":                                       true,
		"T does not support concurrent access.":                                   true,
		"only called from the loop goroutine":                                     true,
		"must be called from one goroutine":                                       true,
		"It must only be accessed by the run loop.":                               true,
		"owned by the dispatcher goroutine":                                       true,
		"T is single-threaded.":                                                   true,
		"All calls must come from a single goroutine.":                            true,
		"The caller must provide external synchronization.":                       true,
		"Callers are responsible for locking.":                                    true,
		"Access to the queue is externally synchronized.":                         true,
		"heap is not protected by any lock":                                       true,
		"T is safe for concurrent use.":                                           false,
		"T is thread-safe.":                                                       false,
		"It is safe for concurrent use by multiple goroutines.":                   false,
		"The returned value is safe.":                                             false,
		"starts a goroutine":                                                      false,
		"T may be used from multiple goroutines.":                                 false,
		"Not safe to copy after first use.":                                       false,
		"called when a goroutine ends":                                            false,
		"The loop is not run.":                                                    false,
		"T protects a map.":                                                       false,
		"Multiple goroutines may invoke methods on a T simultaneously.":           false,
		"read in a loop":                                                          false,
		"it is used in the main loop of the benchmark and may be called anywhere": false,
	} {
		_, got := unsafeText([]line{{text: text, pos: token.Pos(1)}})
		if got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
