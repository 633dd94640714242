// Package vetrun runs the analysis: `go vet -json -vettool=<this program>`.
//
// The go command loads packages, runs the checks in parallel, and caches facts
// and findings; this package starts it and reads what it says.
package vetrun

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heapvet/heapvet/internal/frontend/finding"
)

// Options say what to analyse and how.
type Options struct {
	// Tool is the absolute path of the vet tool.
	Tool string
	// Dir is the directory to run in; "" is the current one.
	Dir string
	// Env is the environment; nil is this process's.
	Env []string
	// BuildFlags are the go command's own flags, such as -tags=a,b.
	BuildFlags []string
	// ToolFlags are the checks' flags, such as -heaplock.disable=rlock.
	ToolFlags []string
	// Patterns name the packages, as for the go command.
	Patterns []string

	// Text, if not nil, gets each line that the go command says beside the
	// findings, as it comes: build errors, warnings, downloads.
	Text func(line string)
	// Done, if not nil, is called when a compilation unit has been analysed.
	Done func()
	// Raw, if not nil, gets the go command's output unchanged.
	Raw io.Writer
}

// A Result is the outcome of an analysis.
type Result struct {
	// Findings are sorted, without repetitions.
	Findings []*finding.Finding
	// Failures are the checks that could not analyse a package, in the order of
	// the go command's output.
	Failures []Failure
	// Text is what the go command said beside the findings.
	Text []string
	// Failed says that the go command could not do all of its work; Text then
	// says why.
	Failed bool
	// Units is the number of compilation units analysed: a package with its
	// internal tests is one, its external tests are another.
	Units   int
	Elapsed time.Duration

	// said has the units that the tool has said something of: true if that was what
	// it has found, though nothing; false if only that it has the facts.
	said map[string]bool
}

// ErrNoGo says that there is no go command.
var ErrNoGo = errors.New("no go command on PATH; heapvet needs it to load and build packages (install Go from https://go.dev/dl)")

// Run analyses the packages. An error means that the analysis could not be run
// or its output not be understood; build errors of the analysed code and the
// like are in the Result.
//
// Since Go 1.26 the go command caches what the tool says of a package together
// with its facts, under a key that does not know whether the package was one to
// report on or a dependency. So a package may be silent because it was first
// analysed as a dependency of others, and a dependency may speak because it was
// analysed for itself before. Run knows the packages to report on, drops the rest,
// and where one is missing, runs again with a key of the cache that belongs to
// just these packages.
func Run(ctx context.Context, o Options) (*Result, error) {
	goCmd, err := exec.LookPath("go")
	if err != nil {
		return nil, ErrNoGo
	}
	start := time.Now()
	result, err := runOnce(ctx, goCmd, o)
	if err != nil {
		return nil, err
	}
	roots, err := findRoots(ctx, o, result)
	// If the packages cannot be listed, the go command has failed too and said why.
	if err == nil {
		if missing := roots.missing(result); len(missing) > 0 && !result.Failed {
			if result, err = runOnce(ctx, goCmd, o.withKey(roots.units(result))); err != nil {
				return nil, err
			}
		}
		result.keep(roots)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	result.Findings = finding.Sort(result.Findings)
	result.Elapsed = time.Since(start)
	return result, nil
}

// keep drops what was said of packages that are not to be reported on.
func (r *Result) keep(in *roots) {
	r.Units = 0
	for path, full := range r.said {
		if full && in.has(path) {
			r.Units++
		}
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f *finding.Finding) bool { return !in.has(f.Package) })
	r.Failures = slices.DeleteFunc(r.Failures, func(f Failure) bool { return !in.has(f.Package) })
}

// withKey are the options with a key of the go command's cache that belongs to the
// units.
func (o Options) withKey(units []string) Options {
	key := sha256.Sum256([]byte(strings.Join(units, "\n")))
	o.ToolFlags = append(slices.Clone(o.ToolFlags), fmt.Sprintf("-cache-key=%x", key[:8]))
	return o
}

func runOnce(ctx context.Context, goCmd string, o Options) (*Result, error) {
	cmd := exec.CommandContext(ctx, goCmd, o.args()...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	cmd.WaitDelay = 5 * time.Second

	c := &collector{opts: &o, result: &Result{said: map[string]bool{}}}
	err := c.run(cmd)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		c.result.Failed = true
	case err != nil:
		return nil, fmt.Errorf("running go vet: %w", err)
	}
	return c.result, nil
}

// CommandLine is the go command's arguments, for people to read.
func (o *Options) CommandLine() string { return strings.Join(o.args(), " ") }

func (o *Options) args() []string {
	args := []string{"vet", "-json", "-vettool=" + o.Tool}
	args = append(args, o.BuildFlags...)
	args = append(args, o.ToolFlags...)
	// No separator stands before the patterns: the go command refuses a pattern
	// that looks like a flag in any case.
	return append(args, o.Patterns...)
}

// A collector gathers what the go command's two streams say.
type collector struct {
	opts   *Options
	mu     sync.Mutex
	result *Result
}

func (c *collector) run(cmd *exec.Cmd) error {
	// Pipes of our own, and not StdoutPipe: those must be read to their end
	// before Wait, which is then not free to give up on a child that was
	// interrupted and left grandchildren with the pipe open.
	outR, outW := io.Pipe()
	errR, errW := io.Pipe()
	cmd.Stdout, cmd.Stderr = outW, errW
	var readers sync.WaitGroup
	var parseErrs [2]error
	for i, r := range []*io.PipeReader{outR, errR} {
		readers.Go(func() {
			parseErrs[i] = readStream(c.tee(r), handler{unit: c.unit, text: c.text})
			// Whatever is left must not block the go command.
			_, _ = io.Copy(io.Discard, r)
		})
	}
	err := cmd.Run()
	_ = outW.Close()
	_ = errW.Close()
	readers.Wait()
	if perr := errors.Join(parseErrs[:]...); perr != nil {
		return perr
	}
	return err
}

func (c *collector) tee(r io.Reader) io.Reader {
	if c.opts.Raw == nil {
		return r
	}
	return io.TeeReader(r, lockedWriter{&c.mu, c.opts.Raw})
}

func (c *collector) unit(u Unit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if u.Package != "" {
		c.result.said[u.Package] = c.result.said[u.Package] || !u.FactsOnly
	}
	if u.FactsOnly {
		return
	}
	c.result.Findings = append(c.result.Findings, u.Findings...)
	c.result.Failures = append(c.result.Failures, u.Failures...)
	if c.opts.Done != nil {
		c.opts.Done()
	}
}

func (c *collector) text(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result.Text = append(c.result.Text, line)
	if c.opts.Text != nil {
		c.opts.Text(line)
	}
}

// lockedWriter lets the readers of both streams write to one place.
type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// interrupt asks a process to stop, by force where there is no way to ask.
func interrupt(p *os.Process) error {
	if err := p.Signal(os.Interrupt); err != nil {
		return p.Kill()
	}
	return nil
}
