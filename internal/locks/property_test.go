package locks_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heapvet/heapvet/internal/guards"
	"github.com/heapvet/heapvet/internal/locks"
)

var (
	programs = flag.Int("programs", 200, "how many random programs to check")
	seed     = flag.Uint64("seed", 1, "the seed of the first random program")
)

// TestRandomPrograms compares the analysis of generated programs with what happens
// on their paths: a lock that the analysis claims must be held on every path, and
// one that every path holds must be claimed.
func TestRandomPrograms(t *testing.T) {
	valid, complete, claims, failed := 0, 0, 0, 0
	for s := *seed; s < *seed+uint64(*programs); s++ {
		p := generate(s)
		faults, r := check(t, p)
		if r.valid {
			valid++
		}
		if r.complete {
			complete++
		}
		claims += r.claims
		if len(faults) == 0 {
			continue
		}
		p.shrink(func(p *program) bool {
			f, _ := check(nil, p)
			return len(f) > 0 && verdict(f[0]) == verdict(faults[0])
		})
		faults, _ = check(t, p)
		t.Errorf("seed %d: %s\n%s", s, strings.Join(faults, "\n"), numbered(p.source))
		if failed++; failed == 5 {
			t.Fatal("enough")
		}
	}
	t.Logf("%d programs, %d without misuse, %d of them with all paths, %d claims", *programs, valid, complete, claims)
	if valid < *programs/4 {
		t.Errorf("only %d of %d programs use their locks right", valid, *programs)
	}
}

// ran says what came out of a program.
type ran struct {
	valid, complete bool
	claims          int
}

// check analyses a program and runs it, and lists where the two differ. Without t,
// a program that does not compile has no faults.
func check(t *testing.T, p *program) ([]string, ran) {
	truth, misused, all := p.run(false)
	got, ok := claimed(t, p)
	if misused || !ok {
		return nil, ran{}
	}
	faults := tooMuch(got, truth)
	if all {
		known, _, all := p.run(true)
		if all {
			faults = append(faults, tooLittle(got, known)...)
		}
	}
	return faults, ran{true, all, len(got)}
}

// verdict is the kind of a fault.
func verdict(fault string) string {
	return fault[strings.Index(fault, "claimed"):strings.Index(fault, ",")] + fault[strings.LastIndex(fault, ",")+1:]
}

// claimed returns what the analysis claims of the probes that the root leads to.
func claimed(t *testing.T, p *program) (map[key]*observation, bool) {
	a := analyze(t, p.source)
	if a == nil {
		return nil, false
	}
	sum := a.Summary(a.method(p.root().name))
	out := map[key]*observation{}
	for _, acc := range slices.Concat(sum.Accesses, sum.Spawned) {
		first, last := acc.Trace[0], acc.Trace[len(acc.Trace)-1]
		k := key{p.lines[a.line(first.At)], p.group(p.lines[a.line(last.At)])}
		if acc.What != "heap.Push" || k.probe < 0 && acc.Spawn != nil {
			continue
		}
		o := &observation{must: modes(acc.Held), may: modes(acc.May)}
		if old := out[k]; old != nil {
			for l := range o.must {
				o.must[l] = min(o.must[l], old.must[l])
				o.may[l] = max(o.may[l], old.may[l])
			}
		}
		out[k] = o
	}
	return out, true
}

// modes are the generated locks among those held.
func modes(list []locks.Held) [numLocks]mode {
	var m [numLocks]mode
	for _, h := range list {
		if l := slices.Index(lockNames[:], guards.Name(h.Place)); l >= 0 {
			m[l] = mode(h.Mode)
		}
	}
	return m
}

// tooMuch lists the claims that some path refutes.
func tooMuch(got, want map[key]*observation) []string {
	return compare(got, want, func(k key, l int, g, w *observation) string {
		switch {
		case g.must[l] > w.must[l]:
			return fmt.Sprintf("claimed to be %s, some path has it %s", g.must[l], w.must[l])
		case k.first != k.probe:
			// a lock that a callee drops on some paths may count as dropped
		case g.may[l] < w.may[l]:
			return fmt.Sprintf("claimed to be at most %s, some path has it %s", g.may[l], w.may[l])
		}
		return ""
	})
}

// tooLittle lists what every path holds and the analysis does not claim.
func tooLittle(got, want map[key]*observation) []string {
	return compare(got, want, func(_ key, l int, g, w *observation) string {
		if g.must[l] < w.must[l] {
			return fmt.Sprintf("claimed to be %s, every path has it %s", g.must[l], w.must[l])
		}
		return ""
	})
}

// compare lists the differences at the probes that were reached.
func compare(got, want map[key]*observation, differ func(k key, l int, g, w *observation) string) []string {
	var faults []string
	for k, g := range got {
		w := want[k]
		for l := range g.must {
			if w == nil {
				continue
			}
			if d := differ(k, l, g, w); d != "" {
				faults = append(faults, fmt.Sprintf("probe %d in statement %d: %s is %s", k.probe, k.first, lockNames[l], d))
			}
		}
	}
	slices.Sort(faults)
	return faults
}

// String is the mode in words.
func (m mode) String() string { return [...]string{"free", "read-locked", "locked"}[m] }

func numbered(src string) string {
	var b strings.Builder
	n := 0
	for l := range strings.SplitSeq(src, "\n") {
		if n++; n > strings.Count(prologue, "\n") {
			fmt.Fprintf(&b, "%4d %s\n", n, l)
		}
	}
	return b.String()
}
