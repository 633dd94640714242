// Package names has tags whose names are no names.
package names

type Options struct {
	A string            `json:"omitempty"`      // want `json names Options.A "omitempty": the comma before the option is missing`
	B int               `json:"string"`         // want `json names Options.B "string"`
	C map[string]string `yaml:"inline"`         // want `yaml names Options.C "inline"`
	D string            `datastore:"noindex"`   // want `datastore names Options.D "noindex"`
	E string            `xml:"chardata"`        // want `xml names Options.E "chardata"`
	F Inner             `mapstructure:"squash"` // want `mapstructure names Options.F "squash"`
	G Inner             `bson:"inline"`         // want `bson names Options.G "inline"`
}

type Inner struct {
	X int `bson:"x" json:"x"`
}

// Words that are names after all.
type Names struct {
	String    string `json:"string"`
	Inline    bool   `yaml:"inline"`
	Direction string `yaml:"flow" toml:"inlined"`
	OmitEmpty bool   `json:"omitempty"`
	Comment   string `xml:"comment"`
}

// A value of one of several types.
type Variant struct {
	I int64 `json:"int"`
	B bool  `json:"string"`
}

type Twice struct {
	Inner `bson:"inline,omitempty"` // want `bson names Twice.Inner "inline"`
}

// The driver of today finds the option in the place of the name.
type Embedding struct {
	Inner `bson:"inline"`
}

type Dash struct {
	A string `json:"-,"`          // want `"-," does not hide Dash.A: with the comma its json name is "-"`
	B string `toml:"-,omitempty"` // want `"-,omitempty" does not hide Dash.B`
	C string `bson:"-,omitempty"` // want `does not hide Dash.C: with the comma its bson name is "-"`
	D string `json:"-"`
	E string `mapstructure:"-,omitempty"`
}

type Votes struct {
	Up   int `json:"+1"`
	Less int `json:"-,"`
}

type Sign struct {
	Minus string `json:"-,"`
}

type Separators struct {
	A string `json:"a;omitempty"` // want `";" parts the option omitempty of Separators.A from its name instead of a comma`
	B string `yaml:"b omitempty"` // want `" " parts the option omitempty of Separators.B`
	C string `json:"c，omitempty"` // want `"，" parts the option omitempty`
	D string `json:"x.string.value"`
	E string `json:"some-inline"`
}

type Blanks struct {
	A string `json:" a"`           // want `the json name of Blanks.A begins with a blank: " a"`
	B string `json:"b ,omitempty"` // want `the json name of Blanks.B ends with a blank: "b "`
	C string `xml:" c"`            // want `the xml name of Blanks.C begins with a blank`
	D string `json:"two words"`
	E string `xml:"http://example.com/ns e"`
}

type Invalid struct {
	A string `json:"a\"b"` // want `encoding/json does not take the name "a\\"b" and uses A instead`
	B string `json:"a'b"`  // want `does not take the name "a'b" and uses B instead`
	C string `json:"@id"`
	D string `yaml:"a'b"`
}

type SpacesInXML struct {
	A string `xml:"urn:x a ,omitempty"` // want `the xml name of SpacesInXML.A has a blank too many`
	B string `xml:"urn:x  b"`           // want `the xml name of SpacesInXML.B has a blank too many`
	C string `xml:" "`                  // want `the xml name of SpacesInXML.C begins with a blank: " "`
	D string `xml:"urn:x d,omitempty"`
	E string `xml:"e "` // want `encoding/xml refuses the tag of SpacesInXML.E: a name space without a name`
}
