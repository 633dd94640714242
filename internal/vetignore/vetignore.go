// Package vetignore knows the directives that suppress findings: it parses them,
// matches them with findings, and accounts for those that matched nothing.
//
// heapvet's own directives are
//
//	//go:vet-ignore[=check,check/rule] [reason]
//	//heapvet:ignore[=check,check/rule] [reason]
//
// On a line of its own either covers the statement, field, declaration or list
// element that follows, whole, and above the package clause the file. The compiler
// refuses //go: comments at the end of a line ("misplaced compiler directive");
// there only the second may stand, and covers the line.
//
// Of other tools, //nolint (golangci-lint), //lint:ignore and //lint:file-ignore
// (staticcheck) are honoured, with the scopes that these tools give them.
package vetignore

import (
	"os"
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// HonourNolint says whether //nolint without a list and //nolint:heapvet count. It is a
// variable because it is set by a flag, before any analysis. golangci-lint honours
// them itself, and would find that they suppress nothing if the finding never came
// out; //nolint:heaplock means nothing to it, for its linter is called heapvet.
var HonourNolint = true

// Analyzer finds the directives of a package. Its result is an [*Index].
var Analyzer = &analysis.Analyzer{
	Name: "vetignoredirectives",
	Doc:  "find the directives that suppress findings",
	Run: func(pass *analysis.Pass) (any, error) {
		read := pass.ReadFile
		if read == nil { // drivers older than x/tools v0.21
			read = os.ReadFile
		}
		return newIndex(pass.Fset, pass.Files, read, HonourNolint)
	},
	ResultType: reflect.TypeFor[*Index](),
}
