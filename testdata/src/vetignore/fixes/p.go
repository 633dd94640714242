// Package fixes has directives that can be put right.
package fixes

func bad(...any) {}

func f() {
	bad() //go:vet-ignore=toy why // want `vetignore/misplaced: the compiler refuses a //go: comment at the end of a line; move it to a line of its own or write //heapvet:ignore`
	bad(
		1,
		2,
	) //go:vet-ignore=toy // want `misplaced`
	if true { //go:vet-ignore=toy // want `misplaced`
		bad() // want `toy/bad: bad`
	} else if bad(); false { //go:vet-ignore=toy // want `misplaced`
	}
	//heapvet:ignore=toi // want `no check is called "toi"; did you mean "toy"\?`
	bad() // want `toy/bad: bad`
	//heapvet:ignore=toy/worse,toy/baad // want `toy has no rule called "baad"; did you mean "toy/bad"\?` `has toy/worse in its list`
	bad() // want `toy/bad: bad`
	bad() // heapvet:ignore=toy // want `toy/bad: bad` `no blank after the slashes`
	//go:vet-ignore:toy/bad // want `follows an equals sign`
	bad() // want `toy/bad: bad`
	//go:vet-ignore toy other // want `covers every check here`
	bad()
}

var v = []any{
	1, //go:vet-ignore=vetignore/unused // want `misplaced`
	2,
}

type T struct { //go:vet-ignore=vetignore/unused // want `misplaced`
	c int

	a, b int //go:vet-ignore=vetignore/unused // want `misplaced`
}
