// Package cli is heapvet's command line: the commands, their flags, and the
// order of their work. Each duty has a package of its own beside this one.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/suggest"
)

// Exit statuses.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailed   = 2
	// exitInterrupted is what shells report for a program that SIGINT ended.
	exitInterrupted = 130
)

// An app is one invocation of the program.
type app struct {
	checks         []*check.Check
	flags          func(*flag.FlagSet) // flags of the vet tool that belong to no single check
	stdout, stderr io.Writer
	// status is the exit status that the command that ran has decided on.
	status int
}

// Main runs the command line args, without the program's name, and returns the
// exit status: 0 clean, 1 findings, 2 could not run. The vet tool that the program
// is has the checks and the flags.
func Main(args []string, checks []*check.Check, flags func(*flag.FlagSet)) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{checks: checks, flags: flags, stdout: os.Stdout, stderr: os.Stderr}
	return a.run(ctx, args)
}

func (a *app) run(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(goStyle(args))
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(a.stderr, "heapvet: interrupted")
		return exitInterrupted
	case err != nil:
		fmt.Fprintf(a.stderr, "heapvet: %v\n", err)
		if near := mistyped(root, args); near != "" {
			fmt.Fprintf(a.stderr, "heapvet: did you mean the command heapvet %s?\n", near)
		}
		return exitFailed
	}
	return a.status
}

// mistyped returns the command that the first argument may have been meant for. As
// it is none, it was taken for a package.
func mistyped(root *cobra.Command, args []string) string {
	if len(args) == 0 {
		return ""
	}
	var known []string
	for _, sub := range root.Commands() {
		if sub.Name() == args[0] {
			return ""
		}
		known = append(known, sub.Name())
	}
	return suggest.Nearest(args[0], known)
}

// flagError puts a flag error into the style in which the flags are documented,
// and proposes the flag that may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		hint := fmt.Sprintf("run %q for the flags", cmd.CommandPath()+" -h")
		if near := suggest.Nearest(name, flagNames(cmd.Flags())); near != "" {
			hint = "did you mean -" + near + "?"
		}
		return fmt.Errorf("unknown flag -%s; %s", name, hint)
	}
	return errors.New(strings.ReplaceAll(err.Error(), "--", "-"))
}

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
