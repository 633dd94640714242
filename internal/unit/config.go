package unit

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A config is the unit file: it describes one package to the tool. The fields
// are those of the go command and of x/tools' unitchecker.Config.
type config struct {
	ID           string // of the package in the build, such as "fmt [fmt.test]"
	Compiler     string // "gc" or "gccgo"
	ImportPath   string
	GoVersion    string // language version, such as "go1.26"
	GoFiles      []string
	NonGoFiles   []string
	IgnoredFiles []string

	Module        *analysis.Module // given by Go 1.27 and later
	ModulePath    string
	ModuleVersion string

	ImportMap   map[string]string // import path in the source to package path
	PackageFile map[string]string // package path to file of the compiler's export data
	PackageVetx map[string]string // package path to file of facts

	VetxOnly   bool   // run for the facts, not for findings
	VetxOutput string // file to write facts to
	Stdout     string // file to write standard output to
	FixArchive string // zip file to write fixed files to

	SucceedOnTypecheckFailure bool // leave errors in the source to the compiler
}

func readConfig(filename string) (*config, error) {
	data, err := os.ReadFile(filename)
	if err != nil {
		return nil, err
	}
	cfg := new(config)
	if err := json.Unmarshal(data, cfg); err != nil {
		return nil, fmt.Errorf("cannot decode the unit file %s: %w", filename, err)
	}
	if len(cfg.GoFiles) == 0 {
		return nil, fmt.Errorf("package has no files: %s", cfg.ImportPath)
	}
	return cfg, nil
}

// exportsTypes tells whether the build has no compiler's export data, so that
// the types of a package must go into its facts file. The go command gives a
// map, be it empty, since every release that has the vet protocol; but x/tools'
// unitchecker no longer reads it, so a build system or a later go command may
// leave it out. gccgo's export data is of a kind that we do not read.
func (cfg *config) exportsTypes() bool {
	return cfg.PackageFile == nil || cfg.Compiler == "gccgo"
}

// module returns the module of the package, or nil.
func (cfg *config) module() *analysis.Module {
	if cfg.Module != nil || cfg.ModulePath == "" {
		return cfg.Module
	}
	return &analysis.Module{Path: cfg.ModulePath, Version: cfg.ModuleVersion, GoVersion: cfg.GoVersion}
}

// writeVetx writes the facts file, if the build system wants one.
func (cfg *config) writeVetx(v vetx) error {
	if cfg.VetxOutput == "" {
		return nil
	}
	return os.WriteFile(cfg.VetxOutput, v.encode(), 0o666)
}

// packagePath is the path that a package has for the type checker: build systems
// mark the variants of a package that are built for a test, as in
// "fmt [fmt.test]", but the compiler does not know such names.
func packagePath(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}
