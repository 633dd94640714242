// Package jsonv2 uses the second version of encoding/json only.
package jsonv2

import (
	"time"

	"github.com/go-json-experiment/json"
)

type level int

func (l level) MarshalJSON() ([]byte, error) { return []byte(`""`), nil }

type options struct {
	Count  int           `json:"count,omitempty"` // want `omitempty has no effect on options.Count: encoding/json/v2 leaves out what is encoded as null or as an empty string, object or array, which int never is`
	Ready  bool          `json:"ready,omitempty"` // want `omitempty has no effect on options.Ready`
	Live   bool          `json:"live,string"`     // want `string has no effect on options.Live: encoding/json/v2 quotes numbers only, not bool`
	Name   string        `json:"name,omitempty"`
	Zero   int           `json:"zero,omitzero"`
	Both   int           `json:"both,omitempty,omitzero"`
	Level  level         `json:"level,omitempty"`
	Inner  struct{}      `json:"inner,omitempty"`
	When   time.Time     `json:"when,omitzero,format:RFC3339"`
	Wait   time.Duration `json:"wait,format:units"`
	Nums   []int         `json:"nums,string"`
	Quoted int           `json:"'a,b',string"`
}

type refused struct {
	Hidden string `json:"-,"`          // want `"-," does not hide refused.Hidden: encoding/json/v2 refuses the whole type`
	Empty  string `json:"empty,"`      // want `encoding/json/v2 takes the comma in "empty," of refused.Empty for an empty option and refuses the whole type`
	Blank  string `json:"b, omitzero"` // want `blank in the json option " omitzero" of refused.Blank, so the whole type is refused`
}

type twice struct {
	A int `json:"a"`
	B int `json:"a"` // want `twice.A and twice.B are both "a" for encoding/json, which refuses the whole type`
	C int
	D int `json:"C"` // want `twice.C and twice.D are both "C" for encoding/json, which refuses the whole type`
}

type one struct {
	X int `json:"x"`
}

type two struct {
	X int `json:"x"`
}

type embeds struct {
	one
	two // want `both "x" for encoding/json, which leaves both out`
}

type quoted struct {
	A int `json:"'a b'"`
	B int `json:"a b"` // want `both "a b" for encoding/json, which refuses the whole type`
}

func write() {
	for _, v := range []any{options{}, refused{}, twice{}, embeds{}, quoted{}} {
		_, _ = json.Marshal(v)
	}
}
