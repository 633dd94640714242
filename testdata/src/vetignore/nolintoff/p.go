package nolintoff

func good() {}
func bad()  {}

func f() {
	bad()  //nolint // want `toy/bad: bad`
	bad()  //nolint:heapvet // want `toy/bad: bad`
	bad()  //nolint:toy
	bad()  //nolint:heapvet,toy
	good() //nolint:heapvet
	good() //nolint:toy // want `//nolint:toy suppresses nothing`
	bad()  //heapvet:ignore
	bad()  //lint:ignore heapvet reason
}
