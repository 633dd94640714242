//go:vet-ignore=fieldtag the whole file

package file

type T struct {
	A string `json: "a"`
}
