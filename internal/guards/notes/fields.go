package notes

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A member is one field of a struct as it is declared.
type member struct {
	v   *types.Var
	ast *ast.Field
	doc []line
	// group numbers the runs of fields without a blank line between.
	group int
	lock  bool
}

// structType reads the fields of a struct, their comments, those that stand
// between them, and the doc of the struct.
func (r *reader) structType(sc *structScope, t *ast.StructType, doc []line) {
	members := r.members(t)
	for _, m := range members {
		r.noteUnsafe(m.v, m.doc)
		if !m.lock {
			r.addField(m.v, sc, m.doc)
		}
		r.nested(sc, m)
	}
	for i, m := range members {
		if m.lock {
			r.lockComment(sc, members, i)
		}
	}
	r.loose(sc, t, members)
	r.structDoc(sc, members, doc)
	r.hat(members)
}

// members lists the fields of a struct in their order.
func (r *reader) members(t *ast.StructType) []member {
	var out []member
	group, last := 0, token.NoPos
	for _, f := range t.Fields.List {
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if last.IsValid() && r.apart(last, start) {
			group++
		}
		last = f.End()
		names := f.Names
		if len(names) == 0 {
			if id := embeddedName(f.Type); id != nil {
				names = []*ast.Ident{id}
			}
		}
		for _, name := range names {
			if v, ok := r.info.Defs[name].(*types.Var); ok {
				out = append(out, member{
					v: v, ast: f, doc: lines(f.Doc, f.Comment), group: group,
					lock: isLock(v.Type()) && !isCond(v.Type()) && lockField(v),
				})
			}
		}
	}
	return out
}

// lockField reports whether a field that can be locked is a lock, and not a thing
// with a lock of its own.
func lockField(v *types.Var) bool {
	tn := namedOf(v.Type())
	if tn == nil || lockLike.MatchString(v.Name()) {
		return true
	}
	name := strings.ToLower(tn.Name())
	return strings.Contains(name, "mutex") || strings.Contains(name, "lock")
}

// embeddedName returns the identifier that stands for an embedded field.
func embeddedName(t ast.Expr) *ast.Ident {
	switch t := t.(type) {
	case *ast.Ident:
		return t
	case *ast.ParenExpr:
		return embeddedName(t.X)
	case *ast.StarExpr:
		return embeddedName(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.IndexExpr:
		return embeddedName(t.X)
	case *ast.IndexListExpr:
		return embeddedName(t.X)
	}
	return nil
}

// apart reports whether a blank line stands between two positions.
func (r *reader) apart(a, b token.Pos) bool {
	return r.fset.Position(b).Line-r.fset.Position(a).Line > 1
}

// nested reads the struct that a field is made of, if that has no name.
func (r *reader) nested(sc *structScope, m member) {
	t, ok := m.ast.Type.(*ast.StructType)
	if !ok {
		r.anonymous(sc, m.ast.Type)
		return
	}
	if st, ok := m.v.Type().(*types.Struct); ok {
		inner := &structScope{
			pkg: sc.pkg, st: st, owner: sc.owner, global: sc.global,
			prefix: append(slices.Clone(sc.prefix), m.v), up: sc,
		}
		r.structType(inner, t, m.doc)
	}
}

// lockComment reads what the comment of a lock says that it guards.
func (r *reader) lockComment(sc *structScope, members []member, at int) {
	m := members[at]
	for _, s := range sentences(m.doc) {
		scope, pos := guardScope(s, m.v.Name())
		if scope.empty() {
			continue
		}
		n := lockName{name: m.v.Name(), sure: true}
		note, ok := fieldNote(sc, n, m.doc[pos])
		if !ok || !note.Resolved() {
			continue
		}
		// Where a blank line follows the lock at once, each field has its own
		// paragraph, and blank lines separate nothing.
		if at+1 < len(members) && members[at+1].group != m.group {
			scope.rest = true
		}
		for _, f := range scope.choose(members, at) {
			r.noteField(f, note)
		}
	}
}

// guardScope returns the fields that the sentence of a lock's comment says it
// guards, and the line that says so.
func guardScope(s []word, lock string) (scope, int) {
	for _, p := range guards() {
		m, ok := p.find(s, 0)
		if !ok || negative(s, m) || hypothetical(s, m) {
			continue
		}
		if m.end < len(s) && s[m.end].low == "against" && !fitWords(s, m.end, []string{"against", "concurrent"}) {
			continue
		}
		if sc := parseScope(s[m.end:]); !sc.empty() {
			return sc, s[m.start].line
		}
	}
	for _, p := range guarded() {
		m, ok := p.find(s, 0)
		if !ok || negative(s, m) || m.start == 0 || !self(m.locks, lock) {
			continue
		}
		if sc := parseScope(s[clause(s, m.start):m.start]); !sc.empty() {
			return sc, s[m.start].line
		}
	}
	return scope{}, 0
}

// self reports whether the phrase in a lock's comment means that lock.
func self(p lockPhrase, lock string) bool {
	return len(p.names) == 1 && p.names[0].owner == "" &&
		(p.names[0].name == lock || generic(p.names[0].name) || strings.HasSuffix(p.names[0].name, "."+lock))
}

// loose reads the comments that stand between the fields of a struct and belong to
// none: "mu guards everything below", "The fields below are protected by mu".
func (r *reader) loose(sc *structScope, t *ast.StructType, members []member) {
	attached := map[*ast.CommentGroup]bool{}
	for _, f := range t.Fields.List {
		attached[f.Doc], attached[f.Comment] = true, true
	}
	for _, g := range r.doc.Comments {
		if g.Pos() < t.Fields.Opening || g.End() > t.Fields.Closing || attached[g] || inField(t, g) {
			continue
		}
		at := 0 // the first field after the comment
		for at < len(members) && members[at].ast.Pos() < g.Pos() {
			at++
		}
		r.general(sc, members, at-1, lines(g), true)
	}
	for i, m := range members {
		if !m.lock {
			r.general(sc, members, i-1, m.doc, false)
		}
	}
}

func inField(t *ast.StructType, g *ast.CommentGroup) bool {
	for _, f := range t.Fields.List {
		if f.Pos() <= g.Pos() && g.End() <= f.End() {
			return true
		}
	}
	return false
}

// general reads a comment that names both a lock and the fields it guards. The
// fields below are those after the one numbered at. In a comment on its own
// ("guarded by mu") the group that follows is meant if no fields are named.
func (r *reader) general(sc *structScope, members []member, at int, doc []line, alone bool) {
	for _, s := range sentences(doc) {
		for _, found := range lockedScopes(s, alone) {
			note, ok := fieldNote(sc, found.lock, doc[found.line])
			if !ok || !note.Resolved() {
				continue
			}
			for _, f := range found.scope.choose(members, at) {
				r.noteField(f, note)
			}
		}
	}
}

// A lockedScope is a lock and the fields that it guards.
type lockedScope struct {
	lock  lockName
	scope scope
	line  int
}

// lockedScopes parses a sentence that names a lock and fields, in either order.
func lockedScopes(s []word, alone bool) []lockedScope {
	var out []lockedScope
	for _, p := range guarded() {
		m, ok := p.find(s, 0)
		if !ok || negative(s, m) || alternative(s, m) {
			continue
		}
		sc := parseScope(s[clause(s, m.start):m.start])
		if sc.empty() && alone && m.start == 0 {
			sc = scope{below: true}
		}
		if alone || sc.below || sc.all || sc.above {
			for _, n := range m.locks.names {
				out = append(out, lockedScope{n, sc, s[m.start].line})
			}
		}
	}
	for _, p := range guards() {
		m, ok := p.find(s, 1)
		if !ok || negative(s, m) {
			continue
		}
		phrase, ok := parseLock(s, clause(s, m.start))
		if !ok || phrase.end != m.start {
			continue
		}
		if sc := parseScope(s[m.end:]); !sc.empty() {
			out = append(out, lockedScope{phrase.names[0], sc, s[m.start].line})
		}
	}
	return out
}

// structDoc reads what the doc of a struct says of its fields.
func (r *reader) structDoc(sc *structScope, members []member, doc []line) {
	r.general(sc, members, -1, doc, true)
}

// choose returns the fields of the scope. The fields below are those after the one
// numbered at.
func (sc scope) choose(members []member, at int) []*types.Var {
	var out []*types.Var
	take := func(m member) {
		if !m.lock && !slices.Contains(out, m.v) {
			out = append(out, m.v)
		}
	}
	for _, m := range members {
		if sc.all || slices.Contains(sc.names, m.v.Name()) {
			take(m)
		}
	}
	if sc.below {
		for _, m := range sc.following(members, at) {
			take(m)
		}
	}
	if sc.above {
		for i := at - 1; i >= 0 && !members[i].lock && members[i].group == members[at].group; i-- {
			take(members[i])
		}
	}
	return out
}

// following returns the fields below the one numbered at: so many as are said,
// else those up to the next blank line, or to the end if the comment says "all".
// The next lock ends them in any case.
func (sc scope) following(members []member, at int) []member {
	start := at + 1
	for start < len(members) && members[start].lock {
		start++
	}
	var out []member
	for i := start; i < len(members) && !members[i].lock; i++ {
		if sc.count > 0 && len(out) == sc.count || sc.count == 0 && !sc.rest && members[i].group != members[start].group {
			break
		}
		out = append(out, members[i])
	}
	return out
}

// hat notes the locks that guard fields by convention.
func (r *reader) hat(members []member) {
	var head []*types.Var
	for i, m := range members {
		if i > 0 && members[i-1].group != m.group {
			head = nil
		}
		if m.lock {
			if i > 0 && !members[i-1].lock {
				head = nil
			}
			head = append(head, m.v)
			continue
		}
		hats := namesake(members, m.v)
		for _, h := range slices.Backward(head) {
			if !slices.Contains(hats, h) {
				hats = append(hats, h)
			}
		}
		if len(hats) > 0 {
			r.hats[m.v] = hats
		}
	}
}

// namesake returns the locks that are named after a field, such as heapMu.
func namesake(members []member, v *types.Var) []*types.Var {
	var out []*types.Var
	for _, m := range members {
		if !m.lock {
			continue
		}
		name := strings.ToLower(m.v.Name())
		for _, s := range []string{"rwmutex", "mutex", "rwlock", "lock", "rwmu", "mu", "mtx", "mut", "mux", "lk"} {
			if stem, ok := strings.CutSuffix(name, s); ok {
				if strings.TrimSuffix(stem, "_") == strings.ToLower(v.Name()) {
					out = append(out, m.v)
				}
				break
			}
		}
	}
	return out
}
