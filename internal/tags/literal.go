package tags

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// A Literal is the string literal of a tag, with a map from the bytes of its
// value back to the source.
type Literal struct {
	// Value is the tag itself, unquoted.
	Value string

	lit *ast.BasicLit
	raw bool
	// at[i] is the offset, within the literal, of the source of byte i of Value;
	// at[len(Value)] is that of the closing quote. It is nil where offsets in
	// both differ by the opening quote alone.
	at []int
}

// NewLiteral reads a literal. It returns nil for one that is no string.
func NewLiteral(lit *ast.BasicLit) *Literal {
	if lit == nil || lit.Kind != token.STRING {
		return nil
	}
	value, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil
	}
	l := &Literal{Value: value, lit: lit, raw: lit.Value[0] == '`'}
	if len(value) != len(lit.Value)-2 {
		l.index()
	}
	return l
}

// index fills the map of a literal with escapes or carriage returns, which raw
// strings drop.
func (l *Literal) index() {
	src := l.lit.Value
	for off := 1; off < len(src)-1; {
		if l.raw {
			if src[off] != '\r' {
				l.at = append(l.at, off)
			}
			off++
			continue
		}
		r, multibyte, rest, err := strconv.UnquoteChar(src[off:len(src)-1], '"')
		if err != nil {
			break
		}
		size := 1
		if multibyte {
			size = len(string(r))
		}
		for range size {
			l.at = append(l.at, off)
		}
		off = len(src) - 1 - len(rest)
	}
	l.at = append(l.at, len(src)-1)
}

// Pos returns the position in the source of the byte of Value at an offset,
// which may be one behind the last.
func (l *Literal) Pos(offset int) token.Pos {
	if l.at == nil {
		return l.lit.Pos() + 1 + token.Pos(offset)
	}
	return l.lit.Pos() + token.Pos(l.at[min(offset, len(l.at)-1)])
}

// Spell returns the source of text within this literal. It reports false if the
// literal's kind of quotes cannot hold it.
func (l *Literal) Spell(text string) (string, bool) {
	if l.raw {
		return text, !strings.ContainsAny(text, "`\r")
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1], true
}
