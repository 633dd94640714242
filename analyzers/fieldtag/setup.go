package fieldtag

// setup completes the examples of the rules. The Kubernetes rules are about types
// that an API object reaches.
const setup = `
// +kubebuilder:object:root=true
type Foo struct {
	Spec FooSpec ` + "`json:\"spec\"`" + `
}

type FooSpec struct{}

type Common struct {
	ID string ` + "`json:\"id\"`" + `
}

type Ref struct {
	Name string ` + "`json:\"name\"`" + `
}

type Port struct {
	Name string ` + "`json:\"name\"`" + `
}
`
