package guards

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/locks"
)

// exemptOwners exempts the uses of code that owns the heap for a while by a flag:
// a scheduler that takes its lock, sets running, and from then on alone uses the
// heap in its loop, while everybody else looks at running under the lock and sends
// to the loop if it is set. Such code holds no lock and is right.
func (f *finder) exemptOwners(l *Location) {
	if l.Owner == nil {
		return
	}
	flag := f.ownerFlag(l)
	if flag == nil {
		return
	}
	for _, c := range l.Contexts {
		if must, _ := l.Holds(f.a, l.Guard, c); must > 0 {
			continue
		}
		for _, fn := range c.functions() {
			if setsFlag(fn, flag) {
				c.exempt = true
			}
		}
	}
}

// functions are those that the context runs through, with the one that spawns it.
func (c *Context) functions() []*ssa.Function {
	fns := []*ssa.Function{c.Root}
	if c.Spawn != nil {
		fns = append(fns, c.Spawn.Fn)
	}
	for _, fr := range c.Trace {
		fns = append(fns, fr.Fn)
	}
	return fns
}

// ownerFlag finds a boolean field of the owner that at least half of the roots that
// hold the guard test on their way to the heap.
func (f *finder) ownerFlag(l *Location) *types.Var {
	tested := map[*types.Var]map[any]bool{}
	var order []*types.Var
	roots := map[any]bool{}
	for _, c := range l.Contexts {
		if must, _ := l.Holds(f.a, l.Guard, c); must == 0 {
			continue
		}
		roots[c.Entry()] = true
		for _, fn := range c.functions() {
			for _, flag := range testedFlags(fn) {
				if tested[flag] == nil {
					tested[flag] = map[any]bool{}
					order = append(order, flag)
				}
				tested[flag][c.Entry()] = true
			}
		}
	}
	for _, flag := range order {
		if n := len(tested[flag]); n >= 2 && 2*n >= len(roots) {
			return flag
		}
	}
	return nil
}

// testedFlags are the boolean fields that branches of fn test.
func testedFlags(fn *ssa.Function) []*types.Var {
	var flags []*types.Var
	for _, b := range fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		v := branch.Cond
		if not, ok := v.(*ssa.UnOp); ok {
			if load, ok := not.X.(*ssa.UnOp); ok {
				v = load
			}
		}
		if load, ok := v.(*ssa.UnOp); ok {
			if addr, ok := load.X.(*ssa.FieldAddr); ok {
				if f := locks.Field(addr); f != nil {
					flags = append(flags, f)
				}
			}
		}
	}
	return flags
}

// setsFlag tells whether fn sets the field to true.
func setsFlag(fn *ssa.Function, flag *types.Var) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			addr, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || locks.Field(addr) != flag {
				continue
			}
			if c, ok := st.Val.(*ssa.Const); ok && c.Value != nil && c.Value.String() == "true" {
				return true
			}
		}
	}
	return false
}

// exemptBeforeStart exempts the uses that a function makes before it starts the
// goroutines that share the heap, if the guard is for those alone: nobody else is
// there yet.
func (f *finder) exemptBeforeStart(l *Location) {
	starter := onlyStarter(f.a, l)
	if starter == nil {
		return
	}
	for _, c := range l.Contexts {
		if c.Spawn == nil && c.Trace[0].Fn == starter && !afterStart(c, starter) {
			c.exempt = true
		}
	}
}

// onlyStarter returns the function that starts all goroutines which hold the guard,
// if all uses that hold it are in such.
func onlyStarter(a *locks.Analysis, l *Location) *ssa.Function {
	var starter *ssa.Function
	for _, c := range l.Contexts {
		if must, _ := l.Holds(a, l.Guard, c); must == 0 {
			continue
		}
		if c.Spawn == nil || starter != nil && c.Spawn.Fn != starter {
			return nil
		}
		starter = c.Spawn.Fn
	}
	return starter
}

// afterStart tells whether a use may come after one of the function's go statements.
func afterStart(c *Context, fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for i, instr := range b.Instrs {
			if _, ok := instr.(*ssa.Go); !ok {
				continue
			}
			for _, later := range b.Instrs[i+1:] {
				if locks.Pos(later) == c.Trace[0].At {
					return true
				}
			}
			for _, succ := range b.Succs {
				if blockWithin(succ, c, map[*ssa.BasicBlock]bool{}) {
					return true
				}
			}
		}
	}
	return false
}

// blockWithin tells whether the use can be reached from the block.
func blockWithin(b *ssa.BasicBlock, c *Context, seen map[*ssa.BasicBlock]bool) bool {
	if seen[b] {
		return false
	}
	seen[b] = true
	for _, instr := range b.Instrs {
		if locks.Pos(instr) == c.Trace[0].At {
			return true
		}
	}
	for _, succ := range b.Succs {
		if blockWithin(succ, c, seen) {
			return true
		}
	}
	return false
}
