package locks

import "golang.org/x/tools/go/ssa"

// liveConditions finds, for each block, the conditions that may still be tested
// after it is entered. What is known of others tells worlds apart to no end. The
// function's own boolean parameters always count: its summary depends on them.
func (f *flow) liveConditions() map[*ssa.BasicBlock]map[string]bool {
	l := &liveness{f: f, live: map[*ssa.BasicBlock]map[string]bool{}}
	for _, b := range f.fn.Blocks {
		switch last := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.If:
			l.test(b, last.Cond)
		case *ssa.Return:
			if n := len(last.Results); n > 0 {
				l.test(b, last.Results[n-1])
			}
		}
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if f.tested[f.loaded(instr.Addr)] {
					l.test(b, instr.Val)
				}
			case *ssa.Phi:
				if f.tracked[instr] {
					for i, e := range instr.Edges {
						l.test(b.Preds[i], e)
					}
				}
			}
		}
	}
	return l.live
}

type liveness struct {
	f    *flow
	live map[*ssa.BasicBlock]map[string]bool
}

// test notes that a condition is tested in the block.
func (l *liveness) test(b *ssa.BasicBlock, cond ssa.Value) {
	key, _ := l.f.conditionKey(cond)
	var def *ssa.BasicBlock
	base := tested(cond)
	if instr, ok := base.(ssa.Instruction); ok && key == valueKey(base) {
		def = instr.Block()
	}
	_, phi := base.(*ssa.Phi)
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == def && !phi || l.live[b][key] {
			continue // before, there is no such value
		}
		if l.live[b] == nil {
			l.live[b] = map[string]bool{}
		}
		l.live[b][key] = true
		if b != def {
			work = append(work, b.Preds...)
		}
	}
}

// prune drops what a world knows of conditions that are not tested any more.
func (f *flow) prune(b *ssa.BasicBlock, w *world) {
	kept := w.assumed[:0]
	for _, a := range w.assumed {
		if f.live[b][a.key] || f.params[a.key] {
			kept = append(kept, a)
		}
	}
	w.assumed = kept
}

// boolParams are the conditions that are the function's own parameters.
func (f *flow) boolParams() map[string]bool {
	params := map[string]bool{}
	for _, p := range f.fn.Params {
		if isBool(p.Type()) {
			params[valueKey(p)] = true
		}
	}
	return params
}
