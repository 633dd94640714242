// Command heapvet finds races and heap faults in Go programs.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/heapvet/heapvet/analyzers"
)

func main() { unitchecker.Main(analyzers.All()...) }
