// Package unguarded shares heaps among goroutines with no lock.
package unguarded

import (
	"container/heap"
	"sync"
)

type job struct {
	name  string
	prio  int
	index int
}

type jobs []*job

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a].prio < j[b].prio }
func (j jobs) Swap(a, b int) {
	j[a], j[b] = j[b], j[a]
	j[a].index, j[b].index = a, b
}
func (j *jobs) Push(x any) {
	e := x.(*job)
	e.index = len(*j)
	*j = append(*j, e)
}
func (j *jobs) Pop() any {
	old := *j
	n := len(old) - 1
	e := old[n]
	old[n] = nil
	e.index = -1
	*j = old[:n]
	return e
}

func best(parts [][]*job) jobs {
	var all jobs
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, j := range part {
				heap.Push(&all, j) // want `heap.Push of all in a goroutine that runs beside others`
			}
		}()
	}
	wg.Wait()
	return all
}

func smallest(parts [][]*job, n int) jobs {
	var all jobs
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, j := range part {
				heap.Push(&all, j) // want `heap.Push of all in a goroutine that runs beside others`
				if all.Len() > n { // want `read of all in a goroutine that runs beside others`
					heap.Pop(&all) // want `heap.Pop of all in a goroutine that runs beside others`
				}
			}
		}()
	}
	wg.Wait()
	return all
}

func fill(parts [][]*job) jobs {
	var all jobs
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			all = append(all, part...) // want `write to all in a goroutine that runs`
		}()
	}
	wg.Wait()
	heap.Init(&all)
	return all
}

// Right: one goroutine, and the function waits for it before it looks.
func one(part []*job) int {
	var all jobs
	done := make(chan bool)
	go func() {
		for _, j := range part {
			if all.Len() < 10 {
				heap.Push(&all, j)
			}
		}
		close(done)
	}()
	<-done
	size := func() int { return all.Len() }
	return size()
}

// Right: a heap for each goroutine, merged when all are done.
func each(parts [][]*job) jobs {
	some := make([]jobs, len(parts))
	var wg sync.WaitGroup
	for i, part := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var own jobs
			for _, j := range part {
				heap.Push(&own, j)
			}
			some[i] = own
		}()
	}
	wg.Wait()
	var all jobs
	for _, s := range some {
		for len(s) > 0 {
			heap.Push(&all, heap.Pop(&s))
		}
	}
	return all
}

// Right: a mutex around it.
func locked(parts [][]*job) jobs {
	var all jobs
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			for _, j := range part {
				heap.Push(&all, j)
			}
		}()
	}
	wg.Wait()
	heap.Init(&all)
	return all
}

// Workers of one object.
type Pool struct {
	in    chan *job
	token chan struct{}
	queue jobs
	other jobs
	parts []jobs
}

func (p *Pool) Start(n int) {
	for i := range n {
		go p.work(i)
	}
}

func (p *Pool) work(i int) {
	for j := range p.in {
		heap.Push(&p.queue, j) // want `heap.Push of Pool.queue in a goroutine that runs beside others`
		heap.Push(&p.parts[i], j)
		p.inTurn(j)
	}
}

// Right: who has the token has the heap.
func (p *Pool) inTurn(j *job) {
	p.token <- struct{}{}
	heap.Push(&p.other, j)
	<-p.token
}

// Right: one worker each.
func StartAll(pools []*Pool) {
	for _, p := range pools {
		go p.only()
	}
}

func (p *Pool) only() {
	for j := range p.in {
		heap.Push(&p.other, j)
	}
}
