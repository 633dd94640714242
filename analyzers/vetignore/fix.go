package vetignore

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/vetignore"
)

func isMisplaced(d *vetignore.Directive) bool {
	return d.Spelling == vetignore.GoVet && d.Trailing && d.HasEffect()
}

// misplaced reports a //go: comment at the end of a line.
func misplaced(pass *analysis.Pass, d *vetignore.Directive) {
	text := d.Comment.Text
	var fixes []analysis.SuggestedFix
	if m := d.Move; m != nil {
		fixes = edit(pass, d, "move the directive to a line of its own",
			analysis.TextEdit{Pos: m.At, End: m.At, NewText: []byte(text + "\n" + m.Indent)},
			analysis.TextEdit{Pos: m.Cut, End: d.Comment.End()})
	}
	fixes = append(fixes, replace(pass, d, fmt.Sprintf("write %s, which may stand here", vetignore.Heapvet),
		vetignore.Heapvet.String()+text[len(vetignore.GoVet.String()):])...)
	report(pass, d, "misplaced",
		fmt.Sprintf("the compiler refuses a //go: comment at the end of a line; move it to a line of its own or write %s", vetignore.Heapvet), fixes...)
}

// replace is the fix that puts text in place of the directive.
func replace(pass *analysis.Pass, d *vetignore.Directive, message, text string) []analysis.SuggestedFix {
	return edit(pass, d, message, analysis.TextEdit{Pos: d.Comment.Pos(), End: d.Comment.End(), NewText: []byte(text)})
}

// edit is a fix of one file, or nothing if the file is not the one that its author
// wrote (cgo's copies).
func edit(pass *analysis.Pass, d *vetignore.Directive, message string, edits ...analysis.TextEdit) []analysis.SuggestedFix {
	if file(pass, d.Comment.Pos(), true) != file(pass, d.Comment.Pos(), false) {
		return nil
	}
	return []analysis.SuggestedFix{{Message: message, TextEdits: edits}}
}

func file(pass *analysis.Pass, pos token.Pos, adjusted bool) string {
	return pass.Fset.PositionFor(pos, adjusted).Filename
}
