// Package version tells which heapvet this is.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Info describes the program's build.
type Info struct {
	// Version is the module's version, "(devel)" for a build from a work tree.
	Version string
	// Commit is the revision that was built, with "+dirty" if the work tree had
	// changes; "" if the build does not know.
	Commit string
	// Go is the version of Go that built the program.
	Go string
}

// Get reads what the build recorded.
func Get() Info {
	info := Info{Version: "(devel)", Go: runtime.Version()}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	if build.Main.Version != "" {
		info.Version = build.Main.Version
	}
	dirty := ""
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Commit = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+dirty"
			}
		}
	}
	if info.Commit != "" {
		info.Commit += dirty
	}
	return info
}

// String is the line that `heapvet version` prints.
func (i Info) String() string {
	s := "heapvet " + i.Version
	if i.Commit != "" {
		s += " (" + i.Commit + ")"
	}
	return fmt.Sprintf("%s, built with %s for %s/%s", s, i.Go, runtime.GOOS, runtime.GOARCH)
}
