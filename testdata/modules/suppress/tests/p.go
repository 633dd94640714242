package tests

type T struct {
	A string `json: "a"` //heapvet:ignore=fieldtag
	B string `json: "b"` // FIND
}
