package printer

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

type checkstyleReport struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// Checkstyle writes the XML of the Checkstyle tool.
func Checkstyle(w io.Writer, d *Document) error {
	report := checkstyleReport{Version: "10.0"}
	for _, f := range d.Findings {
		name := d.Names.Slash(f.Start.File)
		if n := len(report.Files); n == 0 || report.Files[n-1].Name != name {
			report.Files = append(report.Files, checkstyleFile{Name: name})
		}
		severity := string(f.Severity)
		switch f.Severity {
		case finding.Note:
			severity = "info"
		case "":
			severity = "warning"
		}
		file := &report.Files[len(report.Files)-1]
		file.Errors = append(file.Errors, checkstyleError{f.Start.Line, f.Start.Col, severity, f.Message, "heapvet." + f.ID()})
	}
	return writeXML(w, report)
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Line      int           `xml:"line,attr,omitempty"`
	Failure   *junitProblem `xml:"failure,omitempty"`
	Error     *junitProblem `xml:"error,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a test report: a suite for each check, a failed case for each
// finding, and one passed case for a check without findings.
func JUnit(w io.Writer, d *Document) error {
	report := junitSuites{Name: "heapvet", Time: fmt.Sprintf("%.3f", d.Elapsed.Seconds())}
	suites := map[string]*junitSuite{}
	var order []*junitSuite
	suite := func(check string) *junitSuite {
		if suites[check] == nil {
			suites[check] = &junitSuite{Name: check}
			order = append(order, suites[check])
		}
		return suites[check]
	}
	for _, c := range d.Checks {
		suite(c.Name)
	}
	for _, f := range d.Findings {
		s := suite(f.Check)
		s.Failures++
		s.Cases = append(s.Cases, junitCase{
			Name: position(f.Start, d.Names), ClassName: f.Check + "." + f.Rule,
			File: d.Names.Slash(f.Start.File), Line: f.Start.Line,
			Failure: &junitProblem{f.Message, f.ID(), junitText(f, d)},
		})
	}
	for _, f := range d.Failures {
		s := suite(f.Check)
		s.Errors++
		s.Cases = append(s.Cases, junitCase{Name: f.Package, ClassName: f.Check, Error: &junitProblem{"could not analyse " + f.Package, "failure", f.Message}})
	}
	for _, s := range order {
		if len(s.Cases) == 0 {
			s.Cases = []junitCase{{Name: "no findings", ClassName: s.Name}}
		}
		s.Tests = len(s.Cases)
		report.Tests += s.Tests
		report.Failures += s.Failures
		report.Errors += s.Errors
		report.Suites = append(report.Suites, *s)
	}
	return writeXML(w, report)
}

func junitText(f *finding.Finding, d *Document) string {
	text := position(f.Start, d.Names) + ": " + f.Message + "\n"
	for _, r := range f.Related {
		text += "\t" + position(r.Start, d.Names) + ": " + r.Message + "\n"
	}
	return text
}

func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
