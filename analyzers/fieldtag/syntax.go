package fieldtag

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/tags"
)

// checkSyntax reports tags that do not have the conventional format, in which a
// key takes part whose library relies on it, and keys that stand in one tag twice.
func (s *structure) checkSyntax() {
	var last *tags.Literal
	for _, f := range s.fields {
		// Fields declared together have one tag.
		if f.lit == nil || f.lit == last {
			continue
		}
		last = f.lit
		if !f.conventional() {
			continue
		}
		for i := range f.tag.Pairs {
			if pair := &f.tag.Pairs[i]; pair.Fault != nil {
				f.reportFault(pair)
			}
		}
		f.checkRepeatedKeys()
	}
}

// conventional tells whether the tag must have the conventional format: a key
// takes part in it that is read by reflect, or it consists of keys with values in
// quotes, whoever reads them.
func (f *field) conventional() bool {
	pairs := len(f.tag.Pairs) > 0
	for i := range f.tag.Pairs {
		pair := &f.tag.Pairs[i]
		if key := lookupKey(pair.Key); key != nil && key.Strict && (pair.Fault == nil || pair.Fault.Kind != tags.BareWord) {
			return true
		}
		pairs = pairs && (pair.Fault == nil || quotedValue(pair.Fault.Kind))
	}
	return pairs
}

// quotedValue tells whether a pair with the fault has a key and, but for the end, a
// value in double quotes.
func quotedValue(kind tags.FaultKind) bool {
	switch kind {
	case tags.BadSeparator, tags.NoSeparator, tags.BadEscape, tags.MissingCloseQuote:
		return true
	}
	return false
}

func (f *field) reportFault(pair *tags.Pair) {
	fault := pair.Fault
	f.report("syntax", fault.Start, fault.End, f.fix("write it in the conventional format", fault.Edits...),
		"%s", f.faultMessage(pair))
}

// faultMessage says what is wrong with a pair and what follows from it.
func (f *field) faultMessage(pair *tags.Pair) string {
	lost := fmt.Sprintf(", so %s has no %s tag", f.name(), pair.Key)
	switch pair.Fault.Kind {
	case tags.BlankAfterColon:
		return fmt.Sprintf("blank between the colon of %s and its value%s", pair.Key, lost)
	case tags.BlankBeforeColon:
		return fmt.Sprintf("blank between the key %s and its colon%s", pair.Key, lost)
	case tags.NoQuotes:
		return fmt.Sprintf("the value of %s is not in double quotes%s", pair.Key, lost)
	case tags.SingleQuotes:
		return fmt.Sprintf("the value of %s is in single quotes instead of double quotes%s", pair.Key, lost)
	case tags.CurlyQuotes:
		return fmt.Sprintf("the value of %s is in typographic quotes instead of straight double quotes%s", pair.Key, lost)
	case tags.BackQuotes:
		return fmt.Sprintf("the value of %s is in back quotes instead of double quotes%s", pair.Key, lost)
	case tags.MissingColon:
		return fmt.Sprintf("no colon between the key %s and its value%s", pair.Key, lost)
	case tags.MisplacedQuote:
		return fmt.Sprintf("the quote stands before the colon of %s instead of behind it%s", pair.Key, lost)
	case tags.EqualsSign:
		return fmt.Sprintf("equals sign instead of a colon behind the key %s%s", pair.Key, lost)
	case tags.QuotedPair:
		return fmt.Sprintf("quotes around the key %s%s", pair.Key, lost)
	case tags.BadEscape:
		return fmt.Sprintf("the value of %s has an escape that Go does not know (%s)%s", pair.Key, f.tag.Text[pair.Fault.Start:pair.Fault.End], lost)
	case tags.MissingCloseQuote:
		return fmt.Sprintf("the value of %s has no closing quote%s", pair.Key, lost)
	case tags.InnerQuote:
		return fmt.Sprintf("the value of %s ends at a quote that is not escaped, and the rest of the tag of %s is lost", pair.Key, f.name())
	case tags.OutsideQuotes:
		return fmt.Sprintf("%q stands outside the quotes of %s and is not read", outside(f.tag.Text[pair.Fault.Start:pair.Fault.End]), pair.Key)
	case tags.NoSeparator:
		return fmt.Sprintf("no blank before the key %s", pair.Key)
	case tags.BadSeparator:
		return f.separatorMessage(pair, lost)
	case tags.BareWord:
		return fmt.Sprintf("the word %s in the tag of %s is neither a key nor a value, and nothing after it is read", pair.Key, f.name())
	case tags.NoValue:
		return fmt.Sprintf("the key %s has no value", pair.Key)
	case tags.EmptyKey:
		return fmt.Sprintf("a value without a key in the tag of %s, and nothing after it is read", f.name())
	}
	return fmt.Sprintf("the tag of %s has a character that is not allowed in a key, and nothing after it is read", f.name())
}

// outside is what stands behind the closing quote of a value, for messages.
func outside(text string) string {
	if words := strings.Trim(text, `,"`); words != "" {
		return words
	}
	return text
}

func (f *field) separatorMessage(pair *tags.Pair, lost string) string {
	between := f.tag.Text[pair.Fault.Start:pair.Fault.End]
	what := "white space other than a blank"
	switch {
	case strings.Contains(between, ","):
		what = "comma"
	case strings.Contains(between, ";"):
		what = "semicolon"
	case strings.Contains(between, "\t"):
		what = "tab"
	case strings.Contains(between, "\n"):
		what = "line break"
	}
	if pair.Key == "" {
		return fmt.Sprintf("%s at the end of the tag of %s", what, f.name())
	}
	return fmt.Sprintf("%s instead of a blank before the key %s%s", what, pair.Key, lost)
}

// checkRepeatedKeys reports a key that stands in one tag twice: only the first is
// read.
func (f *field) checkRepeatedKeys() {
	for i := range f.tag.Pairs {
		pair := &f.tag.Pairs[i]
		first := f.tag.Meant(pair.Key)
		if first == pair || pair.Key == "" || tags.Repeatable(pair.Key) || pair.Fault != nil && pair.Fault.Kind == tags.BareWord {
			continue
		}
		var fixes []analysis.SuggestedFix
		if key := lookupKey(pair.Key); pair.Value == first.Value && pair.Visible {
			fixes = f.fix("remove the second", tags.Edit{Start: pair.Start - 1, End: pair.End})
		} else if key != nil && key.Style == tags.Settings && pair.Visible && first.Visible {
			fixes = f.fix("join the settings",
				tags.Edit{Start: first.ValueEnd, End: first.ValueEnd, New: ";" + f.tag.Text[pair.ValueStart:pair.ValueEnd]},
				tags.Edit{Start: pair.Start - 1, End: pair.End})
		}
		f.reportPair("syntax", pair, fixes, "the key %s is in the tag of %s twice, and %q, the second value, is not read", pair.Key, f.name(), pair.Value)
	}
}
