// Package heapuse defines the check of the uses of heaps.
package heapuse

import (
	"flag"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/ir"
	"github.com/heapvet/heapvet/internal/uses"
)

// Check describes the check.
var Check = check.New(check.Check{
	Name:     "heapuse",
	Title:    "find wrong uses of heaps",
	Text:     text,
	Rules:    rules,
	Setup:    setup,
	Requires: []*analysis.Analyzer{heaps.Analyzer},
	Flags: func(fs *flag.FlagSet) {
		ir.TestsFlag(fs, &inTests, "report in test files too")
	},
	Run: run,
})

// Analyzer is the check as an analyzer.
var Analyzer = Check.Analyzer

// inTests is the flag that includes test files.
var inTests bool

// A checker checks one package.
type checker struct {
	pass *analysis.Pass
	*uses.Package
}

func run(pass *analysis.Pass) error {
	pkg := pass.ResultOf[heaps.Analyzer].(*heaps.Lazy).Package()
	if pkg == nil {
		return nil
	}
	c := &checker{pass, uses.New(pkg)}
	for _, fn := range c.IR.Funcs {
		if len(fn.Blocks) == 0 || c.skipped(fn.Pos()) {
			continue
		}
		c.direct(fn)
		c.copies(fn)
		c.iterate(fn)
		c.order(fn)
		c.empty(fn)
		c.duplicates(fn)
		c.index(fn)
		c.initialize(fn)
		c.fix(fn)
	}
	return nil
}

func (c *checker) report(rule string, pos token.Pos, msg string, related ...analysis.RelatedInformation) {
	c.emit(analysis.Diagnostic{Pos: pos, Category: rule, Message: msg, Related: related})
}

func (c *checker) emit(d analysis.Diagnostic) {
	if d.Pos.IsValid() && !c.skipped(d.Pos) {
		c.pass.Report(d)
	}
}

// skipped tells whether nothing is reported at pos: it is in a test file, or in a
// generated one.
func (c *checker) skipped(pos token.Pos) bool {
	if !inTests && strings.HasSuffix(c.pass.Fset.Position(pos).Filename, "_test.go") {
		return true
	}
	f := c.file(pos)
	return f != nil && check.Generated(f)
}

// file is the file that a position is in, nil if it is in none of the package.
func (c *checker) file(pos token.Pos) *ast.File {
	for _, f := range c.pass.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return f
		}
	}
	return nil
}

func related(pos token.Pos, msg string) analysis.RelatedInformation {
	return analysis.RelatedInformation{Pos: pos, Message: msg}
}

// outermost returns the declared function that a function literal is in.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}
