package cli

import (
	"github.com/spf13/cobra"
)

const rootLong = `heapvet finds races and heap faults in Go programs: operations on priority
queues (container/heap and its kin) without their lock, comparators that are no
order, backing slices that get out, and what goes wrong around them.

heapvet analyses the packages that the patterns name, as the go command has
them; ./... is the default. Findings go to standard output, one a line with its
evidence indented below. The checks' own flags (heapvet help CHECK lists them)
stand among the others: -heaplock runs heaplock alone, -heaplock=false all
others, -heaplock.disable=RULES switches rules off.

Exit status: 0 no findings, 1 findings, 2 heapvet could not run or the code does
not build.`

func (a *app) rootCommand() *cobra.Command {
	var o rootOptions
	root := &cobra.Command{
		Use:   "heapvet [flags] [packages]",
		Short: "find races and heap faults in Go programs",
		Long:  rootLong,
		Example: `  heapvet ./...                            analyse the module
  heapvet -C ../other -tags integration ./...
  heapvet help heaplock                    what a check finds, and how`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.analyse(cmd, &o, args)
		},
	}
	root.SetFlagErrorFunc(flagError)
	o.addTo(root.Flags())
	a.addCheckFlags(root.Flags())
	help := a.helpCommand()
	root.SetHelpCommand(help)
	root.AddCommand(a.gateCommand(), a.baselineCommand(), a.heapsCommand(), a.explainCommand(), a.listCommand(), a.configCommand(), a.versionCommand(), a.manCommand(), help)
	root.SetUsageFunc(usage)
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Use, completion.Short = "completion bash|zsh|fish|powershell", "print a completion script for a shell"
	}
	return root
}
