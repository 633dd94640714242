// Command survey counts the comparators of packages and what package order makes
// of them: how many are decided, how many are strict weak orders, and why the
// others are opaque. The figures in docs/evaluation-comparators.md come from it.
//
// Usage:
//
//	survey [-C dir] [-v] [-tests] [-deps] packages
//
// A comparator is a method Less(i, j int) bool, or a function given to sort.Slice,
// sort.SliceStable, slices.SortFunc, slices.SortStableFunc, slices.MinFunc or
// slices.MaxFunc. It prints one line of figures, tab-separated: comparators,
// decided, strict weak orders, of those by samples only, broken, opaque. With -v,
// every broken and every opaque comparator follows with the reason, and the
// functions of other packages that were believed by their name. With -deps the
// bodies of those functions are in sight, as they are not for a vet tool.
package main

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/heapvet/heapvet/internal/order"
)

func main() {
	dir := flag.String("C", "", "`directory` to run in")
	verbose := flag.Bool("v", false, "list broken and opaque comparators")
	tests := flag.Bool("tests", false, "test files too")
	deps := flag.Bool("deps", false, "look into functions of other packages")
	flag.Parse()
	s, err := survey(*dir, *tests, *deps, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "survey:", err)
		os.Exit(1)
	}
	fmt.Printf("%d\t%d\t%d\t%d\t%d\t%d\n", s.all, s.strict+s.broken, s.strict, s.sampled, s.broken, s.opaque)
	if *verbose {
		sort.Strings(s.lines)
		for _, l := range s.lines {
			fmt.Println(l)
		}
	}
}

// figures are the counts of one run.
type figures struct {
	all, strict, sampled, broken, opaque int
	lines                                []string
}

// survey loads the packages that the patterns name and counts their comparators.
func survey(dir string, tests, deps bool, patterns []string) (*figures, error) {
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Tests: tests, Mode: packages.NeedName | packages.NeedFiles |
		packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes |
		packages.NeedExportFile | packages.NeedSyntax | packages.NeedTypesInfo}, patterns...)
	if err != nil {
		return nil, err
	}
	s := &figures{}
	seen := map[string]bool{}
	for i := range pkgs {
		if pkgs[i].IllTyped {
			continue
		}
		// One package at a time, as in a vet tool: the bodies of functions of other
		// packages are out of sight.
		load := ssautil.Packages
		if deps {
			load = ssautil.AllPackages
		}
		prog, built := load(pkgs[i:i+1], 0)
		prog.Build()
		for _, c := range comparators(prog, built[0]) {
			pos := prog.Fset.Position(c.Fn.Pos())
			if key := pos.String(); !seen[key] {
				seen[key] = true
				s.count(c, pos.String())
			}
		}
	}
	return s, nil
}

func (s *figures) count(c order.Comparator, pos string) {
	s.all++
	start := time.Now()
	r := order.Analyze(c.Fn, c.Kind)
	if d := time.Since(start); d > time.Second {
		s.lines = append(s.lines, fmt.Sprintf("slow\t%s\t%s\t%v", pos, c.Fn, d.Round(time.Millisecond)))
	}
	switch r.Verdict {
	case order.StrictWeak:
		s.strict++
		if r.Sampled {
			s.sampled++
		}
	case order.Broken:
		s.broken++
		s.lines = append(s.lines, fmt.Sprintf("broken\t%s\t%s\t%s %s", pos, c.Fn, r.Fault.Property, r.Fault))
	default:
		s.opaque++
		s.lines = append(s.lines, fmt.Sprintf("opaque\t%s\t%s\t%s", pos, c.Fn, r.Why))
	}
	for _, name := range r.Named {
		s.lines = append(s.lines, fmt.Sprintf("named\t%s\t%s\t%s", pos, c.Fn, name))
	}
	for _, x := range r.Self {
		s.lines = append(s.lines, fmt.Sprintf("self\t%s\t%s\t%s", pos, c.Fn, x.Key))
	}
	for _, x := range r.UnsafeUses {
		s.lines = append(s.lines, fmt.Sprintf("nil\t%s\t%s\t%s", pos, c.Fn, x.Key))
	}
	for _, x := range r.Differences {
		s.lines = append(s.lines, fmt.Sprintf("difference\t%s\t%s\t%d %s", pos, c.Fn, x.Kind, x.Key))
	}
}

// comparators finds those of a package, in source order.
func comparators(prog *ssa.Program, p *ssa.Package) []order.Comparator {
	var list []order.Comparator
	for fn := range functions(prog, p) {
		if isLess(fn) {
			list = append(list, order.Comparator{Fn: fn, Kind: order.IndexLess})
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok {
					list = append(list, sorted(call)...)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b order.Comparator) int { return int(a.Fn.Pos()) - int(b.Fn.Pos()) })
	return list
}

// functions are all source functions of a package.
func functions(prog *ssa.Program, p *ssa.Package) map[*ssa.Function]bool {
	all := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || all[fn] {
			return
		}
		all[fn] = true
		for _, a := range fn.AnonFuncs {
			add(a)
		}
	}
	for _, m := range p.Members {
		switch m := m.(type) {
		case *ssa.Function:
			add(m)
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok {
				for f := range named.Methods() {
					add(prog.FuncValue(f))
				}
			}
		}
	}
	return all
}

func isLess(fn *ssa.Function) bool {
	sig := fn.Signature
	return sig.Recv() != nil && fn.Name() == "Less" && len(fn.Blocks) > 0 && order.KindOf(sig) == order.Less &&
		sig.Params().Len() == 2 && types.Identical(sig.Params().At(0).Type(), types.Typ[types.Int])
}

// sorted is the comparator given to a call of sort or slices, if its source is known.
func sorted(call ssa.CallInstruction) []order.Comparator {
	callee := call.Common().StaticCallee()
	if callee == nil || callee.Object() == nil || callee.Object().Pkg() == nil {
		return nil
	}
	kind := order.NoComparator
	switch callee.Object().Pkg().Path() + "." + callee.Object().Name() {
	case "sort.Slice", "sort.SliceStable":
		kind = order.IndexLess
	case "slices.SortFunc", "slices.SortStableFunc", "slices.MinFunc", "slices.MaxFunc":
		kind = order.Compare
	}
	args := call.Common().Args
	if kind == order.NoComparator || len(args) < 2 {
		return nil
	}
	var fn *ssa.Function
	switch v := args[1].(type) {
	case *ssa.Function:
		fn = v
	case *ssa.MakeClosure:
		fn = v.Fn.(*ssa.Function)
	}
	if fn == nil || len(fn.Blocks) == 0 || strings.HasPrefix(fn.Synthetic, "bound") {
		return nil
	}
	return []order.Comparator{{Fn: fn, Kind: kind}}
}
