// Package inline has structs that were meant to be flattened.
package inline

type Base struct {
	ID string `bson:"_id" json:"id"`
}

type Plain struct{ A int }

type Note struct {
	Base         // want "bson nests the embedded Note.Base under \"base\", as it lacks the tag `bson:\",inline\"`"
	Title string `bson:"title"`
}

// Nothing in the embedded struct is for bson.
type Other struct {
	Plain
	Title string `bson:"title"`
}

// Not all of the struct is for bson.
type Mixed struct {
	Base
	Title string `bson:"title"`
	Extra string
}

type JSON struct {
	Common Base                  `json:",inline"` // want `encoding/json has no option inline and nests JSON.Common; only an embedded field is flattened`
	Plain  `json:"plain,inline"` // want `inline has no effect on the embedded JSON.Plain: its name "plain" makes encoding/json nest it`
	Base   `json:",inline"`
	Rest   map[string]any `json:",inline"`
}
