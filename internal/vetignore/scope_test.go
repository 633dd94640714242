package vetignore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// parseIndex returns the index of one file. The source must be valid.
func parseIndex(t testing.TB, src string) (*Index, *ast.File, *token.FileSet) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	x, err := newIndex(fset, []*ast.File{f}, func(string) ([]byte, error) { return []byte(src), nil }, true)
	if err != nil {
		t.Fatal(err)
	}
	return x, f, fset
}

// TestScopes asks for a finding at every identifier that begins with hit, which
// must be covered, and with miss, which must not.
func TestScopes(t *testing.T) {
	for _, tt := range scopes {
		for _, spelling := range []string{"//go:vet-ignore", "//heapvet:ignore=c a reason", "//heapvet:ignore=x,c/r,y"} {
			if tt.foreign && spelling != "//go:vet-ignore" {
				continue
			}
			src := strings.ReplaceAll(tt.src, "//!", spelling)
			if !strings.Contains(src, "package ") {
				src = "package p\n" + src
			}
			t.Run(tt.name, func(t *testing.T) { checkScopes(t, src) })
		}
	}
}

func checkScopes(t *testing.T, src string) {
	x, f, fset := parseIndex(t, src)
	asked := 0
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		hit := strings.HasPrefix(id.Name, "hit")
		if !hit && !strings.HasPrefix(id.Name, "miss") {
			return true
		}
		asked++
		if x.Ignored("c", "r", id.Pos(), id.End()) != hit {
			t.Errorf("%s: %s is covered: %v\n%s", fset.PositionFor(id.Pos(), false), id.Name, !hit, src)
		}
		return true
	})
	if asked == 0 {
		t.Fatal("the case asks for nothing")
	}
}

var scopes = []struct {
	name, src string
	foreign   bool // the directives are other tools'
}{
	{name: "statement", src: `
func f() {
	miss()
	//!
	hit()
	miss()
}`},
	{name: "statement of several lines", src: `
func f() {
	//!
	hit(
		hit,
		func() {
			hit()
		},
	)
	miss()
}`},
	{name: "blank line between", src: `
func f() {
	//!

	hit()
	miss()
}`},
	{name: "comments between", src: `
func f() {
	//!
	// Why.
	/* And
	   more. */
	hit()
	miss()
}`},
	{name: "stacked", src: `
func f() {
	//!
	//heapvet:ignore=other
	hit()
	miss()
}`},
	{name: "compound statement", src: `
func f() {
	//!
	if hit() {
		hit()
	} else if hit {
		hit()
	} else {
		hit()
	}
	miss()
	//!
	for i := range hit {
		hit(i)
	}
	miss()
}`},
	{name: "labelled statement", src: `
func f() {
	//!
L:
	for {
		hit()
		break L
	}
	miss()
}`},
	{name: "block", src: `
func f() {
	//!
	{
		hit()
	}
	miss()
}`},
	{name: "end of block covers nothing", src: `
func f() {
	if miss() {
		miss()
		//!
	} else {
		miss()
	}
	miss()
	//!
}

func miss() {}`},
	{name: "else branch by its statements", src: `
func f() {
	if miss() {
		miss()
	} else {
		//!
		hit()
		miss()
	}
}`},
	{name: "case clause", src: `
func f() {
	switch miss() {
	case miss():
		miss()
	//!
	case hit():
		hit()
		hit()
	default:
		miss()
	}
	select {
	//!
	case <-hit():
		hit()
	case <-miss:
		miss()
	//!
	default:
		hit()
	}
}`},
	{name: "first statement of a case", src: `
func f() {
	switch {
	case miss():
		//!
		hit()
		miss()
	}
}`},
	{name: "composite literal elements", src: `
var v = T{
	a: miss(),
	//!
	b: hit(
		hit,
	),
	c: miss(),
}
var w = []int{
	miss(),
	//!
	hit(),
	miss(),
}`},
	{name: "nested composite literal", src: `
var v = []T{
	//!
	{a: hit, b: []int{
		hit(),
	}},
	{a: miss},
}`},
	{name: "call arguments", src: `
func f() {
	g(
		miss(),
		//!
		x.hit().hit(),
		miss(),
	)
}`},
	{name: "chain", src: `
func f() {
	//!
	hit.
		hit().
		hit(hit)
	miss.
		//!
		hit(hit,
			hit).
		miss(miss)
}`},
	{name: "operand", src: `
func f() bool {
	return miss &&
		//!
		hit(hit) &&
		miss()
}`},
	{name: "function declaration", src: `
func miss() {}

// hit does.
//
//!
func hit(hit int) (hit int) {
	hit()
	return hit
}

func miss() {}`},
	{name: "method and directive first in the doc comment", src: `
//!
// hit does.
func (hit T) hit() {
	hit()
}

func miss() {}`},
	{name: "type declaration", src: `
//!
type hit struct {
	hit int
}

type miss int`},
	{name: "struct field with several names", src: `
type T struct {
	miss int
	// The ones.
	//!
	hit1, hit2 hit
	miss miss
	//!
	hit struct {
		hit int
	}
	//!
	*hit
	miss
}`},
	{name: "interface method", src: `
type I interface {
	miss()
	//!
	hit(hit int) hit
	miss
}`},
	{name: "parameters", src: `
func f(
	miss int,
	//!
	hit, hit2 int,
	miss int,
) {
}`},
	{name: "groups", src: `
import (
	miss "a"
	//!
	hit "b"
)

//!
import (
	hit "c"
	hit "d"
)

const (
	miss = iota
	//!
	hit
	miss
)

//!
var (
	hit = 1
	hit int
)

var (
	miss int
	//!
	hit, hit2 = hit(),
		hit()
)

type (
	//!
	hit int
	miss int
)`},
	{name: "type parameters", src: `
//!
func hit[hit interface {
	~int
	hit()
}](hit hit) {}

type miss[miss any] struct{}`},
	{name: "file", src: `// Copyright

//!

// Package hit is.
package hit

import hit "a"

func hit() { hit() }
`},
	{name: "file, in its doc comment", src: `// Package hit is.
//
//!
package hit

func hit() { hit() }
`},
	{name: "file, with build constraint", src: `//!
//go:build linux

package hit

func hit() { hit() }
`},
	{name: "file, behind the build constraint", src: `//go:build linux
//!

package hit

func hit() { hit() }
`},
	{name: "below the package clause", src: `package miss

//!

import hit "a"

func miss() { miss() }
`},
	{name: "line directives", src: `
func f() {
//line other.go:1
	miss()
	//!
	hit(
//line other.go:1
		hit,
	)
	miss()
	miss() //line
//line p.go:1
	hit() //heapvet:ignore
	miss()
}`},
	{name: "function literal", src: `
func f() {
	//!
	go func() {
		hit()
	}()
	miss(func() {
		//!
		hit()
		miss()
	})
}`},
	{name: "no cover in the called function", src: `
func f() {
	//!
	hit()
}

func g() {
	miss()
}`},

	{name: "end of line", foreign: true, src: `
func f() {
	miss()
	hit(hit) //heapvet:ignore
	miss()
}`},
	{name: "end of line of an opening brace", foreign: true, src: `
func f(hit int) { //heapvet:ignore
	miss()
	if hit() { //heapvet:ignore
		miss()
	} else if hit { //heapvet:ignore
		miss()
	} else { //heapvet:ignore
		miss()
	}
	for range hit { //heapvet:ignore
		miss()
	}
	go func(hit int) { //heapvet:ignore
		miss()
	}()
}`},
	{name: "end of the last line", foreign: true, src: `
func f() {
	hit(
		1,
	) //heapvet:ignore
	hit(
		miss,
	) //heapvet:ignore
	hit.f(func() {
		miss()
	}) //heapvet:ignore
	x = hit +
		hit //heapvet:ignore
	miss()
}`},
	{name: "end of the first line", foreign: true, src: `
func f() {
	hit( //heapvet:ignore
		miss,
	)
	x = hit + //heapvet:ignore
		hit
	miss()
}`},
	{name: "end of a middle line", foreign: true, src: `
func f() {
	x = miss +
		hit + //heapvet:ignore
		miss
}`},
	{name: "end of an element", foreign: true, src: `
import hit "a" //heapvet:ignore
var v = T{
	a: miss,
	b: hit, //heapvet:ignore
	c: hit(
		miss,
	), //heapvet:ignore
	d: miss,
}
type S struct {
	miss int
	hit, hit2 int //heapvet:ignore
	hit struct {
		miss int
	} //heapvet:ignore
}
const (
	miss = 1
	hit = 2 //heapvet:ignore
)`},
	{name: "end of the package clause", foreign: true, src: `package hit //heapvet:ignore

func miss() {}
`},
	{name: "misplaced, but clear", foreign: true, src: `
func f() {
	hit() //go:vet-ignore
	miss()
}`},

	{name: "nolint", foreign: true, src: `
func f() {
	hit() //nolint
	hit() // nolint:c
	hit() //nolint:x,C // reason
	hit() //nolint:all
	hit() //nolint:heapvet
	miss() //nolint:x
	miss() //nolint:cc
	miss() //nolint2
	//nolint:c
	hit(
		hit,
	)
	//nolint:c

	miss()
	  //nolint:c
	miss()
	if miss { //nolint:x
	}
	hit( //nolint:c
		miss,
	)
}

// hit does.
//nolint:heapvet
func hit() {
	hit()
}

//nolint:c
type hit struct {
	hit int
}

type miss int`},
	{name: "nolint of a file", foreign: true, src: `//nolint:c
package hit

func hit() { hit() }
`},
	{name: "nolint above, but not next to, the package clause", foreign: true, src: `//nolint:c

package miss

func miss() { miss() }
`},
	{name: "lint:ignore", foreign: true, src: `
func f() {
	//lint:ignore c reason
	hit(
		miss,
	)
	hit() //lint:ignore x,c reason
	hit() //lint:ignore C reason
	hit() //lint:ignore * reason
	hit() //lint:ignore heapvet reason
	hit() //lint:ignore c/r reason
	miss() //lint:ignore c/x reason
	miss() //lint:ignore x reason
	miss() //lint:ignore c
	miss() // lint:ignore c reason
}`},
	{name: "lint:file-ignore", foreign: true, src: `
func hit() {}

//lint:file-ignore c reason

func hit() {}
`},
}
