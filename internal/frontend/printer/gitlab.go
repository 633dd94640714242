package printer

import (
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab writes a code quality report, the subset of Code Climate's format that
// GitLab reads. Fingerprints must be unique there, so that a repeated one gets a
// number.
func GitLab(w io.Writer, d *Document) error {
	severities := map[finding.Severity]string{finding.Error: "critical", finding.Warning: "major", finding.Note: "info"}
	issues := make([]gitlabIssue, 0, len(d.Findings))
	seen := map[string]int{}
	for _, f := range d.Findings {
		id := f.Fingerprint
		if id == "" {
			id = f.ID() + " " + d.Names.Slash(f.Start.File) + " " + f.Message
		}
		seen[id]++
		severity := severities[f.Severity]
		if severity == "" {
			severity = "major"
		}
		issues = append(issues, gitlabIssue{
			Description: f.Message, CheckName: f.ID(), Severity: severity,
			Fingerprint: fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %d", id, seen[id])))[:32],
			Location:    gitlabLocation{d.Names.Slash(f.Start.File), gitlabLines{max(f.Start.Line, 1)}},
		})
	}
	return encode(w, issues)
}
