// Command heapvet finds races and heap faults in Go programs.
//
// It is a command of its own (heapvet ./...) and a vet tool
// (go vet -vettool=$(which heapvet) ./...).
package main

import (
	"os"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/frontend/cli"
	"github.com/heapvet/heapvet/internal/frontend/vetrun"
)

func main() {
	if vetrun.IsToolCall(os.Args[1:]) {
		unitchecker.Main(analyzers.All()...)
	}
	os.Exit(cli.Main(os.Args[1:], analyzers.Checks()))
}
