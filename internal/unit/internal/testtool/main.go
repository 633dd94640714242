// Command testtool runs the analyzers of package marks in one of two drivers, to
// compare them.
package main

import (
	"os"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/heapvet/heapvet/internal/unit"
	"github.com/heapvet/heapvet/internal/unit/internal/marks"
)

// driver is set by the linker: "xtools", or ours.
var driver string

func main() {
	if driver == "xtools" {
		unitchecker.Main(marks.All...)
	}
	tool := &unit.Tool{
		Name:      "testtool",
		Analyzers: marks.All,
		Relevant:  func(path string) bool { return path == "container/heap" },
		Stdout:    os.Stdout,
		Stderr:    os.Stderr,
	}
	os.Exit(tool.Main(os.Args[1:]))
}
