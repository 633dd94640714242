package unit

import (
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/facts"
	"github.com/heapvet/heapvet/internal/fixes"
)

// An action is the run of one analyzer on the package.
type action struct {
	analyzer *analysis.Analyzer
	requires []*action
	once     sync.Once

	result      any
	err         error
	diagnostics []analysis.Diagnostic
	warnings    []string // about the analyzer, not the package
}

// analyze runs the analyzers and all that they require, each once, in parallel
// where they do not wait for each other. It returns the actions of the analyzers
// in their order.
func (u *unit) analyze(analyzers []*analysis.Analyzer, set *facts.Set) []*action {
	graph := map[*analysis.Analyzer]*action{}
	var add func(a *analysis.Analyzer) *action
	add = func(a *analysis.Analyzer) *action {
		if act := graph[a]; act != nil {
			return act
		}
		act := &action{analyzer: a}
		graph[a] = act
		for _, req := range a.Requires {
			act.requires = append(act.requires, add(req))
		}
		return act
	}
	roots := make([]*action, len(analyzers))
	for i, a := range analyzers {
		roots[i] = add(a)
	}
	u.runAll(roots, set)
	return roots
}

func (u *unit) runAll(actions []*action, set *facts.Set) {
	var wg sync.WaitGroup
	for _, act := range actions {
		wg.Go(func() {
			act.once.Do(func() { u.run(act, set) })
		})
	}
	wg.Wait()
}

func (u *unit) run(act *action, set *facts.Set) {
	u.runAll(act.requires, set)
	inputs := map[*analysis.Analyzer]any{}
	var failed []string
	for _, req := range act.requires {
		if req.err != nil {
			failed = append(failed, req.analyzer.Name)
		}
		inputs[req.analyzer] = req.result
	}
	if failed != nil {
		slices.Sort(failed)
		act.err = fmt.Errorf("failed prerequisites: %s", strings.Join(failed, ", "))
		return
	}
	// A panic in one analyzer must not take the others along.
	defer func() {
		if r := recover(); r != nil {
			act.err = fmt.Errorf("internal error in %s, analysing package %s: %v\n%s", act.analyzer.Name, u.cfg.ID, r, debug.Stack())
		}
	}()
	act.result, act.err = act.analyzer.Run(u.pass(act, inputs, set))
}

func (u *unit) pass(act *action, inputs map[*analysis.Analyzer]any, set *facts.Set) *analysis.Pass {
	own := map[reflect.Type]bool{}
	for _, f := range act.analyzer.FactTypes {
		own[reflect.TypeOf(f)] = true
	}
	return &analysis.Pass{
		Analyzer:          act.analyzer,
		Fset:              u.fset,
		Files:             u.files,
		OtherFiles:        u.cfg.NonGoFiles,
		IgnoredFiles:      u.cfg.IgnoredFiles,
		Pkg:               u.pkg,
		TypesInfo:         u.info,
		TypesSizes:        u.sizes,
		Module:            u.cfg.module(),
		ResultOf:          inputs,
		ReadFile:          u.readFile,
		Report:            func(d analysis.Diagnostic) { act.diagnostics = append(act.diagnostics, u.checkFixes(act, d)) },
		ImportObjectFact:  set.ImportObjectFact,
		ExportObjectFact:  set.ExportObjectFact,
		ImportPackageFact: set.ImportPackageFact,
		ExportPackageFact: set.ExportPackageFact,
		AllObjectFacts:    func() []analysis.ObjectFact { return set.AllObjectFacts(own) },
		AllPackageFacts:   func() []analysis.PackageFact { return set.AllPackageFacts(own) },
	}
}

// checkFixes returns the diagnostic without fixes that are wrong in themselves,
// of which it warns, or cannot be applied to the source.
func (u *unit) checkFixes(act *action, d analysis.Diagnostic) analysis.Diagnostic {
	d.SuggestedFixes = slices.Clone(d.SuggestedFixes)
	if err := fixes.Validate(u.fset, d.SuggestedFixes); err != nil {
		act.warnings = append(act.warnings, fmt.Sprintf("%s: invalid fix from %s: %v", u.fset.Position(d.Pos), act.analyzer.Name, err))
		d.SuggestedFixes = nil
	}
	d.SuggestedFixes = slices.DeleteFunc(d.SuggestedFixes, func(f analysis.SuggestedFix) bool {
		return fixes.Processed(u.fset, f)
	})
	return d
}

// readFile reads a file of the package, and no other, as [analysis.Pass] wants it.
func (u *unit) readFile(name string) ([]byte, error) {
	if !slices.Contains(u.cfg.GoFiles, name) && !slices.Contains(u.cfg.NonGoFiles, name) && !slices.Contains(u.cfg.IgnoredFiles, name) {
		return nil, fmt.Errorf("%s is not a file of package %s", name, u.cfg.ID)
	}
	return os.ReadFile(name)
}
