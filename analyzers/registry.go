// Package analyzers is the registry of the checks.
//
// Each check is a folder of its own here, which holds the rule and its wording;
// the theory that it stands on is below internal/. To add a check, write its
// folder and add a line to internal/list.
package analyzers

import (
	"flag"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/analyzers/internal/list"
	"github.com/heapvet/heapvet/analyzers/vetignore"
	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// Checks returns all checks in the order in which they are listed to users.
func Checks() []*check.Check { return append(list.Checks(), vetignore.Check) }

// All returns the analyzers of all checks, in the same order.
func All() []*analysis.Analyzer {
	var all []*analysis.Analyzer
	for _, c := range Checks() {
		all = append(all, c.Analyzer)
	}
	return all
}

// Skip makes the check of the analyzer look at nothing (see [check.Check.Skip]).
func Skip(a *analysis.Analyzer) {
	for _, c := range Checks() {
		if c.Analyzer == a {
			c.Skip()
		}
	}
}

// Flags adds the flags that belong to no single check: models of types that the
// analysis does not know by itself.
func Flags(fs *flag.FlagSet) {
	fs.Var(heaps.Models, "heap-models", "heap types of libraries, a `JSON` list of {package, type, methods}: methods are init, push, pop, fix, remove, peek or len")
	fs.Var(locks.Models, "lock-models", "lock types with methods of other names, a `JSON` list of {package, type, methods}: methods are lock, unlock, rlock, runlock, trylock or tryrlock")
}
