package plugin

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// foldAll makes the analyzers report what golangci-lint can make use of. It reports
// each related position as a finding of its own, which would make many of one (they
// would count against limits, and stay when the finding is excluded), so the
// evidence goes into the message. And it applies all fixes of a finding, though
// they are alternatives, so only the first one stays.
//
// It changes the analyzers themselves, since the vetignore check requires the
// others: copies would run beside them.
func foldAll(analyzers []*analysis.Analyzer) {
	foldOnce.Do(func() {
		for _, a := range analyzers {
			run := a.Run
			a.Run = func(pass *analysis.Pass) (any, error) {
				own := *pass
				own.Report = func(d analysis.Diagnostic) { pass.Report(fold(pass.Fset, d)) }
				return run(&own)
			}
		}
	})
}

var foldOnce sync.Once

// fold drops all fixes but the first, and appends the related positions to the
// message: [file:line: message; ...]. Files in the finding's own directory are shown
// without it.
func fold(fset *token.FileSet, d analysis.Diagnostic) analysis.Diagnostic {
	if len(d.SuggestedFixes) > 1 {
		d.SuggestedFixes = d.SuggestedFixes[:1]
	}
	if len(d.Related) == 0 {
		return d
	}
	dir := filepath.Dir(fset.Position(d.Pos).Filename)
	parts := make([]string, len(d.Related))
	for i, r := range d.Related {
		posn := fset.Position(r.Pos)
		file := filepath.Base(posn.Filename)
		if from := filepath.Dir(posn.Filename); from != dir {
			file = filepath.Base(from) + "/" + file
		}
		parts[i] = fmt.Sprintf("%s:%d: %s", file, posn.Line, r.Message)
	}
	d.Message += " [" + strings.Join(parts, "; ") + "]"
	d.Related = nil
	return d
}
