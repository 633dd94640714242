package vetignore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// FuzzIndex asks for findings everywhere in a file, whole or broken: no panic, and
// what is covered is accounted for.
func FuzzIndex(f *testing.F) {
	for _, s := range scopes {
		f.Add("package p\n" + s.src)
	}
	f.Add("package p\nvar x = `a\r\nb` //go:vet-ignore\r\n")
	f.Add("package p\nfunc f() { //heapvet:ignore")
	f.Fuzz(func(t *testing.T, src string) {
		fset := token.NewFileSet()
		file, _ := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil || !file.FileStart.IsValid() {
			return
		}
		x, err := newIndex(fset, []*ast.File{file}, func(string) ([]byte, error) { return []byte(src), nil }, true)
		if err != nil {
			t.Fatal(err)
		}
		covered := false
		for pos := file.FileStart; pos <= file.FileEnd; pos++ {
			if x.Ignored("c", "r", pos, token.NoPos) {
				covered = true
			}
		}
		used := false
		for _, d := range x.Directives() {
			used = used || d.Used()
		}
		if covered != used {
			t.Errorf("covered: %v, used: %v", covered, used)
		}
	})
}
