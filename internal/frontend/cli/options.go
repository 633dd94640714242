package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/heapvet/heapvet/internal/frontend/config"
	"github.com/heapvet/heapvet/internal/suggest"
)

// runOptions are the flags that every command has that analyses packages.
type runOptions struct {
	dir      string
	config   string
	tags     []string
	mod      string
	test     bool
	formats  string
	json     bool
	color    string
	failOn   string
	linkBase string
	verbose  bool
	debug    string
}

func (o *runOptions) addTo(flags *pflag.FlagSet) {
	o.addLoading(flags)
	flags.BoolVar(&o.test, "test", true, "report findings in test files")
	flags.StringVarP(&o.formats, "f", "f", "text", "output `formats`, as in sarif=out.sarif,text; heapvet help formats lists them")
	flags.BoolVar(&o.json, "json", false, "the same as -f json")
	flags.StringVar(&o.color, "color", "auto", "colour: `when` is auto, always or never")
	flags.StringVar(&o.failOn, "fail-on", "", "least `severity` for exit status 1: note, warning, error or never")
	flags.StringVar(&o.linkBase, "link-base", "", "`URL` below which the files are on the web, for links in summaries")
	o.addRunning(flags)
}

// addLoading adds the flags that say which packages are analysed.
func (o *runOptions) addLoading(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVarP(&o.dir, "C", "C", "", "run as if started in `dir`")
	flags.StringSliceVar(&o.tags, "tags", nil, "comma-separated build `tags`")
	flags.StringVar(&o.mod, "mod", "", "module download `mode`: readonly, vendor or mod")
}

// addRunning adds the flags for how the analysis runs.
func (o *runOptions) addRunning(flags *pflag.FlagSet) {
	flags.StringVar(&o.config, "config", "", "configuration `file` instead of the "+config.FileName+" found upwards; none for no file")
	flags.BoolVarP(&o.verbose, "v", "v", false, "say on standard error what runs and how long it takes")
	flags.StringVar(&o.debug, "debug", "", "keep the go command's raw output in `file`")
}

// rootOptions are the flags of the command without a name.
type rootOptions struct {
	runOptions
	affected, baseline string
	fix, diff          bool
}

func (o *rootOptions) addTo(flags *pflag.FlagSet) {
	o.runOptions.addTo(flags)
	flags.StringVar(&o.baseline, "baseline", "", "report only what is not in `file`; heapvet baseline writes it")
	flags.StringVar(&o.affected, "affected", "", "analyse only packages changed since `revision`, and those that import them")
	flags.BoolVar(&o.fix, "fix", false, "apply the fixes that findings propose")
	flags.BoolVar(&o.diff, "diff", false, "print what -fix would change, and change nothing")
}

// A plan is what a command is to do, from its flags and the configuration.
type plan struct {
	*runOptions
	config  *config.Config
	outputs []output
	// toolFlags go to the vet tool, buildFlags to the go command.
	toolFlags, buildFlags []string
	// workDir is the process's directory; file names are shown relative to it.
	workDir string
	// runDir is the absolute directory that packages are looked for in.
	runDir string
	// patterns name the packages; nothing says that there are none to analyse.
	patterns []string
	nothing  bool
}

// plan checks the flags and reads the configuration.
func (a *app) plan(o *runOptions, flags *pflag.FlagSet, patterns []string) (*plan, error) {
	p := &plan{runOptions: o, patterns: patterns}
	if len(patterns) == 0 {
		p.patterns = []string{"./..."}
	}
	var err error
	if p.workDir, err = os.Getwd(); err != nil {
		return nil, err
	}
	p.runDir = p.workDir
	if o.dir != "" {
		if info, err := os.Stat(o.dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("-C %s: no such directory", o.dir)
		}
		if p.runDir, err = filepath.Abs(o.dir); err != nil {
			return nil, err
		}
	}
	if p.config, err = a.readConfig(o.config, p.runDir); err != nil {
		return nil, err
	}
	if err := p.override(flags); err != nil {
		return nil, err
	}
	if o.json && !flags.Changed("f") {
		o.formats = "json"
	}
	if p.outputs, err = parseOutputs(o.formats); err != nil {
		return nil, err
	}
	models, err := modelFlags(p.config)
	if err != nil {
		return nil, err
	}
	p.toolFlags = mergeFlags(p.config.Flags(), models, toolFlags(flags))
	if len(p.config.Tags) > 0 {
		p.buildFlags = append(p.buildFlags, "-tags="+strings.Join(p.config.Tags, ","))
	}
	if o.mod != "" {
		p.buildFlags = append(p.buildFlags, "-mod="+o.mod)
	}
	return p, nil
}

// readConfig reads the configuration file that -config names or that is found
// from dir upwards.
func (a *app) readConfig(name, dir string) (*config.Config, error) {
	if name == "none" {
		return &config.Config{}, nil
	}
	if name == "" {
		found, err := config.Find(dir)
		if found == "" || err != nil {
			return &config.Config{}, err
		}
		name = found
		if wd, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(wd, found); err == nil {
				name = rel
			}
		}
	}
	c, err := config.Read(name, a.checks)
	var bad *config.Error
	if errors.As(err, &bad) {
		return nil, fmt.Errorf("the configuration is not right:\n%w", err)
	}
	return c, err
}

// override lets the flags have their way over the configuration.
func (p *plan) override(flags *pflag.FlagSet) error {
	if flags.Changed("tags") {
		p.config.Tags = p.tags
	}
	if flags.Changed("test") || p.config.Test == nil {
		p.config.Test = &p.test
	}
	if !slices.Contains([]string{"auto", "always", "never"}, p.color) {
		return fmt.Errorf("-color=%s: it can be auto, always or never", p.color)
	}
	if p.failOn == "" {
		return nil
	}
	known := []string{"note", "warning", "error", "never"}
	if !slices.Contains(known, p.failOn) {
		if near := suggest.Nearest(p.failOn, known); near != "" {
			return fmt.Errorf("-fail-on=%s: did you mean %s?", p.failOn, near)
		}
		return fmt.Errorf("-fail-on=%s: it can be %s", p.failOn, strings.Join(known, ", "))
	}
	p.config.FailOn = config.FailOn(p.failOn)
	return nil
}

// mergeFlags joins lists of -name=value; of two flags of one name the later
// counts. The result is sorted: the go command keys its cache on it.
func mergeFlags(lists ...[]string) []string {
	byName := map[string]string{}
	for _, list := range lists {
		for _, f := range list {
			name, _, _ := strings.Cut(f, "=")
			byName[name] = f
		}
	}
	var out []string
	for _, f := range byName {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}
