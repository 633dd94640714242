// Package lessorder defines the check that finds comparators by which a heap
// cannot be ordered.
package lessorder

import (
	"flag"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/ir"
	"github.com/heapvet/heapvet/internal/order"
)

var tests bool

// Check describes the check.
var Check = check.New(check.Check{
	Name:     "lessorder",
	Title:    "find comparators of heaps that are no strict weak order, or no function of their elements",
	Text:     text,
	Rules:    rules,
	Setup:    setup,
	Requires: []*analysis.Analyzer{heaps.Analyzer},
	Flags: func(f *flag.FlagSet) {
		ir.TestsFlag(f, &tests, "report comparators in test files too")
	},
	Run: run,
})

// Analyzer is the check as an analyzer.
var Analyzer = Check.Analyzer

func run(pass *analysis.Pass) error {
	p := pass.ResultOf[heaps.Analyzer].(*heaps.Lazy).Package()
	if p == nil {
		return nil
	}
	c := &checker{pass: pass, heaps: p}
	seen := map[*ssa.Function]bool{}
	for _, cmp := range order.Comparators(p) {
		if seen[cmp.Fn] || c.skip(cmp.Fn) {
			continue
		}
		seen[cmp.Fn] = true
		c.comparator(cmp)
	}
	return nil
}

type checker struct {
	pass  *analysis.Pass
	heaps *heaps.Package
}

// skip tells whether a comparator stands in a test file.
func (c *checker) skip(fn *ssa.Function) bool {
	return !tests && strings.HasSuffix(c.pass.Fset.Position(fn.Pos()).Filename, "_test.go")
}

func (c *checker) comparator(cmp order.Comparator) {
	r := order.Analyze(cmp.Fn, cmp.Kind)
	erratic := c.impure(cmp)
	if !c.differences(r) && !erratic {
		c.order(cmp, r)
	}
	c.self(r)
	c.nan(cmp, r)
	c.panics(cmp, r)
}
