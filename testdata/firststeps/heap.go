package jobs

// jobs is a heap by due time.
type jobs []*Job

func (h jobs) Len() int           { return len(h) }
func (h jobs) Less(i, j int) bool { return h[i].Due.Before(h[j].Due) }
func (h jobs) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

func (h *jobs) Push(x any) { *h = append(*h, x.(*Job)) }

func (h *jobs) Pop() any {
	old := *h
	last := len(old) - 1
	j := old[last]
	old[last] = nil
	*h = old[:last]
	return j
}
