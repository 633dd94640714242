package vetrun

import "strings"

// advice says what to do about what the go command complains of most often when
// it cannot load packages.
var advice = []struct{ complaint, advice string }{
	{"matched no packages", "check the pattern; ./... means all packages below the current directory"},
	{"no packages to vet", "check the pattern; ./... means all packages below the current directory"},
	{"cannot find main module", "run heapvet inside a module, or name one with -C DIR (go mod init starts a new one)"},
	{"go.mod file not found", "run heapvet inside a module, or name one with -C DIR (go mod init starts a new one)"},
	{"does not contain main module", "run heapvet inside a module, or name one with -C DIR; in a workspace, list the module in go.work"},
	{"does not contain packages in", "list the module in go.work, or set GOWORK=off"},
	{"no required module provides package", "add the module with go get, or all missing ones with go mod tidy, and run again"},
	{"missing go.sum entry", "run go mod tidy, or go mod download, and run again"},
	{"updates to go.mod needed", "run go mod tidy and run again"},
	{"inconsistent vendoring", "run go mod vendor and run again"},
	{"directory not found", "check the pattern and -C; patterns are relative to that directory"},
	{"no such file or directory", "check the pattern and -C; patterns are relative to that directory"},
	{"is not in std", "no such package; write ./dir for a package in a directory (heapvet help lists the commands)"},
	{"application built with go", "heapvet was built with an older Go than the module asks for: install it again with the newer one"},
	{"requires go >=", "install the Go version that the module asks for, or set GOTOOLCHAIN=auto"},
	{"build constraints exclude all Go files", "name the build tags with -tags"},
	{"dial tcp", "the modules must be downloaded once: run go mod download where there is a network"},
}

// Advice returns one line that says what to do about a failed run, or "".
func (r *Result) Advice() string {
	for _, line := range r.Text {
		for _, a := range advice {
			if strings.Contains(line, a.complaint) {
				return a.advice
			}
		}
	}
	return ""
}
