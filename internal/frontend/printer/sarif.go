package printer

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"honnef.co/go/tools/sarif"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// The types of honnef.co/go/tools/sarif lack what these add.
type (
	sarifLog struct {
		Version string     `json:"version"`
		Schema  string     `json:"$schema"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Results     []sarifResult     `json:"results"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		BaseIDs     map[string]any    `json:"originalUriBaseIds,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		sarif.ReportingDescriptor
		Name            string         `json:"name"`
		FullDescription sarif.Message  `json:"fullDescription"`
		Properties      map[string]any `json:"properties,omitempty"`
	}
	sarifInvocation struct {
		sarif.Invocation
		StartTimeUTC  string              `json:"startTimeUtc,omitempty"`
		EndTimeUTC    string              `json:"endTimeUtc,omitempty"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string        `json:"level"`
		Message sarif.Message `json:"message"`
	}
	sarifResult struct {
		sarif.Result
		RuleIndex           int               `json:"ruleIndex"`
		Locations           []sarifLocation   `json:"locations"`
		CodeFlows           []sarifCodeFlow   `json:"codeFlows,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
		BaselineState       string            `json:"baselineState,omitempty"`
	}
	sarifLocation struct {
		sarif.Location
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind,omitempty"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifThreadFlowLocation `json:"locations"`
	}
	sarifThreadFlowLocation struct {
		Location sarif.Location `json:"location"`
	}
)

// fingerprintName is the key of heapvet's fingerprints; the number changes with
// what they are made of.
const fingerprintName = "heapvet/v1"

// srcRoot is the name of the directory that relative file names start from.
const srcRoot = "%SRCROOT%"

// SARIF writes a SARIF 2.1.0 log.
func SARIF(w io.Writer, d *Document) error {
	s := &sarifPrinter{doc: d, index: map[string]int{}}
	run := sarifRun{
		Results:    []sarifResult{},
		ColumnKind: "utf16CodeUnits",
		BaseIDs:    map[string]any{srcRoot: map[string]any{"description": map[string]string{"text": "the directory that heapvet ran in"}}},
	}
	run.Tool.Driver = sarifDriver{
		Name: "heapvet", Version: d.Version, InformationURI: "https://github.com/heapvet/heapvet", Rules: s.rules(),
	}
	invocation := sarifInvocation{Invocation: sarif.Invocation{ExecutionSuccessful: !d.Failed && len(d.Failures) == 0}}
	if !d.Started.IsZero() {
		invocation.StartTimeUTC = d.Started.UTC().Format(time.RFC3339)
		invocation.EndTimeUTC = d.Started.Add(d.Elapsed).UTC().Format(time.RFC3339)
	}
	for _, f := range d.Failures {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{
			Level: sarif.Error, Message: sarif.Message{Text: f.Check + " could not analyse " + f.Package + ": " + f.Message},
		})
	}
	run.Invocations = []sarifInvocation{invocation}
	state := ""
	if d.Comparison != nil {
		state = "new"
	}
	for _, f := range d.Findings {
		run.Results = append(run.Results, s.result(f, state))
	}
	for _, f := range d.Suppressed {
		run.Results = append(run.Results, s.result(f, ""))
	}
	if d.Comparison != nil {
		for _, f := range d.Comparison.Fixed {
			run.Results = append(run.Results, s.result(f, "absent"))
		}
	}
	return encode(w, sarifLog{Version: sarif.Version, Schema: sarif.Schema, Runs: []sarifRun{run}})
}

type sarifPrinter struct {
	doc *Document
	// index maps rule IDs to their place in the list of rules.
	index map[string]int
}

func (s *sarifPrinter) rules() []sarifRule {
	rules := []sarifRule{}
	for _, c := range s.doc.Checks {
		for i := range c.Rules {
			s.index[c.Name+"/"+c.Rules[i].Name] = len(rules)
			rules = append(rules, sarifRuleOf(c, &c.Rules[i]))
		}
	}
	return rules
}

func sarifRuleOf(c *check.Check, r *check.Rule) sarifRule {
	rule := sarifRule{Name: c.Name + "/" + r.Name, FullDescription: sarif.Message{Text: c.Title + ": " + r.Title}}
	rule.ID = c.Name + "/" + r.Name
	rule.ShortDescription = sarif.Message{Text: r.Title}
	rule.HelpURI = c.Analyzer.URL
	rule.DefaultConfiguration = sarif.ReportingConfiguration{Enabled: !r.Off, Level: sarif.Warning}
	var md strings.Builder
	writeRuleHelp(&md, c, r)
	rule.Help = sarif.Message{Text: md.String(), Markdown: md.String()}
	rule.Properties = map[string]any{"tags": []string{"correctness", "concurrency", "go"}}
	return rule
}

// writeRuleHelp writes a rule's documentation in Markdown.
func writeRuleHelp(md *strings.Builder, c *check.Check, r *check.Rule) {
	md.WriteString(r.Title + "\n\n")
	text := r.Text
	if text == "" {
		text = c.Text
	}
	md.WriteString(strings.TrimSpace(text) + "\n")
	for _, example := range []struct{ title, code string }{{"Wrong", r.Wrong}, {"Right", r.Right}} {
		if code := strings.Trim(example.code, "\n"); code != "" {
			md.WriteString("\n" + example.title + ":\n\n```go\n" + code + "\n```\n")
		}
	}
}

func (s *sarifPrinter) result(f *finding.Finding, state string) sarifResult {
	r := sarifResult{BaselineState: state}
	r.RuleID, r.Kind, r.Level = f.ID(), sarif.Fail, sarifLevel(f.Severity)
	r.RuleIndex = -1
	if i, ok := s.index[f.ID()]; ok {
		r.RuleIndex = i
	}
	r.Message = sarif.Message{Text: f.Message}
	place := sarifLocation{Location: s.location(f.Start, f.End, "")}
	if f.Decl != "" {
		place.LogicalLocations = []sarifLogical{{FullyQualifiedName: f.Package + "." + f.Decl}}
	}
	r.Locations = []sarifLocation{place}
	r.Suppressions = []sarif.Suppression{}
	if f.Suppressed != "" {
		r.Suppressions = append(r.Suppressions, sarif.Suppression{Kind: "external", Justification: f.Suppressed})
	}
	if f.Fingerprint != "" {
		r.PartialFingerprints = map[string]string{fingerprintName: f.Fingerprint}
	}
	for i, rel := range f.Related {
		loc := s.location(rel.Start, rel.End, rel.Message)
		loc.ID = i + 1
		r.RelatedLocations = append(r.RelatedLocations, loc)
	}
	if way := pathOf(f, s.doc.Source); len(way.Steps) > 1 {
		var flow sarifThreadFlow
		for _, step := range way.Steps {
			flow.Locations = append(flow.Locations, sarifThreadFlowLocation{s.location(step.Start, step.End, step.Message)})
		}
		r.CodeFlows = []sarifCodeFlow{{ThreadFlows: []sarifThreadFlow{flow}}}
	}
	for _, fix := range f.Fixes {
		if fixed, ok := s.fix(fix); ok {
			r.Fixes = append(r.Fixes, fixed)
		}
	}
	return r
}

// sarifLevel is the level of a severity: SARIF has the same words.
func sarifLevel(s finding.Severity) string {
	if s == "" {
		return sarif.Warning
	}
	return string(s)
}

func (s *sarifPrinter) location(start, end finding.Position, message string) sarif.Location {
	loc := sarif.Location{PhysicalLocation: sarif.PhysicalLocation{
		ArtifactLocation: s.artifact(start.File),
		Region:           s.region(start, end),
	}}
	if message != "" {
		loc.Message = &sarif.Message{Text: message}
	}
	return loc
}

func (s *sarifPrinter) artifact(file string) sarif.ArtifactLocation {
	shown := s.doc.Names.Show(file)
	if filepath.IsAbs(shown) {
		return sarif.ArtifactLocation{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(shown)}).String()}
	}
	return sarif.ArtifactLocation{URI: (&url.URL{Path: filepath.ToSlash(shown)}).String(), URIBaseID: srcRoot}
}

// region turns columns in bytes into SARIF's, in UTF-16 code units.
func (s *sarifPrinter) region(start, end finding.Position) sarif.Region {
	r := sarif.Region{StartLine: max(start.Line, 1), StartColumn: s.column(start)}
	if end.Line >= start.Line && end.Line > 0 {
		r.EndLine, r.EndColumn = end.Line, s.column(end)
	}
	return r
}

func (s *sarifPrinter) column(p finding.Position) int {
	line := s.doc.Source.File(p.File).Line(p.Line)
	if p.Col < 2 || p.Col-1 > len(line) {
		return max(p.Col, 1)
	}
	n := 1
	for _, r := range line[:p.Col-1] {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// fix turns a fix's byte offsets into regions. It reports false if a file of it
// cannot be read or is shorter than the offsets say.
func (s *sarifPrinter) fix(fix finding.Fix) (sarif.Fix, bool) {
	out := sarif.Fix{Description: sarif.Message{Text: fix.Message}, ArtifactChanges: []sarif.ArtifactChange{}}
	for _, e := range fix.Edits {
		start, ok1 := s.offset(e.File, e.Start)
		end, ok2 := s.offset(e.File, e.End)
		if !ok1 || !ok2 || e.Start > e.End {
			return out, false
		}
		out.ArtifactChanges = append(out.ArtifactChanges, sarif.ArtifactChange{
			ArtifactLocation: s.artifact(e.File),
			Replacements: []sarif.Replacement{{
				DeletedRegion:   s.region(start, end),
				InsertedContent: sarif.ArtifactContent{Text: e.New},
			}},
		})
	}
	return out, true
}

func (s *sarifPrinter) offset(file string, at int) (finding.Position, bool) {
	line, col, ok := s.doc.Source.File(file).Position(at)
	return finding.Position{File: file, Line: line, Col: col}, ok
}
