package fixes

import (
	"container/heap"
	"sort"
	"time"
)

// Job is what others make.
type Job struct {
	Prio  int64
	At    int
	Score float64
	Size  uint32
	Due   time.Time
}

type jobs []*Job

func (j jobs) Len() int      { return len(j) }
func (j jobs) Swap(a, b int) { j[a], j[b] = j[b], j[a] }
func (j *jobs) Push(x any)   { *j = append(*j, x.(*Job)) }
func (j *jobs) Pop() any {
	old := *j
	n := len(old) - 1
	x := old[n]
	old[n] = nil
	*j = old[:n]
	return x
}

type orEqual struct{ jobs }

func (o orEqual) Less(i, j int) bool {
	return o.jobs[i].At <= o.jobs[j].At // want `no strict weak order`
}

type descending struct{ jobs }

func (d descending) Less(i, j int) bool {
	if d.jobs[i].Prio >= d.jobs[j].Prio { // want `no strict weak order`
		return true
	}
	return false
}

type either struct{ jobs }

func (e either) Less(i, j int) bool {
	a, b := e.jobs[i], e.jobs[j]
	return a.Prio < b.Prio || a.At < b.At // want `no strict weak order`
}

type three struct{ jobs }

func (t three) Less(i, j int) bool {
	a, b := t.jobs[i], t.jobs[j]
	return a.Prio > b.Prio || a.Due.Before(b.Due) || a.Size < b.Size // want `no strict weak order`
}

type unsigned struct{ jobs }

func (u unsigned) Less(i, j int) bool {
	return u.jobs[i].Size-u.jobs[j].Size < 0 // want `Size is unsigned`
}

func compare(a, b *Job) int {
	return int(a.Score - b.Score) // want `the difference of two float64 is cut to int`
}

type byScore struct{ jobs }

func (b byScore) Less(i, j int) bool { return compare(b.jobs[i], b.jobs[j]) < 0 }

func use() {
	for _, h := range []heap.Interface{&orEqual{}, &descending{}, &either{}, &three{}, &unsigned{}, &byScore{}} {
		heap.Init(h)
		sort.Sort(h)
	}
}
