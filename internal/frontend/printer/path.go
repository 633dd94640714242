package printer

import (
	"slices"
	"strings"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/source"
	"github.com/heapvet/heapvet/internal/lazyregexp"
)

// What evidence is of, by its wording: calls on the way to the faulty access, or
// places where the lock is held.
var (
	callWords = lazyregexp.New(`^(on the way|called|calls|reached|started|runs)\b`)
	heldWords = lazyregexp.New(`\b(is held|held|locked|is taken|guarded) here\b`)
)

// A lockPath is the evidence of a finding about locks.
type lockPath struct {
	// Steps leads from where nothing is held to the access, outermost first; the
	// step at index Finding is the finding itself.
	Steps   []finding.Related
	Finding int
	// Held are places where the lock is held.
	Held []finding.Related
}

// pathOf sorts the evidence of a finding. Checks give the calls outermost first and
// the finding apart from them, at the step where the lock should have been taken.
// Its place among them is where most lines name the function of the next step, and
// at the end if none does.
func pathOf(f *finding.Finding, src *source.Cache) lockPath {
	var p lockPath
	var calls []finding.Related
	for _, r := range f.Related {
		switch {
		case callWords.MatchString(r.Message):
			calls = append(calls, r)
		case heldWords.MatchString(r.Message) && !slices.ContainsFunc(p.Held, func(h finding.Related) bool { return h.Start == r.Start }):
			p.Held = append(p.Held, r)
		}
	}
	self := finding.Related{Start: f.Start, End: f.End, Message: f.Message}
	best := 0
	p.Steps, p.Finding = append(slices.Clone(calls), self), len(calls)
	for at := range len(calls) + 1 {
		steps := slices.Insert(slices.Clone(calls), at, self)
		score := 0
		for i := range len(calls) {
			if callsDecl(steps[i], steps[i+1], src) {
				score++
			}
		}
		if score > best {
			best, p.Steps, p.Finding = score, steps, at
		}
	}
	return p
}

// callsDecl tells whether the line of a names the function that b is in.
func callsDecl(a, b finding.Related, src *source.Cache) bool {
	name := src.File(b.Start.File).Decl(b.Start.Line)
	name = name[strings.LastIndexByte(name, '.')+1:]
	line := src.File(a.Start.File).Line(a.Start.Line)
	if strings.HasPrefix(line, "func ") {
		_, line, _ = strings.Cut(line, "{") // the body of a function on one line
	}
	return name != "" && strings.Contains(line, name+"(")
}
