package lessorder

// setup completes the examples of the rules: the other methods of the heaps.
const setup = `
type job struct {
	priority, at int
	score        float64
	start        *time.Time
}

type jobs []*job

func (h jobs) Len() int           { return len(h) }
func (h jobs) Less(i, j int) bool { return h[i].at < h[j].at }
func (h jobs) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *jobs) Push(x any)        { *h = append(*h, x.(*job)) }
func (h *jobs) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	old[n-1] = nil
	*h = old[:n-1]
	return x
}

func addJob(h *jobs, start time.Time) {
	heap.Push(h, &job{start: &start})
	heap.Push(h, &job{})
}

type waiter struct{ since time.Time }

type waiting []waiter

const patience = time.Minute

func (h waiting) Len() int           { return len(h) }
func (h waiting) Less(i, j int) bool { return h[i].since.Before(h[j].since) }
func (h waiting) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *waiting) Push(x any)        { *h = append(*h, x.(waiter)) }
func (h *waiting) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

func wait(h *waiting) { heap.Push(h, waiter{time.Now()}) }

type sample struct {
	name  string
	value float64
}

type samples []sample

func (h samples) Len() int           { return len(h) }
func (h samples) Less(i, j int) bool { return h[i].name < h[j].name }
func (h samples) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *samples) Push(x any)        { *h = append(*h, x.(sample)) }
func (h *samples) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

func take(h *samples, s sample) { heap.Push(h, s) }

type ranking struct {
	jobs    []job
	compare func(a, b job) int
}

func (h *ranking) Len() int           { return len(h.jobs) }
func (h *ranking) Less(i, j int) bool { return h.compare(h.jobs[i], h.jobs[j]) < 0 }
func (h *ranking) Swap(i, j int)      { h.jobs[i], h.jobs[j] = h.jobs[j], h.jobs[i] }
func (h *ranking) Push(x any)         { h.jobs = append(h.jobs, x.(job)) }
func (h *ranking) Pop() any {
	n := len(h.jobs)
	x := h.jobs[n-1]
	h.jobs = h.jobs[:n-1]
	return x
}

func compare(a, b job) int { return cmp.Compare(a.score, b.score) }

func rank(jobs []job) {
	h := &ranking{jobs, compare}
	heap.Init(h)
}
`
