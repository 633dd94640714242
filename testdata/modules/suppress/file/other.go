package file

type U struct {
	A string `json: "a"` // FIND
}
