package idle

//go:vet-ignore=fieldtag // FIND
type T struct {
	A string `json:"a"`
}

var x = 1 //heapvet:ignore=heaplok // FIND
