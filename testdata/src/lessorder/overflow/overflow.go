package overflow

import (
	"container/heap"
	"time"
)

// Item is what others make.
type Item struct {
	Height uint64
	Stamp  int64
	Score  float64
	Small  int16
	Seq    uint16
	At     time.Time
	Wait   time.Duration
	Refs   []int
	level  int
}

func newItem(refs []int) *Item { return &Item{Refs: refs, level: len(refs)} }

type list []*Item

func (l list) Len() int      { return len(l) }
func (l list) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *list) Push(x any)   { *l = append(*l, x.(*Item)) }
func (l *list) Pop() any {
	old := *l
	n := len(old) - 1
	x := old[n]
	old[n] = nil
	*l = old[:n]
	return x
}

type unsigned struct{ list }

func (u unsigned) Less(i, j int) bool {
	return u.list[i].Height-u.list[j].Height > 0 // want `Height is unsigned \(uint64\), so a difference of two is never negative`
}

type wide struct{ list }

func (w wide) Less(i, j int) bool {
	return int(w.list[i].Seq-w.list[j].Seq) < 0 // want `Seq is unsigned \(uint16\)`
}

type signed struct{ list }

func (s signed) Less(i, j int) bool {
	return s.list[i].Stamp-s.list[j].Stamp < 0 // want `the difference of two int64 can overflow, and its sign then orders by Stamp the wrong way round`
}

type cut struct{ list }

func compare(a, b *Item) int {
	return int(a.Score - b.Score) // want `the difference of two float64 is cut to int, so values of Score less than 1 apart count as equal`
}

func (c cut) Less(i, j int) bool { return compare(c.list[i], c.list[j]) < 0 }

type narrowed struct{ list }

func (n narrowed) Less(i, j int) bool {
	return int32(n.list[i].Stamp-n.list[j].Stamp) < 0 // want `the difference of two int64 is cut to int32, which can change its sign`
}

// The rest is right.

type widened struct{ list }

func (w widened) Less(i, j int) bool { return int(w.list[i].Small)-int(w.list[j].Small) < 0 }

type serial struct{ list }

func (s serial) Less(i, j int) bool { return int16(s.list[i].Seq-s.list[j].Seq) < 0 }

type times struct{ list }

func (t times) Less(i, j int) bool { return t.list[i].At.Sub(t.list[j].At) < 0 }

type waits struct{ list }

func (w waits) Less(i, j int) bool { return w.list[i].Wait-w.list[j].Wait < 0 }

type lengths struct{ list }

func (l lengths) Less(i, j int) bool { return len(l.list[i].Refs)-len(l.list[j].Refs) > 0 }

// levels are only ever lengths.
type levels struct{ list }

func (l levels) Less(i, j int) bool {
	if d := l.list[i].level - l.list[j].level; d != 0 {
		return d < 0
	}
	return l.list[i].Height < l.list[j].Height
}

func use() {
	for _, h := range []heap.Interface{
		&unsigned{}, &wide{}, &signed{}, &cut{}, &narrowed{}, &widened{}, &serial{}, &times{}, &waits{}, &lengths{}, &levels{},
	} {
		heap.Push(h, newItem(nil))
	}
}

// ranked is ordered by functions that are given to it.
type ranked struct {
	list
	compare func(a, b *Item) int
}

func (r ranked) Less(i, j int) bool { return r.compare(r.list[i], r.list[j]) < 0 }

func rank() {
	for _, h := range []heap.Interface{
		&ranked{compare: func(a, b *Item) int { return int(int16(a.Seq - b.Seq)) }},
		&ranked{compare: func(a, b *Item) int {
			return int(a.At.Sub(b.At).Seconds()) // want `the difference of two float64 is cut to int, so values of At less than 1 apart count as equal`
		}},
	} {
		heap.Init(h)
	}
}

// cutKeys compares the lower half of its keys.
type cutKeys struct{ list }

func (c cutKeys) Less(i, j int) bool { return int32(c.list[i].Stamp) < int32(c.list[j].Stamp) } // want `only the lower bits of Stamp \(int64\) are compared, as int32, so that values far apart change places`

func init() { heap.Init(&cutKeys{}) }
