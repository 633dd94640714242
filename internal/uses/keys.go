package uses

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
)

// Keys are the fields that a heap's comparator reads, transitively: of the elements,
// of what they refer to, of the heap itself.
type Keys struct {
	fields map[*types.Var]bool
	// Complete says that the whole comparator is in sight.
	Complete bool
}

// Has tells whether the field is one of the keys.
func (k *Keys) Has(f *types.Var) bool { return f != nil && k.fields[f.Origin()] }

// Keys returns the ordering fields of a heap type.
func (p *Package) Keys(t *heaps.Type) *Keys {
	if k, ok := p.keys[t]; ok {
		return k
	}
	k := &Keys{fields: map[*types.Var]bool{}, Complete: t.Less != nil}
	p.keys[t] = k
	if t.Less == nil {
		return k
	}
	c := &collector{p: p, k: k, seen: map[*ssa.Function]bool{}}
	c.function(t.Less, 0)
	for _, f := range t.Slice { // where the elements are is no part of their order
		delete(k.fields, f.Origin())
	}
	return k
}

type collector struct {
	p    *Package
	k    *Keys
	seen map[*ssa.Function]bool
}

const maxCalls = 6

func (c *collector) function(fn *ssa.Function, depth int) {
	if c.seen[fn] || depth > maxCalls {
		return
	}
	c.seen[fn] = true
	Instrs(fn, func(instr ssa.Instruction) {
		switch x := instr.(type) {
		case *ssa.FieldAddr:
			if loaded(x) {
				c.field(x.X.Type(), x.Field)
			}
		case *ssa.Field:
			c.field(x.X.Type(), x.Field)
		case ssa.CallInstruction:
			c.call(x, depth)
		}
	})
}

// loaded tells whether the field at an address is read, and not only stored to.
func loaded(x *ssa.FieldAddr) bool {
	for _, r := range *x.Referrers() {
		if st, ok := r.(*ssa.Store); !ok || st.Addr != ssa.Value(x) {
			return true
		}
	}
	return false
}

func (c *collector) field(t types.Type, i int) {
	if f := FieldOf(t, i); f != nil {
		c.k.fields[f] = true
	}
}

func (c *collector) call(call ssa.CallInstruction, depth int) {
	common := call.Common()
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return
	}
	callees := c.p.Locks.Callees(common)
	for _, callee := range callees {
		c.function(callee.Fn, depth+1)
	}
	if len(callees) > 0 || common.StaticCallee() != nil {
		return
	}
	// A comparator in a field of the heap: what the package stores there.
	if u, ok := common.Value.(*ssa.UnOp); ok {
		if a, ok := u.X.(*ssa.FieldAddr); ok {
			if fns := c.p.storedFuncs(FieldOf(a.X.Type(), a.Field)); len(fns) > 0 {
				for _, fn := range fns {
					c.function(fn, depth+1)
				}
				return
			}
		}
	}
	c.k.Complete = false
}

// storedFuncs returns the functions that the package stores to a field.
func (p *Package) storedFuncs(f *types.Var) []*ssa.Function {
	if p.stored == nil {
		p.stored = map[*types.Var][]*ssa.Function{}
		for _, fn := range p.IR.Funcs {
			Instrs(fn, func(instr ssa.Instruction) {
				st, ok := instr.(*ssa.Store)
				if !ok {
					return
				}
				a, ok := st.Addr.(*ssa.FieldAddr)
				if !ok {
					return
				}
				if _, isFunc := st.Val.Type().Underlying().(*types.Signature); !isFunc {
					return
				}
				if c, ok := p.Locks.Func(st.Val); ok {
					v := FieldOf(a.X.Type(), a.Field)
					p.stored[v] = append(p.stored[v], c.Fn)
				}
			})
		}
	}
	return p.stored[f]
}

// FieldOf is the i-th field of a struct type or of what a pointer type points at;
// the generic type's field for an instance, nil if there is none.
func FieldOf(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(i).Origin()
}
