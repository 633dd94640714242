package printer

import (
	"encoding/json"
	"io"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// JSONVersion is the version of the JSON format. It grows when a field changes
// its meaning or goes; new fields do not change it.
const JSONVersion = 1

// A Report is the JSON format's document. docs/json.md describes it for its users.
type Report struct {
	Version    int             `json:"version"`
	Tool       JSONTool        `json:"tool"`
	Findings   []JSONFinding   `json:"findings"`
	Suppressed []JSONFinding   `json:"suppressed,omitempty"`
	Failures   []JSONFailure   `json:"failures,omitempty"`
	Comparison *JSONComparison `json:"comparison,omitempty"`
	// Complete is false if not all packages could be analysed.
	Complete bool `json:"complete"`
}

// JSONTool is the program that wrote the report.
type JSONTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A JSONFinding is one finding in the JSON format. File names are relative to the
// working directory where that is shorter, with forward slashes; lines and
// columns count from one, columns in bytes.
type JSONFinding struct {
	JSONPlace
	Check       string           `json:"check"`
	Rule        string           `json:"rule"`
	Severity    finding.Severity `json:"severity"`
	Package     string           `json:"package"`
	Declaration string           `json:"declaration,omitempty"`
	Message     string           `json:"message"`
	Fingerprint string           `json:"fingerprint,omitempty"`
	Suppressed  string           `json:"suppressed,omitempty"`
	Related     []JSONRelated    `json:"related,omitempty"`
	Fixes       []JSONFix        `json:"fixes,omitempty"`
}

// A JSONPlace is a stretch of a source file.
type JSONPlace struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"`
}

// A JSONRelated is a place that explains a finding.
type JSONRelated struct {
	JSONPlace
	Message string `json:"message"`
}

// A JSONFix is a proposed change.
type JSONFix struct {
	Message string     `json:"message"`
	Edits   []JSONEdit `json:"edits"`
}

// A JSONEdit replaces the bytes from Start to End of a file.
type JSONEdit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// A JSONFailure is a check that could not analyse a package.
type JSONFailure struct {
	Check   string `json:"check"`
	Package string `json:"package"`
	Message string `json:"message"`
}

// A JSONComparison is what a gate found out beside the new findings.
type JSONComparison struct {
	Against   string        `json:"against"`
	Fixed     []JSONFinding `json:"fixed"`
	Unchanged int           `json:"unchanged"`
}

// JSON writes one JSON document, a [Report].
func JSON(w io.Writer, d *Document) error {
	report := Report{
		Version: JSONVersion, Tool: JSONTool{"heapvet", d.Version}, Complete: !d.Failed,
		Findings: jsonFindings(d.Findings, d.Names), Suppressed: jsonFindings(d.Suppressed, d.Names),
	}
	for _, f := range d.Failures {
		report.Failures = append(report.Failures, JSONFailure(f))
	}
	if c := d.Comparison; c != nil {
		report.Comparison = &JSONComparison{c.Against, jsonFindings(c.Fixed, d.Names), c.Unchanged}
	}
	return encode(w, report)
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func jsonFindings(findings []*finding.Finding, names finding.Names) []JSONFinding {
	out := make([]JSONFinding, len(findings))
	for i, f := range findings {
		out[i] = jsonFinding(f, names)
	}
	return out
}

func jsonFinding(f *finding.Finding, names finding.Names) JSONFinding {
	out := JSONFinding{
		JSONPlace: jsonPlace(f.Start, f.End, names),
		Check:     f.Check, Rule: f.Rule, Severity: f.Severity, Package: f.Package, Declaration: f.Decl,
		Message: f.Message, Fingerprint: f.Fingerprint, Suppressed: f.Suppressed,
	}
	for _, r := range f.Related {
		out.Related = append(out.Related, JSONRelated{jsonPlace(r.Start, r.End, names), r.Message})
	}
	for _, fix := range f.Fixes {
		edits := make([]JSONEdit, len(fix.Edits))
		for i, e := range fix.Edits {
			edits[i] = JSONEdit{File: names.Slash(e.File), Start: e.Start, End: e.End, New: e.New}
		}
		out.Fixes = append(out.Fixes, JSONFix{Message: fix.Message, Edits: edits})
	}
	return out
}

func jsonPlace(start, end finding.Position, names finding.Names) JSONPlace {
	return JSONPlace{
		File: names.Slash(start.File), Line: start.Line, Column: start.Col,
		EndLine: end.Line, EndColumn: end.Col,
	}
}
