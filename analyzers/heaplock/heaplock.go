// Package heaplock defines the check that finds uses of a shared heap without
// the lock that guards it.
package heaplock

import (
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
)

// Check describes the check.
var Check = check.New(check.Check{
	Name:     "heaplock",
	Title:    "find heap operations outside the lock that guards the heap",
	Text:     text,
	Rules:    rules,
	Setup:    setup,
	Requires: []*analysis.Analyzer{locks.Analyzer},
	Run:      run,
})

// Analyzer is the check as an analyzer.
var Analyzer = Check.Analyzer

func run(pass *analysis.Pass) error {
	a := pass.ResultOf[locks.Analyzer].(*locks.Lazy).Analysis()
	if a == nil {
		return nil
	}
	a.Lock()
	defer a.Unlock()
	opts := guards.ForPass(pass)
	locations := guards.Find(a, opts)
	opts.Data = true
	data := guards.Find(a, opts)
	fix := &fixer{pass: pass, a: a, within: map[holder]ssa.CallInstruction{}}
	found := append(guards.Violations(a, locations), guards.Elements(a, locations, data)...)
	for _, f := range guards.Siblings(a, locations, data) {
		if !slices.ContainsFunc(found, func(g *guards.Violation) bool { return g.Pos == f.Pos }) {
			found = append(found, f)
		}
	}
	for _, f := range found {
		pass.Report(analysis.Diagnostic{
			Category: f.Rule, Pos: f.Pos, Message: f.Message(), Related: append(related(f), fix.obstacle(f)...), SuggestedFixes: fix.fixes(f),
		})
	}
	return nil
}

func related(f *guards.Violation) []analysis.RelatedInformation {
	var rel []analysis.RelatedInformation
	if f.Context == nil {
		return nil
	}
	for _, fr := range f.Context.Trace {
		if fr.At.IsValid() && fr.At != f.Pos {
			rel = append(rel, analysis.RelatedInformation{Pos: fr.At, Message: "on the way: " + fr.Fn.Name()})
		}
	}
	if f.Home != nil {
		rel = append(rel, analysis.RelatedInformation{Pos: f.Home.Spawn.Instr.Pos(), Message: "here the goroutine is started"},
			analysis.RelatedInformation{Pos: f.Home.Trace[len(f.Home.Trace)-1].At, Message: "here it changes the heap"})
	}
	for _, site := range f.Evidence() {
		rel = append(rel, analysis.RelatedInformation{Pos: site.Pos, Message: site.Lock + " is held here"})
	}
	return rel
}
