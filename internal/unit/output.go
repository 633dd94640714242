package unit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/fixes"
)

// The JSON types are those that the go command reads; x/tools declares them in
// an internal package.
type (
	// jsonTree maps the ID of the package and the name of an analyzer to a
	// []jsonDiagnostic or a jsonError.
	jsonTree map[string]map[string]any

	jsonError struct {
		Err string `json:"error"`
	}
	jsonDiagnostic struct {
		Category       string        `json:"category,omitempty"`
		Posn           string        `json:"posn"`
		End            string        `json:"end"`
		Message        string        `json:"message"`
		SuggestedFixes []jsonFix     `json:"suggested_fixes,omitempty"`
		Related        []jsonRelated `json:"related,omitempty"`
	}
	jsonFix struct {
		Message string     `json:"message"`
		Edits   []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		New      string `json:"new"`
	}
	jsonRelated struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
)

// FactsOnly stands in the place of an analyzer's name, with no findings, in what is
// said of a package of the main module that is analysed as a dependency. The go
// command caches what is said with the facts and says it again when the package is
// to be reported on; this tells that its findings are not known.
const FactsOnly = "facts-only"

// markFactsOnly says of a dependency that it is one.
func (cfg *config) markFactsOnly(opt *options) error {
	m := cfg.module()
	if cfg.Stdout == "" || !opt.json || m == nil || m.Version != "" {
		return nil
	}
	data, err := json.Marshal(jsonTree{cfg.ID: {FactsOnly: []jsonDiagnostic{}}})
	if err != nil {
		return err
	}
	return os.WriteFile(cfg.Stdout, append(data, '\n'), 0o666)
}

func (t *Tool) printJSON(u *unit, actions []*action, out *bytes.Buffer) int {
	// The package is named also where there is nothing to say of it: whoever reads
	// the go command's output can then tell which packages were analysed.
	found := map[string]any{}
	tree := jsonTree{u.cfg.ID: found}
	add := func(a *analysis.Analyzer, v any) { found[a.Name] = v }
	for _, act := range actions {
		if act.err != nil {
			add(act.analyzer, jsonError{act.err.Error()})
		} else if len(act.diagnostics) > 0 {
			list := make([]jsonDiagnostic, len(act.diagnostics))
			for i, d := range act.diagnostics {
				list[i] = toJSON(u.fset, d)
			}
			add(act.analyzer, list)
		}
	}
	data, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		return t.fail(err)
	}
	fmt.Fprintf(out, "%s\n", data)
	return exitOK
}

func toJSON(fset *token.FileSet, d analysis.Diagnostic) jsonDiagnostic {
	posn := func(pos token.Pos) string { return fset.Position(pos).String() }
	j := jsonDiagnostic{
		Category: d.Category,
		Posn:     posn(d.Pos),
		End:      posn(cmp.Or(d.End, d.Pos)),
		Message:  d.Message,
	}
	for _, f := range d.SuggestedFixes {
		fix := jsonFix{Message: f.Message}
		for _, e := range f.TextEdits {
			start, end := fset.Position(e.Pos), fset.Position(e.End)
			fix.Edits = append(fix.Edits, jsonEdit{start.Filename, start.Offset, end.Offset, string(e.NewText)})
		}
		j.SuggestedFixes = append(j.SuggestedFixes, fix)
	}
	for _, r := range d.Related {
		j.Related = append(j.Related, jsonRelated{posn(r.Pos), posn(cmp.Or(r.End, r.Pos)), r.Message})
	}
	return j
}

func (t *Tool) printPlain(u *unit, opt *options, actions []*action) int {
	status := exitOK
	for _, act := range actions {
		if act.err != nil {
			t.logf("%v", act.err)
			status = exitFindings
		}
	}
	for _, act := range actions {
		for _, d := range act.diagnostics {
			status = exitFindings
			t.printLine(u.fset, opt.context, d.Pos, d.End, d.Message)
			for _, r := range d.Related {
				t.printLine(u.fset, opt.context, r.Pos, r.End, "\t"+r.Message)
			}
		}
	}
	return status
}

// printLine prints a message at its position, with the source lines from pos to
// end and as many before and after as context says, none if it is negative.
func (t *Tool) printLine(fset *token.FileSet, context int, pos, end token.Pos, message string) {
	from := fset.Position(pos)
	fmt.Fprintf(t.Stderr, "%s: %s\n", from, message)
	if context < 0 {
		return
	}
	to := from
	if end.IsValid() {
		to = fset.Position(end)
	}
	data, err := os.ReadFile(from.Filename)
	if err != nil {
		return // context is a courtesy
	}
	lines := strings.Split(string(data), "\n")
	for n := max(1, from.Line-context); n <= min(len(lines), to.Line+context); n++ {
		fmt.Fprintf(t.Stderr, "%d\t%s\n", n, lines[n-1])
	}
}

// fix applies the fixes, or prints their diff. Fixes that cannot be applied are
// reported; the others are applied all the same.
func (t *Tool) fix(u *unit, opt *options, actions []*action, out *bytes.Buffer) int {
	var list []fixes.Fix
	status := exitOK
	for _, act := range actions {
		if act.err != nil {
			t.logf("%v", act.err)
			status = exitFindings
			continue
		}
		list = append(list, fixes.FromDiagnostics(u.fset, act.analyzer.Name, act.diagnostics)...)
	}
	res := fixes.Apply(list, u.readSource)
	for _, s := range res.Skipped {
		t.logf("fix not applied: %s: %v", s.Fix.Name, s.Reason)
	}
	if err := t.writeFixes(u, opt, res, out); err != nil {
		return t.fail(err)
	}
	// The go command throws a failed package's archive away, with the fixes
	// that could be applied.
	if len(res.Skipped) > 0 && u.cfg.FixArchive == "" {
		status = exitFindings
	}
	return status
}

func (t *Tool) writeFixes(u *unit, opt *options, res *fixes.Result, out *bytes.Buffer) error {
	switch {
	case opt.diff:
		for _, f := range res.Files {
			out.WriteString(f.Diff())
		}
		return nil
	case u.cfg.FixArchive != "":
		var zip bytes.Buffer
		if err := fixes.Archive(&zip, u.cfg.ID, res.Files); err != nil {
			return err
		}
		return os.WriteFile(u.cfg.FixArchive, zip.Bytes(), 0o666)
	default:
		return fixes.Write(res.Files)
	}
}

// readSource reads a source file to be fixed, and notices if it is no longer what
// was analysed.
func (u *unit) readSource(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for _, f := range u.files {
		if file := u.fset.File(f.FileStart); file.Name() == name && file.Size() != len(data) {
			return nil, fmt.Errorf("%s has changed since it was analysed", name)
		}
	}
	return data, nil
}
