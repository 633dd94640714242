package locks

import "golang.org/x/tools/go/ssa"

// callOrder groups the functions so that each comes after those that it may call;
// functions that may call each other are one group. (Tarjan's algorithm.)
func (a *Analysis) callOrder(funcs []*ssa.Function) [][]*ssa.Function {
	t := &tarjan{a: a, index: map[*ssa.Function]int{}, low: map[*ssa.Function]int{}, on: map[*ssa.Function]bool{}}
	for _, fn := range funcs {
		if t.index[fn] == 0 {
			t.visit(fn)
		}
	}
	return t.groups
}

type tarjan struct {
	a      *Analysis
	index  map[*ssa.Function]int
	low    map[*ssa.Function]int
	on     map[*ssa.Function]bool
	stack  []*ssa.Function
	groups [][]*ssa.Function
	next   int
}

func (t *tarjan) visit(fn *ssa.Function) {
	t.next++
	t.index[fn], t.low[fn] = t.next, t.next
	t.stack, t.on[fn] = append(t.stack, fn), true
	for _, callee := range t.a.references(fn) {
		if t.index[callee] == 0 {
			t.visit(callee)
			t.low[fn] = min(t.low[fn], t.low[callee])
		} else if t.on[callee] {
			t.low[fn] = min(t.low[fn], t.index[callee])
		}
	}
	if t.low[fn] != t.index[fn] {
		return
	}
	var group []*ssa.Function
	for {
		top := t.stack[len(t.stack)-1]
		t.stack, t.on[top] = t.stack[:len(t.stack)-1], false
		group = append([]*ssa.Function{top}, group...)
		if top == fn {
			break
		}
	}
	t.groups = append(t.groups, group)
}

// references are the functions with a body that fn may call or hand on: named in
// an instruction, or implementing an interface method that it calls.
func (a *Analysis) references(fn *ssa.Function) []*ssa.Function {
	var refs []*ssa.Function
	addRef := func(g *ssa.Function) {
		if g = a.source(g); g != nil {
			refs = append(refs, g)
		}
	}
	var rands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range instr.Operands(rands[:0]) {
				if g, ok := (*op).(*ssa.Function); ok {
					addRef(g)
				}
			}
			if call, ok := instr.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
				for _, g := range a.implementations(call.Common().Method) {
					addRef(g)
				}
			}
		}
	}
	return refs
}

// source returns the function with a body that stands behind fn: the generic
// function of an instance, the method of a method value; nil if it is another
// package's.
func (a *Analysis) source(fn *ssa.Function) *ssa.Function {
	fn = origin(fn)
	if fn.Synthetic != "" && len(fn.Blocks) == 0 || isBound(fn) {
		if m := methodOf(fn); m != nil {
			if g := a.prog.FuncValue(m.Origin()); g != nil {
				fn = g
			}
		}
	}
	if len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

func (a *Analysis) callsItself(fn *ssa.Function) bool {
	for _, g := range a.references(fn) {
		if g == fn {
			return true
		}
	}
	return false
}
