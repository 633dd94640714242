package cli

import (
	"fmt"
	"os"

	"github.com/heapvet/heapvet/internal/fixes"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

// fix applies the first fix of each finding, or shows what that would change, and
// tells what is left. It is done here and not by go vet -fix so that the
// configuration and baselines count, and any version of the go command will do.
func (a *app) fix(p *plan, doc *printer.Document, result *vetrun.Result, diff bool) error {
	var list []fixes.Fix
	left := 0
	for _, f := range doc.Findings {
		if len(f.Fixes) == 0 {
			left++
			continue
		}
		fix := fixes.Fix{Name: fmt.Sprintf("%s:%d: %s", doc.Names.Show(f.Start.File), f.Start.Line, f.ID())}
		for _, e := range f.Fixes[0].Edits {
			fix.Edits = append(fix.Edits, fixes.Edit{File: e.File, Start: e.Start, End: e.End, New: e.New})
		}
		list = append(list, fix)
	}
	r := fixes.Apply(list, os.ReadFile)
	for _, s := range r.Skipped {
		fmt.Fprintf(a.stderr, "heapvet: %s: the fix is not applied: %v\n", s.Fix.Name, s.Reason)
	}
	if diff {
		for _, f := range r.Files {
			f.Name = doc.Names.Show(f.Name)
			fmt.Fprint(a.stdout, f.Diff())
		}
	} else if err := fixes.Write(r.Files); err != nil {
		return fmt.Errorf("no file is changed: %w", err)
	}
	verb := "applied"
	if diff {
		verb = "to apply"
	}
	fmt.Fprintf(a.stderr, "heapvet: %d fixes %s in %d files; %d findings have no fix\n", r.Applied, verb, len(r.Files), left)
	if left+len(r.Skipped) > 0 || diff && len(r.Files) > 0 {
		a.status = exitFindings
	}
	return a.failures(result)
}
