// Package lesscapture defines the check that finds comparators whose captured
// state changes, goes stale or dies under the heap.
package lesscapture

import (
	"flag"
	"go/token"
	"go/types"
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
	Name:     "lesscapture",
	Title:    "find comparators of heaps whose captured state changes, goes stale or dies under the heap",
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
	c := newChecker(pass, p)
	for _, cmp := range order.Comparators(p) {
		if c.skip(cmp.Fn) {
			continue
		}
		set := order.SetOf(cmp)
		if cmp.Closure != nil {
			c.variables(cmp, set)
			c.stale(cmp)
			c.lifetime(cmp)
		}
		c.given(cmp, set)
		c.tables(cmp, set)
		c.fields(cmp, set)
	}
	return nil
}

// skip tells whether a comparator stands in a test file.
func (c *checker) skip(fn *ssa.Function) bool {
	return !tests && strings.HasSuffix(c.pass.Fset.Position(fn.Pos()).Filename, "_test.go")
}

type checker struct {
	pass    *analysis.Pass
	heaps   *heaps.Package
	effects map[*ssa.Function]opSet
	callers map[*ssa.Function][]ssa.CallInstruction
	told    map[string]bool
}

func newChecker(pass *analysis.Pass, p *heaps.Package) *checker {
	c := &checker{pass: pass, heaps: p, effects: map[*ssa.Function]opSet{}, callers: map[*ssa.Function][]ssa.CallInstruction{}, told: map[string]bool{}}
	for _, fn := range p.IR.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok {
					if callee := source(call.Common().StaticCallee()); callee != nil {
						c.callers[callee] = append(c.callers[callee], call)
					}
				}
			}
		}
	}
	c.summarize()
	return c
}

// source is the generic function of an instance, and any other function itself.
func source(fn *ssa.Function) *ssa.Function {
	if fn != nil && fn.Origin() != nil {
		return fn.Origin()
	}
	return fn
}

// report reports each place once for a comparator.
func (c *checker) report(pos token.Pos, rule, message string, at ...analysis.RelatedInformation) {
	if !pos.IsValid() {
		return
	}
	var related []analysis.RelatedInformation
	for _, r := range at {
		if r.Pos.IsValid() {
			related = append(related, r)
		}
	}
	c.pass.Report(analysis.Diagnostic{Pos: pos, Category: rule, Message: message, Related: related})
}

func (c *checker) line(pos token.Pos) int { return c.pass.Fset.Position(pos).Line }

// who writes a comparator as its reader knows it.
func who(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return "this comparator"
	}
	if recv := fn.Signature.Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return n.Obj().Name() + "." + fn.Name()
		}
	}
	return fn.Name()
}
