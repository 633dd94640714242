package variables

import (
	"container/heap"
	"sync"
	"time"
)

type options struct {
	reverse bool
	name    string
}

func fieldAssigned(in []*job, o options) *job {
	h := &jobs{less: func(a, b *job) bool {
		return a.prio < b.prio != o.reverse // want `this comparator captures the variable o, which is assigned again`
	}}
	for _, j := range in {
		heap.Push(h, j)
	}
	o.reverse = true
	return heap.Pop(h).(*job)
}

func behindPointer(in []*job, limit *int) *job {
	h := &jobs{less: func(a, b *job) bool {
		return min(a.prio, *limit) < min(b.prio, *limit) // want `this comparator reads what limit points to, which is changed \(line \d+\)`
	}}
	for _, j := range in {
		heap.Push(h, j)
	}
	*limit = 10
	return heap.Pop(h).(*job)
}

func byTimer(in <-chan *job, run func(*job)) {
	boost := 1
	time.AfterFunc(time.Second, func() { boost = 10 })
	h := &jobs{less: func(a, b *job) bool {
		return a.prio*boost < b.age // want `another function assigns \(line \d+\) in a goroutine, which is a data race too`
	}}
	for j := range in {
		heap.Push(h, j)
	}
	run(heap.Pop(h).(*job))
}

func byGroup(in []*job, load func() int) *job {
	var wg sync.WaitGroup
	weight := 1
	h := &jobs{less: func(a, b *job) bool {
		return weight*a.prio < weight*b.prio // want `another function assigns \(line \d+\) in a goroutine`
	}}
	wg.Go(func() { weight = load() })
	for _, j := range in {
		heap.Push(h, j)
	}
	wg.Wait()
	return heap.Pop(h).(*job)
}

// The rest is right.

func otherField(in []*job, o options) *job {
	h := &jobs{less: func(a, b *job) bool { return a.prio < b.prio != o.reverse }}
	for _, j := range in {
		heap.Push(h, j)
	}
	o.name = "done"
	return heap.Pop(h).(*job)
}

func copied(in []*job, o options) *job {
	c := o
	h := &jobs{less: func(a, b *job) bool { return a.prio < b.prio != c.reverse }}
	for _, j := range in {
		heap.Push(h, j)
	}
	o.reverse = true
	return heap.Pop(h).(*job)
}

func setBefore(in []*job, limit *int) *job {
	h := &jobs{less: func(a, b *job) bool { return min(a.prio, *limit) < min(b.prio, *limit) }}
	*limit = 10
	for _, j := range in {
		heap.Push(h, j)
	}
	return heap.Pop(h).(*job)
}
