// Package mismatch has names for two keys that differ by a slip.
package mismatch

type Config struct {
	Initial    int `json:"initial" yaml:"initial"`
	Thereafter int `json:"therafter" yaml:"thereafter"` // want `the json name of Config.Thereafter is "therafter", but the yaml name is "thereafter": one of them is misspelt`
	ReadTime   int `json:"readTime" yaml:"raed_time"`   // want `the yaml name of Config.ReadTime is "raed_time", but the json name is "readTime"`
	BaseURL    int `json:"baseUrl" yaml:"base-url"`
	Last       int `json:"last" yaml:"last"`
}

type Proto struct {
	Host     string `json:"host" protobuf:"bytes,1,opt,name=host"`
	Priority string `json:"priority" protobuf:"bytes,2,opt,name=prority"` // want `the protobuf name of Proto.Priority is "prority", but the json name is "priority"`
	Port     string `json:"port" protobuf:"bytes,3,opt,name=port"`
}

// Plurals, numbers, other words, short names.
type Fine struct {
	Initial int `json:"initial" yaml:"initial"`
	Label   int `json:"labels" yaml:"label"`
	Ident   int `json:"id" yaml:"ident"`
	Server1 int `json:"server1" yaml:"server2"`
	Other   int `json:"path" yaml:"other"`
	A       int `json:"a" yaml:"a"`
	B       int `json:"b" yaml:"b"`
	C       int `json:"c" yaml:"c"`
	D       int `json:"d" yaml:"d"`
	E       int `json:"e" yaml:"e"`
}
