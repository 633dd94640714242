// Package vetignore knows the directives that suppress findings: it parses them,
// matches them with findings, and accounts for those that matched nothing.
package vetignore

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// Analyzer finds the directives of a package. Its result is an [*Index].
var Analyzer = &analysis.Analyzer{
	Name:       "vetignoredirectives",
	Doc:        "find the directives that suppress findings",
	Run:        func(*analysis.Pass) (any, error) { return &Index{}, nil },
	ResultType: reflect.TypeFor[*Index](),
}

// An Index holds the directives of one package. It may be used by several
// goroutines at once.
type Index struct{}

// Ignored reports whether a directive covers a finding of the rule of the check
// at pos, and notes that the directive was of use.
func (x *Index) Ignored(check, rule string, pos token.Pos) bool { return false }
