// Package fixes has faults with mechanical fixes.
//
// +groupName=test.example.com
package fixes

type Syntax struct {
	A int `json: "a"`                     // want `blank`
	B int `json:b`                        // want `not in double quotes`
	C int `json:'c'`                      // want `single quotes`
	D int `json:"d",xml:"d"`              // want `comma`
	E int "json:\"e\"\txml:\"e\""         // want `tab`
	F int "json:'f'"                      // want `single quotes`
	G int `validate:"len=\d"`             // want `escape`
	H int `gorm:"comment:a "b" c"`        // want `quote`
	I int `json:"i`                       // want `no closing quote`
	J int `json="j"`                      // want `equals sign`
	K int `json"k"`                       // want `no colon`
	L int `json:"l",omitempty`            // want `outside the quotes`
	M int `json:"m" json:"m"`             // want `twice`
	N int `gorm:"size:3" gorm:"column:n"` // want `twice`
	O int `json: 'o'`                     // want `single quotes`
}

type Words struct {
	A string `json:"a" yaml:"a"`
	B string `jsno:"b" yaml:"b"`            // want `must be json`
	C string `json:"c,omitemtpy"`           // want `must be omitempty`
	D string `json:"d, omitempty"`          // want `blank in the json option`
	E string `json:"omitempty"`             // want `comma before the option`
	F string `json:"-,omitempty"`           // want `does not hide`
	G string `json:" g"`                    // want `begins with a blank`
	H string `json:"h,omitempty,omitempty"` // want `twice`
	I []int  `json:"i,string"`              // want `no effect`
	J string `yaml:"j,"`                    // want `empty option`
	K int32  `protobuf:"bytes,1,opt"`       // want `wire type`
	L string `validate:"requried"`          // want `must be required`
	M string `validate:"oneof='a' 'b,c'"`   // want `comma`
	N int    "asn1:\"optinal\""             // want `must be optional`
}

type Mismatch struct {
	Initial    int `json:"initial" yaml:"initial"`
	Tick       int `json:"tick" yaml:"tick"`
	Thereafter int `json:"therafter" yaml:"thereafter"` // want `misspelt`
}

type TypeMeta struct {
	Kind string `json:"kind"`
}

type Object struct {
	TypeMeta `json:"meta"` // want `flattened`
	// +optional
	Name string `json:"name"` // want `no omitempty`
	// +optinal
	Size string `json:"size,omitempty"` // want `must be \+optional`
}
