package queue

import (
	"container/heap"
	"sync"
)

// Queue is a priority queue for many goroutines.
type Queue struct {
	mu    sync.Mutex
	items items
}

// Add puts an item in.
func (q *Queue) Add(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, n)
}

// Next takes the least item out.
func (q *Queue) Next() int {
	return q.pop()
}

func (q *Queue) pop() int {
	return heap.Pop(&q.items).(int) // 世界 <&> "quoted"
}

type items []int

func (s items) Len() int           { return len(s) }
func (s items) Less(i, j int) bool { return s[i] <= s[j] }
func (s items) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *items) Push(x any)        { *s = append(*s, x.(int)) }
func (s *items) Pop() any {
	x := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return x
}
