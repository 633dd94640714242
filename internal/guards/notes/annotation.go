package notes

import (
	"strings"

	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// gvisor fits the annotations of gVisor's checklocks.
var gvisor = lazyregexp.New(`^\s*\+checklocks(read|acquire|acquireread|release|releaseread|exclude|excludewrite)?(?::\s*(\S+))?\s*$`)

// gvisorIgnore fits the exemption, with or without a reason.
var gvisorIgnore = lazyregexp.New(`^\s*\+checklocksignore\b`)

// macro fits Clang-style macros and Java-style annotations in comments.
var macro = lazyregexp.New(`(?:@|\b)(?i:(guarded_?by|pt_guarded_by)|(requires|requires_shared|exclusive_locks_required|shared_locks_required|locks_required|must_hold|locks_excluded))\s*\(\s*"?&?([\w.]+)"?\s*\)`)

// An annotation is the statement of a checker's syntax.
type annotation struct {
	claim  Claim
	read   bool
	lock   string
	ignore bool
}

// annotationOf parses a comment line.
func annotationOf(text string) (annotation, bool) {
	if gvisorIgnore.MatchString(text) {
		return annotation{ignore: true}, true
	}
	if m := gvisor.FindStringSubmatch(text); m != nil {
		a := annotation{lock: m[2], read: strings.HasSuffix(m[1], "read")}
		switch {
		case strings.HasPrefix(m[1], "acquire"):
			a.claim = Acquired
		case strings.HasPrefix(m[1], "release"):
			a.claim = Released
		case strings.HasPrefix(m[1], "exclude"):
			a.claim = Excluded
		}
		return a, m[2] != ""
	}
	m := macro.FindStringSubmatch(text)
	if m == nil || m[1] == "" && strings.ToUpper(m[2]) != m[2] {
		return annotation{}, false // "requires(x)" in lower case is prose
	}
	a := annotation{lock: m[3], read: strings.Contains(strings.ToLower(m[2]), "shared")}
	if strings.EqualFold(m[2], "locks_excluded") {
		a.claim = Excluded
	}
	return a, true
}
