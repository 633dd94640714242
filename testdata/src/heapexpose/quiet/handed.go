package quiet

import (
	"sort"
	"sync"
)

// Two states change places under the lock.

type state struct{ sums map[string]int }

type fetcher struct {
	mu    sync.Mutex
	files map[string]int
	state state
}

func (f *fetcher) Add(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files[name]++
	f.state.sums[name]++
}

func (f *fetcher) SetState(next *fetcher) (old *fetcher) {
	f.mu.Lock()
	defer f.mu.Unlock()
	old = &fetcher{files: f.files, state: f.state}
	f.files = next.files
	f.state = next.state
	return old
}

// Who sorts what was collected means to be alone with it.

var (
	loggedMu sync.Mutex
	logged   []string
)

type byContext struct {
	context []string
	list    []string
}

func (b byContext) Len() int           { return len(b.list) }
func (b byContext) Less(i, j int) bool { return b.list[i] < b.list[j] }
func (b byContext) Swap(i, j int)      { b.list[i], b.list[j] = b.list[j], b.list[i] }

func Log(s string) {
	loggedMu.Lock()
	defer loggedMu.Unlock()
	logged = append(logged, s)
	logged[0] = s
}

func LogAgain(s string) {
	loggedMu.Lock()
	defer loggedMu.Unlock()
	logged[1] = s
}

func Flush(context []string) {
	sort.Stable(byContext{context, logged})
	for _, s := range logged {
		println(s)
	}
}
