// Package heapiface defines the check of implementations of heap.Interface.
package heapiface

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/heaps"
)

// Check describes the check.
var Check = check.New(check.Check{
	Name:     "heapiface",
	Title:    "find implementations of heap.Interface that break its contract",
	Text:     text,
	Rules:    rules,
	Setup:    setup,
	Requires: []*analysis.Analyzer{heaps.Analyzer},
	Flags:    flags,
	Run:      run,
})

// Analyzer is the check as an analyzer.
var Analyzer = Check.Analyzer
