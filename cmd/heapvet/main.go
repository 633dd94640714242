// Command heapvet finds races and heap faults in Go programs.
//
// It is a command of its own (heapvet ./...) and a vet tool
// (go vet -vettool=$(which heapvet) ./...).
package main

import (
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/frontend/cli"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/inventory"
	"github.com/heapvet/heapvet/internal/unit"
)

func main() {
	args := os.Args[1:]
	if vetrun.IsToolCall(args) {
		tool := &unit.Tool{
			Name:      "heapvet",
			Analyzers: analyzers.All(),
			OnRequest: []*analysis.Analyzer{inventory.Analyzer},
			Flags:     analyzers.Flags,
			Relevant:  heaps.Imports,
			Skip:      analyzers.Skip,
			Stdout:    os.Stdout,
			Stderr:    os.Stderr,
		}
		os.Exit(tool.Main(args))
	}
	os.Exit(cli.Main(args, analyzers.Checks(), analyzers.Flags))
}
