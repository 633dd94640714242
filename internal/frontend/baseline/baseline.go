// Package baseline keeps known findings in a file, so that only others are
// reported.
//
// The file is YAML, made to be read in review: one entry for each finding, without
// lines and counts, sorted, so that an unrelated edit changes nothing in it.
package baseline

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/heapvet/heapvet/internal/frontend/compare"
	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// Version is the version of the file's form.
const Version = 1

const header = `# Findings of heapvet that are known and not reported. Written by "heapvet baseline
# write"; "heapvet baseline update" brings the file up to date, "heapvet baseline
# prune" only takes out what no longer occurs. Numbers in messages are #.
`

// A Baseline is the content of a file.
type Baseline struct {
	Version  int     `yaml:"version"`
	Findings []Entry `yaml:"findings"`
}

// An Entry is one known finding, or several that are alike.
type Entry struct {
	// File is relative to the baseline's file, with forward slashes.
	File    string `yaml:"file"`
	In      string `yaml:"in,omitempty"`
	Rule    string `yaml:"rule"`
	Code    string `yaml:"code,omitempty"`
	Message string `yaml:"message"`
	Package string `yaml:"package"`
	// Count is the number of such findings; zero is one.
	Count int `yaml:"count,omitempty"`
}

// Read reads a file.
func Read(name string) (*Baseline, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b := &Baseline{}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(b); err != nil {
		return nil, fmt.Errorf("%s is no baseline: %s", name, yaml.FormatError(err, false, true))
	}
	if b.Version != Version {
		return nil, fmt.Errorf("%s has version %d of the baseline's form; this heapvet reads version %d", name, b.Version, Version)
	}
	return b, nil
}

// New makes a baseline of findings, which must be identified. Its file is in dir.
func New(findings []*finding.Finding, dir string) *Baseline {
	counts := map[Entry]int{}
	for _, f := range findings {
		counts[entryOf(f, dir)]++
	}
	b := &Baseline{Version: Version, Findings: []Entry{}}
	for e, n := range counts {
		if n > 1 {
			e.Count = n
		}
		b.Findings = append(b.Findings, e)
	}
	slices.SortFunc(b.Findings, Entry.compare)
	return b
}

func entryOf(f *finding.Finding, dir string) Entry {
	return Entry{
		File: relative(f.Start.File, dir), In: f.Decl, Rule: f.ID(), Code: f.Code,
		Message: compare.Message(f.Message), Package: f.Package,
	}
}

func relative(file, dir string) string {
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

func (e Entry) compare(o Entry) int {
	return cmp.Or(
		cmp.Compare(e.File, o.File), cmp.Compare(e.In, o.In), cmp.Compare(e.Rule, o.Rule),
		cmp.Compare(e.Code, o.Code), cmp.Compare(e.Message, o.Message), cmp.Compare(e.Package, o.Package))
}

// Marshal is the content of the file.
func (b *Baseline) Marshal() ([]byte, error) {
	text, err := yaml.MarshalWithOptions(b, yaml.IndentSequence(false))
	return append([]byte(header), text...), err
}

// Entries are the known findings, one for each that is counted. Files become
// absolute; dir is the directory of the baseline's file.
func (b *Baseline) Entries(dir string) []*finding.Finding {
	var out []*finding.Finding
	for _, e := range b.Findings {
		check, rule, _ := strings.Cut(e.Rule, "/")
		for range max(e.Count, 1) {
			f := &finding.Finding{
				Check: check, Rule: rule, Package: e.Package, Decl: e.In, Code: e.Code, Message: e.Message,
				Start: finding.Position{File: filepath.Join(dir, filepath.FromSlash(e.File))},
			}
			f.Fingerprint = compare.Fingerprint(f)
			out = append(out, f)
		}
	}
	return out
}
