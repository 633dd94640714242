// Package foreign has directives of other tools.
package foreign

func bad()  {}
func good() {}

func f() {
	bad()  //nolint
	bad()  //nolint:toy
	bad()  //nolint:heapvet // reason
	bad()  //nolint:errcheck // want `toy/bad: bad`
	good() //nolint
	good() //nolint:all
	good() //nolint:errcheck,toi
	good() //nolint:errcheck,toy // want `vetignore/unused: //nolint has toy in its list, which suppresses nothing`
	good() //nolint:heapvet // want `//nolint:heapvet suppresses nothing`

	//lint:ignore toy reason
	bad()
	//lint:ignore SA1000 reason
	bad() // want `toy/bad: bad`
	//lint:ignore SA1000
	good()
	//lint:ignore toy reason // want `//lint:ignore toy suppresses nothing`
	good()
	//lint:ignore * reason
	good()
}

// want +2 `vetignore/malformed: malformed //lint:ignore: a reason must follow the list, or the directive has no effect`
//
//lint:ignore heapvet
func g() {
	bad() // want `toy/bad: bad`
}
