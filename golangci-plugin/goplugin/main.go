// Command goplugin is heapvet as a Go plugin of golangci-lint, for those who
// load linters from shared objects:
//
//	go build -buildmode=plugin -o heapvet.so github.com/heapvet/heapvet/golangci-plugin/goplugin
//
// A Go plugin and the program that loads it must be built by the same toolchain
// with the same flags and from the same versions of all modules that they share.
// The module plugin asks for none of that, so prefer it.
package main

import (
	"golang.org/x/tools/go/analysis"

	plugin "github.com/heapvet/heapvet/golangci-plugin"
)

// New is what golangci-lint looks up in the plugin.
func New(conf any) ([]*analysis.Analyzer, error) { return plugin.Analyzers(conf) }

func main() {} // the package must be a command
