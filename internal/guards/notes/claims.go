package notes

import (
	"slices"
	"strings"
	"sync"
)

// A statement is what a sentence says about locks.
type statement struct {
	lock     lockName
	line     int // where it stands
	excluded bool
}

// held are the patterns of "the caller holds the lock".
var held = compileAll(
	`%who %must? %already? %hold %already? <lock>`,
	`%who %must? %already? be %already? %hold <lock>`,
	`%who %must|to %already? ensure|ensures|guarantee|guarantees|make_sure that? <lock> is %already? %held`,
	`%must|must_have %already? be_holding|hold|own|have %already? <lock>`,
	`<lock> %must %already? be? %already? %held`,
	`<lock> is|are|be|being? %already? %held on|upon|at entry|enter|entering|call|return|exit`,
	`<lock> is|are|be|being? %already? %held by the|its|our|a|your? %who`,
	`<lock> is|are? assumed|expected|required|supposed to_be? %already? %held`,
	`<lock> is|are required .`,
	`^ <lock> %already? %held $`,
	`^ <lock> %already? %held when|while|before call|calling|called`,
	`^ <lock> is|are %already? %held|held_here $`,
	`^ assuming|assumes? <lock> %already? %held`,
	`assume|assumes|assuming|require|requires|expect|expects|needs|need|precondition|preconditions|requirement|pre|prerequisite :? that? <lock> is|are|to|be|being|has_been|must|have_been|should? %already? be? %already? %held`,
	`assume|assumes|assuming|require|requires|expect|expects|precondition|preconditions|requirement|pre :? that? the|its|our|a? %who? %already? to? be? %already? %hold <lock>`,
	`requires|require|needs|requiring :? <lock> .`,
	`^ hold|acquire|lock|take|holding|must_hold <lock> before|when|while|to call|calling|invoking|using|use`,
	`%must %already? acquire|acquired|have_acquired|take|lock|obtain <lock> before|prior_to|first`,
)

// calls are the patterns of "called with the lock held": their subject must be the
// function.
var calls = compileAll(
	`%call %already? with|when_holding|while_holding|holding|after_acquiring|after_locking|after_taking|with_holding|from_under|under_the_protection_of|when_having|by_holding|after_obtaining|when_you_hold|while_you_hold|within_a_lock_on <lock> %already? being|is|are|be? %already? %held?`,
	`%call %already? without|without_holding|without_first_acquiring|unless_holding|without_acquiring|without_locking <lock>`,
	`%call %already? with the|its|our|a? %who? %already? holding|having|owning|acquiring <lock>`,
	`%call %already? if|while|when|after|once|only_if|provided|assuming|unless that? <lock> is|are|has_been|was|have_been %already? %held`,
	`%call %already? when|while|if|by|unless that? the|its|our|a? %who? %must? %already? hold|holds|holding|held|has|have|own|owns|is_holding|are_holding <lock>`,
	`%call only? %within <lock>`,
	`%call from|by|in|during|on * with|under|while_holding|holding <lock> %already? %held`,
	`^ %within <lock> .`,
	`^ with|while|holding <lock> %already? %held $`,
)

// guarded are the patterns of "this field is guarded by the lock".
var guarded = compileAll(
	`%guarded %by <lock>`,
	`%guarded %access? from|against concurrent|parallel|simultaneous? %access by|with|using <lock>`,
	`%access|only|exclusively|safe only? %holding <lock>`,
	`%access only? by|while|with|when|after|if that? <lock> is|are? %already? %held`,
	`%access only? %within|by|with|via|using <lock>`,
	`^ must_be|should_be|only %within|holding <lock>`,
	`<lock> %must %already? be? %already? %held`,
	`<lock> is|are %already? %held on_entry|when|while|before|during|to|for|whenever`,
	`%must %already? hold|lock|acquire|take|use|have|own|obtain|holding|grab <lock>`,
	`^ hold|lock|acquire|take|use <lock> before|when|while|to|for|during|if|whenever`,
	`%access requires|require|needs|need|requiring %hold? <lock>`,
	`requires|require|requiring|needs both|at_least? %hold <lock>`,
	`requires|require|requiring that? <lock> is|are|be|to_be %already? %held`,
	`^ with <lock> %already? %held`,
	`%access it|them|this with|under|while_holding <lock> %already? %held?`,
	`^ requires|needs|require|need <lock>`,
	`^ %within <lock> .`,
	`^ <lock> protects|guards this|it`,
)

// guards are the patterns of "this lock guards": what follows are the things.
var guards = compileAll(
	`protects|protect|protecting|guards|guard|guarding|gurads|portects|covers|covering|locks|synchronizes|synchronises|serializes|serialises|locking|synchronizing|serializing`,
	`^ lock|mutex|rwmutex|rwlock|used|a_lock|a_mutex|the_lock|the_mutex for|of|on|around|over`,
	`controls|control|controlling %access`,
	`%held|hold|lock|locked|acquire|taken while|when|before|for|to|during|whenever %access`,
	`for|of|when|while|before accessing|access|modifying|mutating|updating|reading`,
	`used|use|is to lock|synchronize|synchronise|serialize`,
	`sync|syncs|synchronize|synchronizes|serialize|coordinate|coordinates %access`,
)

// compileAll compiles patterns when they are first wanted: most processes of a vet
// tool never do.
func compileAll(texts ...string) func() []pattern {
	return sync.OnceValue(func() []pattern {
		var out []pattern
		for _, t := range texts {
			out = append(out, compile(t))
		}
		return out
	})
}

// A mood is whether a clause asks for a lock.
type mood uint8

const (
	asks    mood = iota // "must hold mu"
	forbids             // "must not hold mu"
	denies              // "need not hold mu"
)

// moodOf returns the mood of the clause that leads to the match, with the match.
// "Must not be called without the lock" denies twice, and so asks.
func moodOf(s []word, m match) mood {
	n, strict := 0, false
	prev := ""
	for _, w := range s[clause(s, m.start):m.end] {
		switch w.low {
		case "not", "never", "without", "cannot", "nor", "neither", "unless", "no", "nobody", "unlike", "instead":
			n++
			strict = strict || obliges[prev]
		case "must", "should", "shall":
			strict = true
		default:
			if strings.HasSuffix(w.low, "n't") || w.low == "dont" {
				n++
				strict = strict || w.low == "mustn't" || w.low == "shouldn't"
			}
		}
		prev = w.low
	}
	switch {
	case n%2 == 0:
		return asks
	case strict:
		return forbids
	}
	return denies
}

var obliges = set("must should shall may")

// negative reports whether the clause of a match does not ask for the lock.
func negative(s []word, m match) bool { return moodOf(s, m) != asks }

// hypothetical reports whether the match stands in a subordinate clause ("if the
// lock is held, ...").
func hypothetical(s []word, m match) bool {
	for i := clause(s, m.start); i < m.start; i++ {
		switch s[i].low {
		case "when", "whenever":
			if i+1 < len(s) && strings.HasPrefix(s[i+1].low, "access") {
				continue // "when accessed, must be protected by mu"
			}
			return true
		case "if", "whether", "until", "because", "since", "as", "where", "while", "after", "before", "till", "than", "whose":
			return true
		}
	}
	return false
}

// said returns what the sentences say by the patterns. The check of a match is
// optional.
func said(sentences [][]word, patterns []pattern, ok func(s []word, m match) bool) []statement {
	var out []statement
	for _, s := range sentences {
		var found []match
		for _, p := range patterns {
			for from := 0; ; {
				m, fits := p.find(s, from)
				if !fits {
					break
				}
				from = m.end
				if !hypothetical(s, m) && !alternative(s, m) && (ok == nil || ok(s, m)) {
					found = append(found, m)
				}
			}
		}
		slices.SortStableFunc(found, func(a, b match) int { return a.start - b.start })
		for _, m := range found {
			out = appendStatements(out, s, m)
		}
	}
	return out
}

func appendStatements(out []statement, s []word, m match) []statement {
	mood := moodOf(s, m)
	if mood == denies {
		return out
	}
	for _, n := range m.locks.names {
		n.mode(s, m.end) // "must be held for reading"
		st := statement{lock: n, line: s[m.start].line, excluded: mood == forbids}
		if !contains(out, st) {
			out = append(out, st)
		}
	}
	return out
}

func contains(out []statement, st statement) bool {
	for i := range out {
		if out[i].lock.String() == st.lock.String() && out[i].line == st.line {
			return true
		}
	}
	return false
}

// alternative reports whether the claim goes on with "or": "the lock must be held
// or the world stopped" asks for neither.
func alternative(s []word, m match) bool {
	if s[clause(s, m.start)].low == "or" {
		return true
	}
	end := m.end
	if end < len(s) && s[end].text == "," {
		end++
	}
	return end < len(s) && s[end].low == "or" && !fitWords(s, end, []string{"or", "else"})
}

// lasting reports whether the words after a match say how long the lock stays held,
// which is no claim about the caller.
func lasting(s []word, end int) bool {
	if end >= len(s) {
		return false
	}
	switch s[end].low {
	case "until", "throughout", "across", "forever", "till":
		return true
	}
	return false
}

// lead are the words that may stand between a subject and its verb.
var lead = set(`must should shall can may only also always is are be to needs need has have been ever expected
	intended supposed required not never will was meant safe safely ought cannot mustn't shouldn't can't
	typically usually generally normally designed expects expect`)

// subjects are the words that stand for the function itself.
var subjects = set(`it this that which these they and all caller callers everything internal both`)

// kinds are the words for what a function is, references those that make it the
// one that is documented.
var (
	kinds      = set(`function method routine call methods functions helper variant version func procedure code`)
	references = set(`this the these that internal helper a unlocked locked private and`)
)

// subject reports whether the subject of the match's verb is the function of that
// name, or not given.
func subject(s []word, m match, name string) bool {
	start := clause(s, m.start)
	for i := m.start - 1; i >= start; i-- {
		if lead[s[i].low] {
			continue
		}
		if i > start && !references[s[i-1].low] && kinds[s[i].low] {
			return false // "the process function is called under the lock"
		}
		return subjects[s[i].low] || kinds[s[i].low] || s[i].text == name
	}
	return true
}

// functionStatements returns the locks that the doc of a function says its caller
// holds, or must not hold.
func functionStatements(lines []line, name string) []statement {
	all := sentences(lines)
	out := said(all, held(), func(s []word, m match) bool { return !lasting(s, m.end) })
	for _, st := range said(all, calls(), func(s []word, m match) bool { return subject(s, m, name) }) {
		if !contains(out, st) {
			out = append(out, st)
		}
	}
	return out
}

// fieldStatements returns the locks that the comment of a field says guard it. The
// comment of a function says under which lock it is called, which is another thing.
func fieldStatements(lines []line, function bool) []statement {
	all := sentences(lines)
	patterns := guarded()
	if function {
		patterns = guarded()[:1]
	}
	out := said(all, patterns, func(s []word, m match) bool { return !lasting(s, m.end) })
	kept := out[:0]
	for _, st := range out {
		if !st.excluded {
			kept = append(kept, st)
		}
	}
	return kept
}
