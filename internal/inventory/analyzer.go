package inventory

import (
	"cmp"
	"encoding/json"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
)

// Name is the analyzer's name, and so the flag of the vet tool that runs it.
const Name = "heapinventory"

// Analyzer gives each heap of a package as a diagnostic whose message is a [Record].
// It is no check: the command asks for it by name, and no one else runs it.
var Analyzer = &analysis.Analyzer{
	Name:     Name,
	Doc:      "list the heaps of a package and their guards, for the heaps command\n\nEach diagnostic is one heap, and its message a record in JSON.",
	Requires: []*analysis.Analyzer{locks.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	a := pass.ResultOf[locks.Analyzer].(*locks.Lazy).Analysis()
	if a == nil {
		return nil, nil
	}
	a.Lock()
	defer a.Unlock()
	opts := guards.ForPass(pass)
	for _, h := range list(a, guards.Find(a, opts), opts) {
		message, err := json.Marshal(h.record)
		if err != nil {
			return nil, err
		}
		d := analysis.Diagnostic{Pos: h.pos, Message: string(message)}
		for _, u := range h.uses {
			text, err := json.Marshal(u.Use)
			if err != nil {
				return nil, err
			}
			d.Related = append(d.Related, analysis.RelatedInformation{Pos: u.pos, Message: string(text)})
			d.Pos = cmp.Or(d.Pos, u.pos)
		}
		if d.Pos != token.NoPos {
			pass.Report(d)
		}
	}
	return nil, nil
}
