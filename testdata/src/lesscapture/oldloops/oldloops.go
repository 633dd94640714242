//go:build go1.21

// Package oldloops has loops by the rules of go 1.21: one variable for all rounds.
package oldloops

import "container/heap"

type rows struct {
	list [][]int
	less func(a, b []int) bool
}

func (r *rows) Len() int           { return len(r.list) }
func (r *rows) Less(i, j int) bool { return r.less(r.list[i], r.list[j]) }
func (r *rows) Swap(i, j int)      { r.list[i], r.list[j] = r.list[j], r.list[i] }
func (r *rows) Push(x any)         { r.list = append(r.list, x.([]int)) }
func (r *rows) Pop() any {
	n := len(r.list) - 1
	x := r.list[n]
	r.list = r.list[:n]
	return x
}

func add(r *rows, row []int) { heap.Push(r, row) }

func byColumns(columns []int) (out []*rows) {
	for _, c := range columns {
		out = append(out, &rows{less: func(a, b []int) bool {
			return a[c] < b[c] // want `this comparator captures c, one variable for all rounds of the loop`
		}})
	}
	return out
}

func byPointers(columns []int) (out []*rows) {
	for _, c := range columns {
		p := &c
		out = append(out, &rows{less: func(a, b []int) bool {
			return a[*p] < b[*p] // want `one variable for all rounds of the loop`
		}})
	}
	return out
}

// The rest is right.

func byCopies(columns []int) (out []*rows) {
	for _, c := range columns {
		c := c
		out = append(out, &rows{less: func(a, b []int) bool { return a[c] < b[c] }})
	}
	return out
}
