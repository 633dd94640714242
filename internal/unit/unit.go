// Package unit is the driver behind "go vet -vettool": it analyses one package,
// described by a unit file, as part of a build.
//
// It answers the same command line as x/tools' unitchecker:
//
//	-V=full    describe the executable, for the build cache
//	-flags     describe the flags as JSON
//	unit.cfg   analyse the package that the file describes
//
// and gives the same output. What it is for is the difference in cost. Since
// v0.50 x/tools' driver takes the types of a package's imports from their facts
// files, so it must parse and type-check every dependency from source. This one
// reads them from the compiler's export data, as the go command's own vet does,
// and answers for a dependency that can have no facts before reading its source
// (see Tool.idle). Where a build system gives no export data, types travel in the
// facts files here too.
package unit

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/scanner"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/checkflags"
	"github.com/heapvet/heapvet/internal/facts"
)

// A Tool is a vet tool.
type Tool struct {
	// Name is the tool's name in messages.
	Name string
	// Analyzers are all that flags can choose from.
	Analyzers []*analysis.Analyzer
	// OnRequest are further analyzers, which run only if a flag turns them on.
	OnRequest []*analysis.Analyzer
	// Flags, if not nil, adds flags that belong to no single analyzer.
	Flags func(*flag.FlagSet)
	// Relevant reports whether a package that imports the given path may have
	// facts even if none of its imports has any. Others are not analysed as
	// dependencies.
	Relevant func(importPath string) bool
	// Skip, if not nil, is told of each analyzer that the flags leave out, which
	// may run all the same because another requires it.
	Skip func(*analysis.Analyzer)

	Stdout, Stderr io.Writer
}

// Exit statuses.
const (
	exitOK       = 0
	exitFindings = 1 // or the package could not be analysed
	exitUsage    = 2
)

// options are the flags of the driver itself.
type options struct {
	json, fix, diff bool
	context         int
	flags           bool
	version         string
}

// Main runs the tool with the command's arguments, and returns its exit status.
func (t *Tool) Main(args []string) int {
	delayCollection()
	var opt options
	fs := flag.NewFlagSet(t.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&opt.json, "json", false, "print findings as JSON")
	fs.BoolVar(&opt.fix, "fix", false, "apply the first fix of each finding instead of printing it")
	fs.BoolVar(&opt.diff, "diff", false, "with -fix, print the changes instead of making them")
	fs.IntVar(&opt.context, "c", -1, "print the lines of each finding with this many `lines` around them")
	fs.BoolVar(&opt.flags, "flags", false, "describe the flags as JSON")
	fs.StringVar(&opt.version, "V", "", "describe the executable; the `value` must be full")
	fs.String("cache-key", "", "keep results in the go command's cache apart by `key`; no other effect")
	if t.Flags != nil {
		t.Flags(fs)
	}
	selection := checkflags.Add(fs, t.Analyzers, t.OnRequest...)
	if err := fs.Parse(args); err != nil {
		return t.usage(err)
	}
	switch {
	case opt.version == "full":
		return t.describe()
	case opt.version != "":
		return t.usage(fmt.Errorf("unsupported flag value -V=%s (want full)", opt.version))
	case opt.flags:
		return t.describeFlags(fs)
	case fs.NArg() != 1 || !strings.HasSuffix(fs.Arg(0), ".cfg"):
		return t.usage(errors.New("want one unit file, as the go command gives it"))
	case opt.diff && !opt.fix:
		return t.usage(errors.New("-diff requires -fix"))
	}
	enabled := selection.Enabled()
	for _, a := range t.Analyzers {
		if t.Skip != nil && !slices.Contains(enabled, a) {
			t.Skip(a)
		}
	}
	return t.runFile(fs.Arg(0), &opt, enabled)
}

// usage reports a wrong command line.
func (t *Tool) usage(err error) int {
	t.logf("%v", err)
	return exitUsage
}

// fail reports why a package could not be analysed. Errors in the source speak
// for themselves, as those of the compiler do (see go.dev/issue/34142).
func (t *Tool) fail(err error) int {
	if _, ok := errors.AsType[types.Error](err); ok || errors.As(err, new(scanner.ErrorList)) {
		fmt.Fprintln(t.Stderr, err)
	} else {
		t.logf("%v", err)
	}
	return exitFindings
}

func (t *Tool) logf(format string, args ...any) {
	fmt.Fprintf(t.Stderr, t.Name+": "+format+"\n", args...)
}

// describe prints the line by which the go command tells one build of the tool
// from another: results in the build cache belong to one build.
func (t *Tool) describe() int {
	name, err := os.Executable()
	if err != nil {
		return t.fail(err)
	}
	f, err := os.Open(name)
	if err != nil {
		return t.fail(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return t.fail(err)
	}
	fmt.Fprintf(t.Stdout, "%s version devel buildID=%02x\n", t.Name, h.Sum(nil))
	return exitOK
}

// describeFlags prints the flags that the go command may pass on. Its vet command
// has a -fix of its own.
func (t *Tool) describeFlags(fs *flag.FlagSet) int {
	type jsonFlag struct {
		Name  string
		Bool  bool
		Usage string
	}
	var flags []jsonFlag
	fs.VisitAll(func(f *flag.Flag) {
		if f.Name == "fix" {
			return
		}
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		flags = append(flags, jsonFlag{f.Name, ok && b.IsBoolFlag(), f.Usage})
	})
	data, err := json.MarshalIndent(flags, "", "\t")
	if err != nil {
		return t.fail(err)
	}
	fmt.Fprintf(t.Stdout, "%s\n", data)
	return exitOK
}

// runFile analyses the package of a unit file.
func (t *Tool) runFile(filename string, opt *options, enabled []*analysis.Analyzer) int {
	cfg, err := readConfig(filename)
	if err != nil {
		return t.fail(err)
	}
	if cfg.VetxOnly {
		if err := cfg.markFactsOnly(opt); err != nil {
			return t.fail(err)
		}
		return t.runForFacts(cfg, enabled)
	}
	status, out := t.runForFindings(cfg, opt, enabled)
	if cfg.Stdout == "" {
		_, err = t.Stdout.Write(out)
	} else {
		err = os.WriteFile(cfg.Stdout, out, 0o666)
	}
	if err != nil {
		return t.fail(err)
	}
	return status
}

// runForFacts analyses a package of which only the facts are wanted. It is a
// dependency, which the compiler has judged already and the user may not own, so
// whatever goes wrong means no facts and no more; but without its types, where
// they travel in the facts file, nothing that imports it can be analysed.
func (t *Tool) runForFacts(cfg *config, enabled []*analysis.Analyzer) int {
	err := t.facts(cfg, factAnalyzers(enabled))
	if err != nil && !cfg.exportsTypes() {
		err = cfg.writeVetx(vetx{})
	}
	if err != nil {
		return t.fail(err)
	}
	return exitOK
}

func (t *Tool) facts(cfg *config, analyzers []*analysis.Analyzer) error {
	if t.idle(cfg, analyzers) {
		return cfg.writeVetx(vetx{})
	}
	u, err := load(cfg)
	if err != nil {
		return err
	}
	facts.Register(t.Analyzers)
	set, err := u.readFacts()
	if err != nil {
		return err
	}
	u.analyze(analyzers, set)
	return u.writeFacts(set)
}

// idle tells whether it is known without a look at the source that a package has
// no facts: nothing would make any, or it imports nothing that facts are about
// and nothing that has facts. The keys of ImportMap are all its imports.
func (t *Tool) idle(cfg *config, analyzers []*analysis.Analyzer) bool {
	if cfg.exportsTypes() {
		return false
	}
	if len(analyzers) == 0 {
		return true
	}
	for path := range cfg.ImportMap {
		if t.Relevant(path) {
			return false
		}
	}
	for _, file := range cfg.PackageVetx {
		if info, err := os.Stat(file); err != nil || info.Size() > 0 {
			return false
		}
	}
	return true
}

// factAnalyzers returns those of the analyzers, and of all that they require,
// which have facts.
func factAnalyzers(analyzers []*analysis.Analyzer) []*analysis.Analyzer {
	var list []*analysis.Analyzer
	seen := map[*analysis.Analyzer]bool{}
	var visit func([]*analysis.Analyzer)
	visit = func(analyzers []*analysis.Analyzer) {
		for _, a := range analyzers {
			if seen[a] {
				continue
			}
			seen[a] = true
			if len(a.FactTypes) > 0 {
				list = append(list, a)
			}
			visit(a.Requires)
		}
	}
	visit(analyzers)
	return list
}

// runForFindings analyses a package that the user asked for. It returns the exit
// status and the standard output.
func (t *Tool) runForFindings(cfg *config, opt *options, enabled []*analysis.Analyzer) (int, []byte) {
	u, err := load(cfg)
	if err != nil {
		if cfg.SucceedOnTypecheckFailure && !cfg.exportsTypes() {
			return exitOK, nil
		}
		return t.fail(err), nil
	}
	facts.Register(t.Analyzers)
	set, err := u.readFacts()
	if err != nil {
		return t.fail(err), nil
	}
	actions := u.analyze(enabled, set)
	if err := u.writeFacts(set); err != nil {
		return t.fail(err), nil
	}
	var out bytes.Buffer
	for _, act := range actions {
		for _, w := range act.warnings {
			t.logf("%s", w)
		}
	}
	switch {
	case opt.fix:
		return t.fix(u, opt, actions, &out), out.Bytes()
	case opt.json:
		return t.printJSON(u, actions, &out), out.Bytes()
	default:
		return t.printPlain(u, opt, actions), nil
	}
}
