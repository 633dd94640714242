package locks

import (
	"bytes"
	"encoding/binary"
	"go/token"
	"slices"
	"sort"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// A Held is a lock that is held.
type Held struct {
	Place *Place
	Mode  Mode
	// At is where it was taken: the position of the call that took it.
	At token.Pos
	// Caller tells that the caller held the lock before: the function dropped it
	// and took it again.
	Caller bool
}

// A world is what one or more paths through a function have in common at a point:
// the locks that all of them hold, those that some hold, what is deferred, and the
// outcomes of conditions that later tests repeat. A point has several worlds as
// long as they are few; then conditional locking is followed exactly.
type world struct {
	must    []Held       // sorted by place; at most one entry a place
	may     []Held       // contains must
	dropped []*Place     // locks of the caller's that may have been released
	defers  []*ssa.Defer // in the order of execution of the defer statements
	assumed []assumption // sorted by key
	running *ssa.Defer   // the deferred call that runs now, if one does
	public  []*Place     // own objects that others can reach, sorted
	spawned []*Place     // own objects that goroutines not yet waited for can reach, sorted
}

// An assumption is the outcome of a condition.
type assumption struct {
	key     string
	outcome bool
}

func (w *world) clone() *world {
	return &world{
		must:    slices.Clone(w.must),
		may:     slices.Clone(w.may),
		dropped: slices.Clone(w.dropped),
		defers:  slices.Clone(w.defers),
		assumed: slices.Clone(w.assumed),
		public:  slices.Clone(w.public),
		spawned: slices.Clone(w.spawned),
	}
}

// signature appends to buf what is equal for equal worlds only.
func (w *world) signature(buf []byte) []byte {
	for _, list := range [][]Held{w.must, w.may} {
		buf = binary.AppendUvarint(buf, uint64(len(list)))
		for _, h := range list {
			mode := uint64(h.Mode) << 1
			if h.Caller {
				mode |= 1
			}
			buf = binary.AppendUvarint(buf, uint64(h.Place.id))
			buf = binary.AppendUvarint(buf, uint64(h.At))
			buf = binary.AppendUvarint(buf, mode)
		}
	}
	for _, list := range [][]*Place{w.dropped, w.public, w.spawned} {
		buf = binary.AppendUvarint(buf, uint64(len(list)))
		for _, p := range list {
			buf = binary.AppendUvarint(buf, uint64(p.id))
		}
	}
	buf = binary.AppendUvarint(buf, uint64(len(w.defers)))
	for _, d := range w.defers {
		buf = binary.AppendUvarint(buf, uint64(d.Pos()))
	}
	for _, a := range w.assumed {
		buf = append(buf, a.key...)
		buf = strconv.AppendBool(append(buf, ' '), a.outcome)
	}
	return buf
}

func find(list []Held, p *Place) (int, bool) {
	i := sort.Search(len(list), func(i int) bool { return list[i].Place.id >= p.id })
	return i, i < len(list) && list[i].Place == p
}

func put(list []Held, h Held) []Held {
	i, ok := find(list, h.Place)
	if ok {
		// A read lock taken under the write lock or the reverse does not
		// happen in right code; the stronger one counts.
		if list[i].Mode >= h.Mode {
			return list
		}
		list[i] = h
		return list
	}
	return slices.Insert(list, i, h)
}

func drop(list []Held, p *Place) []Held {
	if i, ok := find(list, p); ok {
		return slices.Delete(list, i, i+1)
	}
	return list
}

func findPlace(list []*Place, p *Place) (int, bool) {
	i := sort.Search(len(list), func(i int) bool { return list[i].id >= p.id })
	return i, i < len(list) && list[i] == p
}

func putPlace(list []*Place, p *Place) []*Place {
	i, ok := findPlace(list, p)
	if ok {
		return list
	}
	return slices.Insert(list, i, p)
}

// acquire notes that the lock at p was taken.
func (w *world) acquire(p *Place, m Mode, at token.Pos) {
	h := Held{Place: p, Mode: m, At: at}
	if i, ok := findPlace(w.dropped, p); ok {
		w.dropped = slices.Delete(w.dropped, i, i+1)
		h.Caller = true
	}
	w.must = put(w.must, h)
	w.may = put(w.may, h)
}

// release notes that the lock at p was let go. A lock that this function did not
// take is its caller's.
func (w *world) release(p *Place) {
	i, own := find(w.may, p)
	if !own || w.may[i].Caller {
		w.dropped = putPlace(w.dropped, p)
	}
	w.must = drop(w.must, p)
	w.may = drop(w.may, p)
}

// mayRelease notes that the lock at p was let go on some paths.
func (w *world) mayRelease(p *Place) {
	i, own := find(w.may, p)
	if !own || w.may[i].Caller {
		w.dropped = putPlace(w.dropped, p)
	}
	w.must = drop(w.must, p)
}

// assume adds the outcome of a condition. It returns false if the world cannot be:
// the opposite is known.
func (w *world) assume(key string, outcome bool) bool {
	i := sort.Search(len(w.assumed), func(i int) bool { return w.assumed[i].key >= key })
	if i < len(w.assumed) && w.assumed[i].key == key {
		return w.assumed[i].outcome == outcome
	}
	w.assumed = slices.Insert(w.assumed, i, assumption{key, outcome})
	return true
}

func (w *world) known(key string) (outcome, ok bool) {
	for _, a := range w.assumed {
		if a.key == key {
			return a.outcome, true
		}
	}
	return false, false
}

// forget drops what was assumed of a value that is computed anew, and of what is
// reached through it.
func (w *world) forget(name string) {
	w.assumed = slices.DeleteFunc(w.assumed, func(a assumption) bool { return mentions(a.key, name) })
}

// merge makes one world of two: held is what both hold.
func merge(a, b *world) *world {
	w := &world{must: both(a.must, b.must), may: eitherHeld(a.may, b.may)}
	w.dropped = union(a.dropped, b.dropped)
	w.public, w.spawned = union(a.public, b.public), union(a.spawned, b.spawned)
	for i := 0; i < len(a.defers) && i < len(b.defers) && a.defers[i] == b.defers[i]; i++ {
		w.defers = append(w.defers, a.defers[i])
	}
	for _, x := range a.assumed {
		if o, ok := b.known(x.key); ok && o == x.outcome {
			w.assumed = append(w.assumed, x)
		}
	}
	return w
}

func both(a, b []Held) []Held {
	var out []Held
	for _, h := range a {
		if i, ok := find(b, h.Place); ok {
			if b[i].Mode < h.Mode {
				h.Mode = b[i].Mode
			}
			h.At = min(h.At, b[i].At)
			h.Caller = h.Caller && b[i].Caller
			out = append(out, h)
		}
	}
	return out
}

func eitherHeld(a, b []Held) []Held {
	out := slices.Clone(a)
	for _, h := range b {
		if i, ok := find(out, h.Place); ok {
			out[i].At = min(out[i].At, h.At)
			if h.Mode > out[i].Mode {
				out[i].Mode = h.Mode
			}
			continue
		}
		out = put(out, h)
	}
	return out
}

func intersection(a, b []*Place) []*Place {
	var out []*Place
	for _, p := range a {
		if _, ok := findPlace(b, p); ok {
			out = append(out, p)
		}
	}
	return out
}

// union returns the places of both lists. It may be one of them.
func union(a, b []*Place) []*Place {
	if len(b) == 0 {
		return slices.Clip(a)
	}
	out := slices.Clone(a)
	for _, p := range b {
		out = putPlace(out, p)
	}
	return out
}

// maxWorlds bounds the worlds of a point. Past it those that hold the same become
// one, without what is known of conditions; past it again all do. That is still
// right but knows less: a lock held on some of the paths only.
const maxWorlds = 24

// A worldSet is the worlds of a point, without repetition, in order of arrival.
type worldSet struct {
	list []*world
	seen map[string]bool
	// coarse says that the bound was met: nothing is known of conditions.
	coarse bool
	// collapsed says that it was met again: one world stands for all.
	collapsed bool
	// followed are how many of the list went on to the next blocks.
	followed int
	buf      []byte
}

// next returns the worlds that did not go on to the next blocks yet.
func (s *worldSet) next() []*world {
	list := s.list[s.followed:]
	s.followed = len(s.list)
	return list
}

// add puts w in the set and tells whether that changed it.
func (s *worldSet) add(w *world) bool {
	if s.collapsed {
		m := merge(s.list[0], w)
		m.assumed = nil
		if bytes.Equal(m.signature(nil), s.list[0].signature(nil)) {
			return false
		}
		s.list[0], s.followed = m, 0
		return true
	}
	if s.coarse {
		w.assumed = nil
	}
	s.buf = w.signature(s.buf[:0])
	if s.seen[string(s.buf)] {
		return false
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[string(s.buf)] = true
	s.list = append(s.list, w)
	switch {
	case len(s.list) <= maxWorlds:
	case !s.coarse:
		worlds := s.list
		s.list, s.seen, s.coarse, s.followed = nil, nil, true, 0
		for _, w := range worlds {
			s.add(w)
		}
	default:
		m := s.list[0]
		for _, w := range s.list[1:] {
			m = merge(m, w)
		}
		m.assumed = nil
		s.list, s.seen, s.collapsed, s.followed = []*world{m}, nil, true, 0
	}
	return true
}
