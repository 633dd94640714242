package order

import (
	"math"
	"math/rand"
)

// Bounds of the decision.
const (
	maxPairs     = 600_000 // evaluations of the comparator
	maxTripleN   = 120     // elements for which triples are tried one by one
	sampleStates = 90
	sampleRounds = 40
)

// An outcome of the comparator for one pair of elements: less, or, of a three-way
// comparator, the sign; or one of the constants below.
type outcome int8

const (
	isLess    outcome = -1
	notLess   outcome = 0
	isGreater outcome = 1
	undefined outcome = 2 // the comparator panics, or the pair cannot exist
	unknown   outcome = 3
)

// An element is the index into the domain for every key; a world is the same for
// the environment.
type (
	element []int
	world   []int
)

// A decider decides one decision tree.
type decider struct {
	*table
	root    *node
	keyAt   map[*class]int // first key of a class in an element
	freeAt  map[*class]int
	nkeys   int
	nfree   int
	byKey   []*class
	byFree  []*class
	three   bool // the comparator is three-way
	nan     bool // floats may be NaN
	sampled bool
	unknown string // reason, if an unknown outcome was met
	slotsOf map[*node][2]slot
}

func newDecider(t *table, root *node) *decider {
	d := &decider{table: t, root: root, keyAt: map[*class]int{}, freeAt: map[*class]int{}, slotsOf: map[*node][2]slot{}}
	for _, c := range t.classes {
		d.keyAt[c], d.freeAt[c] = d.nkeys, d.nfree
		d.nkeys += len(c.keys)
		d.nfree += len(c.free)
		for range c.keys {
			d.byKey = append(d.byKey, c)
		}
		for range c.free {
			d.byFree = append(d.byFree, c)
		}
	}
	return d
}

// rank is the value of a slot.
func (d *decider) rank(s slot, a, b element, w world) float64 {
	i := s.index
	switch {
	case s.fixed:
	case s.elem == maskA:
		i = a[d.keyAt[s.class]+s.index]
	case s.elem == maskB:
		i = b[d.keyAt[s.class]+s.index]
	default:
		i = w[d.freeAt[s.class]+s.index]
	}
	return s.class.domain[i].rank
}

// slots are those of a test's operands.
func (d *decider) slots2(n *node) [2]slot {
	s, ok := d.slotsOf[n]
	if !ok {
		s = [2]slot{d.slot(n.x, n.y), d.slot(n.y, n.x)}
		d.slotsOf[n] = s
	}
	return s
}

// holds evaluates a test.
func holds(r rel, total bool, p, q float64) bool {
	switch {
	case math.IsNaN(p) || math.IsNaN(q):
		if !total {
			return r&relUN != 0
		}
		switch { // NaN is less than any number and equal to itself
		case math.IsNaN(p) && math.IsNaN(q):
			return r&relEQ != 0
		case math.IsNaN(p):
			return r&relLT != 0
		}
		return r&relGT != 0
	case p < q:
		return r&relLT != 0
	case p > q:
		return r&relGT != 0
	}
	return r&relEQ != 0
}

// operands are the values of both sides of a test.
func (d *decider) operands(n *node, a, b element, w world) (float64, float64) {
	if d.concrete {
		return d.eval(n.x, a, b, w), d.eval(n.y, a, b, w)
	}
	s := d.slots2(n)
	return d.rank(s[0], a, b, w), d.rank(s[1], a, b, w)
}

// nowhere is where a path ends that the program does not go.
var nowhere = &node{}

// leaf follows the tree for the pair a, b. It calls visit, if not nil, for each
// test on the way.
func (d *decider) leaf(n *node, a, b element, w world, visit func(*node, bool)) *node {
	for !n.isLeaf() {
		if d.opaque[n.x] != "" || d.opaque[n.y] != "" {
			return n
		}
		p, q := d.operands(n, a, b, w)
		if d.concrete && (math.IsNaN(p) || math.IsNaN(q)) {
			return nowhere
		}
		ok := holds(n.rel, n.total, p, q)
		if visit != nil {
			visit(n, ok)
		}
		if ok {
			n = n.yes
		} else {
			n = n.no
		}
	}
	return n
}

func (d *decider) outcome(n *node, a, b element, w world) outcome {
	n = d.leaf(n, a, b, w, nil)
	switch {
	case !n.isLeaf():
		if d.unknown == "" {
			if d.unknown = d.opaque[n.x]; d.unknown == "" {
				d.unknown = d.opaque[n.y]
			}
		}
		return unknown
	case n.opaque != "":
		if d.unknown == "" {
			d.unknown = n.opaque
		}
		return unknown
	case n.result == nil:
		return undefined
	}
	return leafOutcome(n)
}

// leafOutcome reads the constant at a leaf; see [lowering.finish].
func leafOutcome(n *node) outcome { return outcome(n.result.num) }

// A violation is up to three elements that show that there is no order.
type violation struct {
	property Property
	elems    []element
	world    world
}

// find looks for a violation, by peeling off keys first.
func (d *decider) find() *violation {
	if d.concrete {
		return d.matrix(d.root, d.classes, nil)
	}
	return d.peel(d.root, d.classes, map[*class][2]element{})
}

// peel looks for a class that decides wherever it differs, and goes on with the
// rest of the tree.
func (d *decider) peel(n *node, classes []*class, fixed map[*class][2]element) *violation {
	if n.isLeaf() {
		return d.matrix(n, nil, fixed)
	}
	for i, c := range classes {
		if len(c.free) > 0 || len(c.keys) == 0 {
			continue
		}
		states := c.states()
		if len(states) > 12 || len(states) == 0 {
			continue
		}
		if !d.decides(n, c, states) {
			continue
		}
		rest := append(append([]*class{}, classes[:i]...), classes[i+1:]...)
		for _, u := range c.blocks(states) {
			fixed[c] = [2]element{u, u}
			v := d.peel(d.restrict(n, c, u, u), rest, fixed)
			if v != nil {
				return v
			}
		}
		delete(fixed, c)
		return nil
	}
	return d.matrix(n, classes, fixed)
}

// states are all values of a class's keys in one element.
func (c *class) states() []element {
	total := 1
	for range c.keys {
		if total *= len(c.domain); total > 5000 {
			return nil
		}
	}
	out := make([]element, total)
	for i := range out {
		e := make(element, len(c.keys))
		for k, r := 0, i; k < len(e); k++ {
			e[k] = r % len(c.domain)
			r /= len(c.domain)
		}
		out[i] = e
	}
	return out
}

// blocks are the states to look into when a class is the same for all elements:
// without constants they are all alike.
func (c *class) blocks(states []element) []element {
	if len(c.consts) == 0 && len(c.keys) == 1 && !isBool(c.typ) && !math.IsNaN(c.domain[len(c.domain)-1].rank) {
		return states[:1]
	}
	return states
}

// decides tells whether, of two different states, one always comes first,
// whatever the other keys are.
func (d *decider) decides(n *node, c *class, states []element) bool {
	wins := make([]int, len(states))
	less := make([][]bool, len(states))
	for i := range states {
		less[i] = make([]bool, len(states))
	}
	for i, u := range states {
		for j, v := range states {
			if i == j {
				continue
			}
			switch uniform(d.restrict(n, c, u, v)) {
			case isLess:
				less[i][j] = true
				wins[i]++
			case notLess, isGreater:
			default:
				return false
			}
		}
	}
	for i := range states {
		for j := range states {
			if i != j && (less[i][j] == less[j][i] || less[i][j] != (wins[i] > wins[j])) {
				return false
			}
		}
	}
	return true
}

// uniform is the outcome at all leaves, or unknown.
func uniform(n *node) outcome {
	if n.isLeaf() {
		if n.opaque != "" || n.result == nil {
			return unknown
		}
		return leafOutcome(n)
	}
	if a := uniform(n.yes); a != unknown && a == uniform(n.no) {
		return a
	}
	return unknown
}

// restrict fixes the state of a class in both elements.
func (d *decider) restrict(n *node, c *class, u, v element) *node {
	if n.isLeaf() {
		return n
	}
	if d.opaque[n.x] == "" && d.opaque[n.y] == "" {
		s := d.slots2(n)
		if s[0].class == c && s[1].class == c {
			get := func(s slot) float64 {
				switch {
				case s.fixed:
					return c.domain[s.index].rank
				case s.elem == maskA:
					return c.domain[u[s.index]].rank
				}
				return c.domain[v[s.index]].rank
			}
			if holds(n.rel, n.total, get(s[0]), get(s[1])) {
				return d.restrict(n.yes, c, u, v)
			}
			return d.restrict(n.no, c, u, v)
		}
	}
	yes, no := d.restrict(n.yes, c, u, v), d.restrict(n.no, c, u, v)
	if yes == n.yes && no == n.no {
		return n
	}
	m := *n
	m.yes, m.no = yes, no
	if s, ok := d.slotsOf[n]; ok {
		d.slotsOf[&m] = s
	}
	return &m
}

// matrix tries all elements that differ in the given classes.
func (d *decider) matrix(n *node, classes []*class, fixed map[*class][2]element) *violation {
	used := d.used(n, classes)
	states, complete := d.product(used, fixed)
	worlds, allWorlds := d.worlds(used)
	limit, rounds := maxPairs, sampleRounds
	if d.concrete { // computing is slower than looking up
		limit, rounds = maxPairs/20, sampleRounds/8
	}
	if complete && allWorlds && len(states)*len(states)*len(worlds) <= limit {
		for _, w := range worlds {
			if v := d.check(n, states, w); v != nil {
				return v
			}
		}
		return nil
	}
	d.sampled = true
	rnd := rand.New(rand.NewSource(1))
	for range rounds {
		if v := d.check(n, d.sample(rnd, used, fixed), d.sampleWorld(rnd)); v != nil {
			return v
		}
	}
	return nil
}

// used are the classes that the tree still tests.
func (d *decider) used(n *node, classes []*class) []*class {
	if d.concrete {
		return classes
	}
	in := map[*class]bool{}
	n.walk(func(n *node) {
		if d.opaque[n.x] == "" && d.opaque[n.y] == "" {
			in[d.slots2(n)[0].class] = true
		}
	})
	var out []*class
	for _, c := range classes {
		if in[c] {
			out = append(out, c)
		}
	}
	return out
}

// base is the element with the fixed classes set and all else at the first value.
func (d *decider) base(fixed map[*class][2]element) element {
	e := make(element, d.nkeys)
	for c, u := range fixed {
		copy(e[d.keyAt[c]:], u[0])
	}
	return e
}

func (d *decider) product(classes []*class, fixed map[*class][2]element) ([]element, bool) {
	list := []element{d.base(fixed)}
	for _, c := range classes {
		states := c.states()
		if states == nil || len(list)*len(states) > 4000 {
			return nil, false
		}
		var next []element
		for _, e := range list {
			for _, s := range states {
				f := append(element(nil), e...)
				copy(f[d.keyAt[c]:], s)
				next = append(next, f)
			}
		}
		list = next
	}
	return list, true
}

func (d *decider) worlds(classes []*class) ([]world, bool) {
	list := []world{make(world, d.nfree)}
	for _, c := range classes {
		for k := range c.free {
			if len(list)*len(c.domain) > 2000 {
				return nil, false
			}
			var next []world
			for _, w := range list {
				for i := range c.domain {
					v := append(world(nil), w...)
					v[d.freeAt[c]+k] = i
					next = append(next, v)
				}
			}
			list = next
		}
	}
	return list, true
}

// sample picks elements that differ in few keys, as counterexamples do.
func (d *decider) sample(rnd *rand.Rand, classes []*class, fixed map[*class][2]element) []element {
	base := d.base(fixed)
	for _, c := range classes {
		for k := range c.keys {
			base[d.keyAt[c]+k] = rnd.Intn(len(c.domain))
		}
	}
	var pick []int
	for _, c := range classes {
		for k := range c.keys {
			pick = append(pick, d.keyAt[c]+k)
		}
	}
	rnd.Shuffle(len(pick), func(i, j int) { pick[i], pick[j] = pick[j], pick[i] })
	if len(pick) > 4 {
		pick = pick[:4]
	}
	list := []element{base}
	for len(list) < sampleStates {
		e := append(element(nil), base...)
		for _, p := range pick {
			e[p] = rnd.Intn(len(d.byKey[p].domain))
		}
		list = append(list, e)
	}
	return list
}

func (d *decider) sampleWorld(rnd *rand.Rand) world {
	w := make(world, d.nfree)
	for i, c := range d.byFree {
		w[i] = rnd.Intn(len(c.domain))
	}
	return w
}

// check looks for a violation among the given elements.
func (d *decider) check(n *node, list []element, w world) *violation {
	size := len(list)
	m := make([]outcome, size*size)
	defined := true
	for i, a := range list {
		for j, b := range list {
			o := d.outcome(n, a, b, w)
			m[i*size+j] = o
			defined = defined && o < undefined
		}
	}
	at := func(i, j int) outcome { return m[i*size+j] }
	v := func(p Property, idx ...int) *violation {
		v := &violation{property: p, world: w}
		for _, i := range idx {
			v.elems = append(v.elems, list[i])
		}
		return v
	}
	for i := range list {
		if p := irreflexive(at(i, i)); p != "" {
			return v(p, i)
		}
	}
	for i := range list {
		for j := range i {
			if p := asymmetric(at(j, i), at(i, j), d.three); p != "" {
				return v(p, j, i)
			}
		}
	}
	if defined && ranked(m, size) {
		return nil
	}
	if size > maxTripleN && !defined {
		// Triples of so many elements are too many; pairs were all tried.
		d.sampled = true
		return nil
	}
	for i := range list {
		for j := range list {
			for k := range list {
				if p := transitive(at(i, j), at(j, i), at(j, k), at(k, j), at(i, k), at(k, i)); p != "" {
					return v(p, i, j, k)
				}
			}
		}
	}
	return nil
}

// ranked tells whether a relation is a strict weak order: one element is less
// than another exactly if it is less than more elements.
func ranked(m []outcome, size int) bool {
	wins := make([]int, size)
	for i := range size {
		for _, o := range m[i*size : (i+1)*size] {
			if o == isLess {
				wins[i]++
			}
		}
	}
	for i := range size {
		for j := range size {
			if (m[i*size+j] == isLess) != (wins[i] > wins[j]) {
				return false
			}
		}
	}
	return true
}

func irreflexive(aa outcome) Property {
	switch aa {
	case isLess:
		return Irreflexive
	case isGreater:
		return Consistent
	}
	return ""
}

func asymmetric(ab, ba outcome, three bool) Property {
	switch {
	case ab >= undefined || ba >= undefined:
		return ""
	case ab == isLess && ba == isLess:
		return Asymmetric
	case three && ab != -ba:
		return Consistent
	}
	return ""
}

func transitive(ab, ba, bc, cb, ac, ca outcome) Property {
	if ab >= undefined || ba >= undefined || bc >= undefined || cb >= undefined || ac >= undefined || ca >= undefined {
		return ""
	}
	less := func(o outcome) bool { return o == isLess }
	switch {
	case less(ab) && less(bc) && !less(ac):
		return Transitive
	case !less(ab) && !less(ba) && !less(bc) && !less(cb) && (less(ac) || less(ca)):
		return TransitiveIncomparability
	}
	return ""
}
