package lines

//line elsewhere.y:10
type T struct {
	A string `json: "a"` //heapvet:ignore=fieldtag
	//go:vet-ignore=fieldtag
	B string `json: "b"`
}
