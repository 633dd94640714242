package foreignoff

func good() {}
func bad()  {}

func f() {
	bad()  //nolint // want `toy/bad: bad`
	bad()  //nolint:toy // want `toy/bad: bad`
	good() //nolint:toy
	bad()  //heapvet:ignore
}
