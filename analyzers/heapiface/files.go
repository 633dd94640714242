package heapiface

import (
	"flag"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/ir"
)

// inTests is the flag that includes test files.
var inTests bool

func flags(fs *flag.FlagSet) {
	ir.TestsFlag(fs, &inTests, "report in test files too")
}

// skipped tells whether nothing is reported at pos: it is in a test file, or in a
// generated one.
func skipped(pass *analysis.Pass, pos token.Pos) bool {
	name := pass.Fset.Position(pos).Filename
	if !inTests && strings.HasSuffix(name, "_test.go") {
		return true
	}
	f := fileAt(pass, pos)
	return f != nil && check.Generated(f)
}

// fileAt is the file that a position is in, nil if it is in none of the package.
func fileAt(pass *analysis.Pass, pos token.Pos) *ast.File {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return f
		}
	}
	return nil
}
