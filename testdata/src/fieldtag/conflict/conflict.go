// Package conflict has a field whose names differ where all others agree.
package conflict

type Config struct {
	Host string `json:"host" yaml:"host"`
	Port string `json:"port" yaml:"port"`
	User string `json:"userName" yaml:"user_name"`
	File string `json:"file" yaml:"path"` // want `Config.File is "file" for json and "path" for yaml, while all other fields of the struct have one name for both`
}

type Two struct {
	Host string `json:"host" yaml:"host"`
	Port string `json:"port" yaml:"port"`
	User string `json:"user" yaml:"user"`
	File string `json:"file" yaml:"path"`
	Key  string `json:"key" yaml:"password"`
}
