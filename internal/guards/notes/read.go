package notes

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A reader fills the notes of a package.
type reader struct {
	*Notes
	fset *token.FileSet
	pkg  *types.Package
	info *types.Info
	doc  *ast.File // the file being read
}

func (r *reader) file(f *ast.File) {
	r.doc = f
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			r.function(d)
			if d.Body != nil {
				r.types(d.Body)
			}
		case *ast.GenDecl:
			r.declaration(d)
		}
	}
}

// types reads the types that are declared in a function.
func (r *reader) types(body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		if d, ok := n.(*ast.GenDecl); ok {
			r.declaration(d)
		}
		return true
	})
}

func (r *reader) declaration(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			r.typeSpec(d, s)
		case *ast.ValueSpec:
			r.valueSpec(d, s)
		}
	}
}

func (r *reader) typeSpec(d *ast.GenDecl, s *ast.TypeSpec) {
	tn, ok := r.info.Defs[s.Name].(*types.TypeName)
	if !ok {
		return
	}
	doc := lines(specDoc(d, s.Doc), s.Comment)
	r.noteUnsafe(tn, doc)
	switch t := ast.Unparen(s.Type).(type) {
	case *ast.StructType:
		if st, ok := tn.Type().Underlying().(*types.Struct); ok {
			sc := &structScope{pkg: r.pkg, st: st, owner: tn}
			r.structType(sc, t, doc)
		}
	case *ast.InterfaceType:
		for _, f := range t.Methods.List {
			r.interfaceMethod(f)
		}
	default:
		r.anonymous(nil, s.Type)
	}
}

// specDoc returns the doc of a spec, which stands at the declaration if there is
// but one.
func specDoc(d *ast.GenDecl, doc *ast.CommentGroup) *ast.CommentGroup {
	if doc == nil && !d.Lparen.IsValid() {
		return d.Doc
	}
	return doc
}

func (r *reader) interfaceMethod(f *ast.Field) {
	if len(f.Names) == 0 {
		return
	}
	if fn, ok := r.info.Defs[f.Names[0]].(*types.Func); ok {
		r.funcNotes(fn, lines(f.Doc, f.Comment), nil)
	}
}

// valueSpec reads the annotations of package variables and the structs they are
// made of.
func (r *reader) valueSpec(d *ast.GenDecl, s *ast.ValueSpec) {
	doc := lines(specDoc(d, s.Doc), s.Comment)
	for _, name := range s.Names {
		v, ok := r.info.Defs[name].(*types.Var)
		if !ok || v.Parent() != r.pkg.Scope() {
			continue
		}
		r.noteUnsafe(v, doc)
		r.addField(v, &structScope{pkg: r.pkg, st: types.NewStruct(nil, nil)}, doc)
		if st, ok := v.Type().(*types.Struct); ok {
			if t, ok := s.Type.(*ast.StructType); ok {
				r.structType(&structScope{pkg: r.pkg, st: st, global: v}, t, doc)
			}
		}
	}
}

// anonymous reads the structs within a type expression that have no name: their
// fields are reached by an index or a pointer, so their paths start anew.
func (r *reader) anonymous(up *structScope, t ast.Expr) {
	switch t := t.(type) {
	case *ast.ParenExpr:
		r.anonymous(up, t.X)
	case *ast.StarExpr:
		r.anonymous(up, t.X)
	case *ast.ArrayType:
		r.anonymous(up, t.Elt)
	case *ast.MapType:
		r.anonymous(up, t.Value)
	case *ast.ChanType:
		r.anonymous(up, t.Value)
	case *ast.StructType:
		if st, ok := r.info.TypeOf(t).(*types.Struct); ok {
			r.structType(&structScope{pkg: r.pkg, st: st, up: up}, t, nil)
		}
	}
}

func (r *reader) function(d *ast.FuncDecl) {
	fn, ok := r.info.Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	doc := lines(d.Doc)
	r.noteUnsafe(fn, doc)
	r.funcNotes(fn, doc, d.Body)
}

// funcNotes reads the doc and the name of a function or interface method.
func (r *reader) funcNotes(fn *types.Func, doc []line, body *ast.BlockStmt) {
	sc := funcScope{pkg: r.pkg, sig: fn.Signature()}
	for _, l := range doc {
		a, ok := annotationOf(l.text)
		switch {
		case !ok:
		case a.ignore:
			r.ignored[fn] = true
		default:
			n := lockName{name: a.lock, read: a.read, sure: true}
			note, _ := funcNote(sc, n, l)
			note.Claim, note.Source = a.claim, Annotation
			r.funcs[fn] = append(r.funcs[fn], note)
		}
	}
	for _, st := range functionStatements(doc, fn.Name()) {
		if note, ok := funcNote(sc, st.lock, doc[st.line]); ok {
			if st.excluded {
				note.Claim = Excluded
			}
			r.funcs[fn] = append(r.funcs[fn], note)
		}
	}
	if len(r.funcs[fn]) == 0 && nameSays(fn, body) {
		note, _ := funcNote(sc, lockName{sure: true}, line{text: fn.Name(), pos: fn.Pos()})
		note.Source = Name
		r.funcs[fn] = append(r.funcs[fn], note)
	}
}

// funcNote makes a note of a lock name, which is none if it neither names a lock
// that is there nor is surely one.
func funcNote(sc funcScope, n lockName, l line) (Note, bool) {
	t, found := sc.find(n)
	if !found {
		t.param = -1
	}
	return newNote(n, t, l), found || n.sure
}

func newNote(n lockName, t target, l line) Note {
	name := n.String()
	if generic(name) && (len(t.path) == 0 || t.path[len(t.path)-1].Name() != name) {
		name = "" // "lock" was no name
	}
	return Note{
		Lock: name, Path: t.path, Param: t.param, Owner: t.owner, Global: t.global,
		Read: n.read, Source: Sentence, Pos: l.pos, Text: strings.TrimSpace(l.text),
	}
}

func (r *reader) noteUnsafe(obj types.Object, doc []line) {
	if pos, ok := unsafeText(doc); ok {
		r.unsafe[obj] = pos
	}
}

// addField notes what the comment of a field or variable says guards it.
func (r *reader) addField(f *types.Var, sc *structScope, doc []line) {
	for _, l := range doc {
		a, ok := annotationOf(l.text)
		switch {
		case !ok:
		case a.ignore:
			r.ignored[f] = true
		case a.claim == Held:
			n := lockName{name: a.lock, read: a.read, sure: true}
			note, _ := fieldNote(sc, n, l)
			note.Source = Annotation
			r.noteField(f, note)
		}
	}
	for _, st := range fieldStatements(doc, isFunc(f.Type())) {
		if note, ok := fieldNote(sc, st.lock, doc[st.line]); ok {
			r.noteField(f, note)
		}
	}
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func fieldNote(sc *structScope, n lockName, l line) (Note, bool) {
	t, found := sc.find(n)
	t.param = -1
	return newNote(n, t, l), found || n.sure
}

// noteField adds a note, unless the field is the lock itself or the lock was noted.
func (r *reader) noteField(f *types.Var, note Note) {
	if len(note.Path) > 0 && note.Path[len(note.Path)-1] == f || note.Global == f {
		return
	}
	for _, old := range r.fields[f] {
		if old.Lock == note.Lock && samePath(old, note) {
			return
		}
	}
	r.fields[f] = append(r.fields[f], note)
}

func samePath(a, b Note) bool {
	if a.Global != b.Global || a.Owner != b.Owner || len(a.Path) != len(b.Path) {
		return false
	}
	for i := range a.Path {
		if a.Path[i] != b.Path[i] {
			return false
		}
	}
	return true
}
