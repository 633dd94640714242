// Package marks has analyzers to test drivers with: one with facts of all kinds,
// one with fixes, one that fails, and one that needs the one that fails.
package marks

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// All are the analyzers.
var All = []*analysis.Analyzer{Mark, Rename, Boom, AfterBoom}

// Marked is the fact that an object's name, or its package's, has "mark" in it.
type Marked struct{ By string }

// AFact marks Marked as a fact.
func (*Marked) AFact() {}

func (m *Marked) String() string { return "marked by " + m.By }

// Mark exports facts about everything that is called a mark, and reports each use
// of such a thing, as well as the imports of marked packages.
var Mark = &analysis.Analyzer{
	Name:       "mark",
	Doc:        "find uses of marks",
	FactTypes:  []analysis.Fact{new(Marked)},
	Run:        mark,
	ResultType: reflect.TypeFor[int](),
}

var suffix string

func init() {
	Mark.Flags.StringVar(&suffix, "suffix", "", "to be `added` to the messages")
}

func mark(pass *analysis.Pass) (any, error) {
	isMark := func(name string) bool { return strings.Contains(strings.ToLower(name), "mark") }
	if isMark(pass.Pkg.Name()) {
		pass.ExportPackageFact(&Marked{"package " + pass.Pkg.Path()})
	}
	for id, obj := range pass.TypesInfo.Defs {
		if obj != nil && isMark(id.Name) {
			pass.ExportObjectFact(obj, &Marked{pass.Pkg.Path()})
		}
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || pass.TypesInfo.Uses[id] == nil {
				return true
			}
			var fact Marked
			if obj := origin(pass.TypesInfo.Uses[id]); pass.ImportObjectFact(obj, &fact) {
				pass.Report(analysis.Diagnostic{
					Pos:      id.Pos(),
					End:      id.End(),
					Category: "use",
					Message:  fmt.Sprintf("%s is %s%s", id.Name, &fact, suffix),
					Related:  []analysis.RelatedInformation{{Pos: f.Name.Pos(), Message: "in this file"}},
				})
			}
			return true
		})
	}
	for _, f := range pass.AllPackageFacts() {
		pass.ReportRangef(pass.Files[0].Name, "in sight: %s %s", f.Package.Path(), f.Fact)
	}
	return 0, nil
}

func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// Rename suggests to call newName instead of oldName, and to double variables
// that are called twice, which overlaps with itself.
var Rename = &analysis.Analyzer{
	Name: "rename",
	Doc:  "suggest fixes",
	Run:  rename,
}

func rename(pass *analysis.Pass) (any, error) {
	report := func(n ast.Node, text string) {
		pass.Report(analysis.Diagnostic{
			Pos:     n.Pos(),
			Message: "could be " + text,
			SuggestedFixes: []analysis.SuggestedFix{{
				Message:   "replace by " + text,
				TextEdits: []analysis.TextEdit{{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}},
			}},
		})
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "oldName" {
					report(call.Fun, "newName")
				}
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "clash" {
					report(call, "newName()")
					report(call, "other()")
				}
			}
			return true
		})
	}
	return nil, nil
}

// Boom panics on packages that are called panics, and fails on such as are
// called fails.
var Boom = &analysis.Analyzer{
	Name: "boom",
	Doc:  "fail",
	Run: func(pass *analysis.Pass) (any, error) {
		switch pass.Pkg.Name() {
		case "panics":
			panic("boom")
		case "fails":
			return nil, errors.New("not this one")
		}
		return nil, nil
	},
}

// AfterBoom requires Boom.
var AfterBoom = &analysis.Analyzer{
	Name:     "afterboom",
	Doc:      "need the one that fails",
	Requires: []*analysis.Analyzer{Boom},
	Run: func(pass *analysis.Pass) (any, error) {
		pass.ReportRangef(pass.Files[0].Name, "no boom")
		return nil, nil
	},
}
