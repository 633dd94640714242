// Survey runs fieldtag over modules at the level of their sources: their dependencies
// need not be compiled, and of those only the declarations are read, so that code may
// be judged whose dependencies do not build here. The figures and the findings of
// docs/evaluation-fieldtag.md come from it.
//
// Usage:
//
//	survey [-C dir] packages
//
// It prints one line a finding, tab-separated: file below dir, line, rule, message;
// and at last, to the standard error, the numbers of packages and files.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/heapvet/heapvet/analyzers/fieldtag"
)

func main() {
	dir := flag.String("C", ".", "`directory` to run in")
	flag.Parse()
	if err := survey(*dir, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "survey:", err)
		os.Exit(1)
	}
}

func survey(dir string, patterns []string) error {
	root, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	pkgs, err := packages.Load(&packages.Config{
		Dir:       dir,
		ParseFile: declarations(root),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
	}, patterns...)
	if err != nil {
		return err
	}
	files := 0
	for _, p := range pkgs {
		// What is missing in a dependency is no reason not to look at the tags.
		p.IllTyped, p.TypeErrors, p.Errors = false, nil, nil
		files += len(p.Syntax)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{fieldtag.Analyzer}, pkgs, nil)
	if err != nil {
		return err
	}
	var lines []string
	for _, act := range graph.Roots {
		if act.Err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", act.Package.PkgPath, act.Err)
		}
		for _, d := range act.Diagnostics {
			pos := act.Package.Fset.Position(d.Pos)
			lines = append(lines, fmt.Sprintf("%s\t%06d\t%s\t%s", strings.TrimPrefix(pos.Filename, root+string(filepath.Separator)), pos.Line, d.Category, d.Message))
		}
	}
	sort.Strings(lines)
	for _, l := range lines {
		fmt.Println(l)
	}
	fmt.Fprintf(os.Stderr, "%d packages, %d files, %d findings\n", len(pkgs), files, len(lines))
	return nil
}

// declarations parses files below root whole, and of others only the declarations.
func declarations(root string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	return func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		if strings.HasPrefix(name, root+string(filepath.Separator)) {
			return parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		}
		file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if file != nil {
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					fn.Body = nil
				}
			}
		}
		return file, err
	}
}
