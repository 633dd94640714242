package fieldtag

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/tags"
)

// pkg is a package with its struct types.
type pkg struct {
	pass    *analysis.Pass
	files   []*ast.File
	structs []*structure
	docs    map[types.Object]*ast.CommentGroup // of the types
	// literals are the string constants of the package as they are written in it,
	// read when first needed.
	literals map[string]bool
	uses     *uses
	// kubernetes tells whether this is a package of the Kubernetes API, and api
	// which of its structs are part of it, once asked.
	kubernetes *bool
	api        map[*structure]bool
}

// A structure is one struct type of the source.
type structure struct {
	p *pkg
	// spec is the declaration of which this is the type, or nil.
	spec   *ast.TypeSpec
	doc    *ast.CommentGroup
	named  *types.Named
	typ    *types.Struct
	fields []*field
	tagged bool
}

// A field is one field; fields declared together share their tag.
type field struct {
	s    *structure
	decl *ast.Field
	v    *types.Var
	lit  *tags.Literal // nil if the field has no tag
	tag  tags.Tag
}

// name is the field's name in messages.
func (f *field) name() string {
	if f.s.named != nil {
		return f.s.named.Obj().Name() + "." + f.v.Name()
	}
	return f.v.Name()
}

// newPackage collects the struct types in the files that are looked at.
func newPackage(pass *analysis.Pass) *pkg {
	p := &pkg{pass: pass, docs: map[types.Object]*ast.CommentGroup{}}
	for _, file := range pass.Files {
		name := pass.Fset.File(file.FileStart).Name()
		if !options.tests && strings.HasSuffix(name, "_test.go") || !options.generated && check.Generated(file) {
			continue
		}
		p.files = append(p.files, file)
		c := collector{p: p}
		ast.Inspect(file, c.visit)
	}
	return p
}

// A collector keeps the declaration that it is in.
type collector struct {
	p    *pkg
	decl *ast.GenDecl
	spec *ast.TypeSpec
}

func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		c.decl = n
		return n.Tok != token.IMPORT
	case *ast.TypeSpec:
		c.spec = n
		if doc := c.docOf(n); doc != nil {
			c.p.docs[c.p.pass.TypesInfo.Defs[n.Name]] = doc
		}
	case *ast.StructType:
		c.add(n)
	case *ast.CommentGroup, *ast.SelectorExpr, *ast.Ident, *ast.BasicLit:
		return false
	}
	return true
}

// docOf returns the comment of a type.
func (c *collector) docOf(spec *ast.TypeSpec) *ast.CommentGroup {
	if spec.Doc == nil && c.decl != nil && !c.decl.Lparen.IsValid() {
		return c.decl.Doc
	}
	return spec.Doc
}

func (c *collector) add(n *ast.StructType) {
	typ, ok := c.p.pass.TypesInfo.TypeOf(n).(*types.Struct)
	if !ok {
		return
	}
	s := &structure{p: c.p, typ: typ}
	if c.spec != nil && c.spec.Type == n {
		s.spec = c.spec
		s.doc = c.docOf(c.spec)
		if obj := c.p.pass.TypesInfo.Defs[c.spec.Name]; obj != nil {
			s.named, _ = types.Unalias(obj.Type()).(*types.Named)
		}
	}
	i := 0
	for _, decl := range n.Fields.List {
		lit := tags.NewLiteral(decl.Tag)
		var tag tags.Tag
		if lit != nil {
			tag = tags.Parse(lit.Value)
			s.tagged = true
		}
		for range max(len(decl.Names), 1) {
			if i == typ.NumFields() {
				return
			}
			s.fields = append(s.fields, &field{s: s, decl: decl, v: typ.Field(i), lit: lit, tag: tag})
			i++
		}
	}
	// Embedding alone can make names clash.
	if s.tagged || slices.ContainsFunc(s.fields, func(f *field) bool { return tags.StructOf(f.v.Type()) != nil && f.v.Embedded() }) {
		c.p.structs = append(c.p.structs, s)
	}
}

// value returns what reflect finds for the key, and whether it finds anything.
func (f *field) value(key string) (string, bool) {
	if pair := f.tag.Lookup(key); pair != nil {
		return pair.Value, true
	}
	return "", false
}

// mentions tells whether a string constant of the package has the word in it:
// whoever reads a key of its own or registers a rule must name it.
func (p *pkg) mentions(word string) bool {
	if p.literals == nil {
		p.literals = map[string]bool{}
		for _, file := range p.pass.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.StructType, *ast.ImportSpec:
					return false
				case *ast.BasicLit:
					if n.Kind == token.STRING && len(n.Value) > 2 {
						p.literals[n.Value[1:len(n.Value)-1]] = true
					}
				}
				return true
			})
		}
	}
	return p.literals[word]
}

// imports tells whether the package imports one of the paths.
func (p *pkg) imports(paths ...string) bool {
	for _, imp := range p.pass.Pkg.Imports() {
		for _, path := range paths {
			if imp.Path() == path {
				return true
			}
		}
	}
	return false
}

// jsonV2 tells whether the package uses the second version of encoding/json,
// whose options mean something else.
func (p *pkg) jsonV2() bool {
	return p.imports("encoding/json/v2", "github.com/go-json-experiment/json")
}

// onlyJSONv2 tells whether the package uses the second version and not the first.
func (p *pkg) onlyJSONv2() bool { return p.jsonV2() && !p.imports("encoding/json") }
