// Package checkflags gives the analyzers their flags on a command line: one by
// the name of each, which turns it on or off, and its own ones behind that name
// and a dot.
package checkflags

import (
	"flag"
	"fmt"
	"strconv"

	"golang.org/x/tools/go/analysis"
)

// A Selection is the choice of analyzers that the flags make.
type Selection struct {
	analyzers []*analysis.Analyzer
	states    []state
	onRequest int // those from here on run only if a flag names them
}

// Add adds the analyzers' flags to fs. Those onRequest run only if a flag turns them
// on.
func Add(fs *flag.FlagSet, analyzers []*analysis.Analyzer, onRequest ...*analysis.Analyzer) *Selection {
	s := &Selection{onRequest: len(analyzers)}
	s.analyzers = append(append(s.analyzers, analyzers...), onRequest...)
	s.states = make([]state, len(s.analyzers))
	for i, a := range s.analyzers {
		fs.Var(&s.states[i], a.Name, fmt.Sprintf("run only %s and others so named; %[1]s=false: run all but %[1]s", a.Name))
		a.Flags.VisitAll(func(f *flag.Flag) {
			fs.Var(f.Value, a.Name+"."+f.Name, f.Usage)
		})
	}
	return s
}

// Enabled returns the analyzers to run, in their order: those that a flag turned
// on, or, where there is none such, all that no flag turned off. This is how vet
// understands the flags.
func (s *Selection) Enabled() []*analysis.Analyzer {
	if on := s.having(on); len(on) > 0 {
		return on
	}
	return s.having(unset)
}

func (s *Selection) having(want state) []*analysis.Analyzer {
	var list []*analysis.Analyzer
	for i, a := range s.analyzers {
		if s.states[i] == want && (want == on || i < s.onRequest) {
			list = append(list, a)
		}
	}
	return list
}

// A state is a boolean flag's value that knows whether the flag was given.
type state int

const (
	unset state = iota
	on
	off
)

// IsBoolFlag lets the flag stand without a value.
func (s *state) IsBoolFlag() bool { return true }

// String is the value in force.
func (s *state) String() string { return strconv.FormatBool(s == nil || *s != off) }

// Set sets the value.
func (s *state) Set(value string) error {
	b, err := strconv.ParseBool(value)
	if err != nil {
		return fmt.Errorf("want true or false")
	}
	*s = off
	if b {
		*s = on
	}
	return nil
}
