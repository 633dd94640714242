// Package k8sinternal has the internal version of an API, which is never encoded. A
// few tags have stayed.
//
// +groupName=test.example.com
package k8sinternal

type TypeMeta struct {
	Kind string `json:"kind"`
}

type Foo struct {
	TypeMeta
	Spec FooSpec
}

type FooSpec struct {
	A string
	B string
	E string
	F string
	C string `json:"c"`
	D int    `json:"d_d"`
}
