package kubeapi

import (
	"go/ast"
	"testing"
)

func comments(lines ...string) *ast.CommentGroup {
	g := &ast.CommentGroup{}
	for _, l := range lines {
		g.List = append(g.List, &ast.Comment{Slash: 1, Text: l})
	}
	return g
}

func TestMarkers(t *testing.T) {
	got := Markers(comments("// doc", "// +optional", "//+kubebuilder:default=3", "// +listType = map", `// +default="x y"`, "// + optional", "//go:build x", "// +", "// +1 to that"), nil)
	want := []Marker{{"optional", "", 4}, {"kubebuilder:default", "3", 3}, {"listType", "map", 4}, {"default", "x y", 4}}
	if len(got) != len(want) {
		t.Fatalf("%d markers, want %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("marker %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestReadField(t *testing.T) {
	f := ReadField(comments("// +optional", "// +kubebuilder:validation:Required", "// +default=1", "// +listType=map", "// +listMapKey=a", "// +listMapKey=b"))
	if f.Optional == nil || f.Required == nil || f.Default.Value != "1" || f.ListType.Value != "map" || len(f.ListMapKeys) != 2 {
		t.Errorf("%+v", f)
	}
}

func TestExcludesZero(t *testing.T) {
	for marker, want := range map[string]bool{
		"// +kubebuilder:validation:MinLength=1": true, "// +kubebuilder:validation:MinLength=0": false,
		"// +kubebuilder:validation:Enum=a;b": true, "// +optional": false, "// +k8s:minimum=1": true,
		"// +k8s:required": true, `// +k8s:beta(since: "1.37")=+k8s:required`: true, `// +k8s:alpha(since: "1.37")=+k8s:optional`: false,
	} {
		f := ReadField(comments(marker))
		if got := f.ExcludesZero(); got != want {
			t.Errorf("%s: %t", marker, got)
		}
	}
}

func TestMisspelt(t *testing.T) {
	for name, want := range map[string]string{
		"optinal": "optional", "requried": "required", "Optional": "optional", "listTpye": "listType",
		"kubebuilder:validaton:Minimum": "kubebuilder:validation:Minimum", "kubebuilder:validation:required": "kubebuilder:validation:Required",
		"kubebulider:object:root": "kubebuilder:object:root",
		"optional":                "", "mycompany:optional": "", "kubebuilder:rbac:groups": "", "build": "", "kubebuilder:validation:MaxLength": "", "union": "", "tag": "",
	} {
		m := Marker{Name: name}
		if got := m.Misspelt(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]Style{"size": OneWord, "maxSize": Camel, "MaxSize": Pascal, "max_size": Snake, "max-size": Kebab, "a.b": Dotted, "é": OtherStyle, "": OtherStyle} {
		if got := StyleOf(name); got != want {
			t.Errorf("%q: style %d, want %d", name, got, want)
		}
	}
	for goName, want := range map[string]string{"MaxSize": "maxSize", "ID": "id", "HTTPProxy": "httpProxy", "IPAddr": "ipAddr", "X": "x"} {
		if got := LowerCamel(goName); got != want {
			t.Errorf("%s: %s, want %s", goName, got, want)
		}
	}
	for name, want := range map[string]bool{"maxSize": true, "$ref": true, "x-kubernetes-x": true, "Max": false, "a_b": false, "": false, "a1": true} {
		if got := IsLowerCamel(name); got != want {
			t.Errorf("IsLowerCamel(%q) = %t", name, got)
		}
	}
}
