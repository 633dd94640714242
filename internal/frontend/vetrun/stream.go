package vetrun

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// A Failure is a check that could not analyse a package.
type Failure struct {
	Check, Package, Message string
}

// A Unit is what the tool said about one compilation unit.
type Unit struct {
	// Package is the unit's import path; "" if the tool does not name it.
	Package string
	// FactsOnly says that the tool has looked at the package as a dependency, so
	// that its findings are not known.
	FactsOnly bool
	Findings  []*finding.Finding
	Failures  []Failure
}

// A handler takes the parts of the go command's output as they arrive.
type handler struct {
	unit func(Unit)
	text func(line string)
}

// readStream splits what `go vet -json` writes into the tool's JSON objects and
// all other lines, which the go command and the compiler wrote. Since Go 1.26 the
// objects come on standard output and the text on standard error; before, both
// came on standard error and a line "# package" stood before each, so one reader
// does for both streams. An object begins with a line that begins with a brace
// and ends with a line that is a closing brace.
func readStream(r io.Reader, h handler) error {
	in := bufio.NewReaderSize(r, 1<<16)
	var object bytes.Buffer
	header := "" // a "# package" line whose next line is not known yet
	text := func(line string) {
		if header != "" {
			h.text(header)
			header = ""
		}
		h.text(line)
	}
	for {
		line, err := in.ReadBytes('\n')
		trimmed := bytes.TrimRight(line, "\r\n")
		switch {
		case object.Len() > 0 || len(trimmed) > 0 && trimmed[0] == '{':
			object.Write(line)
			single := object.Len() == len(line)
			if !single && string(trimmed) != "}" || single && !json.Valid(trimmed) {
				break
			}
			unit, perr := parseUnit(object.Bytes())
			if perr != nil {
				return perr
			}
			h.unit(unit)
			object.Reset()
			header = ""
		case bytes.HasPrefix(trimmed, []byte("# ")):
			if header != "" {
				h.text(header)
			}
			header = string(trimmed)
		case len(trimmed) > 0:
			text(string(trimmed))
		}
		if err != nil {
			if object.Len() > 0 {
				return fmt.Errorf("the go command's output ends inside a JSON object: %.80s", object.Bytes())
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// The JSON that vet tools print: package ID → analyzer → diagnostics or an error.
type (
	jsonTree       map[string]map[string]json.RawMessage
	jsonDiagnostic struct {
		Category string        `json:"category"`
		Posn     string        `json:"posn"`
		End      string        `json:"end"`
		Message  string        `json:"message"`
		Fixes    []jsonFix     `json:"suggested_fixes"`
		Related  []jsonRelated `json:"related"`
	}
	jsonRelated struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
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
	jsonError struct {
		Err string `json:"error"`
	}
)

func parseUnit(data []byte) (Unit, error) {
	var tree jsonTree
	if err := json.Unmarshal(data, &tree); err != nil {
		return Unit{}, fmt.Errorf("reading the go command's JSON: %w", err)
	}
	var unit Unit
	for _, id := range sortedKeys(tree) {
		unit.Package = packagePath(id)
		if _, ok := tree[id][factsOnly]; ok {
			unit.FactsOnly = true
			delete(tree[id], factsOnly)
		}
		if variantOfOther(id) {
			unit.Package = ""
		}
		for _, check := range sortedKeys(tree[id]) {
			if err := unit.add(packagePath(id), check, tree[id][check]); err != nil {
				return Unit{}, fmt.Errorf("reading the findings of %s in %s: %w", check, id, err)
			}
		}
	}
	return unit, nil
}

func (u *Unit) add(pkg, check string, raw json.RawMessage) error {
	if len(raw) > 0 && raw[0] == '{' {
		var e jsonError
		if err := json.Unmarshal(raw, &e); err != nil {
			return err
		}
		u.Failures = append(u.Failures, Failure{Check: check, Package: pkg, Message: e.Err})
		return nil
	}
	var diags []jsonDiagnostic
	if err := json.Unmarshal(raw, &diags); err != nil {
		return err
	}
	for _, d := range diags {
		u.Findings = append(u.Findings, d.finding(pkg, check))
	}
	return nil
}

func (d *jsonDiagnostic) finding(pkg, check string) *finding.Finding {
	f := &finding.Finding{
		Check: check, Rule: d.Category, Package: pkg, Message: d.Message,
		Start: parsePosition(d.Posn), End: parsePosition(d.End),
	}
	for _, r := range d.Related {
		related := finding.Related{Start: parsePosition(r.Posn), End: parsePosition(r.End), Message: r.Message}
		if !slices.Contains(f.Related, related) {
			f.Related = append(f.Related, related)
		}
	}
	for _, fix := range d.Fixes {
		edits := make([]finding.Edit, len(fix.Edits))
		for i, e := range fix.Edits {
			edits[i] = finding.Edit{File: e.Filename, Start: e.Start, End: e.End, New: e.New}
		}
		f.Fixes = append(f.Fixes, finding.Fix{Message: fix.Message, Edits: edits})
	}
	return f
}

// factsOnly is what unit.FactsOnly is in the driver.
const factsOnly = "facts-only"

// variantOfOther tells whether the package is one that was compiled anew for the
// test of another: "q [p.test]". Such a package is never reported on.
func variantOfOther(id string) bool {
	path, test, ok := strings.Cut(id, " [")
	return ok && strings.TrimSuffix(path, "_test") != strings.TrimSuffix(test, ".test]")
}

// packagePath strips from a package ID what marks a test variant:
// "p [p.test]" is p, and "p_test [p.test]" is p_test.
func packagePath(id string) string {
	path, _, _ := strings.Cut(id, " ")
	return path
}

// parsePosition reads "file:line:col" or "file:line". A file name may contain
// colons.
func parsePosition(s string) finding.Position {
	if s == "" || s == "-" {
		return finding.Position{}
	}
	file, last, ok := cutLastNumber(s)
	if !ok {
		return finding.Position{File: s}
	}
	if f, line, ok := cutLastNumber(file); ok {
		return finding.Position{File: f, Line: line, Col: last}
	}
	return finding.Position{File: file, Line: last}
}

func cutLastNumber(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
