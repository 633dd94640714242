package notes

import (
	"strings"

	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// A lockPhrase is a part of a sentence that names locks.
type lockPhrase struct {
	names []lockName
	end   int // the word after the phrase
	// none is set for "no lock".
	none bool
}

// A lockName is one lock as it is named.
type lockName struct {
	name  string // "mu", "q.mu"; empty for "the lock"
	full  string // the name with the method, in "mu.Lock"
	owner string // "server" in "the server lock"
	read  bool   // "the read lock"
	// sure is set if the words say that it is a lock; else it is one only if the
	// name is found to be.
	sure bool
}

// String returns the lock as it is written.
func (n lockName) String() string {
	switch {
	case n.name != "":
		return n.name
	case n.owner != "":
		return n.owner + " lock"
	}
	return ""
}

var (
	determiners = set(`the its our this that a an any your their his these those same respective given
		corresponding appropriate relevant necessary needed associated proper whole entire one's said required
		above following below single all both either its own my two three`)
	adjectives = set(`global internal embedded main outer inner parent own package-level top-level shared
		exclusive write writer reader read rw read/write r/w writing reading full big local common underlying per-object containing enclosing`)
	lockNouns = set(`lock locks mutex mutexes rwmutex rlock wlock rwlock mutexs spinlock locker
		read-lock write-lock rw-lock readlock writelock lock(s)`)
	// notNames cannot name a lock even where one is expected.
	notNames = set(`and or to for in on of by is are be it when while if not no only because during
		access someone multiple different other others at least least another assume assumes assuming
		require requires requiring expect expects needs hold holds holding held locked acquired taken
		caller callers precondition called call with under must should can may must_be ensures ensure
		guarded protected that which this was were has have had been being nothing anything`)
	// lockLike fits identifiers that are named like a lock.
	lockLike = lazyregexp.New(`(?:^|[a-z0-9_.])(?:Mu|MU|Mtx|Mut|Mutex|Lock|Lk|Lck|RWMu|Locker|RWMutex|Mux|Sem|L|Cond)$|^(?:\w+\.)*(?:\w*_)?(?:mu|mtx|mut|mutex|lock|lk|lck|rwmu|rwlock|rwmutex|mux|locker|rw|l|m|cond)$`)
	methods  = lazyregexp.New(`\.(?:Lock|RLock|TryLock|RLocker|Unlock|RUnlock)$`)
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// parseLock parses the lock phrase at a word: one lock, or several joined by "and".
// Alternatives ("mu or other") are no claim about either and do not parse.
func parseLock(s []word, at int) (lockPhrase, bool) {
	var p lockPhrase
	for {
		n, none, end, ok := parseOne(s, at)
		if !ok {
			return p, len(p.names) > 0
		}
		p.names, p.none, p.end = append(p.names, n), p.none || none, end
		at = end
		if at < len(s) && s[at].text == "," {
			at++
		}
		if at < len(s) && (s[at].low == "and" || s[at].low == "&") {
			at++
		} else if at == end {
			return p, true
		}
		if at >= len(s) || s[at].low == "the" && at+1 < len(s) && !lockWord(s[at+1]) {
			return p, true
		}
		// after a comma or "and", only what is surely a lock continues the list
		if n, _, _, ok := parseOne(s, at); !ok || !n.sure {
			return p, true
		}
	}
}

func lockWord(w word) bool { return lockNouns[w.low] || w.like }

// parseOne parses one lock: determiners, adjectives, an owner or a name, a noun.
func parseOne(s []word, at int) (n lockName, none bool, end int, ok bool) {
	i := at
	for i < len(s) && (determiners[s[i].low] || s[i].low == "no") {
		none = none || s[i].low == "no"
		i++
	}
	for _, start := range []int{n.adjectives(s, i), i} {
		if start >= len(s) {
			continue
		}
		// what may be an adjective is a name if no lock follows: "guarded by rw"
		if used := n.noun(s, start, start > at); used > 0 && (n.sure || start == i) {
			return n, none, n.mode(s, start+used), true
		}
		n = lockName{}
	}
	return n, none, 0, false
}

// adjectives skips the adjectives of a lock and returns the word after them.
func (n *lockName) adjectives(s []word, i int) int {
	for i+1 < len(s) && adjectives[s[i].low] && !s[i+1].mark() {
		switch s[i].low {
		case "read", "reader", "reading", "shared", "read/write", "r/w":
			n.read = true
		}
		i++
		if i+1 < len(s) && (s[i].low == "or" || s[i].low == "and") && adjectives[s[i+1].low] {
			i++ // "read or write lock"
		}
	}
	return i
}

// noun parses the lock proper and returns the number of its words, 0 if there is
// none. A lone "mutex" or "lock" may be a name.
func (n *lockName) noun(s []word, i int, qualified bool) int {
	w := s[i]
	next := func(k int) word {
		if i+k < len(s) && !s[i+k].first {
			return s[i+k]
		}
		return word{}
	}
	named := w.low == "mutex" || w.low == "lock"
	if lockNouns[w.low] && (qualified || !named) {
		n.read = n.read || strings.HasPrefix(w.low, "rl") || strings.HasPrefix(w.low, "read")
		n.sure = true
		if next(1).like { // "the mutex mu"
			n.name = next(1).bare
			return 2
		}
		return 1 + n.ownerAfter(s, i+1)
	}
	if notNames[w.low] && !w.owner || !w.ident {
		return 0
	}
	name := w.bare
	method := name != w.text
	n.read = n.read || method && strings.HasSuffix(w.low, ".rlock")
	n.full = w.text
	switch {
	case lockNouns[next(1).low] && w.like: // "the mu lock"
		n.name, n.sure = name, true
		n.read = n.read || next(1).low == "rlock"
		return 2
	case (next(1).low == "read" || next(1).low == "write") && lockNouns[next(2).low]: // "the tree read lock"
		n.owner, n.sure, n.read = name, true, next(1).low == "read"
		return 3
	case lockNouns[next(1).low]: // "the server lock"
		n.owner, n.sure = name, true
		n.read = n.read || next(1).low == "rlock"
		return 2
	case lockNouns[next(2).low] && qualified && plain(next(1)): // "the chain state lock"
		n.owner, n.sure = name+" "+next(1).text, true
		return 3
	case w.owner && next(1).ident: // "the Agent's mu"
		n.name, n.sure = name+"."+next(1).bare, true
		return 2
	}
	n.name, n.sure = name, method || w.like
	return 1
}

// ownerAfter parses "of the server", or "on q.mu", and returns the number of its words.
func (n *lockName) ownerAfter(s []word, i int) int {
	if i >= len(s) || s[i].low != "of" && s[i].low != "on" {
		return 0
	}
	at := i + 1
	for at < len(s) && determiners[s[at].low] {
		at++
	}
	if at >= len(s) || !s[at].ident {
		return 0
	}
	if s[at].like {
		n.name = s[at].text
	} else {
		n.owner = s[at].text
	}
	return at + 1 - i
}

// mode parses what may follow a lock, "for reading" or "(for writes)", and returns
// the word after it.
func (n *lockName) mode(s []word, end int) int {
	i := end
	if i < len(s) && s[i].text == "(" {
		i++
	}
	if fitWords(s, i, []string{"at", "least"}) {
		i += 2
	}
	if i+1 >= len(s) || s[i].low != "for" {
		return end
	}
	switch s[i+1].low {
	case "read", "reads", "reading":
		n.read = true
	case "write", "writes", "writing":
		n.read = false
	default:
		return end
	}
	i += 2
	if i+1 < len(s) && (s[i].low == "or" || s[i].low == "and") { // "for reading or writing"
		n.read = true
		i += 2
	}
	if i < len(s) && s[i].text == ")" {
		i++
	}
	return i
}

// plain reports whether the word may be a part of a name of several words.
func plain(w word) bool {
	return w.ident && !notNames[w.low] && !determiners[w.low] && !strings.Contains(w.text, ".")
}

var identifierPattern = lazyregexp.New(`^[\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)*$`)

func identifier(s string) bool { return identifierPattern.MatchString(s) }
