package checktest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// complete makes a package of an example: the files, the example first. The
// example is a file, declarations, or statements; the setups are files or
// declarations. What an earlier one declares is left out of the later ones.
// Imports of the standard library are added where they are missing.
func complete(example string, setups ...string) ([]string, error) {
	first, err := parseSnippet(example)
	if err != nil {
		return nil, err
	}
	parsed := []*snippet{first}
	declared := first.declares()
	for _, setup := range setups {
		if strings.TrimSpace(setup) == "" {
			continue
		}
		s, err := parseSnippet(setup)
		if err != nil {
			return nil, fmt.Errorf("the setup: %w", err)
		}
		s.drop(declared)
		for name := range s.declares() {
			declared[name] = true
		}
		parsed = append(parsed, s)
	}
	var files []string
	for _, s := range parsed {
		files = append(files, s.source(declared))
	}
	return files, nil
}

// A snippet is a piece of Go source and its syntax.
type snippet struct {
	text string // with a package clause
	file *ast.File
	// cut are the declarations to leave out, as offsets.
	cut [][2]int
}

// parseSnippet completes the text by what makes it a file.
func parseSnippet(text string) (*snippet, error) {
	var first error
	for _, frame := range [][2]string{
		{"", ""},
		{"package p\n", "\n"},
		{"package p\nfunc _() {\n", "\n}\n"},
	} {
		whole := frame[0] + strings.Trim(text, "\n") + frame[1]
		f, err := parser.ParseFile(token.NewFileSet(), "", whole, parser.ParseComments)
		if err == nil {
			return &snippet{text: whole, file: f}, nil
		}
		if frame[0] == "package p\n" {
			first = err // the most likely meaning
		}
	}
	return nil, fmt.Errorf("%w in\n%s", first, text)
}

// declares returns the names of what the snippet declares; those of methods have
// the type's name and a dot before them.
func (s *snippet) declares() map[string]bool {
	names := map[string]bool{}
	s.visit(func(name string, _ ast.Node) { names[name] = true })
	return names
}

// drop leaves out what is declared elsewhere: the same names, and the methods of
// types that are declared elsewhere.
func (s *snippet) drop(declared map[string]bool) {
	s.visit(func(name string, n ast.Node) {
		typ, _, method := strings.Cut(name, ".")
		if declared[name] || method && declared[typ] {
			s.cut = append(s.cut, [2]int{offset(n.Pos()), offset(n.End())})
		}
	})
	if len(s.cut) == 0 {
		return
	}
	// What is left is parsed anew, for its unresolved names are now others.
	text := []byte(s.text)
	for _, c := range s.cut {
		for i := c[0]; i < c[1]; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments)
	if err != nil {
		panic(err) // whole declarations were taken out
	}
	s.text, s.file, s.cut = string(text), f, nil
}

// visit calls f for each declared name with what to take out to be rid of it.
func (s *snippet) visit(f func(name string, n ast.Node)) {
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			if name != "_" && name != "init" {
				f(name, d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				var n ast.Node = spec
				if !d.Lparen.IsValid() {
					n = d
				}
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					f(spec.Name.Name, n)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						f(id.Name, n)
					}
				}
			}
		}
	}
}

func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return "_"
}

// offset is that of a position in the only file of its set.
func offset(pos token.Pos) int { return int(pos) - 1 }

// source returns the snippet with the imports that it needs. declared are the
// names of its package.
func (s *snippet) source(declared map[string]bool) string {
	unresolved := map[*ast.Ident]bool{}
	for _, id := range s.file.Unresolved {
		unresolved[id] = true
	}
	imported := map[string]bool{}
	for _, spec := range s.file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		imported[path[strings.LastIndexByte(path, '/')+1:]] = true
	}
	var imports []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if ok && unresolved[id] && !declared[id.Name] && !imported[id.Name] {
			if path := standard[id.Name]; path != "" {
				imported[id.Name] = true
				imports = append(imports, fmt.Sprintf("import %q; ", path))
			}
		}
		return true
	})
	slices.Sort(imports)
	name := offset(s.file.Name.End())
	added := strings.Join(imports, "")
	if added != "" {
		added = "; " + strings.TrimSuffix(added, "; ")
	}
	return s.text[:name] + added + s.text[name:]
}

// standard are packages of the standard library that examples may use without an
// import, by name.
var standard = map[string]string{
	"atomic":  "sync/atomic",
	"bytes":   "bytes",
	"cmp":     "cmp",
	"context": "context",
	"errors":  "errors",
	"fmt":     "fmt",
	"heap":    "container/heap",
	"http":    "net/http",
	"iter":    "iter",
	"json":    "encoding/json",
	"log":     "log",
	"maps":    "maps",
	"math":    "math",
	"os":      "os",
	"rand":    "math/rand/v2",
	"slices":  "slices",
	"slog":    "log/slog",
	"sort":    "sort",
	"strings": "strings",
	"sync":    "sync",
	"time":    "time",
	"xml":     "encoding/xml",
}
