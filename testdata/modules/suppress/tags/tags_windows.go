package tags

type T struct {
	A string `json: "a"` //go:vet-ignore=nosuchcheck
}
