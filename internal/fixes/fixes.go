// Package fixes applies the fixes that diagnostics suggest to the source.
//
// A fix is applied whole or not at all. Fixes are merged in their order; one
// that overlaps those before it, edits a generated file, or would leave a file
// that does not parse is skipped, with the reason. An edit that two fixes have in
// common, such as an added import, is made once. Nothing is written before all is
// decided (see [Write]).
package fixes

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// A Fix is a set of edits that belong together.
type Fix struct {
	// Name says where the fix is from, for messages: position and check.
	Name  string
	Edits []Edit
}

// An Edit replaces the bytes from Start up to End of a file's content.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// A Result is what came of a list of fixes.
type Result struct {
	// Files are the files that change, sorted by name.
	Files []File
	// Applied is the number of fixes that are in Files.
	Applied int
	// Skipped are the other fixes, in their order.
	Skipped []Skipped
}

// A File is a changed file.
type File struct {
	Name     string
	Old, New []byte
}

// A Skipped is a fix that was not applied.
type Skipped struct {
	Fix    Fix
	Reason error
}

// Reasons to skip a fix, besides errors of reading a file.
var (
	ErrConflict  = errors.New("it overlaps another fix")
	ErrGenerated = errors.New("it would edit a generated file")
	ErrSyntax    = errors.New("the result would not parse")
	ErrRange     = errors.New("it is out of the file's range")
)

// Apply merges the fixes. It reads each file once, by read, and writes none.
// Files that were formatted by gofmt before are so afterwards, and imports of
// which the last use went away are removed.
func Apply(fixes []Fix, read func(name string) ([]byte, error)) *Result {
	m := &merger{read: read, files: map[string]*source{}}
	var res Result
	for _, f := range fixes {
		if err := m.add(f); err != nil {
			res.Skipped = append(res.Skipped, Skipped{f, err})
		} else {
			res.Applied++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		src := m.files[name]
		if content := tidy(name, src.old, src.new); string(content) != string(src.old) {
			res.Files = append(res.Files, File{name, src.old, content})
		}
	}
	return &res
}

// Diff returns the change as a unified diff.
func (f File) Diff() string {
	return udiff.Unified(f.Name+" (old)", f.Name+" (new)", string(f.Old), string(f.New))
}

type merger struct {
	read  func(string) ([]byte, error)
	files map[string]*source
}

// A source is a file with the edits accepted so far.
type source struct {
	old       []byte
	new       []byte
	edits     []udiff.Edit
	generated bool
}

// add applies a fix, or leaves all as it was and says why.
func (m *merger) add(f Fix) error {
	type change struct {
		edits []udiff.Edit
		new   []byte
	}
	changes := map[*source]change{}
	for name, edits := range byFile(f.Edits) {
		src, err := m.source(name)
		if err != nil {
			return err
		}
		if src.generated {
			return ErrGenerated
		}
		merged, err := merge(src.edits, edits)
		if err != nil {
			return err
		}
		content, err := udiff.ApplyBytes(src.old, merged)
		if err != nil {
			return ErrRange
		}
		if isGo(name) && !parses(content) {
			return ErrSyntax
		}
		changes[src] = change{merged, content}
	}
	for src, c := range changes {
		src.edits, src.new = c.edits, c.new
	}
	return nil
}

func (m *merger) source(name string) (*source, error) {
	if src := m.files[name]; src != nil {
		return src, nil
	}
	content, err := m.read(name)
	if err != nil {
		return nil, err
	}
	src := &source{old: content, new: content, generated: isGo(name) && generated(content)}
	m.files[name] = src
	return src, nil
}

// byFile groups a fix's edits by file, sorted by position; several insertions at
// one position keep their order.
func byFile(edits []Edit) map[string][]udiff.Edit {
	files := map[string][]udiff.Edit{}
	for _, e := range edits {
		files[e.File] = append(files[e.File], udiff.Edit{Start: e.Start, End: e.End, New: e.New})
	}
	for _, list := range files {
		udiff.SortEdits(list)
	}
	return files
}

// merge returns the union of two sorted lists of edits. Edits that are in both
// appear once; of different insertions at one position, those of old come first.
func merge(old, more []udiff.Edit) ([]udiff.Edit, error) {
	all := slices.Clone(old)
	for _, e := range more {
		if !slices.Contains(old, e) {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(x, y udiff.Edit) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	for i := 1; i < len(all); i++ {
		if all[i].Start < all[i-1].End {
			return nil, ErrConflict
		}
	}
	return all, nil
}

func isGo(name string) bool { return strings.HasSuffix(name, ".go") }

func parses(src []byte) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	return err == nil
}

func generated(src []byte) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.ParseComments)
	return err == nil && ast.IsGenerated(f)
}
