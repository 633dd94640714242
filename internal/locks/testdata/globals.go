package samples

import (
	"container/heap"
	"sync"
)

var (
	globalMu   sync.Mutex
	globalHeap ints

	registry struct {
		sync.Mutex
		h ints
	}

	shards [4]struct {
		mu sync.Mutex
		h  ints
	}
)

func global() {
	globalMu.Lock()
	heap.Push(&globalHeap, 1) // held: globalMu
	globalMu.Unlock()
	heap.Push(&globalHeap, 2) // held: -
}

func globalStruct() {
	registry.Lock()
	defer registry.Unlock()
	heap.Push(&registry.h, 1) // held: registry.Mutex
}

func shard(i, j int) {
	shards[i].mu.Lock()
	heap.Push(&shards[i].h, 1) // held: shards[].mu
	shards[i].mu.Unlock()
	heap.Push(&shards[i].h, 2) // held: -
	s := &shards[j]
	s.mu.Lock()
	heap.Push(&s.h, 3) // held: shards[].mu
	s.mu.Unlock()
}
