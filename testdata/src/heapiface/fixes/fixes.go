package fixes

import "container/heap"

// Value receivers on a slice.
type numbers []int

func (n numbers) Len() int           { return len(n) }
func (n numbers) Less(i, j int) bool { return n[i] < n[j] }
func (n numbers) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n numbers) Push(x any) { // want `value receiver`
	n = append(n, x.(int))
}
func (n numbers) Pop() any { // want `value receiver`
	k := len(n) - 1
	v := n[k]
	n = n[:k]
	return v
}

func smallest(in []int) int {
	n := numbers{}
	for _, x := range in {
		heap.Push(n, x)
	}
	return heap.Pop(n).(int)
}

// A value receiver on a struct.
type box struct{ list []int }

func (b box) Len() int           { return len(b.list) }
func (b box) Less(i, j int) bool { return b.list[i] < b.list[j] }
func (b box) Swap(i, j int)      { b.list[i], b.list[j] = b.list[j], b.list[i] }
func (b box) Push(x any)         { b.list = append(b.list, x.(int)) } // want `value receiver`
func (b *box) Pop() any {
	k := len(b.list) - 1
	v := b.list[k]
	b.list = b.list[:k]
	return v
}

func put(b *box, x int) { heap.Push(b, x) }

// The popped element stays in its slot.
type doc struct{ text []byte }

type docs []*doc

func (d docs) Len() int           { return len(d) }
func (d docs) Less(i, j int) bool { return len(d[i].text) < len(d[j].text) }
func (d docs) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *docs) Push(x any)        { *d = append(*d, x.(*doc)) }
func (d *docs) Pop() any {
	n := len(*d) - 1
	v := (*d)[n]
	*d = (*d)[:n] // want `leaves the element in the slot`
	return v
}

type records struct{ all []doc }

func (r *records) Len() int           { return len(r.all) }
func (r *records) Less(i, j int) bool { return len(r.all[i].text) < len(r.all[j].text) }
func (r *records) Swap(i, j int)      { r.all[i], r.all[j] = r.all[j], r.all[i] }
func (r *records) Push(x any)         { r.all = append(r.all, x.(doc)) }
func (r *records) Pop() any {
	old := r.all
	v := old[len(old)-1]
	r.all = old[:len(old)-1] // want `leaves the element in the slot`
	return v
}

type shelf struct {
	d docs
	r records
}

func (s *shelf) put(d *doc) {
	heap.Push(&s.d, d)
	heap.Push(&s.r, *d)
}

func (s *shelf) take() (*doc, doc) {
	return heap.Pop(&s.d).(*doc), heap.Pop(&s.r).(doc)
}

// Swap forgets the positions.
type job struct {
	prio int
	at   int32
}

type jobs []*job

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a].prio < j[b].prio }
func (j jobs) Swap(a, b int)      { j[a], j[b] = j[b], j[a] } // want `moves the elements but not their positions in at`
func (j *jobs) Push(x any) {
	v := x.(*job)
	v.at = int32(len(*j))
	*j = append(*j, v)
}
func (j *jobs) Pop() any {
	old := *j
	v := old[len(old)-1]
	old[len(old)-1] = nil
	v.at = -1
	*j = old[:len(old)-1]
	return v
}

func raise(j *jobs, v *job) {
	v.prio++
	heap.Fix(j, int(v.at))
}
