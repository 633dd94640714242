// Package source reads the files that findings are in: their lines, and the
// declarations around a line.
package source

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"sort"
	"strings"
)

// A Cache keeps the files read last. The zero value is ready for use; it is not
// for concurrent use.
type Cache struct {
	files map[string]*File
	order []string // of files, oldest first
}

// maxFiles bounds the memory of a cache. Findings are sorted by file, and the
// evidence of one is mostly in few files around it.
const maxFiles = 64

// A File is the text of a source file.
type File struct {
	// Lines are the lines without their ends; Lines[0] is line 1.
	Lines []string
	text  []byte
	// starts are the offsets at which lines begin, nil before they are needed.
	starts []int
	// decls are in the order of the file; parsed tells that they are known.
	decls  []decl
	parsed bool
	// Generated tells whether the file says that it is generated.
	generated bool
}

// File returns the file of that name, nil if it cannot be read.
func (c *Cache) File(name string) *File {
	if f, ok := c.files[name]; ok {
		return f
	}
	if c.files == nil {
		c.files = map[string]*File{}
	}
	if len(c.order) == maxFiles {
		delete(c.files, c.order[0])
		c.order = c.order[1:]
	}
	var f *File
	if text, err := os.ReadFile(name); err == nil {
		f = NewFile(text)
	}
	c.files[name] = f
	c.order = append(c.order, name)
	return f
}

// NewFile is a file of that text.
func NewFile(text []byte) *File {
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return &File{Lines: lines, text: text}
}

// Line returns a line, counted from one; "" if the file does not have it or is nil.
func (f *File) Line(n int) string {
	if f == nil || n < 1 || n > len(f.Lines) {
		return ""
	}
	return f.Lines[n-1]
}

// Text returns the file's bytes.
func (f *File) Text() []byte { return f.text }

// Decl returns the name of the declaration at top level that encloses the line:
// F, (*T).Method, T for a type, the first name of a group of variables or
// constants. It is "" outside of declarations and for a nil file.
func (f *File) Decl(line int) string {
	if f == nil {
		return ""
	}
	f.parse()
	i := sort.Search(len(f.decls), func(i int) bool { return f.decls[i].last >= line })
	if i < len(f.decls) && f.decls[i].first <= line {
		return f.decls[i].name
	}
	return ""
}

// Position returns the line and the column of the byte at offset; ok is false if
// the file does not have it.
func (f *File) Position(offset int) (line, col int, ok bool) {
	if f == nil || offset < 0 || offset > len(f.text) {
		return 0, 0, false
	}
	if f.starts == nil {
		f.starts = []int{0}
		for i, c := range f.text {
			if c == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	}
	line = sort.SearchInts(f.starts, offset+1)
	return line, offset - f.starts[line-1] + 1, true
}

// Decls returns the names of all declarations at top level.
func (f *File) Decls() []string {
	if f == nil {
		return nil
	}
	f.parse()
	names := make([]string, len(f.decls))
	for i, d := range f.decls {
		names[i] = d.name
	}
	return names
}

// Generated tells whether the file says that it is generated, as
// https://go.dev/s/generatedcode has it.
func (f *File) Generated() bool {
	if f == nil {
		return false
	}
	f.parse()
	return f.generated
}

// A decl is a declaration at top level, its comment included.
type decl struct {
	name        string
	first, last int
}

// parse finds the declarations; in a file with syntax errors, those that the
// parser makes out.
func (f *File) parse() {
	if f.parsed {
		return
	}
	f.parsed = true
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", bytes.NewReader(f.text), parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return
	}
	f.generated = ast.IsGenerated(file)
	add := func(name string, doc *ast.CommentGroup, n ast.Node) {
		first := n.Pos()
		if doc != nil {
			first = doc.Pos()
		}
		// Positions as they stand in the file, whatever //line comments say.
		f.decls = append(f.decls, decl{name, fset.PositionFor(first, false).Line, fset.PositionFor(n.End(), false).Line})
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(funcName(d), d.Doc, d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if name, doc := specName(s); name != "" {
					if doc == nil && !d.Lparen.IsValid() {
						add(name, d.Doc, d)
					} else {
						add(name, doc, s)
					}
				}
			}
		}
	}
}

func specName(s ast.Spec) (string, *ast.CommentGroup) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Name.Name, s.Doc
	case *ast.ValueSpec:
		return s.Names[0].Name, s.Doc
	}
	return "", nil
}

// funcName is F for a function, T.M or (*T).M for a method; type parameters are
// left out.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t, pointer := d.Recv.List[0].Type, false
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t, pointer = x.X, true
			continue
		case *ast.ParenExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		case *ast.Ident:
			if pointer {
				return "(*" + x.Name + ")." + d.Name.Name
			}
			return x.Name + "." + d.Name.Name
		}
		return d.Name.Name
	}
}
