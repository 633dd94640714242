// Package k8stypes has types without an object, most of whose required fields have
// omitempty, by the newer convention.
//
// +k8s:deepcopy-gen=package
package k8stypes

type Spec struct {
	// +required
	A string `json:"a,omitempty"`
	// +required
	B string `json:"b,omitempty"`
	// +required
	C string `json:"c,omitempty"`

	Snake int `json:"snake_case"` // want `not in lowerCamelCase`
}

type More struct {
	// +required
	A string `json:"a,omitempty"`
	// +required
	B string `json:"b,omitempty"`
}

type Mixed struct {
	// +required
	A string `json:"a,omitempty"` // want `Mixed.A is required, but omitempty leaves its zero out`
	// +required
	B string `json:"b"`
	// +required
	C *string `json:"c,omitempty"`
}

// Without any json tag it is no API type.
type Plain struct {
	A int `yaml:"a"`
	B int
}
