package locks_test

import "slices"

// shrink takes away from a failing program whatever it fails without.
func (p *program) shrink(fails func(*program) bool) {
	for again := true; again; {
		again = false
		for _, list := range p.lists() {
			for i := len(*list) - 1; i >= 0; i-- {
				if i >= len(*list) || (*list)[i].keep {
					continue
				}
				if p.try(list, i, nil, fails) || p.try(list, i, (*list)[i].body, fails) || p.try(list, i, (*list)[i].other, fails) {
					again = true
				}
			}
		}
	}
}

// try puts other statements in the place of one and keeps that if the program
// still fails.
func (p *program) try(list *[]*statement, i int, instead []*statement, fails func(*program) bool) bool {
	old := *list
	*list = slices.Concat(old[:i:i], instead, old[i+1:])
	p.print()
	if fails(p) {
		return true
	}
	*list = old
	p.print()
	return false
}

// lists are all lists of statements of the program, outer ones first.
func (p *program) lists() []*[]*statement {
	var out []*[]*statement
	var add func(list *[]*statement)
	add = func(list *[]*statement) {
		if len(*list) == 0 {
			return
		}
		out = append(out, list)
		for _, s := range *list {
			add(&s.body)
			add(&s.other)
			for i := range s.cases {
				add(&s.cases[i].body)
			}
		}
	}
	for _, f := range p.funcs {
		add(&f.body)
	}
	return out
}
