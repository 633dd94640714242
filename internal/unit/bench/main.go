// Command bench measures what heapvet costs as a vet tool, against the least that
// such a tool can do: x/tools' driver with one analyzer that has a fact type and
// looks at nothing.
//
//	go run ./internal/unit/bench -dir DIR [-n RUNS] [-cold MAX] [-warm MAX] [patterns]
//
// Each run pairs the two tools on the packages of the module in DIR, cold (the
// packages are compiled, but no result of the tool is in the build cache) and
// warm (the same command again). The unit is processor time of the go command and
// all below it. It exits with status 1 if the median of a ratio is above its
// maximum. It must be started in heapvet's own module.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// tools are the packages of the two tools: the first is measured by the second.
var tools = [2]string{"./cmd/heapvet", "./internal/unit/bench/nothing"}

func main() {
	dir := flag.String("dir", ".", "`directory` of the module to analyse")
	n := flag.Int("n", 3, "number of `runs`")
	cold := flag.Float64("cold", 0.5, "most that the cold `ratio` may be")
	warm := flag.Float64("warm", 1.2, "most that the warm `ratio` may be")
	flag.Parse()
	b := &bench{dir: *dir, patterns: flag.Args()}
	if len(b.patterns) == 0 {
		b.patterns = []string{"./..."}
	}
	ratios, err := b.runs(*n)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if ratios[0] > *cold || ratios[1] > *warm {
		fmt.Printf("too dear: at most %.2f cold and %.2f warm are allowed\n", *cold, *warm)
		os.Exit(1)
	}
}

type bench struct {
	dir      string
	patterns []string
	temp     string
}

// runs measures n times, and prints each run. It returns the medians of the cold
// and of the warm ratios.
func (b *bench) runs(n int) (medians [2]float64, err error) {
	if b.temp, err = os.MkdirTemp("", "heapvet-bench-"); err != nil {
		return medians, err
	}
	defer os.RemoveAll(b.temp)
	// Compiles all packages that the analysis wants compiled.
	if _, err := b.measure(1, "warm-up"); err != nil {
		return medians, err
	}
	var ratios [2][]float64
	for i := range n {
		stamp := fmt.Sprintf("%d-%d", time.Now().UnixNano(), i)
		var times [2][2]time.Duration
		for j := range tools {
			tool := (i + j) % 2 // neither is always the first
			if times[tool], err = b.measure(tool, stamp); err != nil {
				return medians, err
			}
		}
		for k, name := range []string{"cold", "warm"} {
			ours, nothing := times[0][k], times[1][k]
			r := ours.Seconds() / nothing.Seconds()
			ratios[k] = append(ratios[k], r)
			fmt.Printf("run %d %s: heapvet %6.2f s, nothing %6.2f s, ratio %.2f\n", i+1, name, ours.Seconds(), nothing.Seconds(), r)
		}
	}
	for k, list := range ratios {
		slices.Sort(list)
		medians[k] = list[len(list)/2]
	}
	fmt.Printf("median of %d: cold %.2f, warm %.2f\n", n, medians[0], medians[1])
	return medians, nil
}

// measure builds a tool anew, under a stamp that makes it another tool to the
// build cache, and returns the processor times of its first and second run.
func (b *bench) measure(tool int, stamp string) (times [2]time.Duration, err error) {
	exe := filepath.Join(b.temp, filepath.Base(tools[tool]))
	build := exec.CommandContext(context.Background(), "go", "build", "-ldflags=-X main.stamp="+stamp, "-o", exe, tools[tool])
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as releases are built
	if out, err := build.CombinedOutput(); err != nil {
		return times, fmt.Errorf("building %s: %w\n%s", tools[tool], err, out)
	}
	for i := range times {
		// With -json, findings are no failure.
		vet := exec.CommandContext(context.Background(), "go", append([]string{"vet", "-json", "-vettool=" + exe}, b.patterns...)...)
		vet.Dir = b.dir
		vet.Stderr = os.Stderr
		if err := vet.Run(); err != nil {
			return times, fmt.Errorf("running %s: %w", exe, err)
		}
		times[i] = vet.ProcessState.UserTime() + vet.ProcessState.SystemTime()
	}
	return times, nil
}
