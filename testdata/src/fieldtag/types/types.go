// Package types has fields that cannot be encoded.
package types

import "context"

type key struct{ A int }

type textKey struct{ A int }

func (textKey) MarshalText() ([]byte, error) { return nil, nil }

type fn func()

func (fn) MarshalJSON() ([]byte, error) { return nil, nil }

// reader is a function with a name that can be read.
type reader func()

func (*reader) UnmarshalText([]byte) error { return nil }

type JSON struct {
	A chan int           `json:"a"`           // want `encoding/json cannot encode JSON.A: chan int is a channel`
	B func()             `json:"b,omitempty"` // want `func\(\) is a function`
	C complex128         `json:"c"`           // want `it does not take complex128`
	D map[key]int        `json:"d"`           // want `map\[key\]int is a map that it does not take`
	E []chan int         `json:"e"`           // want `chan int is a channel`
	F map[string]func()  `json:"f"`           // want `func\(\) is a function`
	G map[string]int     `xml:"g"`            // want `encoding/xml cannot encode JSON.G: map\[string\]int is a map that it does not take`
	H chan int           `yaml:"h"`           // want `yaml cannot encode JSON.H`
	I chan int           `json:"-" yaml:"-"`
	J fn                 `json:"j"`
	K map[textKey]int    `json:"k"`
	L map[int]int        `json:"l"`
	M func()             `json:"m,omitzero"`
	N context.CancelFunc `mapstructure:"n"`
	Q reader             `json:"q"`
	O any                `json:"o"`
	P *JSON              `json:"p"`
}

// Its own way to be encoded.
type Own struct {
	A chan int `json:"a"`
}

func (Own) MarshalJSON() ([]byte, error) { return nil, nil }

type Generic[T any, K comparable] struct {
	A T       `json:"a"`
	B map[K]T `json:"b"`
}
