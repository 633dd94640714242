package tags

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Tag is a parsed struct tag.
type Tag struct {
	Text  string
	Pairs []Pair
}

// A Pair is one key with its value, or what must have been meant for one.
type Pair struct {
	// Key and Value are as reflect would return them, or as they must have been
	// meant if the pair has a fault. A word without a value is a pair without
	// Value and with the fault BareWord.
	Key, Value string
	// Start and End are the offsets in the tag of the pair with its quotes;
	// ValueStart and ValueEnd those of the value as it is written between the
	// quotes, with its escapes.
	Start, End           int
	ValueStart, ValueEnd int
	// Visible reports whether [reflect.StructTag.Lookup] finds this pair as it is
	// here. Of a pair whose value was meant to go on, it finds the beginning.
	Visible bool
	// Escaped reports that the value has escapes, so that offsets in Value and in
	// the tag do not run in step.
	Escaped bool
	Fault   *Fault
}

// A Fault is a deviation from the conventional format, at a pair.
type Fault struct {
	Kind FaultKind
	// Start and End are the offsets in the tag of what is wrong.
	Start, End int
	// Edits put it right; there are none if the intention is not certain.
	Edits []Edit
}

// An Edit replaces a part of the tag.
type Edit struct {
	Start, End int
	New        string
}

// FaultKind says what is wrong with a pair.
type FaultKind int

// The faults that Parse tells apart.
const (
	BlankAfterColon FaultKind = iota + 1
	BlankBeforeColon
	NoQuotes
	SingleQuotes
	CurlyQuotes
	BackQuotes
	MissingColon
	MisplacedQuote
	EqualsSign
	QuotedPair
	BadEscape
	InnerQuote
	MissingCloseQuote
	BadSeparator
	NoSeparator
	OutsideQuotes
	BareWord
	EmptyKey
	BadCharacter
	NoValue
)

// Parse reads a tag as reflect does, but goes on after a fault. It never fails:
// what cannot be understood becomes a pair with a fault. A tag that reflect reads
// to the end has no faults but NoSeparator.
func Parse(text string) Tag {
	p := parser{text: text, visible: true}
	p.run()
	return Tag{Text: text, Pairs: p.pairs}
}

// Lookup returns the first visible pair of that key, as reflect does.
func (t *Tag) Lookup(key string) *Pair {
	for i := range t.Pairs {
		if p := &t.Pairs[i]; p.Visible && p.Key == key {
			return p
		}
	}
	return nil
}

// Meant returns the first pair of that key, visible or not.
func (t *Tag) Meant(key string) *Pair {
	for i := range t.Pairs {
		if t.Pairs[i].Key == key {
			return &t.Pairs[i]
		}
	}
	return nil
}

type parser struct {
	text    string
	off     int
	visible bool
	pairs   []Pair
}

const separators = " \t\r\n,;"

func (p *parser) run() {
	for {
		start := p.off
		for p.off < len(p.text) && strings.IndexByte(separators, p.text[p.off]) >= 0 {
			p.off++
		}
		if p.off == len(p.text) {
			p.trailing(start)
			return
		}
		p.pair(p.separator(start))
		if last := &p.pairs[len(p.pairs)-1]; last.Fault != nil && last.Fault.Kind != NoSeparator {
			p.visible = false
		}
	}
}

// trailing judges separators behind the last pair. White space there does no harm.
func (p *parser) trailing(start int) {
	if start > 0 && strings.ContainsAny(p.text[start:], ",;") {
		end := len(p.text)
		fault := &Fault{Kind: BadSeparator, Start: start, End: end, Edits: []Edit{{start, end, ""}}}
		p.pairs = append(p.pairs, Pair{Start: end, End: end, ValueStart: end, ValueEnd: end, Fault: fault})
	}
}

// separator judges what stands between two pairs, from start to here.
func (p *parser) separator(start int) *Fault {
	between := p.text[start:p.off]
	switch {
	case strings.Trim(between, " ") != "":
		edit := Edit{start, p.off, " "}
		if start == 0 {
			edit.New = ""
		}
		return &Fault{Kind: BadSeparator, Start: start, End: p.off, Edits: []Edit{edit}}
	case between == "" && start > 0:
		return &Fault{Kind: NoSeparator, Start: start, End: start + 1, Edits: []Edit{{start, start, " "}}}
	}
	return nil
}

func (p *parser) add(pair Pair, fault *Fault) {
	if pair.Fault = fault; fault != nil && fault.Kind != NoSeparator {
		p.visible = false
	}
	pair.Visible = p.visible
	p.pairs = append(p.pairs, pair)
	p.off = max(pair.End, p.off)
}

func keyByte(c byte) bool { return c > ' ' && c != ':' && c != '"' && c != 0x7f }

// pair reads one pair, which begins here.
func (p *parser) pair(sep *Fault) {
	start := p.off
	end := start
	for end < len(p.text) && keyByte(p.text[end]) {
		end++
	}
	// A comma or semicolon can belong to a key only for reflect; for people it
	// ends a word that was meant for an option.
	key, rest := p.text[start:end], p.text[end:]
	if key == "" {
		p.withoutKey(sep)
		return
	}
	switch {
	case strings.HasPrefix(rest, `:"`):
		p.quoted(key, start, end+1, sep)
	case strings.HasPrefix(rest, ":"):
		p.unquoted(key, start, end+1)
	case strings.HasPrefix(rest, `"`):
		p.noColon(key, start, end)
	default:
		p.word(key, start, end, sep)
	}
}

// quoted reads the value of a pair whose opening quote is at open.
func (p *parser) quoted(key string, start, open int, fault *Fault) {
	end := closing(p.text, open)
	pair := Pair{Key: key, Start: start, End: end + 1, ValueStart: open + 1, ValueEnd: end}
	if end < 0 {
		p.unclosed(pair)
		return
	}
	written := p.text[open+1 : end]
	pair.Escaped = strings.IndexByte(written, '\\') >= 0
	value, err := strconv.Unquote(p.text[open : end+1])
	if err != nil {
		pair.Value = written
		p.add(pair, badEscape(written, open+1))
		return
	}
	pair.Value = value
	if p.stray(&pair, fault) {
		return
	}
	p.add(pair, fault)
}

// closing returns the offset of the quote that closes the one at open, or -1.
func closing(text string, open int) int {
	for i := open + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// unclosed adds a pair without a closing quote: it takes the rest of the tag.
func (p *parser) unclosed(pair Pair) {
	pair.End, pair.ValueEnd = len(p.text), len(p.text)
	pair.Value = strings.TrimRight(p.text[pair.ValueStart:], separators)
	at := pair.ValueStart + len(pair.Value)
	fault := &Fault{Kind: MissingCloseQuote, Start: pair.Start, End: pair.End}
	if pair.Value != "" && !strings.ContainsAny(pair.Value, `":\ `) {
		fault.Edits = []Edit{{at, len(p.text), `"`}}
	}
	p.add(pair, fault)
}

// stray handles text that follows a closing quote at once and begins no pair: an
// unescaped quote within the value, a missing quote at its end, or an option that
// stands outside. It reports false if there is no such text.
func (p *parser) stray(pair *Pair, sep *Fault) bool {
	rest := p.text[pair.End:]
	if rest == "" || strings.IndexByte(separators, rest[0]) >= 0 && !optionOutside(rest) || beginsPair(rest) {
		return false
	}
	if optionOutside(rest) {
		p.outside(pair)
		return true
	}
	if at := lostQuote(pair.Value); at >= 0 && !pair.Escaped {
		p.splitAt(pair, at)
		return true
	}
	if quotes := len(rest) - len(strings.TrimLeft(rest, `"'`)); quotes > 0 && (quotes == len(rest) || rest[quotes] == ' ') {
		// json:"name"" has a quote too many rather than one to be escaped.
		end := pair.End + quotes
		fault := &Fault{Kind: OutsideQuotes, Start: pair.End, End: end, Edits: []Edit{{pair.End, end, ""}}}
		pair.End = end
		p.add(*pair, fault)
		return true
	}
	end := valueEnd(p.text, pair.End)
	inner := strings.ReplaceAll(p.text[pair.ValueStart:end-1], `\"`, `"`)
	fault := &Fault{Kind: InnerQuote, Start: pair.End - 1, End: pair.End}
	fault.Edits = []Edit{{pair.ValueStart, end - 1, strings.ReplaceAll(inner, `"`, `\"`)}}
	pair.Value, pair.End, pair.ValueEnd = inner, end, end-1
	p.add(*pair, fault)
	return true
}

// optionOutside tells whether rest begins like the `,omitempty` of a tag
// `json:"name",omitempty`.
func optionOutside(rest string) bool {
	if rest[0] != ',' || len(rest) < 2 {
		return false
	}
	word := wordLen(rest[1:])
	return word > 0 && (word+1 == len(rest) || strings.IndexByte(" ,\"", rest[word+1]) >= 0) &&
		!beginsPair(rest[1:]) && isOptionWord(rest[1:word+1])
}

func (p *parser) outside(pair *Pair) {
	from := pair.End
	end := from
	for end < len(p.text) && p.text[end] == ',' {
		end += 1 + wordLen(p.text[end+1:])
	}
	options := p.text[from:end]
	edits := []Edit{{from - 1, end, options + `"`}}
	if end < len(p.text) && p.text[end] == '"' {
		edits[0].End++
		end++
	}
	pair.Value += options
	pair.End, pair.ValueEnd = end, end
	p.add(*pair, &Fault{Kind: OutsideQuotes, Start: from, End: end, Edits: edits})
}

// lostQuote returns the offset in a value of a blank and a key with a colon, which
// a value ends in if its own closing quote is missing, or -1.
func lostQuote(value string) int {
	blank := strings.LastIndexByte(value, ' ')
	if blank < 0 || !strings.HasSuffix(value, ":") {
		return -1
	}
	if k := LookupKey(value[blank+1 : len(value)-1]); k == nil || !k.Strict {
		return -1
	}
	return blank
}

// splitAt ends a value at an offset and goes on with the key behind it.
func (p *parser) splitAt(pair *Pair, at int) {
	cut := pair.ValueStart + at
	pair.Value = strings.TrimRight(pair.Value[:at], separators)
	pair.End, pair.ValueEnd = cut, cut
	end := pair.ValueStart + len(pair.Value)
	p.add(*pair, &Fault{Kind: MissingCloseQuote, Start: pair.Start, End: cut, Edits: []Edit{{end, end, `"`}}})
}

// valueEnd finds the end of a value with unescaped quotes: behind a quote that the
// end of the tag or another pair follows.
func valueEnd(text string, from int) int {
	for i := from; i < len(text); i++ {
		if text[i] != '"' || text[i-1] == '\\' {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], separators)
		if rest == "" || rest != text[i+1:] && beginsPair(rest) {
			return i + 1
		}
	}
	return len(text)
}

// wordLen returns the length of the word of letters, digits and _.-/ that s
// begins with.
func wordLen(s string) int {
	i := 0
	for i < len(s) {
		c := s[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if (c < '0' || c > '9') && strings.IndexByte("_.-/", c) < 0 {
				break
			}
		}
		i++
	}
	return i
}

// beginsPair tells whether s begins with a key and an opened value.
func beginsPair(s string) bool {
	n := wordLen(s)
	return n > 0 && strings.HasPrefix(s[n:], `:"`)
}

func badEscape(written string, at int) *Fault {
	f := &Fault{Kind: BadEscape, Start: at, End: at + len(written)}
	for i := 0; i < len(written); i++ {
		if written[i] != '\\' {
			continue
		}
		if _, _, _, err := strconv.UnquoteChar(written[i:], '"'); err != nil {
			f.Edits = append(f.Edits, Edit{at + i, at + i, `\`})
		}
		i++
	}
	if len(f.Edits) > 0 {
		f.Start = f.Edits[0].Start
		f.End = min(f.Start+2, at+len(written))
	}
	return f
}

var openQuotes = map[rune]string{'“': "”“\"", '”': "”\"", '„': "“”\"", '«': "»\"", '‘': "’\"", '’': "’\"", '＂': "＂\""}

// unquoted reads what follows a colon (it ends at colon) if that is no quote.
func (p *parser) unquoted(key string, start, colon int) {
	text := p.text
	at := colon
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	pair := Pair{Key: key, Start: start}
	if at == len(text) {
		pair.End, pair.ValueStart, pair.ValueEnd = colon, colon, colon
		p.add(pair, &Fault{Kind: NoValue, Start: start, End: colon})
		return
	}
	blank := []Edit{{colon, at, ""}}
	if at == colon {
		blank = nil
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	closers := openQuotes[r]
	switch {
	case r == '"' && at > colon:
		p.quoted(key, start, at, nil)
		last := &p.pairs[len(p.pairs)-1]
		if last.Visible || last.Fault == nil {
			last.Fault = &Fault{Kind: BlankAfterColon, Start: colon, End: at, Edits: blank}
			last.Visible = false
		}
	case r == '\'' || r == '`':
		kind := SingleQuotes
		if r == '`' {
			kind = BackQuotes
		}
		p.otherQuotes(pair, kind, at, at+1, string(r)+`"`, blank)
	case closers != "":
		p.otherQuotes(pair, CurlyQuotes, at, at+size, closers, blank)
	default:
		p.bareValue(pair, colon, at, blank)
	}
}

// otherQuotes reads a value in quotes that Go does not know: opened from open to
// inside, closed by one of the runes of closers or by the end of the tag.
func (p *parser) otherQuotes(pair Pair, kind FaultKind, open, inside int, closers string, edits []Edit) {
	end, after := len(p.text), len(p.text)
	if i := strings.IndexAny(p.text[inside:], closers); i >= 0 {
		end = inside + i
		_, size := utf8.DecodeRuneInString(p.text[end:])
		after = end + size
	}
	pair.Value, pair.End, pair.ValueStart, pair.ValueEnd = p.text[inside:end], after, inside, end
	fault := &Fault{Kind: kind, Start: open, End: after}
	if !strings.ContainsAny(pair.Value, `"\`) {
		fault.Edits = append(edits, Edit{open, inside, `"`}, Edit{end, after, `"`})
	}
	p.add(pair, fault)
}

// bareValue reads a value without quotes: up to the next blank.
func (p *parser) bareValue(pair Pair, colon, at int, edits []Edit) {
	end := at
	for end < len(p.text) && strings.IndexByte(" \t\r\n", p.text[end]) < 0 {
		end++
	}
	pair.Value = p.text[at:end]
	pair.End, pair.ValueStart, pair.ValueEnd = end, at, end
	fault := &Fault{Kind: NoQuotes, Start: pair.Start, End: end}
	bare := strings.TrimRight(pair.Value, `"`)
	if at == colon && !strings.ContainsAny(bare, `"\':`) {
		pair.Value = bare
		fault.Edits = append(edits, Edit{at, end, `"` + bare + `"`})
	}
	p.add(pair, fault)
}

// noColon reads a quoted value that follows its key without a colon.
func (p *parser) noColon(key string, start, quote int) {
	name := strings.TrimRight(key, "=")
	end := closing(p.text, quote)
	pair := Pair{Key: name, Start: start}
	if end < 0 {
		end = len(p.text)
		pair.Value, pair.End, pair.ValueStart, pair.ValueEnd = p.text[quote+1:], end, quote+1, end
		p.add(pair, &Fault{Kind: MissingColon, Start: start, End: end})
		return
	}
	pair.Value, pair.End, pair.ValueStart, pair.ValueEnd = p.text[quote+1:end], end+1, quote+1, end
	fault := &Fault{Kind: MissingColon, Start: quote, End: quote + 1, Edits: []Edit{{quote, quote, ":"}}}
	switch {
	case name != key:
		fault.Kind, fault.Start = EqualsSign, start+len(name)
		fault.Edits = []Edit{{start + len(name), quote, ":"}}
	case strings.HasPrefix(pair.Value, ":"):
		pair.Value = pair.Value[1:]
		fault.Kind, fault.End = MisplacedQuote, quote+2
		fault.Edits = []Edit{{quote, quote + 2, `:"`}}
	}
	p.add(pair, fault)
}

// word reads a word without colon and quotes.
func (p *parser) word(word string, start, end int, sep *Fault) {
	pair := Pair{Key: word, Start: start, End: end, ValueStart: end, ValueEnd: end}
	if rest := strings.TrimLeft(p.text[end:], " \t"); strings.HasPrefix(rest, `:"`) {
		colon := len(p.text) - len(rest)
		p.quoted(word, start, colon+1, nil)
		last := &p.pairs[len(p.pairs)-1]
		last.Fault = &Fault{Kind: BlankBeforeColon, Start: end, End: colon, Edits: []Edit{{end, colon, ""}}}
		last.Visible = false
		return
	}
	fault := &Fault{Kind: BareWord, Start: start, End: end}
	if name, value, ok := strings.Cut(word, "="); ok && LookupKey(name) != nil {
		pair.Key, pair.Value = name, strings.Trim(value, "'")
		fault.Kind = EqualsSign
		if !strings.ContainsAny(pair.Value, `"\'`) {
			fault.Edits = []Edit{{start + len(name), end, `:"` + pair.Value + `"`}}
		}
	}
	p.add(pair, fault)
}

// withoutKey reads what stands where a key should: a quote, a colon or a control
// character.
func (p *parser) withoutKey(sep *Fault) {
	start := p.off
	pair := Pair{Start: start, End: start + 1, ValueStart: start + 1, ValueEnd: start + 1}
	switch c := p.text[start]; {
	case c == ':':
		if n := wordLen(p.text[start+1:]); strings.HasPrefix(p.text[start+1:], `"`) || n > 0 {
			pair.End = valueEnd(p.text, start+1)
		}
		p.add(pair, &Fault{Kind: EmptyKey, Start: start, End: pair.End})
	case c == '"':
		p.quotedPair(pair)
	default:
		p.add(pair, &Fault{Kind: BadCharacter, Start: start, End: start + 1})
	}
}

// quotedPair reads "key:value" or "key":"value".
func (p *parser) quotedPair(pair Pair) {
	end := closing(p.text, pair.Start)
	if end < 0 {
		end = len(p.text)
	}
	pair.End = min(end+1, len(p.text))
	inner := p.text[pair.Start+1 : end]
	fault := &Fault{Kind: QuotedPair, Start: pair.Start, End: pair.End}
	n := wordLen(inner)
	key, value := inner[:n], inner[n:]
	switch {
	case n == 0:
		fault.Kind = EmptyKey
	case strings.HasPrefix(value, ":") && len(value) > 1:
		pair.Key, pair.Value = key, strings.Trim(value[1:], `\"' `)
		if !strings.ContainsAny(pair.Value, `"\'`) {
			fault.Edits = []Edit{{pair.Start, pair.End, key + `:"` + pair.Value + `"`}}
		}
	case value == "" && strings.HasPrefix(p.text[pair.End:], `:"`):
		if close := closing(p.text, pair.End+1); close > 0 {
			pair.Key, pair.Value = key, p.text[pair.End+2:close]
			fault.Edits = []Edit{{pair.Start, pair.End, key}}
			fault.End = pair.End
			pair.ValueStart, pair.ValueEnd, pair.End = pair.End+2, close, close+1
		}
	default:
		fault.Kind = EmptyKey
	}
	p.add(pair, fault)
}
