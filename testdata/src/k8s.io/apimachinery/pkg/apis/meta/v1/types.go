// Package v1 stands in for the package of Kubernetes.
package v1

type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

type ObjectMeta struct {
	Name string `json:"name,omitempty"`
}

type ListMeta struct {
	Continue string `json:"continue,omitempty"`
}
