package heapiface

// setup completes the examples of the rules: heaps that are right, and their use.
const setup = `
type IntHeap []int

func (h IntHeap) Len() int           { return len(h) }
func (h IntHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h IntHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *IntHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *IntHeap) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

var ints IntHeap

func useInts() int {
	heap.Push(&ints, 1)
	return heap.Pop(&ints).(int)
}

type Mail struct{ prio int }

type mails []*Mail

func (h mails) Len() int           { return len(h) }
func (h mails) Less(i, j int) bool { return h[i].prio < h[j].prio }
func (h mails) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *mails) Push(x any)        { *h = append(*h, x.(*Mail)) }
func (h *mails) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	old[n-1] = nil
	*h = old[:n-1]
	return x
}

type Job struct{ prio, index int }

type jobs []*Job

func (h jobs) Len() int           { return len(h) }
func (h jobs) Less(i, j int) bool { return h[i].prio < h[j].prio }
func (h jobs) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *jobs) Push(x any) {
	j := x.(*Job)
	j.index = len(*h)
	*h = append(*h, j)
}
func (h *jobs) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	old[n-1] = nil
	x.index = -1
	*h = old[:n-1]
	return x
}

func useJobs(h *jobs, j *Job) {
	heap.Push(h, &Job{})
	j.prio++
	heap.Fix(h, j.index)
	heap.Remove(h, j.index)
}

type queue []*Job

func (h queue) Len() int           { return len(h) }
func (h queue) Less(i, j int) bool { return h[i].prio < h[j].prio }
func (h queue) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *queue) Push(x any)        { *h = append(*h, x.(*Job)) }
func (h *queue) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	old[n-1] = nil
	*h = old[:n-1]
	return x
}

var waiting queue

func useQueue() *Job {
	heap.Push(&waiting, &Job{})
	return heap.Pop(&waiting).(*Job)
}
`

// lenSetup is for the rule len, whose heap has two slices.
const lenSetup = `
type queue struct{ todo, done []*Job }

func (h *queue) Len() int           { return len(h.todo) }
func (h *queue) Less(i, j int) bool { return h.todo[i].prio < h.todo[j].prio }
func (h *queue) Push(x any)         { h.todo = append(h.todo, x.(*Job)) }
func (h *queue) Pop() any {
	n := len(h.todo)
	x := h.todo[n-1]
	h.todo[n-1] = nil
	h.todo = h.todo[:n-1]
	return x
}
`
