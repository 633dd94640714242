package compare

import (
	"path"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// A Result is the outcome of a comparison. Each list keeps the order of the
// findings it is from.
type Result struct {
	// New are the findings of now that were not there before.
	New []*finding.Finding
	// Unchanged are the findings of now that were there before.
	Unchanged []*finding.Finding
	// Fixed are the findings of before that are gone.
	Fixed []*finding.Finding
}

// Moves knows what became of the code of before.
type Moves struct {
	// Gone tells whether the declaration that a finding of before is in is no longer
	// where it was: its code was then renamed, moved or deleted.
	Gone func(*finding.Finding) bool
	// Renamed maps files of now to the files of before that they came from.
	Renamed map[string]string
}

// Compare matches findings one to one. Those that are the same by their
// fingerprint go first. Of the rest, a finding of before whose declaration is gone
// matches one of now that differs only by the declaration or by the package, or by
// both where the file was renamed: the code has moved and is not new. As long as
// the declaration is still there, nothing has moved, and a like finding elsewhere
// is a new one.
func Compare(before, now []*finding.Finding, moves Moves) Result {
	m := &matcher{old: map[*finding.Finding]bool{}, matched: map[*finding.Finding]bool{}}
	for _, f := range before {
		m.old[f] = true
	}
	m.match(before, now, keyOf, keyOf)

	movable := make([]*finding.Finding, 0)
	for _, f := range before {
		if m.old[f] && (moves.Gone == nil || moves.Gone(f)) {
			movable = append(movable, f)
		}
	}
	if len(movable) > 0 {
		m.match(movable, now, withoutDecl, withoutDecl)
		m.match(movable, now, withoutPackage, withoutPackage)
		m.match(movable, now,
			func(f *finding.Finding) key { return inFile(f, f.Start.File) },
			func(f *finding.Finding) key { return inFile(f, moves.Renamed[f.Start.File]) })
	}

	var r Result
	for _, f := range now {
		if m.matched[f] {
			r.Unchanged = append(r.Unchanged, f)
		} else {
			r.New = append(r.New, f)
		}
	}
	for _, f := range before {
		if m.old[f] {
			r.Fixed = append(r.Fixed, f)
		}
	}
	return r
}

// A matcher keeps which findings are matched.
type matcher struct {
	// old holds the findings of before that are not matched yet.
	old map[*finding.Finding]bool
	// matched holds the findings of now that are.
	matched map[*finding.Finding]bool
}

func (m *matcher) match(before, now []*finding.Finding, oldKey, newKey func(*finding.Finding) key) {
	byKey := map[key][]*finding.Finding{}
	for _, f := range before {
		if m.old[f] {
			k := oldKey(f)
			byKey[k] = append(byKey[k], f)
		}
	}
	for _, f := range now {
		if m.matched[f] {
			continue
		}
		k := newKey(f)
		if same := byKey[k]; len(same) > 0 {
			m.matched[f] = true
			delete(m.old, same[0])
			byKey[k] = same[1:]
		}
	}
}

func withoutDecl(f *finding.Finding) key {
	k := keyOf(f)
	k.decl = ""
	return k
}

func withoutPackage(f *finding.Finding) key {
	k := keyOf(f)
	k.pkg, k.message = "", elsewhere(k.message, k.pkg)
	return k
}

func inFile(f *finding.Finding, file string) key {
	k := withoutPackage(f)
	k.decl, k.file = "", file
	if file == "" {
		k.file = "\x00" // matches nothing
	}
	return k
}

// elsewhere is a message without the names of its package, which change when code
// moves to another package.
func elsewhere(message, pkg string) string {
	message = strings.ReplaceAll(message, pkg+".", "")
	return strings.ReplaceAll(message, path.Base(pkg)+".", "")
}
