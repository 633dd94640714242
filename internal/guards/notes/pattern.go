package notes

import (
	"slices"
	"strings"
)

// A pattern is a template of a phrase. It is written as words between blanks:
//
//	word        that word
//	a|b_c       either "a" or "b c"
//	x?          x or nothing
//	<lock>      what names a lock: "mu", "the read lock", "c's mutex"
//	*           up to four words of the clause
//	^           the start of a clause
//	$           the end of a clause
//	.           the end of a sentence, or of what stands in parentheses
//	%name       the alternatives of that name in [vocabulary]
type pattern []element

type element struct {
	alternatives map[string][][]string // by their first word
	optional     bool
	lock         bool
	start, end   bool
	stop         bool
	words        bool
}

// vocabulary holds the alternatives that several patterns share.
var vocabulary = map[string]string{
	"who": "caller|callers|you|one|user|users|client_code|calling_function|calling_code",
	"must": "must|should|shall|must_not|must_never|should_not|should_never|may_not|mustn't|shouldn't|need|needs|needs_to|need_to|has_to|have_to|is_expected_to|are_expected_to|" +
		"is_required_to|are_required_to|is_assumed_to|are_assumed_to|is_responsible_for|are_responsible_for|" +
		"is_supposed_to|are_supposed_to|ought_to|is_expecting_to|assumed_to|expected_to|required_to",
	"already": "already|always|also|first|both|currently|at_least|now|only|all|either|itself|themselves",
	"hold": "hold|holds|holding|held|own|owns|have|has|having|acquire|acquires|acquired|acquiring|take|takes|taken|" +
		"taking|grab|lock|locks|locked|locking|obtain|obtained|get|have_acquired|has_acquired|have_locked|" +
		"has_locked|have_taken|has_taken|hold_on|be_holding|is_holding|are_holding|have_obtained|has_obtained",
	"held": "held|locked|acquired|taken|obtained|rlocked|owned|grabbed|acquire|hold|lock|in_place|read-locked|write-locked",
	"call": "call|called|invoke|invoked|use|used|run|runs|execute|executed|callable|calling|entered|happen|occur",
	"guarded": "guarded|protected|synchronized|synchronised|serialized|serialised|covered|governed|" +
		"controlled|locked|lock-protected|gaurded|guared|proteced|secured|sync'd|synced",
	"by": "by|with|under|via|using|through|behind|from|by_using|with_the_help_of|by_holding",
	"access": "access|done|performed|made|happen|happens|maintained|initialized|incremented|decremented|accessed|accesses|accessing|read|reads|reading|written|write|writes|writing|modified|modify|" +
		"modifying|modification|mutated|mutate|mutating|updated|update|updates|updating|used|use|using|touched|touch|touching|" +
		"changed|change|changing|set|setting|manipulated|referenced|mutations|modifications|mutation|valid|replaced",
	"holding": "holding|while_holding|when_holding|if_holding|after_acquiring|after_locking|after_taking|by_holding|with_holding|" +
		"while_having|only_while_holding|after_having_acquired|only_when_holding|only_after_acquiring|while_owning|after_holding",
	"within": "under|inside|within|in|inside_of|underneath",
}

// compile turns the text of a pattern into elements. It panics on a fault in the
// text, which is a constant of this package.
func compile(text string) pattern {
	var p pattern
	for part := range strings.FieldsSeq(text) {
		var e element
		part, e.optional = strings.CutSuffix(part, "?")
		switch {
		case part == "^":
			e.start = true
		case part == "$":
			e.end = true
		case part == ".":
			e.stop = true
		case part == "*":
			e.words = true
		case part == "<lock>":
			e.lock = true
		default:
			e.alternatives = map[string][][]string{}
			for alt := range strings.SplitSeq(part, "|") {
				e.add(alt)
			}
		}
		for _, alts := range e.alternatives {
			slices.SortStableFunc(alts, func(a, b []string) int { return len(b) - len(a) })
		}
		p = append(p, e)
	}
	return p
}

// add adds an alternative, or those of a name in the vocabulary.
func (e *element) add(alt string) {
	name, ok := strings.CutPrefix(alt, "%")
	if !ok {
		words := strings.Split(alt, "_")
		e.alternatives[words[0]] = append(e.alternatives[words[0]], words)
		return
	}
	alts, ok := vocabulary[name]
	if !ok {
		panic("notes: no vocabulary " + name)
	}
	for alt := range strings.SplitSeq(alts, "|") {
		e.add(alt)
	}
}

// A match is where a pattern fits a sentence.
type match struct {
	start, end int // the words of the match
	locks      lockPhrase
}

// find returns the first fit of the pattern in the sentence at or after from.
func (p pattern) find(s []word, from int) (match, bool) {
	for i := from; i < len(s); i++ {
		m := match{start: i}
		if p.fit(s, i, &m) {
			return m, true
		}
	}
	return match{}, false
}

func (p pattern) fit(s []word, at int, m *match) bool {
	if len(p) == 0 {
		m.end = at
		return true
	}
	e, rest := p[0], p[1:]
	switch {
	case e.start:
		return clauseStart(s, at) && rest.fit(s, at, m)
	case e.end:
		return clauseEnd(s, at) && rest.fit(s, at, m)
	case e.stop:
		return sentenceEnd(s, at) && rest.fit(s, at, m)
	case e.words:
		for i := at; i <= at+4; i++ {
			if rest.fit(s, i, m) {
				return true
			}
			if clauseEnd(s, i) {
				break
			}
		}
	case e.lock:
		if phrase, ok := parseLock(s, at); ok {
			m.locks = phrase
			if rest.fit(s, phrase.end, m) {
				return true
			}
		}
	case at < len(s):
		for _, alt := range e.alternatives[s[at].low] {
			if fitWords(s, at, alt) && rest.fit(s, at+len(alt), m) {
				return true
			}
		}
	}
	return e.optional && rest.fit(s, at, m)
}

func fitWords(s []word, at int, words []string) bool {
	if at+len(words) > len(s) {
		return false
	}
	for i, w := range words {
		if s[at+i].low != w {
			return false
		}
	}
	return true
}

// clauseStart reports whether a clause begins at the word.
func clauseStart(s []word, at int) bool {
	return at == 0 || at < len(s) && s[at].first || s[at-1].mark()
}

// clauseEnd reports whether a clause ends before the word.
func clauseEnd(s []word, at int) bool {
	return at >= len(s) || s[at].mark() || s[at].first
}

// sentenceEnd reports whether a sentence ends before the word.
func sentenceEnd(s []word, at int) bool {
	return clauseEnd(s, at) && (at >= len(s) || s[at].text != ",")
}

// clause returns the start of the clause that the word is in: after the last mark
// that ends one, or a line that looks like the start of a sentence, or "but".
func clause(s []word, at int) int {
	for i := at; i > 0; i-- {
		if s[i].first || s[i-1].mark() || s[i-1].low == "but" {
			return i
		}
	}
	return 0
}
