// Package unexported has tags on fields that nobody sees.
package unexported

type Config struct {
	url     string `toml:"url"`        // want `Config.url is not exported, so toml does not see it, whatever its tag says`
	size    int    `json:"size"`       // want `Config.size is not exported, so encoding/json does not see it`
	level   int    `yaml:",omitempty"` // want `so yaml does not see it`
	hidden  int    `json:"-"`
	rules   int    `validate:"required" default:"3"`
	own     int    `col:"own"`
	inner   `json:",inline"`
	_       struct{} `cbor:",toarray"`
	_struct bool     `codec:",omitempty"`
}

// It hands on what it decodes.
type Wrapper struct {
	inner inner `yaml:",inline"`
}

func (*Wrapper) UnmarshalYAML(func(any) error) error { return nil }

type inner struct {
	A int `json:"a"`
}
