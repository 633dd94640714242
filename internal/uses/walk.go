package uses

import "golang.org/x/tools/go/ssa"

// Walk visits the instructions that can run after from, in the same function, each
// once. Where visit returns false, the way is not followed further. It returns the
// first return instruction that can be reached, nil if all ways were cut or panic.
func Walk(from ssa.Instruction, visit func(ssa.Instruction) bool) ssa.Instruction {
	return walk(from, visit, func(_, _ *ssa.BasicBlock) bool { return true })
}

// WalkOnce is Walk without going into another round of a loop that from is in.
func WalkOnce(from ssa.Instruction, visit func(ssa.Instruction) bool) ssa.Instruction {
	home := from.Block()
	return walk(from, visit, func(_, to *ssa.BasicBlock) bool { return to != home && !to.Dominates(home) })
}

func walk(from ssa.Instruction, visit func(ssa.Instruction) bool, edge func(from, to *ssa.BasicBlock) bool) (exit ssa.Instruction) {
	seen := map[*ssa.BasicBlock]bool{}
	var block func(b *ssa.BasicBlock, start int)
	block = func(b *ssa.BasicBlock, start int) {
		for _, instr := range b.Instrs[start:] {
			if !visit(instr) {
				return
			}
			if _, ok := instr.(*ssa.Return); ok && exit == nil {
				exit = instr
			}
		}
		for _, s := range b.Succs {
			if !seen[s] && edge(b, s) {
				seen[s] = true
				block(s, 0)
			}
		}
	}
	block(from.Block(), indexIn(from)+1)
	return exit
}

func indexIn(instr ssa.Instruction) int {
	for i, in := range instr.Block().Instrs {
		if in == instr {
			return i
		}
	}
	return -1
}

// Dominates tells whether a runs before b whenever b runs.
func Dominates(a, b ssa.Instruction) bool {
	if a.Parent() != b.Parent() {
		return false
	}
	if a.Block() == b.Block() {
		return indexIn(a) < indexIn(b)
	}
	return a.Block().Dominates(b.Block())
}

// Reaches tells whether b can run after a.
func Reaches(a, b ssa.Instruction) bool {
	found := false
	Walk(a, func(instr ssa.Instruction) bool {
		found = found || instr == b
		return !found
	})
	return found
}

// Guards returns the branch conditions that decide whether instr runs, each with
// the outcome that leads to it: the conditions of the blocks that dominate it from
// one side only.
func Guards(instr ssa.Instruction) []Guard {
	var list []Guard
	for b := instr.Block(); b != nil; b = b.Idom() {
		d := b.Idom()
		if d == nil {
			break
		}
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for i, s := range d.Succs {
			if len(s.Preds) == 1 && s.Dominates(b) {
				list = append(list, Guard{cond, i == 0})
			}
		}
	}
	return list
}

// A Guard is a branch and the outcome of its condition.
type Guard struct {
	If    *ssa.If
	Holds bool
}

// A Loop is a natural loop.
type Loop struct {
	Header *ssa.BasicBlock
	Blocks map[*ssa.BasicBlock]bool
}

// Loops returns the natural loops of a function, outer ones first.
func Loops(fn *ssa.Function) []*Loop {
	byHeader := map[*ssa.BasicBlock]*Loop{}
	var list []*Loop
	for _, b := range fn.Blocks {
		for _, h := range b.Succs {
			if !h.Dominates(b) {
				continue
			}
			l := byHeader[h]
			if l == nil {
				l = &Loop{Header: h, Blocks: map[*ssa.BasicBlock]bool{h: true}}
				byHeader[h] = l
				list = append(list, l)
			}
			l.add(b)
		}
	}
	return list
}

func (l *Loop) add(b *ssa.BasicBlock) {
	if l.Blocks[b] {
		return
	}
	l.Blocks[b] = true
	for _, p := range b.Preds {
		l.add(p)
	}
}

// Again tells whether the loop goes into another round after instr.
func (l *Loop) Again(instr ssa.Instruction) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		for _, s := range b.Succs {
			if s == l.Header {
				return true
			}
			if l.Blocks[s] && !seen[s] {
				seen[s] = true
				if visit(s) {
					return true
				}
			}
		}
		return false
	}
	return l.Blocks[instr.Block()] && visit(instr.Block())
}
