// Package keys has misspelt keys.
package keys

import "reflect"

type Misspelt struct {
	A string `json:"a" yaml:"a" mapstructure:"a"`
	B string `jsno:"b"`         // want `the key jsno must be json, as in the fields beside it; nobody reads it`
	C string `jason:"c"`        // want `the key jason must be json`
	D string `josn:"d"`         // want `the key josn must be json`
	E string `Json:"e"`         // want `the key Json must be json`
	F string `json:"f" yml:"f"` // want `the key yml must be yaml`
	G string `mapstrcuture:"g"` // want `the key mapstrcuture must be mapstructure`
	H string `ymal:"h" jsn:"x"` // want `the key ymal must be yaml`
}

// Keys of their own, close to others.
type Neighbours struct {
	A string `json:"a" env:"A" form:"a" orm:"a" valid:"-" validate:"-"`
	B string `jsonb:"b" envs:"B" forms:"b"`
	C string `jsonx:"c" xjson:"c"`
	D string `json:"d" jsos:"d"` // has json itself
	E string `jsot:"e"`          // named below
}

// Nobody beside it uses json.
type Alone struct {
	A string `jsno:"a"`
}

func read() string {
	f, _ := reflect.TypeFor[Neighbours]().FieldByName("E")
	return f.Tag.Get("jsot")
}
