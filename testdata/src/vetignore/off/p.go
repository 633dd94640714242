package off

func good() {}

func f() {
	good() //heapvet:ignore=toy // want `//heapvet:ignore=toy suppresses nothing`
	good() //heapvet:ignore=other
	good() //heapvet:ignore
	good() //nolint:heapvet
	good() //heapvet:ignore=othe // want `no check is called "othe"; did you mean "other"\?`
}
