package printer

import (
	"go/scanner"
	"go/token"
	"html/template"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/source"
)

// A highlighter colours Go code. It keeps the file that it coloured last: findings
// come sorted by file.
type highlighter struct {
	file  *source.File
	spans [][]span // by line, from 0
}

// A span is a stretch of a line, in bytes, and its class in the style sheet.
type span struct {
	from, to int
	class    string
}

// line is a line of the file, counted from one, without its indentation if trim.
func (h *highlighter) line(file *source.File, n int, trim bool) template.HTML {
	text := file.Line(n)
	from := 0
	if trim {
		from = len(text) - len(strings.TrimLeft(text, " \t"))
	}
	return h.render(file, n, from, 0, 0)
}

// marked is a line with the columns from col up to endCol marked.
func (h *highlighter) marked(file *source.File, n, col, endCol int) template.HTML {
	text := file.Line(n)
	if col < 1 || col > len(text) {
		return h.render(file, n, 0, 0, 0)
	}
	if endCol <= col || endCol-1 > len(text) {
		endCol = col + wordAt(text[col-1:])
	}
	return h.render(file, n, 0, col-1, endCol-1)
}

// wordAt is the length of the word or sign that text begins with.
func wordAt(text string) int {
	for i, r := range text {
		if r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0x80) {
			return max(i, 1)
		}
	}
	return len(text)
}

// render writes the bytes of a line from the offset from, with the colours and the
// mark.
func (h *highlighter) render(file *source.File, n, from, mark, markEnd int) template.HTML {
	text := file.Line(n)
	classes := make([]string, len(text))
	for _, s := range h.spansOf(file, n) {
		for i := s.from; i < min(s.to, len(text)); i++ {
			classes[i] = s.class
		}
	}
	var out strings.Builder
	for i := from; i < len(text); {
		j := i + 1
		in := mark <= i && i < markEnd
		for j < len(text) && classes[j] == classes[i] && (mark <= j && j < markEnd) == in {
			j++
		}
		piece := template.HTMLEscapeString(text[i:j])
		if classes[i] != "" {
			piece = `<span class="` + classes[i] + `">` + piece + `</span>`
		}
		if in {
			piece = "<u>" + piece + "</u>"
		}
		out.WriteString(piece)
		i = j
	}
	return template.HTML(out.String()) //nolint:gosec // all text is escaped
}

func (h *highlighter) spansOf(file *source.File, n int) []span {
	if h.file != file {
		h.file, h.spans = file, scan(file)
	}
	if file == nil || n > len(h.spans) {
		return nil
	}
	return h.spans[n-1]
}

// scan finds the tokens that have a colour.
func scan(file *source.File) [][]span {
	if file == nil {
		return nil
	}
	spans := make([][]span, len(file.Lines))
	fset := token.NewFileSet()
	tf := fset.AddFile("", -1, len(file.Text()))
	var s scanner.Scanner
	s.Init(tf, file.Text(), nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return spans
		}
		class := ""
		switch {
		case tok.IsKeyword():
			class = "k"
		case tok == token.STRING || tok == token.CHAR:
			class = "s"
		case tok == token.COMMENT:
			class = "c"
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			class = "n"
		default:
			continue
		}
		if line, col, ok := file.Position(tf.Offset(pos)); ok {
			for i, part := range strings.Split(lit, "\n") {
				if line-1+i < len(spans) {
					spans[line-1+i] = append(spans[line-1+i], span{col - 1, col - 1 + len(part), class})
				}
				col = 1
			}
		}
	}
}
