package vetignore

import (
	"fmt"
	"strings"

	"github.com/heapvet/heapvet/internal/suggest"
)

// A Spelling is one of the ways to write a directive.
type Spelling int

const (
	// GoVet is //go:vet-ignore, which the compiler allows only on a line of its own.
	GoVet Spelling = iota
	// Heapvet is //heapvet:ignore.
	Heapvet
	// Nolint is golangci-lint's //nolint.
	Nolint
	// Lint is staticcheck's //lint:ignore.
	Lint
	// LintFile is staticcheck's //lint:file-ignore.
	LintFile
)

var spellings = [...]string{
	GoVet:    "//go:vet-ignore",
	Heapvet:  "//heapvet:ignore",
	Nolint:   "//nolint",
	Lint:     "//lint:ignore",
	LintFile: "//lint:file-ignore",
}

// String returns the directive without its list.
func (s Spelling) String() string { return spellings[s] }

// Foreign reports whether the directive is another tool's. Such a directive may
// name what heapvet does not know.
func (s Spelling) Foreign() bool { return s >= Nolint }

// Suite is the word that stands for all checks in the directives of other tools.
const Suite = "heapvet"

// Syntax is what one comment says.
type Syntax struct {
	Spelling Spelling
	// All says that there is no list: the directive covers every check.
	All bool
	// Names is the list.
	Names []*Name
	// Reason is the text after the list.
	Reason string
	// Fault, if not nil, is what is wrong. The names that could be read count
	// all the same, unless the fault is Void.
	Fault *Fault
}

// A Name is one entry of a directive's list.
type Name struct {
	// Check and Rule are the parts before and after the slash. An empty Rule
	// stands for all rules of the check.
	Check, Rule string
	// Offset is where the name begins in the text of the comment.
	Offset int

	usage
}

// String returns the name as it was written.
func (n *Name) String() string {
	if n.Rule == "" {
		return n.Check
	}
	return n.Check + "/" + n.Rule
}

// A Fault is a mistake in the form of a directive.
type Fault struct {
	// Empty says that the directive has a list without a name in it.
	Empty bool
	// Void says that the directive has no effect although it may have names.
	Void bool
	// Message says what is wrong.
	Message string
	// Fix is the comment put right, or "" if that is a guess.
	Fix string
}

// Parse reads a comment, with its slashes and without its newline. It returns nil
// if the comment is no directive and does not look as if it was meant to be one.
// alone says that the comment has a comment group for itself; running text that
// only begins with the words of a directive is then not taken for one.
func Parse(text string, alone bool) *Syntax {
	body, ok := strings.CutPrefix(text, "//")
	if !ok {
		return parseBlock(text)
	}
	body = strings.TrimRight(body, " \t\r")
	if s := parseNolint(body); s != nil {
		return s
	}
	if rest, ok := strings.CutPrefix(body, "lint:"); ok {
		return parseLint(rest)
	}
	if s := parseOwn(body); s != nil {
		return s
	}
	return parseSpaced(body, alone)
}

// parseOwn parses the directives that are heapvet's own. The offsets of names are
// those in "//" + body.
func parseOwn(body string) *Syntax {
	tool, rest, ok := strings.Cut(body, ":")
	if !ok || (tool != "go" && tool != "heapvet") {
		return nil
	}
	spelling := GoVet
	if tool == "heapvet" {
		spelling = Heapvet
	}
	end := strings.IndexAny(rest, " \t=:,(/")
	if end < 0 {
		end = len(rest)
	}
	verb, rest := rest[:end], rest[end:]
	want := spelling.String()[len("//"+tool+":"):]
	s := &Syntax{Spelling: spelling}
	if verb != want {
		// Other words after go: are the compiler's business, but heapvet: has one only.
		if spelling == GoVet && suggest.Nearest(verb, []string{want}) == "" {
			return nil
		}
		s.Fault = &Fault{Message: fmt.Sprintf("unknown directive //%s:%s; did you mean %s?", tool, verb, spelling)}
		if suggest.Nearest(verb, []string{want}) != "" {
			s.Fault.Fix = spelling.String() + rest
		}
		return s
	}
	switch {
	case rest == "" || rest[0] == ' ' || rest[0] == '\t':
		s.All = true
		s.Reason = reason(rest)
	case rest[0] == '=':
		s.list(rest[1:], len(spelling.String())+1)
	default:
		s.Fault = &Fault{Message: fmt.Sprintf("malformed %s: the list of checks follows an equals sign, as in %s=heaplock", spelling, spelling)}
		if rest[0] == ':' && len(rest) > 1 {
			s.Fault.Fix = spelling.String() + "=" + rest[1:]
		}
	}
	return s
}

// list parses the list of names and the reason after it. offset is where text
// begins in the comment.
func (s *Syntax) list(text string, offset int) {
	list := text
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		list, s.Reason = text[:i], reason(text[i:])
	}
	if strings.Trim(list, ",") == "" {
		s.Fault = &Fault{Empty: true, Message: fmt.Sprintf("%s= has an empty list; leave out the equals sign to cover every check", s.Spelling)}
		return
	}
	for word := range strings.SplitSeq(list, ",") {
		check, rule, slash := strings.Cut(word, "/")
		switch {
		case word == "" && strings.HasSuffix(list, ",") && s.Reason != "":
			s.Fault = &Fault{Message: fmt.Sprintf("malformed %s: the list ends at the first blank, so no blank may follow a comma", s.Spelling)}
		case word == "":
			s.Fault = &Fault{Message: fmt.Sprintf("malformed %s: there is an empty name in the list", s.Spelling)}
		case check == "" || slash && rule == "" || strings.Contains(rule, "/"):
			s.Fault = &Fault{Message: fmt.Sprintf("malformed %s: %q is neither a check nor check/rule", s.Spelling, word)}
		default:
			s.Names = append(s.Names, &Name{Check: check, Rule: rule, Offset: offset})
		}
		offset += len(word) + 1
	}
}

// reason returns the reason in what follows the list. As in other directives, a
// second comment on the line is not part of it.
func reason(text string) string {
	text, _, _ = strings.Cut(text, "//")
	return strings.TrimSpace(text)
}

// parseSpaced recognises a directive that has blanks after the slashes, which
// makes it an ordinary comment.
func parseSpaced(body string, alone bool) *Syntax {
	trimmed := strings.TrimLeft(body, " ")
	if len(trimmed) == len(body) {
		return nil
	}
	for _, spelling := range []Spelling{GoVet, Heapvet} {
		rest, ok := strings.CutPrefix("//"+trimmed, spelling.String())
		if !ok || rest != "" && rest[0] != '=' && !(alone && rest[0] == ' ') {
			continue
		}
		return &Syntax{Spelling: spelling, Fault: &Fault{
			Message: fmt.Sprintf("a directive has no blank after the slashes, so this comment suppresses nothing; write %s", spelling),
			Fix:     "//" + trimmed,
		}}
	}
	return nil
}

// parseBlock recognises a directive in a comment of the other kind.
func parseBlock(text string) *Syntax {
	body := strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
	for _, spelling := range []Spelling{GoVet, Heapvet} {
		rest, ok := strings.CutPrefix("//"+strings.TrimSpace(body), spelling.String())
		if ok && (rest == "" || rest[0] == '=' || rest[0] == ' ') && !strings.Contains(rest, "\n") {
			return &Syntax{Spelling: spelling, Fault: &Fault{
				Message: fmt.Sprintf("a directive is a // comment, so this one suppresses nothing; write %s", spelling),
			}}
		}
	}
	return nil
}

// parseNolint parses as golangci-lint does (pkg/result/processors/nolint_filter.go):
// blanks before the word are allowed, no list or "all" in it stands for every
// linter, names are compared without case and end at a second "//".
func parseNolint(body string) *Syntax {
	trimmed := strings.TrimLeft(body, "/ ")
	rest, ok := strings.CutPrefix(trimmed, "nolint")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != ':' {
		return nil
	}
	s := &Syntax{Spelling: Nolint}
	list, ok := strings.CutPrefix(rest, ":")
	if !ok {
		s.All = true
		return s
	}
	offset := len("//") + len(body) - len(list)
	list, s.Reason, _ = strings.Cut(list, "//") // here the reason is what follows
	s.Reason = strings.TrimSpace(s.Reason)
	for word := range strings.SplitSeq(list, ",") {
		name := strings.ToLower(strings.TrimSpace(word))
		if name == "all" || strings.HasPrefix(name, "all ") {
			s.All, s.Names = true, nil
			return s
		}
		check, rule, _ := strings.Cut(name, "/")
		if check != "" {
			s.Names = append(s.Names, &Name{Check: check, Rule: rule, Offset: offset + strings.Index(word, strings.TrimSpace(word))})
		}
		offset += len(word) + 1
	}
	return s
}

// parseLint parses what follows "//lint:" as staticcheck does: a verb, a list of
// patterns that are compared without case, and a reason that must be there, each
// separated by one blank.
func parseLint(rest string) *Syntax {
	verb, args, _ := strings.Cut(rest, " ")
	s := &Syntax{Spelling: Lint}
	switch verb {
	case "ignore":
	case "file-ignore":
		s.Spelling = LintFile
	default:
		return nil
	}
	list, reason, ok := strings.Cut(args, " ")
	offset := len(s.Spelling.String()) + 1
	s.Reason = strings.TrimSpace(reason)
	for word := range strings.SplitSeq(strings.ToLower(list), ",") {
		check, rule, _ := strings.Cut(word, "/")
		if check != "" {
			s.Names = append(s.Names, &Name{Check: check, Rule: rule, Offset: offset})
		}
		offset += len(word) + 1
	}
	if !ok {
		s.Fault = &Fault{Void: true, Message: fmt.Sprintf("malformed %s: a reason must follow the list, or the directive has no effect", s.Spelling)}
	}
	return s
}
