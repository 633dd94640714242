// Command custom is golangci-lint with heapvet in it. It is what "golangci-lint
// custom" would make of .custom-gcl.yml, but builds like any Go program:
//
//	cd golangci-plugin/custom && go build -o custom-gcl .
//
// To have other versions, or more plugins, copy this file to a module of your own.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/heapvet/heapvet/golangci-plugin"
)

func main() {
	if err := commands.Execute(buildInfo()); err != nil {
		fmt.Fprintf(os.Stderr, "The command is terminated due to an error: %v\n", err)
		os.Exit(exitcodes.Failure)
	}
}

// buildInfo says which golangci-lint is in the program: its configuration is
// checked against that version.
func buildInfo() commands.BuildInfo {
	info := commands.BuildInfo{Version: "unknown", Commit: "custom build with heapvet", Date: "(unknown)"}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	info.GoVersion = build.GoVersion
	for _, dep := range build.Deps {
		if dep.Path == "github.com/golangci/golangci-lint/v2" {
			info.Version = strings.TrimPrefix(dep.Version, "v")
		}
	}
	return info
}
