// Package jobs keeps jobs until they are due.
package jobs

import (
	"container/heap"
	"sync"
	"time"
)

// A Job is something to do at a time.
type Job struct {
	Due time.Time
	Do  func()
}

// A Queue holds jobs for many goroutines.
type Queue struct {
	mu   sync.Mutex
	jobs jobs
}

// Add puts a job in.
func (q *Queue) Add(j *Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.jobs, j)
}

// Next takes out the job that is due first, or nil if none is due by now.
func (q *Queue) Next(now time.Time) *Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.take(now)
}

// Drain takes out all jobs that are due by now.
func (q *Queue) Drain(now time.Time) []*Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	var due []*Job
	for j := q.take(now); j != nil; j = q.take(now) {
		due = append(due, j)
	}
	return due
}

// Len is the number of jobs.
func (q *Queue) Len() int {
	return q.jobs.Len()
}

func (q *Queue) take(now time.Time) *Job {
	if q.jobs.Len() == 0 || q.jobs[0].Due.After(now) {
		return nil
	}
	return heap.Pop(&q.jobs).(*Job)
}
