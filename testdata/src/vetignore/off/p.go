package off

func good() {}

func f() {
	good() //heapvet:ignore=toy // want `//heapvet:ignore=toy suppresses nothing`
	good() //heapvet:ignore=other
	good() //heapvet:ignore
	good() //nolint:heapvet
	good() //heapvet:ignore=othre // want `no check is called "othre"; did you mean "other"\?`
}
