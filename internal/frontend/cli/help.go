package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/explain"
	"github.com/heapvet/heapvet/internal/suggest"
)

// helpCommand is "heapvet help": about the program, a command or a check.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command|check]",
		Short: "explain heapvet, a command or a check",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if err := cmd.Root().Help(); err != nil {
					return err
				}
				return explain.List(a.stdout, a.checks)
			}
			if c := a.check(args[0]); c != nil {
				return explain.Check(a.stdout, c)
			}
			if sub, _, err := cmd.Root().Find(args); err == nil && sub != cmd.Root() {
				return sub.Help()
			}
			return a.unknownTopic(cmd.Root(), args[0])
		},
	}
}

func (a *app) check(name string) *check.Check {
	for _, c := range a.checks {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func (a *app) unknownTopic(root *cobra.Command, topic string) error {
	var known []string
	for _, c := range a.checks {
		known = append(known, c.Name)
	}
	for _, sub := range root.Commands() {
		known = append(known, sub.Name())
	}
	hint := `run "heapvet help" for the commands and checks`
	if near := suggest.Nearest(topic, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("no command and no check is called %q; %s", topic, hint)
}
