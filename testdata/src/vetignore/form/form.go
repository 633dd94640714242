// Package form has directives whose form is wrong.
package form

func bad()   {}
func worse() {}

func f() {
	bad() // heapvet:ignore // want `toy/bad: bad` `vetignore/malformed: a directive has no blank after the slashes, so this comment suppresses nothing; write //heapvet:ignore`

	// go:vet-ignore=toy // want `no blank after the slashes, so this comment suppresses nothing; write //go:vet-ignore`
	bad() // want `toy/bad: bad`

	bad() /* heapvet:ignore */ // want `toy/bad: bad` `a directive is a // comment, so this one suppresses nothing`

	//heapvet:ignored // want `unknown directive //heapvet:ignored; did you mean //heapvet:ignore\?`
	bad() // want `toy/bad: bad`

	//go:vetignore=toy // want `unknown directive //go:vetignore; did you mean //go:vet-ignore\?`
	bad() // want `toy/bad: bad`

	//go:vet-ignore:toy // want `malformed //go:vet-ignore: the list of checks follows an equals sign, as in //go:vet-ignore=heaplock`
	bad() // want `toy/bad: bad`

	//go:vet-ignore= // want `vetignore/empty: //go:vet-ignore= has an empty list; leave out the equals sign to cover every check`
	bad() // want `toy/bad: bad`

	//go:vet-ignore=toy, other // want `the list ends at the first blank, so no blank may follow a comma`
	bad()

	//go:vet-ignore=toy,,other/x // want `there is an empty name in the list` `other has no rule called "x"`
	bad()

	//go:vet-ignore toy,other // want `vetignore/malformed: //go:vet-ignore covers every check here; a list follows an equals sign, as in //go:vet-ignore=toy,other`
	bad()

	//go:vet-ignore toy is wrong here
	bad()
}

func unknown() {
	bad() //heapvet:ignore=toi // want `toy/bad: bad` `vetignore/unknown: no check is called "toi"; did you mean "toy"\?`

	bad() //heapvet:ignore=toy,othr/rare // want `no check is called "othr"; did you mean "other/rare"\?`

	bad() //heapvet:ignore=toy/baad // want `toy/bad: bad` `toy has no rule called "baad"; did you mean "toy/bad"\?`

	bad() //heapvet:ignore=toy/gone // want `toy/bad: bad` `toy has no rule called "gone"$`

	bad() //heapvet:ignore=worse // want `toy/bad: bad` `no check is called "worse"; did you mean "toy/worse"\?`

	bad() //heapvet:ignore=printf // want `toy/bad: bad` `no check is called "printf"$`

	bad() //heapvet:ignore=all // want `toy/bad: bad` `no check is called "all"; //heapvet:ignore without a list covers every check`

	bad() //heapvet:ignore=vetignore/nosuch // want `toy/bad: bad` `vetignore has no rule called "nosuch"`
}
