// Package heapexpose defines the check that finds guarded slices and maps which get
// out of their critical sections.
package heapexpose

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/expose"
	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
)

// Check describes the check.
var Check = check.New(check.Check{
	Name:     "heapexpose",
	Title:    "find guarded slices and maps that get out of their lock",
	Text:     text,
	Rules:    rules,
	Setup:    setup,
	Requires: []*analysis.Analyzer{locks.Analyzer},
	Run:      run,
})

// Analyzer is the check as an analyzer.
var Analyzer = Check.Analyzer

func run(pass *analysis.Pass) error {
	a := pass.ResultOf[locks.Analyzer].(*locks.Lazy).Any()
	if a == nil {
		return nil
	}
	a.Lock()
	defer a.Unlock()
	for _, f := range expose.Find(a, guards.ForPass(pass)) {
		pass.Report(analysis.Diagnostic{Category: f.Rule, Pos: f.Pos, Message: f.Message, Related: related(f), SuggestedFixes: fix(pass, f.Copy)})
	}
	return nil
}

func related(f *expose.Finding) []analysis.RelatedInformation {
	if f.Field == nil {
		return nil
	}
	var rel []analysis.RelatedInformation
	for _, p := range f.Field.Guard.Evidence {
		rel = append(rel, analysis.RelatedInformation{Pos: p, Message: f.Field.Guard.String() + " is held here"})
	}
	return rel
}
