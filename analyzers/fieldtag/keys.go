package fieldtag

import (
	"strings"

	"github.com/heapvet/heapvet/internal/tags"
)

// misnomers are wrong names of keys that are too far from the right one, or too
// short, for the edit distance.
var misnomers = map[string]string{"yml": "yaml", "josn": "json", "mapstruct": "mapstructure"}

// checkKeys reports misspelt keys. A key that nobody knows is one if it is an
// edit away from a key that the fields beside it use and that its own field lacks.
func (s *structure) checkKeys() {
	for _, f := range s.fields {
		for i := range f.tag.Pairs {
			pair := &f.tag.Pairs[i]
			if pair.Fault != nil && pair.Fault.Kind == tags.BareWord || pair.Key == "" || lookupKey(pair.Key) != nil {
				continue
			}
			meant := s.meantKey(f, pair.Key)
			if meant == "" || s.p.mentions(pair.Key) {
				continue
			}
			f.report("key", pair.Start, pair.Start+len(pair.Key),
				f.fix("write "+meant, tags.Edit{Start: pair.Start, End: pair.Start + len(pair.Key), New: meant}),
				"the key %s must be %s, as in the fields beside it; nobody reads it", pair.Key, meant)
		}
	}
}

// meantKey returns the key that must be meant by an unknown one, or "".
func (s *structure) meantKey(f *field, unknown string) string {
	meant := ""
	for _, sibling := range s.fields {
		for i := range sibling.tag.Pairs {
			key := sibling.tag.Pairs[i].Key
			if key != meant && suggestable(key) && near(unknown, key) && f.tag.Meant(key) == nil {
				meant = key
			}
		}
	}
	return meant
}

// suggestable tells whether a misspelt key may mean this one: it is read by
// reflect, or long enough that nothing else is near.
func suggestable(key string) bool {
	k := lookupKey(key)
	return k != nil && (k.Strict || len(key) >= 8)
}

// near tells whether unknown looks like a slip of the hand for key.
func near(unknown, key string) bool {
	if misnomers[unknown] == key || strings.EqualFold(unknown, key) {
		return true
	}
	// A letter or digit more at an end makes a name of its own, such as jsonb.
	if len(unknown) < 4 || strings.HasPrefix(unknown, key) || strings.HasSuffix(unknown, key) {
		return false
	}
	return tags.Distance(unknown, key, 1) == 1
}
