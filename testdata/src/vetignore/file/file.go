//go:vet-ignore=toy this file is an experiment

// Package file is covered whole.
package file

func bad() {}

func f() { bad() }
