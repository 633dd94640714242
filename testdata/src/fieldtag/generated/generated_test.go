package generated

type InTest struct {
	A int `json: "a"`
}
