//go:build !windows

//go:vet-ignore=fieldtag

package tags

type T struct {
	A string `json: "a"`
}
