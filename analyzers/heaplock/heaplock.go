// Package heaplock defines the check that finds uses of a shared heap without
// the lock that guards it.
package heaplock

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
)

// Check describes the check.
var Check = check.New(check.Check{
	Name:  "heaplock",
	Title: "find heap operations outside the lock that guards the heap",
	Text:  "TODO",
	Rules: []check.Rule{
		{Name: "unheld", Title: "the heap is used without its guard"},
	},
	Run: run,
})

// Analyzer is the check as an analyzer.
var Analyzer = Check.Analyzer

func run(pass *analysis.Pass) error { return nil }
