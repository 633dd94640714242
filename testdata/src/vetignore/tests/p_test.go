package tests

func ok() {} //heapvet:ignore=toy

func bad() {}

func f() {
	bad() //heapvet:ignore=toy
}
