package fixes

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// FromDiagnostics returns the first suggested fix of each diagnostic that has
// one. The fixes must be valid (see [Validate]).
func FromDiagnostics(fset *token.FileSet, check string, diagnostics []analysis.Diagnostic) []Fix {
	var list []Fix
	for _, d := range diagnostics {
		if len(d.SuggestedFixes) == 0 {
			continue
		}
		f := Fix{Name: fmt.Sprintf("%s: %s", fset.Position(d.Pos), check)}
		for _, e := range d.SuggestedFixes[0].TextEdits {
			file := fset.File(e.Pos)
			f.Edits = append(f.Edits, Edit{
				File:  file.Name(),
				Start: file.Offset(e.Pos),
				End:   file.Offset(e.End),
				New:   string(e.NewText),
			})
		}
		list = append(list, f)
	}
	return list
}

// Validate checks the suggested fixes of one diagnostic: their messages differ,
// and the edits of each lie in files and do not overlap. It sorts the edits, and
// completes those without an end.
func Validate(fset *token.FileSet, list []analysis.SuggestedFix) error {
	seen := map[string]bool{}
	for i := range list {
		f := &list[i]
		if seen[f.Message] {
			return fmt.Errorf("two fixes with the message %q", f.Message)
		}
		seen[f.Message] = true
		if err := validate(fset, f.TextEdits); err != nil {
			return fmt.Errorf("fix %q: %w", f.Message, err)
		}
	}
	return nil
}

func validate(fset *token.FileSet, edits []analysis.TextEdit) error {
	for i := range edits {
		e := &edits[i]
		if !e.End.IsValid() {
			e.End = e.Pos
		}
		file := fset.File(e.Pos)
		if file == nil {
			return fmt.Errorf("edit %d is in no file", i)
		}
		eof := token.Pos(file.Base() + file.Size())
		// The end of a node whose closing token is missing is computed, and
		// may lie a little behind the end of the file.
		if e.End > eof && e.End < eof+10 {
			e.End = eof
		}
		if e.End < e.Pos || e.End > eof {
			return fmt.Errorf("edit %d ends before its start or outside its file", i)
		}
	}
	slices.SortStableFunc(edits, func(x, y analysis.TextEdit) int {
		return cmp.Or(cmp.Compare(x.Pos, y.Pos), cmp.Compare(x.End, y.End))
	})
	for i := 1; i < len(edits); i++ {
		if edits[i].Pos < edits[i-1].End {
			return fmt.Errorf("overlapping edits at %s", fset.Position(edits[i].Pos))
		}
	}
	return nil
}

// Processed tells whether a fix edits a file that was made from another one (by
// cgo or a generator, which say so by line directives): offsets in the one mean
// nothing in the other, so such a fix cannot be applied.
func Processed(fset *token.FileSet, f analysis.SuggestedFix) bool {
	return slices.ContainsFunc(f.TextEdits, func(e analysis.TextEdit) bool {
		return fset.PositionFor(e.Pos, true).Filename != fset.PositionFor(e.Pos, false).Filename
	})
}
