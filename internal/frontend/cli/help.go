package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/heapvet/heapvet/internal/check"
	"github.com/heapvet/heapvet/internal/frontend/explain"
	"github.com/heapvet/heapvet/internal/frontend/printer"
	"github.com/heapvet/heapvet/internal/frontend/version"
	"github.com/heapvet/heapvet/internal/suggest"
)

// helpCommand is "heapvet help": about the program, a command, a check, the formats.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [command | check[/rule] | formats]",
		Short:             "explain heapvet, a command, a check, the output formats",
		ValidArgsFunction: a.completeTopics,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if err := cmd.Root().Help(); err != nil {
					return err
				}
				fmt.Fprintf(a.stdout, "\nChecks (heapvet help CHECK tells more):\n")
				return explain.New(a.stdout, a.useColor("auto")).List(a.checks, false)
			}
			if args[0] == "formats" {
				return a.listFormats()
			}
			if sub, _, err := cmd.Root().Find(args); err == nil && sub != cmd.Root() {
				return sub.Help()
			}
			return a.explain(cmd, args[0], "auto")
		},
	}
}

func (a *app) listFormats() error {
	fmt.Fprint(a.stdout, `Formats for -f, several separated by commas. One goes to standard output, others to
a file after an equals sign: -f text,sarif=heapvet.sarif,html=heapvet.html

`)
	for _, f := range printer.Formats() {
		fmt.Fprintf(a.stdout, "  %-10s  %s\n", f.Name, f.Title)
	}
	return nil
}

// explainCommand is "heapvet explain".
func (a *app) explainCommand() *cobra.Command {
	var mode string
	cmd := &cobra.Command{
		Use:               "explain CHECK[/RULE]",
		Short:             "print the documentation of a check or a rule",
		Args:              needs(1, "a check or a rule, such as heaplock or heaplock/unheld; heapvet list has them all"),
		ValidArgsFunction: a.completeTopics,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.explain(cmd, args[0], mode) },
	}
	cmd.Flags().StringVar(&mode, "color", "auto", "colour: `when` is auto, always or never")
	return cmd
}

func (a *app) explain(cmd *cobra.Command, topic, color string) error {
	name, ruleName, hasRule := strings.Cut(topic, "/")
	c := a.check(name)
	if c == nil {
		return a.unknownTopic(cmd.Root(), topic)
	}
	p := explain.New(a.stdout, a.useColor(color))
	if !hasRule {
		return p.Check(c)
	}
	if r := c.Rule(ruleName); r != nil {
		return p.Rule(c, r)
	}
	var rules []string
	for _, r := range c.Rules {
		rules = append(rules, r.Name)
	}
	if near := suggest.Nearest(ruleName, rules); near != "" {
		return fmt.Errorf("%s has no rule %q; did you mean %s/%s?", name, ruleName, name, near)
	}
	return fmt.Errorf("%s has no rule %q; it has %s", name, ruleName, strings.Join(rules, ", "))
}

// listCommand is "heapvet list".
func (a *app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "list the checks and their rules",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return explain.New(a.stdout, a.useColor("auto")).List(a.checks, true)
		},
	}
}

// versionCommand is "heapvet version".
func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of heapvet",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, version.Get())
			return err
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

// topics are the names of checks and rules.
func (a *app) topics() []string {
	var out []string
	for _, c := range a.checks {
		out = append(out, c.Name)
		for _, r := range c.Rules {
			out = append(out, c.Name+"/"+r.Name)
		}
	}
	return out
}

func (a *app) completeTopics(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.topics(), cobra.ShellCompDirectiveNoFileComp
}

func (a *app) unknownTopic(root *cobra.Command, topic string) error {
	known := a.topics()
	for _, sub := range root.Commands() {
		known = append(known, sub.Name())
	}
	hint := `run "heapvet list" for the checks and "heapvet help" for the commands`
	if near := suggest.Nearest(topic, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("no command and no check is called %q; %s", topic, hint)
}
