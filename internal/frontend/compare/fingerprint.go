// Package compare tells new findings from those that were there before.
//
// A finding is known again by what it says about which code, and not by its line:
// by check, rule, package, enclosing declaration, the reported code and the
// message. So lines that shift change nothing, and a lock that goes away in a
// caller makes a new finding wherever the checks then report one.
package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/source"
	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// Identify sets the findings' declaration, code and fingerprint from the source.
func Identify(findings []*finding.Finding, src *source.Cache) {
	for _, f := range findings {
		file := src.File(f.Start.File)
		f.Decl = file.Decl(f.Start.Line)
		f.Code = code(f, file)
		f.Fingerprint = Fingerprint(f)
	}
}

// Fingerprint is a hash of what makes the finding the same finding in another
// version of the program.
func Fingerprint(f *finding.Finding) string {
	k := keyOf(f)
	sum := sha256.Sum256([]byte(strings.Join([]string{k.check, k.rule, k.pkg, k.decl, k.code, k.message}, "\x00")))
	return hex.EncodeToString(sum[:10])
}

// code is the reported code if it is on one line, else the first line of it, without
// comments and with white space evened out.
func code(f *finding.Finding, file *source.File) string {
	line := file.Line(f.Start.Line)
	from, to := f.Start.Col-1, f.End.Col-1
	if f.End.Line == f.Start.Line && 0 <= from && from < to && to <= len(line) {
		line = line[from:to]
	}
	return strings.Join(strings.Fields(withoutComments(line)), " ")
}

// withoutComments cuts the comments out of a line of code.
func withoutComments(line string) string {
	if !strings.Contains(line, "//") && !strings.Contains(line, "/*") {
		return line
	}
	text := []byte(line)
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	// A line by itself may be no whole program; what can be read of it is read.
	s.Init(file, text, func(token.Position, string) {}, scanner.ScanComments)
	var out strings.Builder
	rest := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.COMMENT {
			at := file.Offset(pos)
			out.WriteString(line[rest:at] + " ")
			rest = min(at+len(lit), len(line))
		}
	}
	return out.String() + line[rest:]
}

var (
	number = lazyregexp.New(`\b\d+\b`)
	// evidence is why a lock is taken for the guard. It changes with every use of the
	// heap anywhere in the package.
	evidence = lazyregexp.New(`\s*\(held at [^()]*\)`)
)

// Message is what identifies a message: it is without the evidence for a guard, and
// without numbers, which count other code or are lines; white space is evened out.
func Message(message string) string {
	message = evidence.ReplaceAllString(message, "")
	return strings.Join(strings.Fields(number.ReplaceAllString(message, "#")), " ")
}

// A key is what findings have in common that are held to be the same.
type key struct {
	check, rule, pkg, decl, code, message, file string
}

func keyOf(f *finding.Finding) key {
	return key{check: f.Check, rule: f.Rule, pkg: f.Package, decl: f.Decl, code: f.Code, message: Message(f.Message)}
}
