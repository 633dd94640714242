// Package k8s has API types.
// +groupName=test.example.com
package k8s

type TypeMeta struct {
	Kind string `json:"kind,omitempty"`
}

type ObjectMeta struct {
	Name string `json:"name,omitempty"`
}

// Kind is never empty.
// +kubebuilder:validation:MinLength=1
type Kind string

type Ref struct {
	// +required
	Name string `json:"name"`
}

type Named struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

// Slip has a misspelt marker.
// +kubebuilder:object:rooot=true
type Slip struct { // want `the marker \+kubebuilder:object:rooot must be \+kubebuilder:object:root`
	TypeMeta `json:",inline"`
}

// Spec is reached from Object.
type Spec struct {
	Missing int // want `the API field Spec.Missing has no json tag, so its name on the wire is "Missing"`

	Snake int `json:"snake_case"` // want `the json name "snake_case" of Spec.Snake is not in lowerCamelCase`
	Upper int `json:"Upper"`      // want `the json name "Upper" of Spec.Upper is not in lowerCamelCase`
	None  int `json:",omitempty"` // want `the json tag of Spec.None has no name, so its name on the wire is "None"`

	ID      string   `json:"vmID"` // want `the json name "vmID" of Spec.ID is not its Go name in lowerCamelCase, "id"`
	IPAddr  string   `json:"vmIp"` // want `"ipAddr"`
	PodCIDR []string `json:"podCIDR"`
	TLSName string   `json:"tlsName"`
	Target  *Ref     `json:"targetRef"`

	// +optional
	Hidden *int `json:"-"` // want `json:"-" keeps Spec.Hidden out of the API, although it is marked \+optional`
	Cache  *int `json:"-"`

	// +optional
	Always string `json:"always"` // want `Spec.Always is optional, but has no omitempty: clients written in Go always send it`
	// +optional
	Value Ref `json:"value,omitempty"` // want `Spec.Value is optional, but a struct that is no pointer is always sent, omitempty or not`
	// +optional
	// +kubebuilder:default=1
	Replicas int32 `json:"replicas,omitempty"` // want `Spec.Replicas is optional and no pointer: 0 cannot be told from "not set", for which the default 1 is filled in`
	// +optional
	// +default=0
	Count int32 `json:"count,omitempty"`
	// +optional
	Struct Ref `json:"struct"` // want `Spec.Struct is optional, but has no omitzero`
	// +optional
	Zero Ref `json:"zero,omitzero"`
	// +optional
	Pointer *Ref `json:"pointer,omitempty"`
	// +optional
	Word string `json:"word,omitempty"`

	// +required
	Sent string `json:"sent"`
	// +required
	Also string `json:"also"`
	// +required
	Left string `json:"left,omitempty"` // want `Spec.Left is required, but omitempty leaves its zero out`

	// +required
	// +kubebuilder:validation:MinLength=1
	Long string `json:"long,omitempty"`
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	Validated string `json:"validated,omitempty"`
	// +required
	Kind Kind `json:"kind,omitempty"`
	// +required
	Struct2          Ref    `json:"struct2,omitempty"` // want `omitempty has no effect on Spec.Struct2`
	Ref              string `json:"$ref" protobuf:"bytes,90,opt,name=ref"`
	ScaledObjectsStr string `json:"scaledobjects"`
	IntValues        []int  `json:"ints"`
	DiscoveryAuth    string `json:"authDiscovery"`

	// +optional
	// +kubebuilder:validation:Required
	Both int `json:"both"` // want `Spec.Both is marked \+optional and \+kubebuilder:validation:Required at once`
	// +required
	// +default=3
	Defaulted int `json:"defaulted"` // want `Spec.Defaulted is required, but has the default 3, which makes it optional`
	// +optinal
	Slip *int `json:"slip,omitempty"` // want `the marker \+optinal must be \+optional; no tool knows it`
	// +kubebuilder:validaton:Minimum=1
	// +mycompany:optional
	Other *int `json:"other,omitempty"` // want `must be \+kubebuilder:validation:Minimum`

	// +listType=map
	Keyless []Ref `json:"keyless"` // want `Spec.Keyless is \+listType=map, but has no \+listMapKey`
	// +listType=map
	// +listMapKey=id
	WrongKey []Ref `json:"wrongKey"` // want `the \+listMapKey id of Spec.WrongKey names no field of its elements, Ref`
	// +listType=bag
	Bag []Ref `json:"bag"` // want `Spec.Bag has the \+listType "bag"; it must be map, set or atomic`
	// +listType=atomic
	NoList Ref `json:"noList"` // want `Spec.NoList is marked \+listType, but is no list`
	// +listType=map
	// +listMapKey=name
	Good []Ref `json:"good" patchStrategy:"merge" patchMergeKey:"name"`

	Patch1 []Ref  `json:"patch1" patchMergeKey:"name"`                       // want `Spec.Patch1 has a patchMergeKey, but not the patchStrategy "merge"`
	Patch2 []Ref  `json:"patch2" patchStrategy:"merge" patchMergeKey:"port"` // want `the patchMergeKey "port" of Spec.Patch2 names no field of its elements, Ref`
	Patch3 string `json:"patch3" patchStrategy:"merge" patchMergeKey:"name"` // want `Spec.Patch3 has a patchMergeKey, but is no list`
	// +listType=map
	// +listMapKey=name
	Patch5 []Named `json:"patch5" patchStrategy:"merge" patchMergeKey:"id"` // want `Spec.Patch5 is merged by "id" in patches, but is a map by \+listMapKey=name`
	Patch6 []Ref   `json:"patch6" patchStrategy:"merge"`                    // want `Spec.Patch6 has the patchStrategy "merge", but no patchMergeKey by which its elements, Ref, could be told apart`
	Patch4 []int   `json:"patch4" patchStrategy:"merge"`

	Proto string `json:"proto" protobuf:"bytes,1,opt,name=prototype"` // want `the protobuf name "prototype" of Spec.Proto is not its json name "proto"`
}

type Object struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitempty"`
	// +optional
	Spec Spec `json:"spec,omitempty"`
}

// Status shows its numbers when they are zero.
type Status struct {
	// +optional
	Ready int32 `json:"ready"`
	// +optional
	Phase string `json:"phase"` // want `Status.Phase is optional, but has no omitempty`
}

type Sent struct {
	TypeMeta `json:",inline"`
	// +optional
	Spec Spec `json:"spec"`
	// +optional
	Status Status `json:"status,omitempty"`
}

type Wrong struct {
	TypeMeta   `json:"typeMeta"` // want `the embedded TypeMeta of Wrong must be flattened, but has the name "typeMeta"`
	ObjectMeta `json:"meta"`     // want `the ObjectMeta of Wrong must be named metadata, not "meta"`
}

// Image mirrors what another program has defined.
type Image struct {
	TypeMeta `json:",inline"`
	ID       string `json:"Id"`
	Parent   string `json:"Parent"`
	DNS      string `json:"Dns"`
	Author   string `json:"Author"`
	Size     int    `json:"size"`
}

// Not reached from an object.
type Internal struct {
	Snake   int `json:"snake_case"`
	Missing int
}

// It has its own way.
type Custom struct {
	TypeMeta
	A_B int `json:"a_b"`
}

func (Custom) MarshalJSON() ([]byte, error) { return nil, nil }
