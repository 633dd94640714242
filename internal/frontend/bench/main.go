//go:build unix

// Command bench measures the front end.
//
//	go run ./internal/frontend/bench -dir DIR [-n RUNS] [patterns]
//	go run ./internal/frontend/bench -tree
//
// The first form takes turns, warm, between heapvet, the vet tool under the go
// command without the front end, and the go command's own vet, on the packages of
// the module in DIR. It prints the least and the median of the wall clock and of the
// processor time of the program and all below it; on a busy machine the least is the
// one to compare.
//
// The second form makes modules of 500, 1,000 and 2,000 packages with ten findings
// in each, and prints for each the time of a warm run and the most memory that
// heapvet itself took: both should grow with the number of packages, and not with
// its square.
//
// It must be started in heapvet's own module.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

func main() {
	dir := flag.String("dir", ".", "`directory` of the module to analyse")
	n := flag.Int("n", 5, "number of `runs`")
	tree := flag.Bool("tree", false, "measure generated modules instead")
	flag.Parse()
	b := &bench{n: *n}
	if err := b.run(*dir, *tree, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type bench struct {
	n       int
	heapvet string
}

func (b *bench) run(dir string, tree bool, patterns []string) error {
	tmp, err := os.MkdirTemp("", "heapvet-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	b.heapvet = filepath.Join(tmp, "heapvet")
	if out, err := exec.Command("go", "build", "-o", b.heapvet, "./cmd/heapvet").CombinedOutput(); err != nil {
		return fmt.Errorf("building heapvet: %w\n%s", err, out)
	}
	if tree {
		return b.trees(tmp)
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	return b.overhead(dir, patterns)
}

// A cost is what a command took.
type cost struct {
	wall, cpu time.Duration
	rss       int64 // most memory of the process itself, in bytes
}

// measure runs a command. Findings are no failure.
func measure(dir string, args ...string) (cost, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		return cost{}, fmt.Errorf("%v: %w\n%s", args, err, stderr.String())
	}
	c := cost{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if ru, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.rss = ru.Maxrss << 10
	}
	return c, nil
}

func (b *bench) overhead(dir string, patterns []string) error {
	commands := []struct {
		name string
		args []string
		runs []cost
	}{
		{name: "heapvet", args: append([]string{b.heapvet}, patterns...)},
		{name: "go vet -json -vettool=heapvet", args: append([]string{"go", "vet", "-json", "-vettool=" + b.heapvet}, patterns...)},
		{name: "go vet", args: append([]string{"go", "vet"}, patterns...)},
	}
	for i := range b.n + 1 {
		for c := range commands {
			run, err := measure(dir, commands[c].args...)
			if err != nil {
				return err
			}
			if i > 0 { // the first makes the rest warm
				commands[c].runs = append(commands[c].runs, run)
			}
		}
	}
	for _, c := range commands {
		wall := sorted(c.runs, func(c cost) time.Duration { return c.wall })
		cpu := sorted(c.runs, func(c cost) time.Duration { return c.cpu })
		fmt.Printf("%-32s wall %6.0f ms least, %6.0f ms median; processor %6.0f ms least, %6.0f ms median\n", c.name,
			ms(wall[0]), ms(wall[len(wall)/2]), ms(cpu[0]), ms(cpu[len(cpu)/2]))
	}
	return nil
}

func (b *bench) trees(tmp string) error {
	for _, packages := range []int{500, 1000, 2000} {
		dir := filepath.Join(tmp, fmt.Sprint(packages))
		if err := makeTree(dir, packages); err != nil {
			return err
		}
		for _, format := range []string{"text", "sarif", "html"} {
			args := []string{b.heapvet, "-f=" + format + "=" + filepath.Join(tmp, "out"), "./..."}
			if format == "text" { // the first makes the rest warm
				if _, err := measure(dir, args...); err != nil {
					return err
				}
			}
			c, err := measure(dir, args...)
			if err != nil {
				return err
			}
			info, err := os.Stat(filepath.Join(tmp, "out"))
			if err != nil {
				return err
			}
			fmt.Printf("%5d packages, %6d findings, %-5s: wall %6.0f ms, processor %6.0f ms, memory %4d MiB, output %6d KiB\n",
				packages, packages*findings, format, ms(c.wall), ms(c.cpu), c.rss>>20, info.Size()>>10)
		}
	}
	return nil
}

// findings is the number of findings in each package of a generated module.
const findings = 10

// makeTree writes a module without imports, whose structs have a name twice.
func makeTree(dir string, packages int) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/tree\n\ngo 1.24\n"), 0o666); err != nil {
		return err
	}
	for i := range packages {
		var src bytes.Buffer
		fmt.Fprintf(&src, "package p%d\n", i)
		for j := range findings {
			fmt.Fprintf(&src, "\ntype T%d struct {\n\tA int `json:\"a\"`\n\tB int `json:\"a\"`\n}\n", j)
		}
		name := filepath.Join(dir, fmt.Sprintf("d%d", i%40), fmt.Sprintf("p%d", i), "p.go")
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, src.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func sorted(runs []cost, of func(cost) time.Duration) []time.Duration {
	var list []time.Duration
	for _, c := range runs {
		list = append(list, of(c))
	}
	slices.Sort(list)
	return list
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
