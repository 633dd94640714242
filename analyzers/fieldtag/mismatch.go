package fieldtag

import (
	"slices"
	"strings"

	"github.com/heapvet/heapvet/internal/tags"
)

// nameOf returns the name that the field's tag gives it for a key, or "".
func (f *field) nameOf(key string) string {
	value, _ := f.value(key)
	if key == "protobuf" {
		tag, _ := tags.ParseProto(value)
		return tag.Name
	}
	if name := tags.Name(value); name != "-" {
		return name
	}
	return ""
}

// namedKeys returns the keys of the struct whose values begin with a name, in the
// order of their first fields.
func (s *structure) namedKeys() []string {
	var found []string
	for _, f := range s.fields {
		for i := range f.tag.Pairs {
			pair := &f.tag.Pairs[i]
			if key := lookupKey(pair.Key); key != nil && (key.Style == tags.Named || key.Style == tags.Proto) && pair.Visible && !slices.Contains(found, pair.Key) {
				found = append(found, pair.Key)
			}
		}
	}
	return found
}

// checkSwapped reports fields that have each other's names: the Go name of one is
// the name in the tag of the next, all around a circle.
func (s *structure) checkSwapped() {
	if len(s.fields) < 2 {
		return
	}
	byName := map[string]*field{}
	for _, f := range s.fields {
		byName[tags.Fold(f.v.Name())] = f
	}
	for _, key := range s.namedKeys() {
		for _, f := range s.fields {
			if next := s.circle(f, key, byName); next != nil {
				pair := f.tag.Lookup(key)
				f.reportPair("swap", pair, nil, "the %s name of %s is %q, which is the name of %s, whose own is %q: they are swapped",
					key, f.name(), f.nameOf(key), next.name(), next.nameOf(key))
			}
		}
	}
}

// circle follows from field to field: from one with another's name to that other.
// If it comes back to f it returns the field after f.
func (s *structure) circle(f *field, key string, byName map[string]*field) *field {
	next := func(f *field) *field {
		name := tags.Fold(f.nameOf(key))
		if name == "" || name == tags.Fold(f.v.Name()) {
			return nil
		}
		return byName[name]
	}
	first := next(f)
	at := first
	for range s.fields {
		if at == nil || at == f {
			break
		}
		at = next(at)
	}
	if at != f {
		return nil
	}
	return first
}

// checkMismatch reports a field whose names for two keys differ by a slip of the
// hand: by one or two edits, where one is the Go name and the other is not, and
// other fields have equal names for both keys.
func (s *structure) checkMismatch() {
	names := s.namedKeys()
	for i, a := range names {
		for _, b := range names[i+1:] {
			s.mismatch(a, b)
		}
	}
}

func (s *structure) mismatch(a, b string) {
	agree, differ := s.agreement(a, b)
	if len(differ) == 0 || agree <= len(differ) {
		return
	}
	for _, f := range differ {
		wrong, right := a, b
		if tags.Fold(f.nameOf(a)) == tags.Fold(f.v.Name()) {
			wrong, right = b, a
		}
		wrongName, rightName := f.nameOf(wrong), f.nameOf(right)
		if tags.Fold(rightName) != tags.Fold(f.v.Name()) || !slip(tags.Fold(wrongName), tags.Fold(rightName)) {
			continue
		}
		pair := f.tag.Lookup(wrong)
		if pair.Escaped {
			continue
		}
		start := pair.ValueStart + strings.Index(pair.Value, wrongName)
		fixes := f.fix("write "+rightName, tags.Edit{Start: start, End: start + len(wrongName), New: rightName})
		f.reportPair("mismatch", pair, fixes, "the %s name of %s is %q, but the %s name is %q: one of them is misspelt", wrong, f.name(), wrongName, right, rightName)
	}
}

// agreement counts the fields whose names for two keys are the same but for style,
// and returns those whose names are not.
func (s *structure) agreement(a, b string) (agree int, differ []*field) {
	for _, f := range s.fields {
		x, y := f.nameOf(a), f.nameOf(b)
		switch {
		case x == "" || y == "":
		case tags.Fold(x) == tags.Fold(y):
			agree++
		default:
			differ = append(differ, f)
		}
	}
	return agree, differ
}

// slip tells whether one name is a misspelt form of the other, rather than a
// singular, a numbered one or a word of its own.
func slip(wrong, right string) bool {
	limit := 1
	if min(len(wrong), len(right)) >= 8 {
		limit = 2
	}
	if min(len(wrong), len(right)) < 5 || tags.Distance(wrong, right, limit) > limit {
		return false
	}
	long, short := wrong, right
	if len(long) < len(short) {
		long, short = short, long
	}
	if strings.HasPrefix(long, short) || strings.HasSuffix(long, short) {
		return false
	}
	return digits(wrong) == digits(right)
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// checkConflict reports a field whose names for two keys differ where those of all
// other fields agree.
func (s *structure) checkConflict() {
	names := s.namedKeys()
	for i, a := range names {
		for _, b := range names[i+1:] {
			agree, differ := s.agreement(a, b)
			if len(differ) != 1 || agree < 3 {
				continue
			}
			f := differ[0]
			f.reportPair("conflict", f.tag.Lookup(b), nil, "%s is %q for %s and %q for %s, while all other fields of the struct have one name for both",
				f.name(), f.nameOf(a), a, f.nameOf(b), b)
		}
	}
}
