package order

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A Kind is the way a comparator takes its elements and answers.
type Kind int

const (
	// NoComparator is none.
	NoComparator Kind = iota
	// IndexLess is func(i, j int) bool over indices.
	IndexLess
	// Less is func(a, b T) bool.
	Less
	// Compare is func(a, b T) int, negative if a comes first.
	Compare
)

// KindOf tells what kind of comparator a function with this signature can be. The
// elements are its last two parameters.
func KindOf(sig *types.Signature) Kind {
	n := sig.Params().Len()
	if n < 2 || sig.Results().Len() != 1 || sig.Variadic() {
		return NoComparator
	}
	a, b := sig.Params().At(n-2).Type(), sig.Params().At(n-1).Type()
	if !types.Identical(a, b) {
		return NoComparator
	}
	res, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	switch {
	case !ok:
		return NoComparator
	case res.Info()&types.IsBoolean != 0:
		return Less
	case res.Info()&types.IsInteger != 0 && res.Info()&types.IsUnsigned == 0:
		return Compare
	}
	return NoComparator
}

// A Verdict is what is known about a comparator.
type Verdict int

const (
	// Opaque comparators cannot be decided.
	Opaque Verdict = iota
	// StrictWeak comparators are strict weak orders (three-way ones consistent).
	StrictWeak
	// Broken comparators are not.
	Broken
)

// A Property is a law that a comparator breaks.
type Property string

const (
	// Irreflexive: Less(a, a) is false.
	Irreflexive Property = "irreflexive"
	// Asymmetric: Less(a, b) and Less(b, a) are not both true.
	Asymmetric Property = "asymmetric"
	// Transitive: if Less(a, b) and Less(b, c), then Less(a, c).
	Transitive Property = "transitive"
	// TransitiveIncomparability: if a and b are alike, and b and c, so are a and c.
	TransitiveIncomparability Property = "transitive incomparability"
	// Consistent: compare(a, b) is the opposite of compare(b, a).
	Consistent Property = "consistent"
)

// A Result is what was found out about a comparator.
type Result struct {
	Fn      *ssa.Function
	Kind    Kind
	Verdict Verdict
	// Why says, of an opaque comparator, what stands in the way.
	Why string
	// Sampled says that the verdict StrictWeak rests on samples, or on short
	// executions of loops, and not on all cases.
	Sampled bool
	// Fault is the reason for the verdict Broken.
	Fault *Fault
	// NaN is a fault that only elements with a key that is not a number show.
	NaN *Fault

	// Self are comparisons of an element's key with itself.
	Self []SelfComparison
	// Differences are orderings by the sign of a difference.
	Differences []*Difference
	// Uses are operations on fields of elements that no test makes safe: right as
	// long as the fields are set.
	Uses []FieldUse

	// Named are the functions out of sight that are taken for good comparisons
	// because of their names.
	Named []string

	bounds bool // a bound of the lowering was exceeded

	// UnsafeUses are uses of pointers that may be nil, and divisions by what may be
	// zero, as the comparator itself says.
	UnsafeUses []UnsafeUse
}

// A SelfComparison compares a key of an element with itself.
type SelfComparison struct {
	Pos token.Pos
	Fn  *ssa.Function
	Key string
}

// An UnsafeUse is a dereference of a pointer that the comparator tests for nil on
// other paths only, or a division by what it tests for zero on other paths only.
type UnsafeUse struct {
	Pos    token.Pos
	Fn     *ssa.Function
	Key    string
	Divide bool
}

// A UseKind is an operation that panics if what it is applied to is not set.
type UseKind int

const (
	// Dereferences: *p, or the selection of a field through p.
	Dereferences UseKind = iota + 1
	// Indexes: s[0], s[len(s)-1].
	Indexes
	// Divides: n / d, n % d with integers.
	Divides
	// Calls: of a function value, or of a method of an interface value.
	Calls
)

// A FieldUse is an operation on a field of an element that panics if the field is
// not set: a pointer, function or interface, a slice, or a divisor.
type FieldUse struct {
	Kind  UseKind
	Field *types.Var
	Pos   token.Pos
	Fn    *ssa.Function
}

// A Fault shows that a comparator breaks a law.
type Fault struct {
	Property Property
	// Elements are the fewest and simplest that show it, each a list of key and
	// value in the reader's names: only keys that the outcome rests on and that
	// differ between elements.
	Elements [][]KeyValue
	// Alike are keys that the outcome rests on and that are the same in all.
	Alike []KeyValue
	// World are values of the environment (receiver fields, captured variables).
	World []KeyValue
	// Pos is the return statement or condition at fault, in function Fn.
	Pos token.Pos
	Fn  *ssa.Function
	// Fields are the struct fields in the keys.
	Fields []*types.Var
}

// A KeyValue is a key's value. Key is empty for the element itself.
type KeyValue struct {
	Key, Value string
	// Absent is the field that is nil, if that is the value.
	Absent *types.Var
}

// Analyze decides the comparator fn.
func Analyze(fn *ssa.Function, kind Kind) *Result {
	r := analyze(fn, kind, false)
	if r.Verdict == Opaque && r.bounds {
		// The functions that it calls may be too much; those that say by their name
		// that they compare are then taken for good.
		r = analyze(fn, kind, true)
	}
	return r
}

func analyze(fn *ssa.Function, kind Kind, trusting bool) *Result {
	res := &Result{Fn: fn, Kind: kind}
	l := lower(fn, kind, trusting)
	if l == nil {
		res.Why = "no body"
		return res
	}
	res.bounds = l.x.exceeded
	res.Self = l.selfComparisons()
	res.Differences = l.differences()
	res.UnsafeUses = l.unsafeUses()
	res.Uses = l.x.uses
	res.Named = slices.Sorted(maps.Keys(l.x.named))

	d := l.decider(false)
	v := d.find()
	if v != nil && d.missesLookup(d.minimize(v)) {
		// Returning false for what is not in a table is to be safe: that it is in it
		// is an invariant.
		present := l.decider(false)
		present.present()
		d, v = present, present.find()
	}
	res.Sampled = d.sampled || l.x.boundHit
	why := d.unknown
	if v != nil {
		v = d.minimize(v)
		why = d.dependent(v)
	}
	if why != "" {
		c := l.concrete()
		if c == nil {
			res.Why = why
			return res
		}
		res.Sampled = true
		if d, v = c, c.find(); v != nil {
			v = d.minimize(v)
			if why := d.dependent(v); why != "" {
				res.Why = why
				return res
			}
		} else if d.unknown != "" {
			res.Why = d.unknown
			return res
		}
	}
	switch {
	case v != nil && l.byIdentity(d, v):
		res.Why = "right if what is equal in one key is equal in the others"
		return res
	case v != nil:
		res.Verdict = Broken
		res.Fault = l.explain(d, v)
		return res
	case l.root.isLeaf() && l.root.opaque != "":
		res.Why = l.root.opaque
		return res
	}
	res.Verdict = StrictWeak
	if l.hasFloats() {
		d := l.decider(true)
		if v := d.find(); v != nil {
			v = d.minimize(v)
			if d.dependent(v) == "" {
				res.NaN = l.explain(d, v)
			}
		}
	}
	return res
}

// A lowering is a comparator as a decision tree.
type lowering struct {
	x    *executor
	fn   *ssa.Function
	kind Kind
	root *node
}

func lower(fn *ssa.Function, kind Kind, trusting bool) *lowering {
	body := bodyOf(fn)
	n := len(fn.Params)
	if body == nil || n < 2 {
		return nil
	}
	x := &executor{pool: newPool(), limit: maxSteps, trusting: trusting, nils: map[*term]bool{}, zeros: map[*term]bool{}, named: map[string]bool{}, lens: map[*term]bool{}, nans: map[*term]bool{},
		active: map[*ssa.Function]int{}, subs: map[*term]token.Pos{}}
	l := &lowering{x: x, fn: body, kind: kind}
	args := make([]*term, n)
	for i, p := range body.Params {
		m, num := mask(0), 0
		switch i {
		case n - 2:
			m = maskA
		case n - 1:
			m = maskB
		}
		if kind == IndexLess && m != 0 {
			num = indexLeaf
		}
		name := ""
		if m == 0 {
			name = p.Name()
		}
		args[i] = x.intern(term{op: opLeaf, num: num, sym: p, label: name, mask: m, typ: p.Type()})
	}
	l.run(args)
	through := x.followed(l.root)
	if len(x.nils)+len(x.zeros)+len(x.lens)+len(through) > 0 {
		// Again, now that it is known which pointers may be nil and so on.
		x.mayBeNil, x.mayBeZero, x.measured, x.through = x.nils, x.zeros, x.lens, through
		x.nils, x.zeros, x.lens = map[*term]bool{}, map[*term]bool{}, map[*term]bool{}
		x.steps, x.leaves, x.boundHit = 0, 0, false
		x.self, x.diffs, x.uses = nil, nil, nil
		l.run(args)
	}
	return l
}

// followed are the pointers and structs, as shapes, that the tests of a tree
// compare as a whole and also look behind or into.
func (x *executor) followed(root *node) map[*term]bool {
	compared, behind := map[*term]bool{}, map[*term]bool{}
	var parts func(t *term)
	parts = func(t *term) {
		for _, a := range t.args {
			if !behind[a] {
				behind[a] = true
				parts(a)
			}
		}
	}
	root.walk(func(n *node) {
		for _, o := range []*term{n.x, n.y} {
			if (isPointer(o.typ) || isStruct(o.typ)) && o.mask != 0 {
				compared[x.shape(o)] = true
			}
			if o.op != opIsNil {
				parts(x.shape(o))
			}
		}
	})
	apart := map[*term]bool{}
	for t := range behind {
		switch t.op {
		case opField:
			apart[t.args[0]] = true
		case opAddr:
			apart[t.args[0]] = true // the address of the struct
		}
	}
	for t := range compared {
		if !behind[t] && !apart[t] && !(t.op == opLoad && apart[t.args[0]]) {
			delete(compared, t)
		}
	}
	return compared
}

func (l *lowering) run(args []*term) {
	l.root = l.x.call(l.fn, args, nil, 0, state{mem: map[*term]*term{}}, l.finish)
}

// finish makes the leaves of the tree: their result is a constant whose num is
// the outcome.
func (l *lowering) finish(st state, ret *ssa.Return, results []*term) *node {
	st.path = &step{ret: ret, prev: st.path}
	leaf := func(o outcome) func(state) *node {
		return func(st state) *node {
			return &node{result: l.x.node(opTuple, int(o), "outcome", nil), path: st.path}
		}
	}
	if len(results) != 1 {
		return l.x.opaqueLeaf("no single result")
	}
	r, pos := results[0], ret.Pos()
	if l.kind != Compare {
		return l.x.branch(l.fn, r, pos, st, leaf(isLess), leaf(notLess))
	}
	zero := l.x.zero(types.Typ[types.Int])
	if r.mask == maskA|maskB && r.op != opThree {
		// Ask twice, so that the difference is noted once.
		before := len(l.x.diffs)
		less := l.x.compare(l.fn, relLT, r, zero, pos)
		after := len(l.x.diffs)
		more := l.x.compare(l.fn, relGT, r, zero, pos)
		l.x.diffs = l.x.diffs[:max(before, after)]
		return l.x.branch(l.fn, less, pos, st, leaf(isLess), func(st state) *node {
			return l.x.branch(l.fn, more, pos, st, leaf(isGreater), leaf(notLess))
		})
	}
	less := l.x.compare(l.fn, relLT, r, zero, pos)
	more := l.x.compare(l.fn, relGT, r, zero, pos)
	return l.x.branch(l.fn, less, pos, st, leaf(isLess), func(st state) *node {
		return l.x.branch(l.fn, more, pos, st, leaf(isGreater), leaf(notLess))
	})
}

func (l *lowering) decider(nan bool) *decider {
	d := newDecider(newTable(l.x, l.root, nan), l.root)
	d.three = l.kind == Compare
	d.nan = nan
	return d
}

// concrete is a decider that tries numbers, or nil if the comparator computes more
// than that.
func (l *lowering) concrete() *decider {
	t := newConcrete(l.x, l.root)
	if t == nil {
		return nil
	}
	d := newDecider(t, l.root)
	d.three = l.kind == Compare
	return d
}

// missesLookup tells whether a violation of transitivity needs a lookup or type
// assertion that fails.
func (d *decider) missesLookup(v *violation) bool {
	if len(v.elems) < 3 {
		return false
	}
	for k, c := range d.byKey {
		if c.keys[k-d.keyAt[c]].op != opCommaOK {
			continue
		}
		for _, e := range v.elems {
			if c.domain[e[k]].rank == 0 {
				return true
			}
		}
	}
	return false
}

// present makes all lookups and type assertions on elements succeed.
func (d *decider) present() {
	for _, c := range d.classes {
		if len(c.keys) > 0 && c.keys[0].op == opCommaOK {
			c.domain = c.domain[1:]
		}
	}
}

// byIdentity tells whether a violation by three elements supposes that a key is
// the same in two of them and other keys are not, while the comparator asks for
// equality of that key first and orders by it only after the others. It then takes
// the key for the identity of the others, and probably knows.
func (l *lowering) byIdentity(d *decider, v *violation) bool {
	if len(v.elems) < 3 {
		return false
	}
	found := false
	l.root.walk(func(n *node) {
		if found || n.x.mask == n.y.mask || n.rel != relEQ && n.rel&relEQ != 0 || l.x.shape(n.x) != l.x.shape(n.y) {
			return
		}
		differ := n.no
		if n.rel&relEQ == 0 {
			differ = n.yes
		}
		others := false // keys that are ordered by before this one
		differ.walk(func(m *node) {
			if m.rel&^relUN == relEQ || m.rel&(relEQ|relUN) == 0 && m.rel == relLT|relGT {
				return
			}
			if l.x.shape(m.x) == l.x.shape(n.x) {
				found = found || others
			} else {
				others = true
			}
		})
	})
	return found
}

func (l *lowering) hasFloats() bool {
	found := false
	l.root.walk(func(n *node) {
		for _, t := range []*term{n.x, n.y} {
			found = found || isFloat(t.typ) && t.mask != 0
		}
	})
	return found
}

func (l *lowering) selfComparisons() []SelfComparison {
	var out []SelfComparison
	seen := map[token.Pos]bool{}
	for _, s := range l.x.self {
		if !seen[s.Pos] {
			seen[s.Pos] = true
			out = append(out, s)
		}
	}
	return out
}

func (l *lowering) differences() []*Difference {
	var out []*Difference
	seen := map[token.Pos]bool{}
	for _, d := range l.x.diffs {
		if !seen[d.Pos] {
			seen[d.Pos] = true
			out = append(out, d)
		}
	}
	return out
}

// unsafeUses are the uses of pointers and divisors that the comparator tests
// elsewhere.
func (l *lowering) unsafeUses() []UnsafeUse {
	var out []UnsafeUse
	seen := map[token.Pos]bool{}
	for _, d := range l.x.derefs {
		if seen[d.pos] || !d.pos.IsValid() {
			continue
		}
		seen[d.pos] = true
		out = append(out, UnsafeUse{Pos: d.pos, Fn: d.fn, Key: render(d.ptr), Divide: d.div})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Pos < out[j].Pos })
	return out
}

// violates tells which law the elements break, or "".
func (d *decider) violates(e []element, w world) Property {
	o := func(i, j int) outcome { return d.outcome(d.root, e[i], e[j], w) }
	switch len(e) {
	case 1:
		return irreflexive(o(0, 0))
	case 2:
		return asymmetric(o(0, 1), o(1, 0), d.three)
	}
	return transitive(o(0, 1), o(1, 0), o(1, 2), o(2, 1), o(0, 2), o(2, 0))
}

// explain puts a violation into words.
func (l *lowering) explain(d *decider, v *violation) *Fault {
	f := &Fault{Property: v.property, Fn: l.fn}
	used := d.consulted(v)
	for k, c := range d.byKey {
		key := c.keys[k-d.keyAt[c]]
		if !used.keys[k] {
			continue
		}
		f.Fields = append(f.Fields, fieldsOf(key)...)
		same := true
		for _, e := range v.elems {
			same = same && e[k] == v.elems[0][k]
		}
		if same {
			f.Alike = append(f.Alike, d.keyValue(key, c, v.elems[0][k]))
		}
	}
	for _, e := range v.elems {
		var list []KeyValue
		for k, c := range d.byKey {
			differs := false
			for _, o := range v.elems {
				differs = differs || o[k] != e[k]
			}
			if used.keys[k] && differs {
				list = append(list, d.keyValue(c.keys[k-d.keyAt[c]], c, e[k]))
			}
		}
		f.Elements = append(f.Elements, list)
	}
	for k, c := range d.byFree {
		if used.free[k] {
			f.World = append(f.World, d.keyValue(c.free[k-d.freeAt[c]], c, v.world[k]))
		}
	}
	l.blame(d, v, f)
	return f
}

func (d *decider) keyValue(key *term, c *class, i int) KeyValue {
	val := c.domain[i]
	kv := KeyValue{Key: render(key), Value: val.label}
	switch {
	case key.op == opIsNil && val.rank == 1:
		kv.Value, kv.Absent = "nil", fieldOfKey(key.args[0])
	case key.op == opIsNil:
		kv.Value = "not nil"
	}
	return kv
}

// String writes a fault's elements: "a{prio: 1, at: 0} and b{prio: 0, at: 1}".
func (f *Fault) String() string {
	names := []string{"a", "b", "c"}
	parts := make([]string, len(f.Elements))
	for i, e := range f.Elements {
		parts[i] = names[i] + "{" + keyValues(e) + "}"
	}
	return strings.Join(parts, ", ")
}

func keyValues(list []KeyValue) string {
	s := make([]string, len(list))
	for i, kv := range list {
		if s[i] = kv.Value; kv.Key != "" {
			s[i] = fmt.Sprintf("%s: %s", kv.Key, kv.Value)
		}
	}
	return strings.Join(s, ", ")
}

// consultation is what the outcomes of a violation rest on.
type consultation struct{ keys, free map[int]bool }

// pairs are the pairs of elements that a violation is about.
func (v *violation) pairs() [][2]int {
	switch len(v.elems) {
	case 1:
		return [][2]int{{0, 0}}
	case 2:
		return [][2]int{{0, 1}, {1, 0}}
	}
	return [][2]int{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}, {2, 0}}
}

// slotsIn are the slots that a test depends on.
func (d *decider) slotsIn(n *node) []slot {
	if !d.concrete {
		s := d.slots2(n)
		return s[:]
	}
	var list []slot
	var visit func(t *term)
	visit = func(t *term) {
		switch {
		case t.op == opConst:
		case computed(t):
			for _, a := range t.args {
				visit(a)
			}
		default:
			list = append(list, d.table.slots[d.x.shape(t)])
		}
	}
	visit(n.x)
	visit(n.y)
	return list
}

func (d *decider) consulted(v *violation) consultation {
	c := consultation{map[int]bool{}, map[int]bool{}}
	for _, p := range v.pairs() {
		d.leaf(d.root, v.elems[p[0]], v.elems[p[1]], v.world, func(n *node, _ bool) {
			for _, s := range d.slotsIn(n) {
				switch {
				case s.fixed:
				case s.elem == 0:
					c.free[d.freeAt[s.class]+s.index] = true
				default:
					c.keys[d.keyAt[s.class]+s.index] = true
				}
			}
		})
	}
	return c
}
