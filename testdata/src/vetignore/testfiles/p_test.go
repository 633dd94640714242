package testfiles

func good() {} //heapvet:ignore=toy // want `//heapvet:ignore=toy suppresses nothing`
