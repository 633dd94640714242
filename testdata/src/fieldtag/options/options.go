// Package options has options that the libraries do not know.
package options

type Misspelt struct {
	A string `json:"a,omitempy"`            // want `encoding/json does not know the option omitempy of Misspelt.A; it must be omitempty`
	B string `json:"b,omitEmpty"`           // want `it must be omitempty`
	C string `json:"c,omit_empty"`          // want `it must be omitempty`
	D string `json:"d, omitempty"`          // want `blank in the json option " omitempty" of Misspelt.D, so it is not read`
	E string `json:"e,omit"`                // want `it must be omitempty`
	F string `xml:"f,attribute"`            // want `it must be attr`
	G string `yaml:"g,omitempty,inlin"`     // want `yaml does not know the option inlin of Misspelt.G; it must be inline`
	H string `url:"h,omitemtpy"`            // want `go-querystring does not know the option omitemtpy`
	I string `db:"i,primarykye"`            // want `it must be primarykey`
	J string `json:"j,omitempty,omitempty"` // want `the json option omitempty of Misspelt.J is there twice`
	K string `bson:"k,omitempt"`            // want `it must be omitempty`
	L string `mapstructure:"l,sqash"`       // want `it must be squash`
	M string `yaml:"m,"`                    // want `yaml takes the comma in "m," of Misspelt.M for an empty option and refuses the whole type`
	N int    `asn1:"optinal,tag:1"`         // want `encoding/asn1 does not know the option optinal of Misspelt.N; it must be optional`
	O int    `asn1:"optional, tag:1"`       // want `blank in the asn1 option " tag:1"`
	P string `gorm:"colunm:p;size:3"`       // want `gorm does not know the setting colunm of Misspelt.P; it must be column`
	Q string `gorm:"size:3; primaryKye"`    // want `it must be primaryKey`
}

type Unknown struct {
	A string `json:"a,readonly"` // want `encoding/json does not know the option "readonly" of Unknown.A`
	B string `xml:"b,cdata1"`    // want `it must be cdata`
	C string `yaml:"c,pretty"`   // want `yaml does not know the option "pretty" of Unknown.C`
	E int    `asn1:"tag:x"`      // want `the tag number "x" of Unknown.E is no number`
	D int    `asn1:"context"`    // want `encoding/asn1 does not know the option "context" of Unknown.D`
}

// Options that somebody knows.
type Known struct {
	A string         `json:"a,omitempty,omitzero" yaml:"a,omitempty,flow" xml:"a,attr,omitempty" bson:"a,omitempty,minsize"`
	B string         `json:"b,case:ignore,format:'a,b'" toml:"b,multiline" db:"b,type=text,whatever"`
	C string         `json:"c,required" url:"c,comma" form:"c,default=1" env:"C,required,notEmpty"`
	D string         `json:"d,attr" xml:"d,attr"`
	E int            `asn1:"optional,explicit,default:0,tag:0" gorm:"column:e;type:varchar(10);whatever:1;INDEX"`
	F string         `json:"f," xml:"f,"`
	G map[string]any `mapstructure:",remain"`
	H string         `json:"h,mine"`
	I string         `json:"i,default=a,options=[a,b]"`
}

// The package has an option of its own.
const mine = "mine"
