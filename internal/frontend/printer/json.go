package printer

import (
	"encoding/json"
	"io"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// JSONVersion is the version of the JSON format. It grows when a field changes
// its meaning or goes; new fields do not change it.
const JSONVersion = 1

// A Report is the JSON format's document.
type Report struct {
	Version  int           `json:"version"`
	Findings []JSONFinding `json:"findings"`
}

// A JSONFinding is one finding in the JSON format. File names are relative to the
// working directory where that is shorter, with forward slashes; lines and
// columns count from one, columns in bytes.
type JSONFinding struct {
	JSONPlace
	Check   string      `json:"check"`
	Rule    string      `json:"rule"`
	Package string      `json:"package"`
	Message string      `json:"message"`
	Related []JSONPlace `json:"related,omitempty"`
	Fixes   []JSONFix   `json:"fixes,omitempty"`
}

// A JSONPlace is a stretch of a source file. Message is why it is named, for
// places that explain a finding.
type JSONPlace struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"`
	Note      string `json:"note,omitempty"`
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

// JSON writes the findings as one JSON document, a [Report].
func JSON(w io.Writer, findings []*finding.Finding, names finding.Names) error {
	report := Report{Version: JSONVersion, Findings: make([]JSONFinding, 0, len(findings))}
	for _, f := range findings {
		report.Findings = append(report.Findings, jsonFinding(f, names))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}

func jsonFinding(f *finding.Finding, names finding.Names) JSONFinding {
	out := JSONFinding{
		JSONPlace: jsonPlace(f.Start, f.End, "", names),
		Check:     f.Check, Rule: f.Rule, Package: f.Package, Message: f.Message,
	}
	for _, r := range f.Related {
		out.Related = append(out.Related, jsonPlace(r.Start, r.End, r.Message, names))
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

func jsonPlace(start, end finding.Position, note string, names finding.Names) JSONPlace {
	return JSONPlace{
		File: names.Slash(start.File), Line: start.Line, Column: start.Col,
		EndLine: end.Line, EndColumn: end.Col, Note: note,
	}
}
