package disabled

func good()  {}
func worse() {}

func f() {
	good() //heapvet:ignore=toy
	good() //heapvet:ignore=toy/worse
	good() //heapvet:ignore=toy/bad // want `//heapvet:ignore=toy/bad suppresses nothing`
	good() //heapvet:ignore=other // want `//heapvet:ignore=other suppresses nothing`
	good() //heapvet:ignore
	worse()
}
