// Package k8stypes has types without an object, most of whose required fields have
// omitempty, by the newer conventions.
//
// +k8s:deepcopy-gen=package
package k8stypes

type Spec struct {
	// +required
	A string `json:"a,omitempty"`
	// +required
	B string `json:"b,omitempty"`
	// +required
	C string `json:"c"`

	Snake int `json:"snake_case"` // want `not in lowerCamelCase`
}

// Without any json tag it is no API type.
type Plain struct {
	A int `yaml:"a"`
	B int
}
