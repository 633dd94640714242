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

type YAML struct {
	A string `yaml:"a" mapstructure:"a"`
}

type More struct {
	B string `yaml:"b" mapstructure:"b"`
}

type Flat struct {
	YAML `yaml:",inline"`
	C    string `yaml:"c" mapstructure:"c"`
}

type Forgotten struct {
	More        // want "yaml nests the embedded Forgotten.More, as it lacks the tag `yaml:\",inline\"` that other embedded structs of the package have"
	D    string `yaml:"d" mapstructure:"d"`
}

type JSON struct {
	Common Base                  `json:",inline"` // want `encoding/json has no option inline and nests JSON.Common; only an embedded field is flattened`
	Plain  `json:"plain,inline"` // want `inline has no effect on the embedded JSON.Plain: its name "plain" makes encoding/json nest it`
	Base   `json:",inline"`
	Rest   map[string]any `json:",inline"`
}
