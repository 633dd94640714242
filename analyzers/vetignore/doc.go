package vetignore

import "github.com/heapvet/heapvet/internal/check"

const text = `
A finding that is wrong, or right and accepted, is suppressed in the source:

	//go:vet-ignore=heaplock the queue is not shared before Start
	heap.Push(&q.items, first)

	heap.Push(&q.items, first) //heapvet:ignore=heaplock not shared before Start

After the equals sign stands a list of checks, separated by commas and without
blanks; ` + "`check/rule`" + ` names one rule. Without a list the directive covers every
check. What follows the list is the reason, for the reader.

On a line of its own either spelling covers the statement, field, declaration or
list element that follows, whole; above the package clause it covers the file. The
compiler refuses //go: comments at the end of a line, so only //heapvet:ignore may
stand there. It then covers the findings of that line, and those of a statement,
field or list element that begins or ends on it.

The habits of other tools count too: //nolint:heapvet and //nolint:heaplock as in
golangci-lint, //lint:ignore heaplock reason as in staticcheck.

This check finds directives that do not do what they seem to. It says nothing in
generated files and, without -vetignore.tests, in test files; nothing about checks
and rules that are turned off; and nothing about names in //nolint and //lint:ignore
that are not heapvet's. Its own findings are suppressed only by a directive that
names it: //go:vet-ignore=vetignore.
`

var rules = []check.Rule{
	{
		Name:  "malformed",
		Title: "a comment looks like a directive but is none",
		Text: `A blank after the slashes, a misspelt verb, a list after a colon or a
blank instead of an equals sign, an empty name in the list, a /* */ comment, and
//lint:ignore without a reason.`,
		Wrong: `
// heapvet:ignore=heaplock
var first = queue[0]

var queue = []int{1}
`,
		Right: `
var first = queue[0]

var queue = []int{1}
`,
	},
	{
		Name:  "empty",
		Title: "the list of a directive is empty",
		Text:  `Such a directive covers nothing. Without the equals sign it covers every check.`,
		Wrong: `
//go:vet-ignore=
var queue = []int{1}
`,
		Right: `
var queue = []int{1}
`,
	},
	{
		Name:  "unknown",
		Title: "a directive names a check or rule that does not exist",
		Wrong: `
//go:vet-ignore=heaplok
var queue = []int{1}
`,
		Right: `
var queue = []int{1}
`,
	},
	{
		Name:  "unused",
		Title: "a directive, or a name in its list, suppresses nothing",
		Text: `The finding may have gone since, or the directive does not stand where the
finding is. A file that is built in several ways (build tags, operating systems) is
judged by the build at hand; where another build has the finding, let the directive
name vetignore/unused as well.`,
		Wrong: `
//go:vet-ignore=heaplock
var queue = []int{1}
`,
		Right: `
var queue = []int{1}
`,
	},
	{
		Name:  "misplaced",
		Title: "a //go: comment stands at the end of a line, where the compiler refuses it",
		Wrong: `
var queue = []int{1} //go:vet-ignore=vetignore/unused
`,
		Right: `
var queue = []int{1}
`,
	},
}
