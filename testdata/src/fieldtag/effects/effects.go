// Package effects has options that do nothing on a field of their type.
package effects

import "time"

type Inner struct{ A int }

type Number int64

// silent writes nothing if it is zero.
type silent struct{ A int }

func (silent) MarshalXML() error { return nil }

type OmitEmpty struct {
	A time.Time `json:"a,omitempty"`        // want `omitempty has no effect on OmitEmpty.A: encoding/json never takes a struct for empty`
	B Inner     `json:"b,string,omitempty"` // want `omitempty has no effect on OmitEmpty.B` `string has no effect on OmitEmpty.B`
	C [2]int    `json:"c,omitempty"`        // want `encoding/json never takes an array with elements for empty`
	D struct {
		X int
	} `json:"d,omitempty"` // want `omitempty has no effect on OmitEmpty.D`
	E Inner    `xml:"e,omitempty"` // want `encoding/xml never takes a struct for empty`
	F [2]Inner `xml:"f,omitempty"` // want `omitempty has no effect on OmitEmpty.F`
}

type Effective struct {
	A     *time.Time `json:"a,omitempty"`
	B     time.Time  `json:"b,omitempty,omitzero"`
	C     [0]int     `json:"c,omitempty"`
	D     []Inner    `json:"d,omitempty"`
	E     [2]int     `xml:"e,omitempty"`
	I     silent     `xml:"i,omitempty"`
	F     Inner      `yaml:"f,omitempty" bson:"f,omitempty" toml:"f,omitempty"`
	G     Inner      `json:"spec,omitempty"`
	Inner `json:",omitempty"`
	H     time.Duration `json:"h,omitempty"`
}

type String struct {
	A []int64  `json:"a,string"` // want `string has no effect on String.A: encoding/json quotes strings, numbers, booleans and pointers to them only, not \[\]int64`
	B **int64  `json:"b,string"` // want `string has no effect on String.B`
	C any      `json:"c,string"` // want `string has no effect on String.C`
	D int64    `json:"d,string"`
	E *Number  `json:"e,string"`
	F string   `json:"f,string"`
	G bool     `json:"g,string"`
	H *float32 `json:"h,string"`
}

type Generic[T any] struct {
	A T `json:"a,string,omitempty"`
}

type Default struct {
	A bool    `json:"a,omitempty" default:"true"` // want `with omitempty Default.A cannot be sent as false: it is left out, and the default true takes its place`
	B int     `json:"b,omitempty" default:"3"`    // want `with omitempty Default.B cannot be sent as 0`
	C bool    `json:"c,omitempty" default:"false"`
	D int     `json:"d,omitempty" default:"0"`
	E *bool   `json:"e,omitempty" default:"true"`
	F int     `json:"f" default:"3"`
	G string  `json:"g,omitempty" default:"x"`
	H float64 `json:"h,omitempty" default:"none"`
}
