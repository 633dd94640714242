package notes

import "strconv"

// A scope tells which fields a comment about "the fields below" means.
type scope struct {
	all   bool // every field of the struct
	below bool // the fields that follow
	rest  bool // all of them, to the end of the struct
	above bool // the fields before
	count int  // so many, 0 if not said
	names []string
}

func (s scope) empty() bool { return !s.all && !s.below && !s.above && len(s.names) == 0 }

var (
	belowWords = set(`below following follows follow after next beneath subsequent underneath`)
	aboveWords = set(`above preceding previous`)
	allWords   = set(`all everything every entire remaining rest whole`)
	numbers    = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "both": 2}
	// stops end a list of things.
	stops = set(`while when against so because since during if for in from that which where until but
		by on with at within between across via is are as before after then not except only`)
)

// parseScope reads the things that a lock guards, up to the end of the clause; the
// list may go on over commas.
func parseScope(s []word) scope {
	var sc scope
	prev := ""
	for i, w := range s {
		if w.text == ";" || w.text == "(" || w.text == ":" && i > 2 || w.first && i > 0 && !listed(s, i) {
			break
		}
		switch {
		case belowWords[w.low], w.low == "here" && prev == "from":
			sc.below = true
		case aboveWords[w.low]:
			sc.above = true
		case allWords[w.low]:
			sc.rest = true
		case w.low == "in" && i+2 < len(s) && s[i+2].low == "struct":
			sc.all = sc.all || sc.rest
		}
		if n, err := strconv.Atoi(w.text); err == nil {
			sc.count = n
		} else if n := numbers[w.low]; n > 0 {
			sc.count = n
		}
		if stops[w.low] && !belowWords[w.low] {
			break
		}
		if i > 0 && w.low == "struct" && (prev == "this" || prev == "the" || prev == "entire" || prev == "whole") {
			sc.all = true
		}
		if (w.low == "fields" || w.low == "members") && (prev == "all" || prev == "struct" || prev == "every") && !followsPart(s[i+1:]) {
			sc.all = true
		}
		if w.ident && (!determiners[w.low] || lone(s, i)) {
			sc.names = append(sc.names, w.text)
		}
		prev = w.low
	}
	if sc.below || sc.above {
		sc.all = false
	}
	return sc
}

// lone reports whether the word stands for itself in a list: "a" in "a and b".
func lone(s []word, i int) bool {
	return i+1 == len(s) || s[i+1].mark() || s[i+1].low == "and"
}

// listed reports whether the word that begins a line goes on with a list.
func listed(s []word, i int) bool {
	return s[i-1].text == "," || s[i-1].low == "and" || s[i-1].low == "the"
}

// followsPart reports whether "all fields" is narrowed down: "below", "above".
func followsPart(s []word) bool {
	for _, w := range s {
		if w.mark() {
			return false
		}
		if belowWords[w.low] || aboveWords[w.low] {
			return true
		}
	}
	return false
}
