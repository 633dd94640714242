// Package confined has heaps that belong to one goroutine.
package confined

import (
	"container/heap"
	"sync"
	"time"
)

type jobs []int

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a] < j[b] }
func (j jobs) Swap(a, b int)      { j[a], j[b] = j[b], j[a] }
func (j *jobs) Push(x any)        { *j = append(*j, x.(int)) }
func (j *jobs) Pop() any {
	old := *j
	x := old[len(old)-1]
	*j = old[:len(old)-1]
	return x
}

// The constructor starts the loop: it runs when anybody has the object.
type Loop struct {
	add   chan int
	take  chan chan int
	quit  chan struct{}
	done  chan struct{}
	queue jobs
	idle  bool
}

func NewLoop(first ...int) *Loop {
	l := &Loop{add: make(chan int), take: make(chan chan int), quit: make(chan struct{}), done: make(chan struct{})}
	for _, x := range first {
		heap.Push(&l.queue, x) // not yet
	}
	go l.run()
	return l
}

func (l *Loop) run() {
	defer close(l.done)
	for {
		select {
		case x := <-l.add:
			l.Handle(x)
		case c := <-l.take:
			c <- l.next()
		case <-l.quit:
			return
		}
	}
}

func (l *Loop) next() int {
	if l.queue.Len() == 0 {
		return 0
	}
	return heap.Pop(&l.queue).(int)
}

// Handle is what the loop itself calls.
func (l *Loop) Handle(x int) { heap.Push(&l.queue, x) }

// Add asks the loop.
func (l *Loop) Add(x int) { l.add <- x }

func (l *Loop) Take() int {
	c := make(chan int)
	l.take <- c
	return <-c
}

func (l *Loop) Len() int {
	return l.queue.Len() // want `read of Loop.queue outside the goroutine that it belongs to`
}

func (l *Loop) Steal() int {
	return l.next() // want `heap.Pop of Loop.queue outside the goroutine`
}

// Stop waits for the loop, and has the heap for itself.
func (l *Loop) Stop() []int {
	close(l.quit)
	<-l.done
	return l.queue
}

// The state says whose it is.
func (l *Loop) Flush() {
	if l.idle {
		l.queue = nil
	}
}

// Start does it later: what fills the heap may come before, what asks for its length
// does not.
type Lazy struct {
	add   chan int
	queue jobs
}

func (l *Lazy) Start() {
	heap.Init(&l.queue)
	go l.run()
}

func (l *Lazy) run() {
	for x := range l.add {
		heap.Push(&l.queue, x)
	}
}

func (l *Lazy) Add(x int)     { l.add <- x }
func (l *Lazy) Preload(x int) { heap.Push(&l.queue, x) }

func (l *Lazy) Len() int {
	return len(l.queue) // want `read of Lazy.queue outside the goroutine`
}

// Nobody reaches the loop of this one: its users may run it themselves as well.
type Quiet struct{ queue jobs }

func (q *Quiet) Start() { go q.Run() }

func (q *Quiet) Run() {
	for {
		time.Sleep(time.Second)
		if len(q.queue) > 0 {
			heap.Pop(&q.queue)
		}
	}
}

func (q *Quiet) Len() int { return len(q.queue) }

// A loop that wakes up by itself.
type Poller struct{ queue jobs }

func NewPoller() *Poller {
	p := new(Poller)
	p.start()
	return p
}

func (p *Poller) start() {
	go func() {
		for {
			time.Sleep(time.Second)
			p.expire()
		}
	}()
}

func (p *Poller) expire() {
	for len(p.queue) > 0 {
		heap.Pop(&p.queue)
	}
}

func (p *Poller) Add(x int) {
	heap.Push(&p.queue, x) // want `heap.Push of Poller.queue outside the goroutine`
}

// Who calls Run has the heap.
type Manual struct {
	in    chan int
	queue jobs
}

func (m *Manual) Run() {
	for x := range m.in {
		heap.Push(&m.queue, x)
	}
}

func (m *Manual) Len() int { return m.queue.Len() }

// Workers have a heap each.
type worker struct {
	in    <-chan int
	queue jobs
}

func (w *worker) run() {
	for x := range w.in {
		heap.Push(&w.queue, x)
	}
}

func Collect(ins []<-chan int) (all []int) {
	var workers []*worker
	var wg sync.WaitGroup
	for _, in := range ins {
		w := &worker{in: in}
		workers = append(workers, w)
		wg.Go(w.run)
	}
	wg.Wait()
	for _, w := range workers {
		all = append(all, w.queue...)
	}
	return all
}

func CollectEarly(ins []<-chan int, stop <-chan bool) (all []int) {
	var workers []*worker
	var wg sync.WaitGroup
	for _, in := range ins {
		w := &worker{in: in}
		workers = append(workers, w)
		wg.Add(1)
		go func() {
			defer wg.Done()
			w.run()
		}()
	}
	<-stop // not from the workers
	for _, w := range workers {
		all = append(all, w.queue...) // want `read of worker.queue outside the goroutine`
	}
	wg.Wait()
	return all
}

// The workers say when they are done, or hand the heap over.
func CollectDone(ins []<-chan int) (all []int) {
	var workers []*worker
	done := make(chan struct{})
	for _, in := range ins {
		w := &worker{in: in}
		workers = append(workers, w)
		go func() {
			w.run()
			done <- struct{}{}
		}()
	}
	for range workers {
		<-done
	}
	for _, w := range workers {
		all = append(all, w.queue...)
	}
	return all
}

func First(in <-chan int) int {
	results := make(chan *worker)
	w := &worker{in: in}
	go func() {
		w.run()
		results <- w
	}()
	w = <-results
	return heap.Pop(&w.queue).(int)
}

// Another object is another heap.
func Spare(in <-chan int) int {
	w := &worker{in: in}
	go w.run()
	spare := &worker{}
	heap.Push(&spare.queue, 1)
	return len(spare.queue)
}

// A helper waits for its own goroutines, not for those that its caller started.
type group struct{ workers []*worker }

func (g *group) empty() {
	var wg sync.WaitGroup
	for _, w := range g.workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			heap.Pop(&w.queue) // want `heap.Pop of worker.queue outside the goroutine`
		}()
	}
	wg.Wait()
}

func (g *group) drain() {
	for _, w := range g.workers {
		w.queue = nil
	}
}

func Empty(ins []<-chan int) {
	g := &group{}
	var wg sync.WaitGroup
	for _, in := range ins {
		w := &worker{in: in}
		g.workers = append(g.workers, w)
		wg.Add(1)
		go func() {
			defer wg.Done()
			w.run()
		}()
	}
	g.empty()
	wg.Wait()
	g.drain()
}

// The owner is part of another object, whose methods go past the loop.
type Server struct{ loop *Loop }

func NewServer() *Server { return &Server{loop: NewLoop()} }

func (s *Server) Pending() int {
	return s.loop.queue.Len() // want `read of Loop.queue outside the goroutine`
}

// The loop itself has others do something.
type Retry struct {
	in    chan int
	queue jobs
}

func NewRetry() *Retry {
	r := &Retry{in: make(chan int)}
	go r.run()
	return r
}

func (r *Retry) run() {
	for x := range r.in {
		heap.Push(&r.queue, x)
		time.AfterFunc(time.Second, func() {
			heap.Pop(&r.queue) // want `heap.Pop of Retry.queue outside the goroutine`
		})
		time.AfterFunc(time.Second, func() { r.in <- x })
		go func() {
			heap.Push(&r.queue, x+1) // want `heap.Push of Retry.queue in a goroutine that runs beside others`
		}()
	}
}

// Right: the loop waits for what it starts.
type Patient struct {
	in    chan int
	queue jobs
}

func NewPatient() *Patient {
	p := &Patient{in: make(chan int)}
	go p.run()
	return p
}

func (p *Patient) run() {
	for x := range p.in {
		heap.Push(&p.queue, x)
		done := make(chan bool)
		go func() {
			heap.Init(&p.queue)
			close(done)
		}()
		<-done
	}
}

// A local heap of a goroutine, and functions that look at it.
func Sorter(in chan int, ask chan chan int) (size, safe func() int) {
	var queue jobs
	go func() {
		for {
			select {
			case x := <-in:
				heap.Push(&queue, x)
			case c := <-ask:
				c <- queue.Len()
			}
		}
	}()
	size = func() int {
		return queue.Len() // want `read of queue outside the goroutine`
	}
	safe = func() int {
		c := make(chan int)
		ask <- c
		return <-c
	}
	return size, safe
}

// A package variable with a goroutine of its own.
var (
	events  jobs
	arrived = make(chan int)
)

func init() {
	go func() {
		for x := range arrived {
			heap.Push(&events, x)
		}
	}()
}

func Arrive(x int) { arrived <- x }

func Events() int {
	return len(events) // want `read of events outside the goroutine`
}

// Goroutines by errgroup or WaitGroup are goroutines.
func CollectGo(ins []<-chan int) (all []int) {
	var workers []*worker
	var wg sync.WaitGroup
	for _, in := range ins {
		w := &worker{in: in}
		workers = append(workers, w)
		wg.Go(w.run)
	}
	for _, w := range workers {
		all = append(all, w.queue...) // want `read of worker.queue outside the goroutine`
	}
	wg.Wait()
	return all
}

// Right: each is set up before its own goroutine starts.
func StartEach(workers []*worker) {
	for _, w := range workers {
		heap.Init(&w.queue)
		go w.run()
	}
	for range 3 {
		w := &worker{}
		heap.Push(&w.queue, 1)
		go w.run()
	}
}

// But not after that.
func FillEach(workers []*worker) {
	for _, w := range workers {
		go w.run()
		heap.Push(&w.queue, 1) // want `heap.Push of worker.queue outside the goroutine`
	}
}

// Right: the loop runs what it is sent, and what is scheduled with it.
type Actor struct {
	ops   chan func()
	clock *clock
	queue jobs
}

type clock struct{ due []func() }

func (c *clock) Schedule(f func()) { c.due = append(c.due, f) }

func NewActor() *Actor {
	a := &Actor{ops: make(chan func()), clock: &clock{}}
	go a.run()
	return a
}

func (a *Actor) run() {
	for op := range a.ops {
		op()
		heap.Push(&a.queue, len(a.clock.due))
	}
}

func (a *Actor) Add(x int) { a.ops <- func() { heap.Push(&a.queue, x) } }

func (a *Actor) do(op func()) { a.ops <- op }

func (a *Actor) Drop()       { a.do(func() { heap.Pop(&a.queue) }) }
func (a *Actor) Later(x int) { a.clock.Schedule(func() { heap.Push(&a.queue, x) }) }

func (a *Actor) Len() (n int) {
	done := make(chan bool)
	a.do(func() {
		n = a.queue.Len()
		close(done)
	})
	<-done
	return n
}
