package cgo

// static int one(void) { return 1; }
import "C"

type T struct {
	A string `json: "a"` // FIND
	B string `json: "b"` //heapvet:ignore=fieldtag
}

//go:vet-ignore=fieldtag
type U struct {
	A [2]int `json: "a"`
}

func One() int { return int(C.one()) }

func idle() int {
	//go:vet-ignore=fieldtag // FIND
	return int(C.one())
}
