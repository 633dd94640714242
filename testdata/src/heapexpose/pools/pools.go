// Package pools uses what it put back.
package pools

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func get() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func put(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b)
}

func Render(s string, fail bool) ([]byte, error) {
	b := get()
	defer put(b)
	b.WriteString(s)
	if fail {
		return b.Bytes(), nil // want `returns a part of .*, which is put back into its pool`
	}
	return bytes.Clone(b.Bytes()), nil
}

func Text(s string) string {
	b := get()
	defer put(b)
	b.WriteString(s)
	return b.String()
}

type vector struct{ sel []int }

var vectors = sync.Pool{New: func() any { return new([]int) }}

func free(s []int) { vectors.Put(&s) }

func (v *vector) Free() {
	free(v.sel)
	v.sel = nil
}

func (v *vector) Share(w *vector) {
	w.sel = v.sel // want `gives sel a second owner`
}

func (v *vector) Move(w *vector) {
	w.sel, v.sel = nil, nil
}

func Borrow() *bytes.Buffer   { return get() }
func Release(b *bytes.Buffer) { put(b) }

func After(s string) string {
	b := get()
	b.WriteString(s)
	put(b)
	return b.String() // want `uses .* after it was put back into its pool`
}

func InTime(s string) string {
	b := get()
	b.WriteString(s)
	s = b.String()
	put(b)
	return s
}

var rows sync.Pool

type batch struct {
	mu   sync.Mutex
	rows []int
}

func (b *batch) Add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, n)
}

func (b *batch) Flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows.Put(b.rows) // want `puts batch.rows into a pool and keeps it`
}

func (b *batch) Give() {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows.Put(b.rows)
	b.rows = nil
}
