package printer

import (
	"io"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// The types follow reviewdog's proto/rdf/jsonschema/DiagnosticResult.json.
type (
	rdResult struct {
		Source      rdSource       `json:"source"`
		Diagnostics []rdDiagnostic `json:"diagnostics"`
	}
	rdSource struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	rdDiagnostic struct {
		Message     string         `json:"message"`
		Location    rdLocation     `json:"location"`
		Severity    string         `json:"severity"`
		Code        rdCode         `json:"code"`
		Suggestions []rdSuggestion `json:"suggestions,omitempty"`
		Related     []rdRelated    `json:"relatedLocations,omitempty"`
	}
	rdCode struct {
		Value string `json:"value"`
		URL   string `json:"url,omitempty"`
	}
	rdRelated struct {
		Message  string     `json:"message"`
		Location rdLocation `json:"location"`
	}
	rdSuggestion struct {
		Range rdRange `json:"range"`
		Text  string  `json:"text"`
	}
	rdLocation struct {
		Path  string  `json:"path"`
		Range rdRange `json:"range"`
	}
	rdRange struct {
		Start rdPosition  `json:"start"`
		End   *rdPosition `json:"end,omitempty"`
	}
	rdPosition struct {
		Line   int `json:"line"`
		Column int `json:"column,omitempty"`
	}
)

// RDJSON writes reviewdog's diagnostic format.
func RDJSON(w io.Writer, d *Document) error {
	result := rdResult{Source: rdSource{"heapvet", "https://github.com/heapvet/heapvet"}, Diagnostics: []rdDiagnostic{}}
	for _, f := range d.Findings {
		diag := rdDiagnostic{
			Message: f.Message, Severity: strings.ToUpper(sarifLevel(f.Severity)),
			Location: rdLocationOf(f.Start, f.End, d.Names), Code: rdCode{Value: f.ID()},
		}
		if f.Severity == finding.Note {
			diag.Severity = "INFO"
		}
		if c, _ := d.rule(f); c != nil {
			diag.Code.URL = c.Analyzer.URL
		}
		for _, r := range f.Related {
			diag.Related = append(diag.Related, rdRelated{r.Message, rdLocationOf(r.Start, r.End, d.Names)})
		}
		diag.Suggestions = rdSuggestions(f, d)
		result.Diagnostics = append(result.Diagnostics, diag)
	}
	return encode(w, result)
}

// rdSuggestions offers the first fix, if it stays within the finding's file:
// a suggestion has no file of its own.
func rdSuggestions(f *finding.Finding, d *Document) []rdSuggestion {
	if len(f.Fixes) == 0 {
		return nil
	}
	var out []rdSuggestion
	for _, e := range f.Fixes[0].Edits {
		file := d.Source.File(e.File)
		l1, c1, ok1 := file.Position(e.Start)
		l2, c2, ok2 := file.Position(e.End)
		if e.File != f.Start.File || !ok1 || !ok2 {
			return nil
		}
		out = append(out, rdSuggestion{rdRange{rdPosition{l1, c1}, &rdPosition{l2, c2}}, e.New})
	}
	return out
}

func rdLocationOf(start, end finding.Position, names finding.Names) rdLocation {
	loc := rdLocation{names.Slash(start.File), rdRange{Start: rdPosition{start.Line, start.Col}}}
	if end.Line > 0 {
		loc.Range.End = &rdPosition{end.Line, end.Col}
	}
	return loc
}
