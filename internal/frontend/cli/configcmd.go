package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// configCommand is "heapvet config": the configuration in force.
func (a *app) configCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "print the configuration in force",
		Long: `config prints the configuration that a run with the same flags would have, in
the form of a .heapvet.yaml, and the vet tool's flags that it amounts to.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := a.plan(&o, cmd.Flags(), nil)
			if err != nil {
				return err
			}
			text, err := p.config.YAML()
			if err != nil {
				return err
			}
			from := "no configuration file"
			if p.config.File != "" {
				from = "from " + p.config.File
			}
			fmt.Fprintf(a.stdout, "# %s\n%s", from, text)
			for _, f := range p.toolFlags {
				fmt.Fprintf(a.stdout, "# flag: %s\n", f)
			}
			return nil
		},
	}
	o.addTo(cmd.Flags())
	a.addCheckFlags(cmd.Flags())
	return cmd
}
