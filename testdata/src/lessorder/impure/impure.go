package impure

import (
	"container/heap"
	"fmt"
	"math/rand"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type task struct {
	mu     sync.Mutex
	prio   int
	since  time.Time
	tenant string
	folded string
	turns  int
}

type list []*task

func (l list) Len() int      { return len(l) }
func (l list) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *list) Push(x any)   { *l = append(*l, x.(*task)) }
func (l *list) Pop() any {
	old := *l
	n := len(old) - 1
	x := old[n]
	old[n] = nil
	*l = old[:n]
	return x
}

func (t *task) waited() time.Duration {
	return time.Since(t.since) // want `clock.Less reads the clock \(time.Since\)`
}

type clock struct{ list }

func (c clock) Less(i, j int) bool { return c.list[i].waited() > c.list[j].waited() }

type dice struct {
	list
	rnd *rand.Rand
}

func (d dice) Less(i, j int) bool {
	if d.list[i].prio == d.list[j].prio {
		return d.rnd.Intn(2) == 0 // want `dice.Less asks for a random number \(Rand.Intn\)`
	}
	return d.list[i].prio < d.list[j].prio
}

type locks struct{ list }

func (l locks) Less(i, j int) bool {
	l.list[i].mu.Lock() // want `locks.Less waits in Mutex.Lock`
	defer l.list[i].mu.Unlock()
	return l.list[i].prio < l.list[j].prio
}

type talks struct {
	list
	asked chan int
}

func (t talks) Less(i, j int) bool {
	t.asked <- i // want `talks.Less communicates on a channel \(a send\)`
	return t.list[i].prio < t.list[j].prio
}

var (
	reverse  bool
	penalty  = map[string]int{}
	weights  = map[string]int{"a": 1}
	compares atomic.Int64
)

// SetReverse turns the order.
func SetReverse(r bool) { reverse = r }

// Fine makes a tenant's tasks less urgent.
func Fine(tenant string) { penalty[tenant]++ }

type mode struct{ list }

func (m mode) Less(i, j int) bool {
	if reverse { // want `mode.Less reads the package variable reverse, which is changed elsewhere \(line \d+\)`
		i, j = j, i
	}
	return m.list[i].prio < m.list[j].prio
}

type fined struct{ list }

func (f fined) Less(i, j int) bool {
	return f.list[i].prio-penalty[f.list[i].tenant] < f.list[j].prio-penalty[f.list[j].tenant] // want `fined.Less reads the package variable penalty` `fined.Less reads the package variable penalty`
}

type env struct{ list }

func (e env) Less(i, j int) bool {
	if os.Getenv("FIFO") != "" { // want `env.Less depends on the outside world \(os.Getenv\)`
		return e.list[i].since.Before(e.list[j].since)
	}
	return e.list[i].prio < e.list[j].prio
}

type turns struct{ list }

func (t turns) Less(i, j int) bool {
	t.list[i].turns++ // want `turns.Less changes turns, by which it also compares`
	return t.list[i].turns < t.list[j].turns
}

// The rest is right: counters, values computed once, constant tables.

func (t *task) key() string {
	if t.folded == "" {
		t.folded = t.tenant + "/"
	}
	return t.folded
}

type counted struct {
	list
	calls int
}

func (c *counted) Less(i, j int) bool {
	c.calls++
	compares.Add(1)
	if a, b := weights[c.list[i].tenant], weights[c.list[j].tenant]; a != b {
		return a < b
	}
	return c.list[i].key() < c.list[j].key()
}

func use() {
	for _, h := range []heap.Interface{
		&clock{}, &dice{}, &locks{}, &talks{}, &mode{}, &fined{}, &env{}, &turns{}, &counted{},
	} {
		heap.Push(h, &task{})
	}
}

// asked lets somebody decide.
type asked struct{ list }

func (a *asked) Less(i, j int) bool {
	var answer int
	fmt.Scan(&answer) // want `asked.Less depends on the outside world \(fmt.Scan\)`
	return answer < 0
}

var calls int

// tallied counts in a variable that it does not compare by.
type tallied struct{ list }

func (t *tallied) Less(i, j int) bool {
	calls++
	return t.list[i].key() < t.list[j].key()
}

// alternates compares by its own count.
type alternates struct{ list }

func (a *alternates) Less(i, j int) bool {
	calls++
	if a.list[i].key() == a.list[j].key() {
		return calls%2 == 0 // want `alternates.Less reads the package variable calls, which is changed elsewhere`
	}
	return a.list[i].key() < a.list[j].key()
}

func more() {
	for _, h := range []heap.Interface{&asked{}, &tallied{}, &alternates{}} {
		heap.Init(h)
	}
}
