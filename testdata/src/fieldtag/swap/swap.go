// Package swap has fields with each other's names.
package swap

type Window struct {
	Start int64 `json:"end"`   // want `the json name of Window.Start is "end", which is the name of Window.End, whose own is "start": they are swapped`
	End   int64 `json:"start"` // want `the json name of Window.End is "start", which is the name of Window.Start`
}

type Circle struct {
	A string `json:"b"` // want `they are swapped`
	B string `json:"c"` // want `they are swapped`
	C string `json:"a"` // want `they are swapped`
}

type Style struct {
	MaxSize int `yaml:"min-size"` // want `they are swapped`
	MinSize int `yaml:"max-size"` // want `they are swapped`
}

// One of them alone, or with names of another kind.
type Fine struct {
	From string `json:"src"`
	To   string `json:"dst"`
	Key  string `json:"value"`
	Val  string `json:"val"`
	A    string `json:"a"`
}
