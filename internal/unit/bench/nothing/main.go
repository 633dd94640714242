// Command nothing is the least that a vet tool with facts can do: x/tools' driver
// and an analyzer that has a fact type and looks at nothing. It is what the bench
// command measures heapvet against.
package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

type fact struct{}

func (*fact) AFact() {}

var nothing = &analysis.Analyzer{
	Name:      "nothing",
	Doc:       "look at nothing",
	FactTypes: []analysis.Fact{new(fact)},
	Run:       func(*analysis.Pass) (any, error) { return nil, nil },
}

func main() { unitchecker.Main(nothing) }
