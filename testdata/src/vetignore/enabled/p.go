package enabled

func good() {}
func rare() {}

func f() {
	good() //heapvet:ignore=other/rare // want `//heapvet:ignore=other/rare suppresses nothing`
	rare() //heapvet:ignore=other/rare
	rare() // want `other/rare: rare`
}
