package cli

import (
	"flag"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// A checkFlag is one of the checks' flags, which the front end hands on to the
// vet tool as it was given. The value is tried on the analyzer here, so that a
// bad one is one clear error and not one for each package.
type checkFlag struct {
	name   string
	value  flag.Value
	isBool bool
	text   string
}

func (f *checkFlag) String() string { return f.text }

func (f *checkFlag) Set(s string) error {
	if err := f.value.Set(s); err != nil {
		return err
	}
	f.text = s
	return nil
}

func (f *checkFlag) Type() string {
	if f.isBool {
		return "bool"
	}
	return "string"
}

// addSharedFlags defines the vet tool's flags that belong to no single check.
func (a *app) addSharedFlags(flags *pflag.FlagSet) {
	var shared flag.FlagSet
	if a.flags != nil {
		a.flags(&shared)
	}
	shared.VisitAll(func(f *flag.Flag) {
		flags.Var(&checkFlag{name: f.Name, value: f.Value}, f.Name, f.Usage)
	})
}

// addCheckFlags defines for each check the flag that turns it on and off and the
// flags of its own, hidden: help for the check lists them. Flags that belong to no
// single check stand among the others.
func (a *app) addCheckFlags(flags *pflag.FlagSet) {
	a.addSharedFlags(flags)
	for _, c := range a.checks {
		add := func(name, usage string, value flag.Value) {
			b, ok := value.(interface{ IsBoolFlag() bool })
			cf := &checkFlag{name: name, value: value, isBool: ok && b.IsBoolFlag()}
			f := flags.VarPF(cf, name, "", usage)
			f.Hidden = true
			if cf.isBool {
				f.NoOptDefVal = "true"
			}
		}
		add(c.Name, "run only this check; =false runs all others", new(boolValue))
		c.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
			add(c.Name+"."+f.Name, f.Usage, f.Value)
		})
	}
}

// toolFlags returns the flags of the checks that were given, sorted, as the vet
// tool takes them: the go command keys its cache on them.
func toolFlags(flags *pflag.FlagSet) []string {
	var out []string
	flags.Visit(func(f *pflag.Flag) {
		if cf, ok := f.Value.(*checkFlag); ok {
			out = append(out, "-"+cf.name+"="+cf.text)
		}
	})
	slices.SortFunc(out, strings.Compare)
	return out
}

// boolValue is a flag.Value that accepts what the flag package accepts.
type boolValue bool

func (b *boolValue) String() string   { return "" }
func (b *boolValue) IsBoolFlag() bool { return true }
func (b *boolValue) Set(s string) error {
	var set flag.FlagSet
	p := set.Bool("x", false, "")
	err := set.Lookup("x").Value.Set(s)
	*b = boolValue(*p)
	return err
}
