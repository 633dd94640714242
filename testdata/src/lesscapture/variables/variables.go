package variables

import "container/heap"

type job struct{ prio, age int }

type jobs struct {
	list []*job
	less func(a, b *job) bool
}

func (j *jobs) Len() int           { return len(j.list) }
func (j *jobs) Less(a, b int) bool { return j.less(j.list[a], j.list[b]) }
func (j *jobs) Swap(a, b int)      { j.list[a], j.list[b] = j.list[b], j.list[a] }
func (j *jobs) Push(x any)         { j.list = append(j.list, x.(*job)) }
func (j *jobs) Pop() any {
	n := len(j.list) - 1
	x := j.list[n]
	j.list[n] = nil
	j.list = j.list[:n]
	return x
}

func assignedAfter(in []*job) *job {
	reverse := false
	h := &jobs{less: func(a, b *job) bool {
		return a.prio < b.prio != reverse // want `this comparator captures the variable reverse, which is assigned again after the comparator is made \(line \d+\)`
	}}
	for _, j := range in {
		heap.Push(h, j)
	}
	reverse = true
	return heap.Pop(h).(*job)
}

func assignedByLiteral() (push func(*job), set func(int)) {
	weight := 1
	h := &jobs{less: func(a, b *job) bool {
		return weight*a.age < weight*b.age // want `this comparator captures the variable weight, which another function assigns \(line \d+\)`
	}}
	push = func(j *job) { heap.Push(h, j) }
	set = func(w int) { weight = w }
	return push, set
}

func assignedByGoroutine(in []*job, updates <-chan int) {
	weight := 1
	h := &jobs{less: func(a, b *job) bool {
		return weight*a.age < weight*b.age // want `another function assigns \(line \d+\) in a goroutine, which is a data race too`
	}}
	go func() {
		for w := range updates {
			weight = w
		}
	}()
	for _, j := range in {
		heap.Push(h, j)
	}
}

func sharedByLoop(config map[string]int) map[string]*jobs {
	queues := map[string]*jobs{}
	var name string
	var weight int
	for name, weight = range config {
		queues[name] = &jobs{less: func(a, b *job) bool {
			return weight*a.age < weight*b.age // want `this comparator captures weight, one variable for all rounds of the loop`
		}}
	}
	return queues
}

// The rest is right.

func restored(in []*job) *job {
	reverse := false
	h := &jobs{less: func(a, b *job) bool { return a.prio < b.prio != reverse }}
	for _, j := range in {
		heap.Push(h, j)
	}
	reverse = true
	heap.Init(h)
	return heap.Pop(h).(*job)
}

func assignedBeforeFilling(in []*job, desc bool) *job {
	var reverse bool
	h := &jobs{less: func(a, b *job) bool { return a.prio < b.prio != reverse }}
	reverse = desc
	for _, j := range in {
		heap.Push(h, j)
	}
	return heap.Pop(h).(*job)
}

func ownVariable(config map[string]int) map[string]*jobs {
	queues := map[string]*jobs{}
	for name, weight := range config {
		queues[name] = &jobs{less: func(a, b *job) bool { return weight*a.age < weight*b.age }}
	}
	return queues
}

func heapPerRound(config []int, in []*job) (out []*job) {
	var weight int
	for _, weight = range config {
		h := &jobs{less: func(a, b *job) bool { return weight*a.age < weight*b.age }}
		for _, j := range in {
			heap.Push(h, j)
		}
		out = append(out, heap.Pop(h).(*job))
	}
	return out
}

func reversed(less func(a, b *job) bool, turn bool) *jobs {
	if turn {
		inner := less
		less = func(a, b *job) bool { return inner(b, a) }
	}
	h := &jobs{less: less}
	heap.Init(h)
	return h
}

func drainedBetween(in []*job) (out []*job) {
	byAge := false
	h := &jobs{less: func(a, b *job) bool {
		if byAge {
			return a.age < b.age
		}
		return a.prio < b.prio
	}}
	for _, j := range in {
		heap.Push(h, j)
	}
	for h.Len() > 0 {
		out = append(out, heap.Pop(h).(*job))
	}
	byAge = true
	for _, j := range in {
		heap.Push(h, j)
	}
	return append(out, heap.Pop(h).(*job))
}
