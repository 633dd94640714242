package ir

import (
	"flag"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// wanted are the values of all flags made by [TestsFlag].
var wanted []*bool

// TestsFlag adds to a check's flags the one that makes it look at test files, kept
// in v, with the given usage. While no check looks at them, they are
// left out of the SSA form: the tests of a package are often larger than the
// package, and what is found in the package must not depend on whether it is built
// with its tests.
func TestsFlag(fs *flag.FlagSet, v *bool, usage string) {
	fs.BoolVar(v, "tests", false, usage)
	wanted = append(wanted, v)
}

func wantTests() bool {
	for _, v := range wanted {
		if *v {
			return true
		}
	}
	return false
}

// sources returns the files that the SSA form is made of, and the types for them.
// The rest of a package never refers to its test files, but for methods of its
// types that only they declare, which are external functions then.
func sources(pass *analysis.Pass) ([]*ast.File, *types.Info) {
	if wantTests() {
		return pass.Files, pass.TypesInfo
	}
	var files []*ast.File
	for _, f := range pass.Files {
		if !inTest(pass, f) {
			files = append(files, f)
		}
	}
	if len(files) == len(pass.Files) {
		return pass.Files, pass.TypesInfo
	}
	info := *pass.TypesInfo
	info.InitOrder = nil
	for _, init := range pass.TypesInfo.InitOrder {
		if !strings.HasSuffix(pass.Fset.Position(init.Rhs.Pos()).Filename, "_test.go") {
			info.InitOrder = append(info.InitOrder, init)
		}
	}
	return files, &info
}

func inTest(pass *analysis.Pass, f *ast.File) bool {
	return strings.HasSuffix(pass.Fset.Position(f.FileStart).Filename, "_test.go")
}
